package org.starling.benchmarks.net;

import java.util.Locale;

/** How messages are handed to the network. */
enum MessagePath {
    /** Bytes written into the ring; round trips go from handler to handler. */
    RAW,
    /** Objects that write and read themselves; round trips are calls of a waiting thread. */
    OBJECT;

    /** As the command line has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
