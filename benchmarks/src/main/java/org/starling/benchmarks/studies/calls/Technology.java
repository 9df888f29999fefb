package org.starling.benchmarks.studies.calls;

/** A way to call a service over TCP on 127.0.0.1. Stateless. */
public interface Technology {

    /** What it is called in tables. */
    String name();

    /**
     * Starts to serve on a free port.
     *
     * @param service answers all calls
     * @throws Exception if it cannot listen
     */
    Endpoint serve(Service service) throws Exception;
}
