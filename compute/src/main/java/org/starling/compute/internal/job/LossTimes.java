package org.starling.compute.internal.job;

import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.store.NodeInfo;

/** When this node heard of the loss of others. Guarded by itself; any thread. */
final class LossTimes {
    /** Losses that are kept. */
    private static final int MAX_NODES = 64;

    private final Map<Integer, Long> nanos = new LinkedHashMap<>();

    synchronized void lost(NodeInfo node) {
        nanos.put(node.id(), System.nanoTime());
        if (nanos.size() > MAX_NODES) {
            nanos.remove(nanos.keySet().iterator().next());
        }
    }

    /** {@link System#nanoTime} then; now if nothing is known. */
    synchronized long of(int node) {
        return nanos.getOrDefault(node, System.nanoTime());
    }
}
