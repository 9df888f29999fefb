package org.starling.benchmarks.studies;

import java.io.IOException;
import java.util.List;

/** A way for messages that are not answered. Closed by the thread that made it. */
interface OneWay extends AutoCloseable {

    /** The sending end of one thread. */
    interface Sender {
        /**
         * Sends a message that begins with its {@link Arrivals#mark}.
         *
         * @param number of the message
         * @param bytes its length, at least one
         */
        void send(long number, int bytes) throws Exception;

        /** Sends what has been kept back. */
        void flush() throws Exception;
    }

    /**
     * A sender for a thread.
     *
     * @param member which thread it is, from 0
     */
    Sender sender(int member) throws Exception;

    /** What has arrived since this was made, by receiving threads. */
    List<Arrivals> arrivals();

    @Override
    void close() throws IOException;
}
