package org.starling.benchmarks.net;

import java.util.Locale;

/** One way over many connections: at which end they meet in one node. */
enum Fan {
    /** Many nodes send to one. */
    IN,
    /** One node sends to many. */
    OUT;

    /** As the command line has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
