package org.starling.benchmarks.net;

import java.io.IOException;

/** What is done with a plain socket that may have bytes. */
interface NioEnd {
    /** The socket. */
    NioLink link();

    /**
     * Reads once and handles what came.
     *
     * @return whether more is expected
     */
    boolean receive() throws IOException;
}
