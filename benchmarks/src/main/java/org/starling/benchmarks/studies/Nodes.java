package org.starling.benchmarks.studies;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transport;
import org.starling.net.Transports;

/** Some nodes of this process that know each other. Owned by one thread. */
final class Nodes implements AutoCloseable {

    private final List<Network> networks = new ArrayList<>();

    private Nodes(int count, NetConfig config, Supplier<Transport> transports) {
        try {
            for (int i = 0; i < count; i++) {
                networks.add(Network.open(id(i), transports.get(), config));
            }
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Nodes that talk over TCP on 127.0.0.1. */
    static Nodes ethernet(int count, NetConfig config) {
        Map<Integer, InetSocketAddress> book = new ConcurrentHashMap<>();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Nodes nodes = new Nodes(count, config, () -> Transports.ethernet(anyPort, book::get));
        for (Network network : nodes.networks) {
            InetSocketAddress address = network.localAddress();
            if (address == null) {
                throw new IllegalStateException("the Ethernet transport does not listen");
            }
            book.put(network.nodeId(), address);
        }
        return nodes;
    }

    /** Nodes that talk through this process's memory. */
    static Nodes loopback(int count, NetConfig config) {
        LoopbackHub hub = new LoopbackHub();
        return new Nodes(count, config, () -> Transports.loopback(hub));
    }

    /** The id of a node. */
    static int id(int index) {
        return index + 1;
    }

    int count() {
        return networks.size();
    }

    Network network(int index) {
        return networks.get(index);
    }

    @Override
    public void close() {
        networks.forEach(Network::close);
    }
}
