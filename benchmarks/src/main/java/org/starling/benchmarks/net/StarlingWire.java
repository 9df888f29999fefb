package org.starling.benchmarks.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.net.AddressBook;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Transport;
import org.starling.net.TransportUnavailableException;
import org.starling.net.Transports;
import org.starling.net.UcxOptions;

/** The network of this project. */
final class StarlingWire implements Wire {
    private final NetPlan plan;
    private final List<Integer> hosted;
    private final Payload payload;
    private final Map<Integer, StarlingNode> nodes = new TreeMap<>();
    private volatile Map<Integer, Integer> ports = Map.of();

    StarlingWire(NetPlan plan, List<Integer> hosted, Payload payload) {
        this.plan = plan;
        this.hosted = hosted;
        this.payload = payload;
    }

    @Override
    public Map<Integer, Integer> listen() {
        NetConfig config =
                NetConfig.defaults().withWaiting(plan.waiting()).withRequestTimeout(Inlet.PATIENCE);
        LoopbackHub hub = new LoopbackHub();
        Map<Integer, Integer> listening = new TreeMap<>();
        try {
            for (int id : hosted) {
                StarlingNode node = new StarlingNode(id, plan, payload, transport(hub), config);
                nodes.put(id, node);
                listening.put(id, node.port());
            }
        } catch (TransportUnavailableException missing) {
            throw new InvalidInputException(String.valueOf(missing.getMessage()), missing);
        }
        return listening;
    }

    @Override
    public void connect(Map<Integer, Integer> all) {
        ports = Map.copyOf(all); // connections open on first use
    }

    @Override
    public Outlet outlet(Flow flow) {
        return plan.path() == NetPlan.Path.RAW
                ? node(flow).blocks(flow.to())
                : node(flow).objects(flow.to());
    }

    @Override
    public Inlet inlet(Flow flow) {
        return node(flow).inlet(flow.to());
    }

    @Override
    public @Nullable Caller caller(Flow flow) {
        if (plan.path() == NetPlan.Path.RAW) {
            return null;
        }
        StarlingNode node = node(flow);
        return number -> node.call(flow.to(), number);
    }

    @Override
    public long writes(Flow flow) {
        return node(flow).writes(flow.to());
    }

    @Override
    public void close() {
        nodes.values().forEach(StarlingNode::close);
    }

    private StarlingNode node(Flow flow) {
        return Objects.requireNonNull(nodes.get(flow.from()));
    }

    private Transport transport(LoopbackHub hub) {
        InetAddress local = InetAddress.getLoopbackAddress();
        InetSocketAddress anyPort = new InetSocketAddress(local, 0);
        AddressBook book =
                node -> {
                    Integer port = ports.get(node);
                    return port == null ? null : new InetSocketAddress(local, port);
                };
        return switch (plan.carrier()) {
            case LOOPBACK -> Transports.loopback(hub);
            case ETHERNET ->
                    plan.tls()
                            ? Transports.ethernet(anyPort, book, BenchKeys.given())
                            : Transports.ethernet(anyPort, book);
            case INFINIBAND -> Transports.infiniband(anyPort, book, UcxOptions.AUTO);
        };
    }
}
