package org.starling.net.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;

/** The nodes of one loopback hub by id. Thread-safe. */
public final class LoopbackRegistry {

    private final Map<Integer, LoopbackTransport> transports = new ConcurrentHashMap<>();

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

    /** Breaks all connections of a node, as if its cables were cut. */
    public void cut(int nodeId) {
        LoopbackTransport transport = transports.get(nodeId);
        if (transport != null) {
            transport.cut();
        }
    }
}
