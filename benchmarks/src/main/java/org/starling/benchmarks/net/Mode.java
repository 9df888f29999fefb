package org.starling.benchmarks.net;

import java.util.Locale;

/** Who sends to whom. */
enum Mode {
    /** One JVM sends, another receives. */
    ONEWAY,
    /** One JVM asks, another answers; each sender has one message under way. */
    ROUNDTRIP,
    /** Each JVM sends to all others. */
    ALLTOALL;

    /** As the command line has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
