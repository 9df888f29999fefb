package org.starling.benchmarks.studies.calls;

/** The serving end. Thread-safe; closing it ends its threads. */
public interface Endpoint extends AutoCloseable {

    /**
     * Opens a connection of its own.
     *
     * @param route how its ends reach each other
     * @throws Exception if it cannot be opened
     */
    Caller connect(Route route) throws Exception;

    @Override
    void close() throws Exception;
}
