package org.starling.benchmarks.studies.calls;

import java.io.IOException;

/** The serving end. Thread-safe; closing it ends its threads. */
public interface Server extends AutoCloseable {

    /** Where on 127.0.0.1 it listens. */
    int port();

    /**
     * Tells where a caller listens, for technologies whose servers connect back.
     *
     * @param caller its number
     * @param port of 127.0.0.1
     */
    default void admit(int caller, int port) {}

    /**
     * What its process used up so far beside what this process did; nothing when it is in this
     * process.
     */
    default Cost cost() {
        return Cost.NONE;
    }

    @Override
    void close() throws IOException;
}
