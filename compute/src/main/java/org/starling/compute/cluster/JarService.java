package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.List;
import org.starling.compute.script.JsonRecord;

/**
 * Jars of users that a cluster keeps, by their digests. Blocking; any thread. Every method throws
 * {@link ClusterException} while the cluster can't answer.
 */
public interface JarService {
    /**
     * A jar that somebody has, or the cluster.
     *
     * @param digest SHA-256 of its bytes, 64 hexadecimal digits in lower case
     * @param name what messages call it
     * @param bytes its length
     * @param providers names of the classes that its service files name; of one that is only asked
     *     for nobody says
     */
    record JarView(String digest, String name, long bytes, List<String> providers)
            implements JsonRecord {
        /** Copies the list. */
        public JarView {
            providers = List.copyOf(providers);
        }
    }

    /**
     * Which of these jars the cluster does not have, in their order.
     *
     * @throws org.starling.graph.InvalidInputException if code of users is switched off there, or
     *     one of them is too large
     */
    List<String> missing(List<JarView> jars);

    /**
     * Brings a jar; one that is there stays as it is.
     *
     * @throws org.starling.graph.InvalidInputException if it can't be used, or is not what its
     *     digest says
     */
    void bring(String digest, String name, Path file);

    /** All jars that are there, by digest. */
    List<JarView> list();

    /**
     * Removes a jar.
     *
     * @return false if there is none of that digest
     * @throws org.starling.graph.InvalidInputException if a job that waits or runs names it
     */
    boolean remove(String digest);
}
