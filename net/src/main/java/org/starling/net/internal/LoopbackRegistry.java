package org.starling.net.internal;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;

/** The nodes of one loopback hub by id. Thread-safe. */
public final class LoopbackRegistry {

    private final Map<Integer, LoopbackTransport> transports = new ConcurrentHashMap<>();
    private final Set<Set<Integer>> parted = ConcurrentHashMap.newKeySet();
    private final @Nullable Long seed;

    /**
     * An empty registry.
     *
     * @param seed of the delays of its nodes; null: they read at once
     */
    public LoopbackRegistry(@Nullable Long seed) {
        this.seed = seed;
    }

    /** By how much a node puts off reading from each of the others; null: not at all. */
    @Nullable ReadDelays delays(int nodeId) {
        return seed == null ? null : new ReadDelays(seed + nodeId, System::nanoTime);
    }

    void add(int nodeId, LoopbackTransport transport) {
        if (transports.putIfAbsent(nodeId, transport) != null) {
            throw new NetException("the hub has a node " + nodeId + " already");
        }
    }

    void remove(int nodeId, LoopbackTransport transport) {
        transports.remove(nodeId, transport);
    }

    @Nullable LoopbackTransport find(int nodeId) {
        return transports.get(nodeId);
    }

    /** Whether two nodes can't connect. */
    boolean areParted(int one, int other) {
        return one != other && parted.contains(Set.of(one, other));
    }

    /** Lets two nodes connect no more, or again. */
    public void part(int one, int other, boolean apart) {
        boolean _ = apart ? parted.add(Set.of(one, other)) : parted.remove(Set.of(one, other));
    }

    /** Breaks all connections of a node, as if its cables were cut. */
    public void cut(int nodeId) {
        LoopbackTransport transport = transports.get(nodeId);
        if (transport != null) {
            transport.cut();
        }
    }
}
