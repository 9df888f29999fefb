package org.starling.benchmarks.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.bench.SenselessChoiceException;
import org.starling.net.Waiting;

/**
 * What is measured: the shape of the traffic, the same for every contender. Immutable.
 *
 * <p>Nodes are numbered from 1. One way and round trip: node 1 receives or answers, each of the
 * others has a connection to it; or one way it sends to each of the others. All to all: each node
 * has a connection to each other.
 *
 * @param carrier what carries the messages
 * @param mode who sends to whom
 * @param bytes of payload of each message
 * @param senders sending threads (all to all: of each node); round trip: messages under way
 * @param connections of node 1; 1 when all send to all
 * @param fan whether node 1 receives over them or sends
 * @param nodes when all send to all; else one more than connections
 * @param waiting how threads wait
 * @param path how messages are handed to the network
 * @param tls whether bytes are encrypted
 */
public record NetPlan(
        Carrier carrier,
        Mode mode,
        int bytes,
        int senders,
        int connections,
        Fan fan,
        int nodes,
        Waiting waiting,
        Path path,
        boolean tls) {

    /** What carries messages: memory of one JVM, TCP between JVMs, or UCX between them. */
    public enum Carrier {
        LOOPBACK,
        ETHERNET,
        INFINIBAND
    }

    /** Who sends to whom; in round trips each sender has one message under way. */
    public enum Mode {
        ONEWAY,
        ROUNDTRIP,
        ALLTOALL
    }

    /** One way over many connections: many nodes send to one, or one to many. */
    public enum Fan {
        IN,
        OUT
    }

    /**
     * How messages are handed to the network: bytes written in place, whose round trips go from
     * handler to handler, or objects, whose round trips are calls of a waiting thread.
     */
    public enum Path {
        RAW,
        OBJECT
    }

    /** Largest payload on the raw path, whose blocks are cut neither in ring nor in buffer. */
    public static final int MAX_RAW_BYTES = 64 << 10;

    /** Smallest message object: its number and a check of it. */
    public static final int MIN_OBJECT_BYTES = 16;

    /** Under way on a connection: less than what fits into the sockets, or plain ones get stuck. */
    private static final int MAX_BYTES_UNDER_WAY = 256 << 10;

    private static final int MAX_BYTES = 16 << 20;
    private static final int MAX_SENDERS = 128;
    private static final int MAX_CONNECTIONS = 128;
    private static final int MAX_NODES = 16;
    private static final int HUB = 1;

    private static final String TRANSPORT = "transport";
    private static final String MODE = "mode";
    private static final String BYTES = "bytes";
    private static final String SENDERS = "senders";
    private static final String CONNECTIONS = "connections";
    private static final String FAN = "fan";
    private static final String NODES = "nodes";
    private static final String WAITING = "waiting";
    private static final String PATH = "path";
    private static final String TLS = "tls";

    /** One node sends to another over Ethernet. */
    public static NetPlan oneWay(Path path, int bytes, int senders) {
        return ethernet(Mode.ONEWAY, path, bytes, senders, 1, 2, Waiting.ADAPTIVE);
    }

    /** Nodes ask one over Ethernet and get back what they sent. */
    public static NetPlan roundTrips(
            Path path, int bytes, int senders, int connections, Waiting waiting) {
        int nodes = connections + 1;
        return ethernet(Mode.ROUNDTRIP, path, bytes, senders, connections, nodes, waiting);
    }

    /** Nodes that send to each other over Ethernet, with a thread each. */
    public static NetPlan allToAll(Path path, int bytes, int nodes) {
        return ethernet(Mode.ALLTOALL, path, bytes, 1, 1, nodes, Waiting.ADAPTIVE);
    }

    private static NetPlan ethernet(
            Mode mode,
            Path path,
            int bytes,
            int senders,
            int connections,
            int nodes,
            Waiting waiting) {
        Carrier carrier = Carrier.ETHERNET;
        return new NetPlan(
                carrier, mode, bytes, senders, connections, Fan.IN, nodes, waiting, path, false);
    }

    /** The same in the memory of one JVM. */
    public NetPlan overLoopback() {
        return new NetPlan(
                Carrier.LOOPBACK,
                mode,
                bytes,
                senders,
                connections,
                fan,
                nodes,
                waiting,
                path,
                false);
    }

    /** What can be chosen on the command line. */
    static List<BenchOption> options() {
        return List.of(
                new BenchOption.Word(
                        TRANSPORT,
                        "what carries the messages (infiniband: UCX, as UCX_TLS says)",
                        words(Carrier.ETHERNET, Carrier.LOOPBACK, Carrier.INFINIBAND)),
                new BenchOption.Word(MODE, "who sends to whom", words(Mode.values())),
                new BenchOption.Whole(BYTES, "payload of a message", 64, 1, MAX_BYTES),
                new BenchOption.Whole(
                        SENDERS,
                        "sending threads (alltoall: of each node); roundtrip: messages under way",
                        1,
                        1,
                        MAX_SENDERS),
                new BenchOption.Whole(
                        CONNECTIONS,
                        "connections to the receiving node, or of the sending one",
                        1,
                        1,
                        MAX_CONNECTIONS),
                new BenchOption.Word(
                        FAN, "many nodes send to one, or one to many", words(Fan.values())),
                new BenchOption.Whole(NODES, "nodes of alltoall", 4, 2, MAX_NODES),
                new BenchOption.Word(
                        WAITING,
                        "what threads do that wait",
                        words(Waiting.ADAPTIVE, Waiting.SPIN, Waiting.SLEEP)),
                new BenchOption.Word(
                        PATH, "bytes in place, or message objects", words(Path.values())),
                new BenchOption.Flag(TLS, "encrypt ours; the baseline stays plain"));
    }

    /**
     * What was chosen.
     *
     * @throws SenselessChoiceException if it makes no sense together
     */
    static NetPlan of(BenchChoices choices) {
        Mode mode = value(Mode.class, choices.word(MODE));
        int connections = (int) choices.number(CONNECTIONS);
        NetPlan plan =
                new NetPlan(
                        value(Carrier.class, choices.word(TRANSPORT)),
                        mode,
                        (int) choices.number(BYTES),
                        (int) choices.number(SENDERS),
                        mode == Mode.ALLTOALL ? 1 : connections,
                        value(Fan.class, choices.word(FAN)),
                        mode == Mode.ALLTOALL ? (int) choices.number(NODES) : connections + 1,
                        value(Waiting.class, choices.word(WAITING)),
                        value(Path.class, choices.word(PATH)),
                        choices.flag(TLS));
        if (mode == Mode.ALLTOALL) {
            refuse(
                    choices.isGiven(CONNECTIONS),
                    "--connections is not for --mode alltoall, where each node has one connection"
                            + " to each other");
        } else {
            refuse(choices.isGiven(NODES), "--nodes is for --mode alltoall only");
        }
        refuse(
                mode != Mode.ONEWAY && plan.fan == Fan.OUT,
                "--fan out is for --mode oneway only: in the others every node sends");
        plan.check();
        return plan;
    }

    /** The nodes of each JVM; those that receive only come first. */
    List<List<Integer>> hosts() {
        List<Integer> all = IntStream.rangeClosed(1, nodes).boxed().toList();
        if (carrier == Carrier.LOOPBACK) {
            return List.of(all);
        }
        if (mode == Mode.ALLTOALL) {
            return all.stream().map(List::of).toList();
        }
        List<Integer> others = all.subList(1, nodes);
        return fan == Fan.IN ? List.of(List.of(HUB), others) : List.of(others, List.of(HUB));
    }

    /** To which nodes a node sends. */
    List<Integer> targets(int node) {
        if (mode == Mode.ALLTOALL || (node == HUB && fan == Fan.OUT)) {
            return IntStream.rangeClosed(1, nodes).filter(other -> other != node).boxed().toList();
        }
        return node == HUB || fan == Fan.OUT ? List.of() : List.of(HUB);
    }

    /** From how many nodes a node receives. */
    int sources(int node) {
        return (int)
                IntStream.rangeClosed(1, nodes)
                        .filter(other -> targets(other).contains(node))
                        .count();
    }

    /** All connections of some nodes, by who sends. */
    List<Flow> flows(List<Integer> hosted) {
        return hosted.stream().flatMap(node -> flows(node).stream()).toList();
    }

    /**
     * Which sending thread serves which connections; none for nodes that receive only.
     *
     * @param hosted the nodes of one JVM
     * @return for each thread its connections, which it serves in turn
     */
    List<List<Flow>> lanes(List<Integer> hosted) {
        List<List<Flow>> lanes = new ArrayList<>();
        if (mode == Mode.ALLTOALL) {
            for (int node : hosted) {
                for (int sender = 0; sender < senders; sender++) {
                    lanes.add(turned(flows(node), node + sender));
                }
            }
            return lanes;
        }
        List<Flow> flows = flows(hosted);
        for (int sender = 0; sender < senders && !flows.isEmpty(); sender++) {
            List<Flow> lane = new ArrayList<>();
            for (int i = sender % flows.size(); i < flows.size(); i += senders) {
                lane.add(flows.get(i));
            }
            lanes.add(lane);
        }
        return lanes;
    }

    /** As the command line has a constant. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private List<Flow> flows(int node) {
        return targets(node).stream().map(target -> new Flow(node, target)).toList();
    }

    /** So that not all threads begin with the same node. */
    private static List<Flow> turned(List<Flow> flows, int by) {
        return IntStream.range(0, flows.size())
                .mapToObj(i -> flows.get((i + by) % flows.size()))
                .toList();
    }

    private void check() {
        refuse(
                path == Path.RAW && bytes > MAX_RAW_BYTES,
                "--path raw takes up to --bytes %d; larger messages go with --path object"
                        .formatted(MAX_RAW_BYTES));
        refuse(
                path == Path.OBJECT && bytes < MIN_OBJECT_BYTES,
                "--path object needs at least --bytes %d".formatted(MIN_OBJECT_BYTES));
        refuse(
                mode == Mode.ROUNDTRIP && connections > senders,
                "--mode roundtrip has one message under way for each sender: give at least as many"
                        + " --senders as --connections");
        int underWay = Math.ceilDiv(senders, connections);
        refuse(
                mode == Mode.ROUNDTRIP
                        && underWay > 1
                        && (long) bytes * underWay > MAX_BYTES_UNDER_WAY,
                "--mode roundtrip takes up to %d bytes under way on a connection; give fewer --bytes or --senders"
                        .formatted(MAX_BYTES_UNDER_WAY));
        refuse(tls && carrier != Carrier.ETHERNET, "--tls is for --transport ethernet only");
    }

    private static void refuse(boolean senseless, String sentence) {
        if (senseless) {
            throw new SenselessChoiceException(sentence);
        }
    }

    private static <E extends Enum<E>> E value(Class<E> type, String word) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    }

    private static List<String> words(Enum<?>... constants) {
        return Arrays.stream(constants).map(NetPlan::word).toList();
    }
}
