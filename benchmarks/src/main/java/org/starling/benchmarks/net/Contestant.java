package org.starling.benchmarks.net;

import java.util.List;

/** Who can be measured in child JVMs of this package. */
enum Contestant {
    /** The network of this project. */
    STARLING("starling"),
    /** Plain sockets. */
    NIO("raw NIO"),
    /** No network at all: the same bytes, copied. */
    MEMORY("memory copy");

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** Its nodes in this JVM. */
    Host host(NetPlan plan, List<Integer> hosted) {
        return switch (this) {
            case STARLING -> new StarlingHost(plan, hosted);
            case NIO -> new NioHost(plan, hosted);
            case MEMORY -> new MemoryHost(plan);
        };
    }
}
