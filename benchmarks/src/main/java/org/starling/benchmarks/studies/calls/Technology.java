package org.starling.benchmarks.studies.calls;

/** A way to call a service over TCP on 127.0.0.1. Thread-safe. */
public interface Technology {

    /** What it is called in tables and by {@link Technologies#named}. */
    String name();

    /**
     * Starts to serve on a free port of this process.
     *
     * @param service answers all calls
     * @throws Exception if it cannot listen
     */
    Server serve(Service service) throws Exception;

    /**
     * Opens a connection of its own.
     *
     * @param server serves with this technology, in whatever process
     * @param route how the ends reach each other
     * @throws Exception if it cannot be opened
     */
    Caller connect(Server server, Route route) throws Exception;
}
