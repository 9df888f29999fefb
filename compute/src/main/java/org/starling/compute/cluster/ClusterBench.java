package org.starling.compute.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A measurement that starts a cluster of its own, loses some of it, and says how that went. Found
 * by name through {@link java.util.ServiceLoader}; used by one thread.
 */
public interface ClusterBench {
    /** What it is called on the command line. */
    String name();

    /**
     * Runs it.
     *
     * @param order what to measure
     * @return its figures by name, as a JSON tree; never empty
     * @throws org.starling.graph.InvalidInputException if the order cannot be carried out
     * @throws ClusterException if the cluster does not start or does not recover
     */
    Map<String, @Nullable Object> run(BenchOrder order);
}
