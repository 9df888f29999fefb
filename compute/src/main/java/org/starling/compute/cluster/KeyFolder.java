package org.starling.compute.cluster;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;
import org.starling.net.NetException;

/**
 * The folder with what all nodes of a cluster share, on whatever host they are: {@code secret}, by
 * which they know each other, and {@code token}, which people show to the superpeers. Where a
 * variable of the environment holds the secret itself, its file is not asked for. Immutable; any
 * thread.
 */
public final class KeyFolder {
    private static final String SECRET = "secret";
    private static final String TOKEN = "token";

    private final Path folder;
    private final Map<String, String> environment;

    /**
     * A folder that {@link #make} has made.
     *
     * @param environment may hold the secret under {@value NodeChild#SECRET_VARIABLE}
     */
    public KeyFolder(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Makes the folder, with a fresh secret and a fresh token that only their owner can read.
     *
     * @throws InvalidInputException if there are any already, or it can't be written
     */
    public static void make(Path folder) {
        for (String name : new String[] {SECRET, TOKEN}) {
            if (Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                throw new InvalidInputException(
                        "%s has a %s already; a cluster's data belongs to it, so take another folder for another cluster"
                                .formatted(folder, name));
            }
        }
        ClusterFolder made = new ClusterFolder(folder);
        made.make(List.of());
        ClusterSecret _ = made.secret();
        made.makeToken();
    }

    /**
     * What the nodes know each other by.
     *
     * @throws InvalidInputException if there is none, or others can read it
     */
    public ClusterSecret secret() {
        String text = environment.get(NodeChild.SECRET_VARIABLE);
        Path file = folder.resolve(SECRET);
        try {
            if (text != null) {
                return ClusterSecret.of(text.strip());
            }
            if (!Files.exists(file)) {
                throw new InvalidInputException(
                        "there is no secret %s; \"starling keys init %s\" makes one, and every host of the cluster needs the same"
                                .formatted(file, folder));
            }
            return ClusterSecret.in(file);
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "the variable %s: %s".formatted(NodeChild.SECRET_VARIABLE, wrong.getMessage()),
                    wrong);
        }
    }

    /** The file of the token. */
    public Path token() {
        return folder.resolve(TOKEN);
    }
}
