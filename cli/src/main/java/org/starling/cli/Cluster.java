package org.starling.cli;

import java.util.List;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.jars.JarContents;
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

    /**
     * Brings jars, whose programs and edge sources tasks can name then; before the first task.
     *
     * @throws org.starling.graph.InvalidInputException if they can't be used
     */
    void use(List<JarContents> jars);

    /** Stops what is running; from any thread. */
    void cancel();

    /** Stops everything, processes included. */
    @Override
    void close();
}
