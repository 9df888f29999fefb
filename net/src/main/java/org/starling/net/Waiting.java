package org.starling.net;

/** How threads of the network wait for work or room. */
public enum Waiting {
    /** Never sleep: lowest latency, a core for each waiting thread. */
    SPIN,
    /** Spin for at most 50 µs and only while there are cores to spare; then sleep. */
    ADAPTIVE,
    /** Sleep at once: least CPU time. */
    SLEEP
}
