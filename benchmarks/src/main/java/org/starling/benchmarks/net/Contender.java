package org.starling.benchmarks.net;

import java.time.Duration;

/** Something whose messages are measured. Used by one thread. */
interface Contender extends AutoCloseable {
    /** For people. */
    String title();

    /**
     * Measures once.
     *
     * @param time how long messages are sent
     * @param whole whether receivers read all of each payload, where there is a choice
     * @throws org.starling.graph.InvalidInputException if this machine can't do that
     * @throws ChildFailedException if it does not work, or something else came than was sent
     */
    Measured measure(Duration time, boolean whole);

    @Override
    void close();
}
