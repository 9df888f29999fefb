package org.starling.benchmarks.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.net.AddressBook;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Transport;
import org.starling.net.TransportUnavailableException;
import org.starling.net.Transports;
import org.starling.net.UcxOptions;

/** Nodes of this project's network in one JVM. */
final class StarlingHost implements Host {
    /** Longest wait for what is under way. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final NetPlan plan;
    private final List<Integer> hosted;
    private final NetConfig config;
    private final Map<Integer, StarlingNode> nodes = new TreeMap<>();
    private @Nullable Content content;
    private volatile Map<Integer, Integer> ports = Map.of();

    StarlingHost(NetPlan plan, List<Integer> hosted) {
        this.plan = plan;
        this.hosted = hosted;
        this.config = NetConfig.defaults().withWaiting(plan.waiting()).withRequestTimeout(PATIENCE);
    }

    @Override
    public Map<Integer, Integer> open(boolean whole) {
        Content opened = Content.of(plan, whole);
        content = opened;
        LoopbackHub hub = new LoopbackHub();
        Map<Integer, Integer> listening = new TreeMap<>();
        try {
            for (int id : hosted) {
                StarlingNode node = StarlingNode.open(id, plan, opened, transport(hub), config);
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
    public Repetition measure(Duration time) throws Exception {
        openConnections();
        if (plan.mode() != Mode.ROUNDTRIP) {
            return new StarlingRates(plan, nodes).measure(plan.lanes(hosted), time);
        }
        Repetition sum = Repetition.nothing();
        for (Repetition one : Together.run("roundtrip", roundTrips(time))) {
            sum = sum.beside(one);
        }
        return sum;
    }

    @Override
    public void close() {
        nodes.values().forEach(StarlingNode::close);
        nodes.clear();
        if (content != null) {
            content.close();
            content = null;
        }
    }

    /** By a question over each; all nodes know all ports by now. */
    private void openConnections() {
        for (StarlingNode node : nodes.values()) {
            for (int target : plan.targets(node.id())) {
                node.tally(target).join();
            }
        }
    }

    /** Objects: a task for each thread that calls. Raw: one for each node that has turns. */
    private List<Callable<Repetition>> roundTrips(Duration time) {
        List<Callable<Repetition>> tasks = new ArrayList<>();
        List<List<Flow>> lanes = plan.lanes(hosted);
        if (plan.path() == MessagePath.OBJECT) {
            for (List<Flow> lane : lanes) {
                Flow flow = lane.getFirst();
                StarlingCalls calls = new StarlingCalls(node(flow.from()), flow.to());
                tasks.add(() -> calls.measure(time));
            }
            return tasks;
        }
        for (StarlingNode node : nodes.values()) {
            int turns = (int) lanes.stream().filter(l -> l.getFirst().from() == node.id()).count();
            if (turns > 0) {
                int target = plan.targets(node.id()).getFirst();
                tasks.add(() -> node.turns(target).measure(turns, time));
            }
        }
        return tasks;
    }

    private StarlingNode node(int id) {
        return Objects.requireNonNull(nodes.get(id));
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
