package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
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
 * @param time of each repetition
 * @param repeat repetitions that count
 */
record NetPlan(
        Carrier carrier,
        Mode mode,
        int bytes,
        int senders,
        int connections,
        Fan fan,
        int nodes,
        Waiting waiting,
        MessagePath path,
        boolean tls,
        Duration time,
        int repeat) {
    /** Largest payload on the raw path, whose blocks are cut neither in ring nor in buffer. */
    static final int MAX_RAW_BYTES = 64 << 10;

    /** Smallest message object: its number and a check of it. */
    static final int MIN_OBJECT_BYTES = 16;

    /** Under way on a connection: less than what fits into the sockets, or plain ones get stuck. */
    private static final int MAX_BYTES_UNDER_WAY = 256 << 10;

    private static final int MAX_BYTES = 16 << 20;
    private static final int MAX_SENDERS = 128;
    private static final int MAX_CONNECTIONS = 128;
    private static final int MAX_NODES = 16;
    private static final int MAX_SECONDS = 600;
    private static final int MAX_REPEAT = 100;
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
    private static final String SECONDS = "seconds";
    private static final String REPEAT = "repeat";

    /** What can be chosen on the command line. */
    static List<BenchOption> options() {
        return List.of(
                new BenchOption.Word(
                        TRANSPORT,
                        "what carries the messages (infiniband: UCX, as UCX_TLS says)",
                        List.of(
                                Carrier.ETHERNET.word(),
                                Carrier.LOOPBACK.word(),
                                Carrier.INFINIBAND.word())),
                new BenchOption.Word(
                        MODE,
                        "who sends to whom",
                        List.of(Mode.ONEWAY.word(), Mode.ROUNDTRIP.word(), Mode.ALLTOALL.word())),
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
                        FAN,
                        "many nodes send to one, or one to many",
                        List.of(Fan.IN.word(), Fan.OUT.word())),
                new BenchOption.Whole(NODES, "nodes of alltoall", 4, 2, MAX_NODES),
                new BenchOption.Word(
                        WAITING,
                        "what threads do that wait",
                        List.of(word(Waiting.ADAPTIVE), word(Waiting.SPIN), word(Waiting.SLEEP))),
                new BenchOption.Word(
                        PATH,
                        "bytes in place, or message objects",
                        List.of(MessagePath.RAW.word(), MessagePath.OBJECT.word())),
                new BenchOption.Flag(TLS, "encrypt ours; the baseline stays plain"),
                new BenchOption.Whole(SECONDS, "time of each repetition", 2, 1, MAX_SECONDS),
                new BenchOption.Whole(REPEAT, "repetitions, after a warm-up", 5, 1, MAX_REPEAT));
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
                        value(MessagePath.class, choices.word(PATH)),
                        choices.flag(TLS),
                        Duration.ofSeconds(choices.number(SECONDS)),
                        (int) choices.number(REPEAT));
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

    /** For a child JVM, which reads them with {@link #of(List)}. */
    List<String> arguments() {
        return List.of(
                carrier.name(),
                mode.name(),
                Integer.toString(bytes),
                Integer.toString(senders),
                Integer.toString(connections),
                fan.name(),
                Integer.toString(nodes),
                waiting.name(),
                path.name(),
                Boolean.toString(tls),
                Long.toString(time.toMillis()),
                Integer.toString(repeat));
    }

    /** What {@link #arguments()} wrote. */
    static NetPlan of(List<String> arguments) {
        return new NetPlan(
                Carrier.valueOf(arguments.get(0)),
                Mode.valueOf(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Integer.parseInt(arguments.get(3)),
                Integer.parseInt(arguments.get(4)),
                Fan.valueOf(arguments.get(5)),
                Integer.parseInt(arguments.get(6)),
                Waiting.valueOf(arguments.get(7)),
                MessagePath.valueOf(arguments.get(8)),
                Boolean.parseBoolean(arguments.get(9)),
                Duration.ofMillis(Long.parseLong(arguments.get(10))),
                Integer.parseInt(arguments.get(11)));
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
        List<Flow> flows = hosted.stream().flatMap(node -> flows(node).stream()).toList();
        for (int sender = 0; sender < senders && !flows.isEmpty(); sender++) {
            List<Flow> lane = new ArrayList<>();
            for (int i = sender % flows.size(); i < flows.size(); i += senders) {
                lane.add(flows.get(i));
            }
            lanes.add(lane);
        }
        return lanes;
    }

    /** Round trip: the most messages under way on one connection. */
    private int underWay() {
        return (senders + connections - 1) / connections;
    }

    private List<Flow> flows(int node) {
        return targets(node).stream().map(target -> new Flow(node, target)).toList();
    }

    /** So that not all threads begin with the same node. */
    private static List<Flow> turned(List<Flow> flows, int by) {
        List<Flow> lane = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            lane.add(flows.get((i + by) % flows.size()));
        }
        return lane;
    }

    private void check() {
        refuse(
                path == MessagePath.RAW && bytes > MAX_RAW_BYTES,
                "--path raw takes up to --bytes %d; larger messages go with --path object"
                        .formatted(MAX_RAW_BYTES));
        refuse(
                path == MessagePath.OBJECT && bytes < MIN_OBJECT_BYTES,
                "--path object needs at least --bytes %d".formatted(MIN_OBJECT_BYTES));
        refuse(
                mode == Mode.ROUNDTRIP && connections > senders,
                "--mode roundtrip has one message under way for each sender: give at least as many"
                        + " --senders as --connections");
        refuse(
                mode == Mode.ROUNDTRIP
                        && senders > connections
                        && (long) bytes * underWay() > MAX_BYTES_UNDER_WAY,
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

    private static String word(Waiting waiting) {
        return waiting.name().toLowerCase(Locale.ROOT);
    }
}
