package org.starling.store.internal.node;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.starling.net.AddressBook;

/**
 * The addresses of members, as far as told; the network asks here when it connects. A node that has
 * been lost keeps its entry (at most one per node id), so that it can be told so when it comes
 * back. Any thread.
 */
final class AddressTable implements AddressBook {
    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();

    @Override
    public @Nullable InetSocketAddress addressOf(int nodeId) {
        return addresses.get(nodeId);
    }

    void put(int nodeId, String host, int port) {
        if (!host.isEmpty()) {
            addresses.put(nodeId, new InetSocketAddress(host, port));
        }
    }

    void remove(int nodeId) {
        addresses.remove(nodeId);
    }
}
