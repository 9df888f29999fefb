package org.starling.cli;

import org.starling.compute.cluster.ClusterException;
import org.starling.compute.script.ScriptHost;

/** A cluster that lives as long as a command. */
interface Cluster extends ScriptHost, AutoCloseable {
    /** Starts clusters. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts one.
         *
         * @throws ClusterException if that fails
         */
        Cluster start(Settings settings, Progress progress);
    }

    /** One sentence about what happens to data when something fails. */
    String promise();

    /** Stops what is running; from any thread. */
    void cancel();

    /** Stops everything, processes included. */
    @Override
    void close();
}
