package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.Map;

/**
 * The nodes of one JVM, as one contender has them. Opened anew for each repetition, so that nothing
 * of one contender waits while another is measured; the JVM stays warm. Used by one thread.
 */
interface Host {
    /**
     * Opens the nodes.
     *
     * @param whole whether receivers read all of each payload, not only its ends
     * @return by node the port where it listens on the loopback interface; 0 for a node that needs
     *     none
     */
    Map<Integer, Integer> open(boolean whole) throws Exception;

    /**
     * Connects the nodes that send, or tells them where to.
     *
     * @param ports of all nodes
     */
    void connect(Map<Integer, Integer> ports) throws Exception;

    /**
     * Lets the nodes send and waits until all has arrived and has been compared.
     *
     * @param time how long new messages are sent
     * @throws WrongContentException if something else came than was sent
     */
    Repetition measure(Duration time) throws Exception;

    /** Closes the nodes. */
    void close() throws Exception;
}
