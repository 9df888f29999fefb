package org.starling.benchmarks.studies.calls;

import java.io.IOException;

/** The calling end of one connection. Used by one thread. */
public interface Caller extends AutoCloseable {

    /**
     * Calls and waits for the answer.
     *
     * @throws Exception if no answer comes
     */
    Answer call(Call call) throws Exception;

    @Override
    void close() throws IOException;
}
