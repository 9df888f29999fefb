package org.starling.net;

import org.starling.net.internal.LoopbackRegistry;

/** Joins the loopback networks of one process. Thread-safe. */
public final class LoopbackHub {

    private final LoopbackRegistry registry = new LoopbackRegistry();

    /**
     * Breaks all connections of a node, as if its cables were cut; it and its peers report the
     * loss.
     */
    public void cut(int nodeId) {
        registry.cut(nodeId);
    }

    LoopbackRegistry registry() {
        return registry;
    }
}
