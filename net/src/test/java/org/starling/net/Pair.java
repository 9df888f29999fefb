package org.starling.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Networks joined by one kind of transport, and the check that they leave no native memory behind.
 */
final class Pair implements AutoCloseable {

    /** The transports that every behaviour is tested on. */
    enum Kind {
        LOOPBACK,
        ETHERNET,
        INFINIBAND_POSIX,
        INFINIBAND_TCP
    }

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final Map<Integer, Network> networks = new ConcurrentHashMap<>();
    private final LoopbackHub hub = new LoopbackHub();
    private final Kind kind;
    private final NetConfig config;

    Pair(Kind kind) {
        this(kind, NetConfig.defaults());
    }

    Pair(Kind kind, NetConfig config) {
        this.kind = kind;
        this.config = config;
    }

    /** The network of a node, opened on first use. */
    Network node(int id) {
        return networks.computeIfAbsent(id, this::open);
    }

    InetSocketAddress address(int id) {
        return Objects.requireNonNull(addresses.get(id));
    }

    void closeNode(int id) {
        Objects.requireNonNull(networks.remove(id)).close();
    }

    @Override
    public void close() {
        networks.values().forEach(Network::close);
        networks.clear();
        long left = NativeMemory.reservedBytes() - reservedBefore;
        if (left != 0) {
            throw new AssertionError(left + " bytes of native memory are left behind");
        }
    }

    private Network open(int id) {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Transport transport =
                switch (kind) {
                    case LOOPBACK -> Transports.loopback(hub);
                    case ETHERNET -> Transports.ethernet(bind, addresses::get);
                    case INFINIBAND_POSIX -> Transports.infiniband(bind, addresses::get, "posix");
                    case INFINIBAND_TCP -> Transports.infiniband(bind, addresses::get, "tcp");
                };
        Network network = Network.open(id, transport, config);
        if (network.localAddress() != null) {
            addresses.put(id, network.localAddress());
        }
        return network;
    }
}
