package org.starling.benchmarks.net;

import java.io.IOException;

/** The way into a connection for one thread. */
interface Outlet extends AutoCloseable {
    /**
     * Room for a frame; waits for it.
     *
     * @param kind a constant of {@link Inlet}
     * @return address of its payload
     */
    long claim(int kind, int bytes) throws IOException;

    /** Sends what was claimed, perhaps together with what follows. */
    void commit() throws IOException;

    /** Sends what has been kept back. */
    void flush() throws IOException;

    /** Sends a message; what a receiver will make of it. */
    default long send(Payload payload, long number) throws IOException {
        long sum = payload.write(claim(Inlet.DATA, payload.bytes()), number);
        commit();
        return sum;
    }

    @Override
    default void close() {}
}
