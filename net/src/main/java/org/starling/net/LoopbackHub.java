package org.starling.net;

import org.starling.net.internal.LoopbackRegistry;

/** Joins the loopback networks of one process. Thread-safe. */
public final class LoopbackHub {

    private final LoopbackRegistry registry;

    /** A hub that delivers at once. */
    public LoopbackHub() {
        registry = new LoopbackRegistry(null);
    }

    private LoopbackHub(long seed) {
        registry = new LoopbackRegistry(seed);
    }

    /**
     * A hub for tests that delays what each node sends to each other one by a drawn part of a
     * millisecond, so that messages of different nodes arrive in any order. Those of one node to
     * another keep theirs, as on every transport.
     *
     * @param seed of what is drawn; threads add a chance of their own
     */
    public static LoopbackHub shuffled(long seed) {
        return new LoopbackHub(seed);
    }

    /**
     * Breaks all connections of a node, as if its cables were cut; it and its peers report the
     * loss.
     */
    public void cut(int nodeId) {
        registry.cut(nodeId);
    }

    /**
     * Lets two nodes make no new connection with one another, or lets them again. Connections that
     * stand go on.
     */
    public void part(int one, int other, boolean apart) {
        registry.part(one, other, apart);
    }

    LoopbackRegistry registry() {
        return registry;
    }
}
