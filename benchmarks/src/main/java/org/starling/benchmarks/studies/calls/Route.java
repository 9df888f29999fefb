package org.starling.benchmarks.studies.calls;

import java.io.IOException;

/** How one end of a connection reaches a port that the other end listens on. */
@FunctionalInterface
public interface Route {

    /** Without a detour. */
    Route DIRECT = port -> port;

    /**
     * Where to connect to instead.
     *
     * @param port listens on 127.0.0.1
     * @return another port of 127.0.0.1
     */
    int to(int port) throws IOException;
}
