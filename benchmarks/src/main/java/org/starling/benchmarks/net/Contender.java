package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.starling.benchmarks.harness.ChildJvm;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/**
 * Something whose messages are measured. Its nodes live in child JVMs, which stay from one
 * repetition and plan to the next and so get warm. Used by one thread.
 */
public final class Contender implements AutoCloseable {
    /** Who that can be. */
    public enum Kind {
        /** The network of this project. */
        STARLING("starling"),

        /** Plain sockets. */
        NIO("raw NIO"),

        /** Netty, as programs use it. */
        NETTY("Netty"),

        /** No network at all: the same bytes, copied; no round trips. */
        MEMORY("memory copy");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        /** For people. */
        public String title() {
            return title;
        }

        /**
         * Its nodes in this JVM.
         *
         * @param whole whether receivers read all of each payload, not only its ends
         */
        Host host(NetPlan plan, List<Integer> hosted, boolean whole) {
            Payload payload = new Payload(plan.bytes(), whole);
            Function<Wire, Host> over = wire -> new WiredHost(plan, hosted, payload, wire);
            return switch (this) {
                case STARLING -> over.apply(new StarlingWire(plan, hosted, payload));
                case NIO -> over.apply(new NioWire(plan, hosted, payload));
                case NETTY -> over.apply(new NettyWire(plan, hosted, payload));
                case MEMORY -> new MemoryHost(plan, payload);
            };
        }
    }

    /** Longest wait for an answer beyond the time of a repetition. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Heap of each JVM: one that grows gets fresh pages all the time, and zeroing these takes
     * longer than messages do.
     */
    private static final List<String> HEAP = List.of("-Xmn64m", "-Xmx1g");

    private final Kind kind;
    private final List<String> flags;
    private final int maxJvms;
    private final List<ChildJvm> children = new ArrayList<>();

    /**
     * A contender whose JVMs are started when they are first needed.
     *
     * @param flags more flags for their Java
     * @param maxJvms so many at the most, which share the nodes
     */
    Contender(Kind kind, List<String> flags, int maxJvms) {
        this.kind = kind;
        this.maxJvms = maxJvms;
        this.flags = List.copyOf(flags);
    }

    /** A contender in two JVMs, or one, which are started when they are first needed. */
    public static Contender ofTwoJvms(Kind kind) {
        return new Contender(kind, List.of(), 2);
    }

    /** For people. */
    public String title() {
        return kind.title();
    }

    /**
     * Measures once.
     *
     * @param time how long messages are sent
     * @throws InvalidInputException if this machine can't do that
     * @throws JobFailedException if it does not work, or something else came than was sent
     */
    public Repetition measure(NetPlan plan, Duration time) {
        return measure(plan, time, false);
    }

    /** The same; receivers read all of each payload, if {@code whole}. */
    Repetition measure(NetPlan plan, Duration time, boolean whole) {
        List<List<Integer>> hosts = shared(plan.hosts());
        while (children.size() < hosts.size()) {
            children.add(start());
        }
        List<ChildJvm> all = children.subList(0, hosts.size());
        List<ChildJvm> senders = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            HostProcess.Opening opening = new HostProcess.Opening(plan, hosts.get(i), whole);
            all.get(i).tell(HostProcess.OPEN + " " + HostProcess.GSON.toJson(opening));
            if (!plan.lanes(hosts.get(i)).isEmpty()) {
                senders.add(all.get(i));
            }
        }
        Map<Integer, Integer> ports = new TreeMap<>();
        for (ChildJvm child : all) {
            ports.putAll(HostProcess.ports(child.await(PATIENCE)));
        }
        askAll(all, HostProcess.CONNECT + " " + HostProcess.GSON.toJson(ports), PATIENCE);
        Cost before = cost(all);
        Repetition sum = Repetition.nothing();
        String request = HostProcess.MEASURE + " " + time.toMillis();
        for (String answer : askAll(senders, request, PATIENCE.plus(time))) {
            sum = sum.beside(Repetition.parse(answer));
        }
        sum = sum.using(cost(all).since(before));
        askAll(all, HostProcess.CLOSE, PATIENCE);
        return sum;
    }

    @Override
    public void close() {
        children.forEach(ChildJvm::askToEnd);
        children.forEach(ChildJvm::close);
    }

    /** The nodes of each JVM, when there are not more of these than there may be. */
    private List<List<Integer>> shared(List<List<Integer>> hosts) {
        if (hosts.size() <= maxJvms) {
            return hosts;
        }
        List<List<Integer>> shared = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            if (i < maxJvms) {
                shared.add(new ArrayList<>());
            }
            shared.get(i % maxJvms).addAll(hosts.get(i));
        }
        return shared;
    }

    private ChildJvm start() {
        List<String> all = new ArrayList<>(HEAP);
        all.addAll(flags);
        String name = "%s %d".formatted(title(), children.size());
        return ChildJvm.start(name, HostProcess.class, List.of(kind.name()), all);
    }

    private static Cost cost(List<ChildJvm> some) {
        return askAll(some, HostProcess.COST, PATIENCE).stream()
                .map(cost -> HostProcess.GSON.fromJson(cost, Cost.class))
                .reduce(Cost.NONE, Cost::plus);
    }

    private static List<String> askAll(List<ChildJvm> some, String request, Duration patience) {
        some.forEach(child -> child.tell(request));
        return some.stream().map(child -> child.await(patience)).toList();
    }
}
