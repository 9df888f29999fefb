package org.starling.benchmarks.net;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What a JVM does for one repetition of a contender. Used by one thread. */
interface Host extends AutoCloseable {
    /** See {@link Wire#listen}. */
    Map<Integer, Integer> open() throws Exception;

    /** See {@link Wire#connect}. */
    void connect(Map<Integer, Integer> ports) throws Exception;

    /**
     * Lets the nodes send and waits until all has arrived and has been compared.
     *
     * @param time how long new messages are sent
     * @throws org.starling.benchmarks.harness.WrongResultException if something else came than was
     *     sent
     */
    Repetition measure(Duration time) throws Exception;

    @Override
    void close() throws IOException;
}
