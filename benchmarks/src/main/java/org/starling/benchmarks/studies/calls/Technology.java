package org.starling.benchmarks.studies.calls;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.starling.net.Execution;

/** A way to call a server over TCP on 127.0.0.1. Thread-safe. */
interface Technology {
    /** All, ours first: requests served on the receiving thread as sockets do, or on workers. */
    List<Technology> ALL =
            List.of(
                    new StarlingCalls("starling", Execution.INLINE),
                    new StarlingCalls("starling-workers", Execution.WORKER),
                    new SocketCalls(),
                    new HttpCalls(new JsonForm()),
                    new HttpCalls(new XmlForm()));

    /** The calling end of one connection. Used by one thread. */
    interface Caller extends AutoCloseable {
        /** Calls and waits for the answer. */
        Answer call(Call call) throws Exception;

        @Override
        void close() throws IOException;
    }

    /** The serving end. Thread-safe; closing it ends its threads. */
    interface Server extends AutoCloseable {
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

    /** What it is called in tables and by {@link #named}. */
    String name();

    /**
     * Starts to serve on a free port of this process.
     *
     * @param service answers calls, several at a time
     */
    Server serve(Function<Call, Answer> service) throws Exception;

    /**
     * Opens a connection of its own.
     *
     * @param server serves with this technology, in whatever process
     */
    Caller connect(Server server) throws Exception;

    /**
     * A technology.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    static Technology named(String name) {
        return ALL.stream()
                .filter(technology -> technology.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("no technology is called " + name));
    }
}
