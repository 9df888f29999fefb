package org.starling.benchmarks.net;

import java.util.Locale;

/** What carries the messages. */
enum Carrier {
    /** Memory of one JVM. */
    LOOPBACK,
    /** TCP between JVMs. */
    ETHERNET,
    /** UCX between JVMs. */
    INFINIBAND;

    /** As the command line has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
