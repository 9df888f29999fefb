package org.starling.compute.access;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonRecord;

/**
 * The tokens that a cluster takes, beside the one in its folder. Blocking; any thread. Every method
 * throws {@link org.starling.compute.cluster.ClusterException} while the cluster can't answer.
 */
public interface TokenService {
    /**
     * A token, without its text, which the cluster does not know.
     *
     * @param name of whoever has it
     * @param role what it is good for
     * @param created when, as an instant of ISO 8601
     * @param expires likewise; null for never
     */
    record TokenView(String name, AccessRole role, String created, @Nullable String expires)
            implements JsonRecord {}

    /**
     * Takes a token from now on; the same again changes nothing.
     *
     * @param name 1 to 64 letters, digits, points, hyphens, underscores and at signs
     * @param digest SHA-256 of its text, see {@link
     *     org.starling.compute.cluster.AccessToken#digest}
     * @param lifetime after which it is refused; null for never
     * @throws org.starling.graph.InvalidInputException if there is another one of that name, or
     *     something is wrong with what is asked
     */
    void create(String name, AccessRole role, String digest, @Nullable Duration lifetime);

    /** All of them, by name; those that have expired, too. */
    List<TokenView> list();

    /**
     * Refuses a token from now on: at once on the superpeer that is asked, within a second on the
     * others.
     *
     * @return false if there is none of that name
     */
    boolean revoke(String name);
}
