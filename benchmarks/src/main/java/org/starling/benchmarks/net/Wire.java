package org.starling.benchmarks.net;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one JVM, as one contender has them: carries frames from an {@link Outlet} to the
 * {@link Inlet} at the other end, and back. Opened anew for each repetition, so that nothing of one
 * contender waits while another is measured. Used by one thread; outlets are each used by another.
 */
interface Wire extends AutoCloseable {
    /** Asks over a connection and waits for the answer; used by one thread. */
    @FunctionalInterface
    interface Caller {
        /** Sends a message and compares what comes back. */
        void call(long number) throws Exception;
    }

    /**
     * Opens the nodes.
     *
     * @return by node the port where it listens on the loopback interface; 0 for a node that needs
     *     none
     */
    Map<Integer, Integer> listen() throws Exception;

    /**
     * Connects the nodes that send, or tells them where to.
     *
     * @param ports of all nodes
     */
    void connect(Map<Integer, Integer> ports) throws Exception;

    /** The way into a connection for the thread that calls. */
    Outlet outlet(Flow flow) throws Exception;

    /** What comes back on a connection to the node that sends. */
    Inlet inlet(Flow flow);

    /** A caller, if round trips are to be calls of a waiting thread. */
    default @Nullable Caller caller(Flow flow) {
        return null;
    }

    /** Writes in which the messages of a connection have left; 0 if that is not known. */
    long writes(Flow flow);

    @Override
    void close() throws IOException;
}
