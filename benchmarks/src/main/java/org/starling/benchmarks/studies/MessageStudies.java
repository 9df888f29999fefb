package org.starling.benchmarks.studies;

import static org.starling.benchmarks.net.Contender.Kind.NETTY;
import static org.starling.benchmarks.net.Contender.Kind.NIO;
import static org.starling.benchmarks.net.Contender.Kind.STARLING;
import static org.starling.benchmarks.net.NetPlan.Path.OBJECT;
import static org.starling.benchmarks.net.NetPlan.Path.RAW;

import java.util.List;
import java.util.Locale;
import org.starling.benchmarks.harness.Scale;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.net.NetPlan;
import org.starling.net.Waiting;

/** The studies of messages, each with the shapes of traffic that it measures. */
final class MessageStudies {
    private static final String OBJECTS = "starling, objects";
    private static final String RAW_BLOCKS = "starling, raw";
    private static final int SMALL_BYTES = 16;

    private MessageStudies() {}

    /** All of them. */
    static List<Study> all() {
        return List.of(
                MessageStudy.ofRates(
                        "senders",
                        "What do many sender threads into one connection cost?",
                        MessageStudies::senders,
                        "threads"),
                MessageStudy.ofRoundTrips(
                        "waiting",
                        "How long is a round trip, and what does it burn, by the way threads wait?",
                        MessageStudies::waiting,
                        "waiting",
                        "threads"),
                MessageStudy.ofRates(
                        "payload",
                        "How does the rate of one sender depend on the size of its messages?",
                        MessageStudies::payload,
                        "bytes"),
                MessageStudy.ofRates(
                        "all-to-all",
                        "How much do nodes that all send to each other move together?",
                        MessageStudies::allToAll,
                        "nodes",
                        "bytes"),
                MessageStudy.ofRoundTrips(
                        "patterns",
                        "What does a call cost by its size, beside sockets and Netty?",
                        MessageStudies::patterns,
                        "vectorSize"),
                MessageStudy.ofRoundTrips(
                        "master-worker",
                        "How many requests a second does a master answer, by the number of its workers?",
                        MessageStudies::masterWorker,
                        "workers"),
                MessageStudy.ofRoundTrips(
                        "netty",
                        "How many round trips a second do connections make together, beside Netty?",
                        MessageStudies::netty,
                        "bytes",
                        "connections"));
    }

    /** Sender threads into one ring: our raw path in process and over TCP, beside plain sockets. */
    private static void senders(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (int threads : scale.powers(1, 128, 2)) {
            NetPlan plan = NetPlan.oneWay(RAW, SMALL_BYTES, threads);
            cells.cell(threads)
                    .with(NIO, plan)
                    .with("starling, loopback", STARLING, plan.overLoopback())
                    .with("starling, ethernet", STARLING, plan)
                    .measure();
        }
    }

    /**
     * Calls of small messages over one connection. One way of waiting is measured after the other,
     * because threads that spin would take the cores from those that sleep.
     */
    private static void waiting(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (Waiting waiting : Waiting.values()) {
            String word = waiting.name().toLowerCase(Locale.ROOT);
            for (int threads : scale.powers(1, 16, 2)) {
                NetPlan calls = NetPlan.roundTrips(OBJECT, SMALL_BYTES, threads, 1, waiting);
                cells.cell(word, threads).with(STARLING, calls).measure();
            }
        }
    }

    /** Messages of one thread, from a byte to 8 MiB, as raw blocks, as objects and over sockets. */
    private static void payload(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (int bytes :
                scale.points(1, 8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20, 8 << 20)) {
            NetPlan raw = NetPlan.oneWay(RAW, bytes, 1);
            MessageStudy.Cell cell = cells.cell(bytes).with(NIO, raw);
            if (bytes >= NetPlan.MIN_OBJECT_BYTES) {
                cell.with(OBJECTS, STARLING, NetPlan.oneWay(OBJECT, bytes, 1));
            }
            if (bytes <= NetPlan.MAX_RAW_BYTES) {
                cell.with(RAW_BLOCKS, STARLING, raw);
            }
            cell.measure();
        }
    }

    /** Nodes that all send to all others at once, with a thread each, in two JVMs. */
    private static void allToAll(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (int nodes : scale.points(2, 3, 4, 5, 6, 7, 8)) {
            for (int bytes : scale.points(64, 1 << 10)) {
                NetPlan raw = NetPlan.allToAll(RAW, bytes, nodes);
                cells.cell(nodes, bytes)
                        .with(NIO, raw)
                        .with(OBJECTS, STARLING, NetPlan.allToAll(OBJECT, bytes, nodes))
                        .with(RAW_BLOCKS, STARLING, raw)
                        .measure();
            }
        }
    }

    /** Calls that bring vectors of numbers back, ours, over sockets and with Netty. */
    private static void patterns(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (int size : scale.powers(5, 50_000, 10)) {
            NetPlan plan = NetPlan.roundTrips(OBJECT, size * Long.BYTES, 1, 1, Waiting.ADAPTIVE);
            cells.cell(size).with(STARLING, plan).with(NIO, plan).with(NETTY, plan).measure();
        }
    }

    /** Workers, each with a connection of its own, that ask a master again once it has answered. */
    private static void masterWorker(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (int workers : scale.powers(1, 16, 2)) {
            NetPlan plan = overConnections(SMALL_BYTES, workers);
            cells.cell(workers).with(STARLING, plan).with(NIO, plan).with(NETTY, plan).measure();
        }
    }

    /** Messages that come back over several connections at once, beside Netty. */
    private static void netty(Scale scale, MessageStudy.Cells cells) throws Exception {
        for (int bytes : scale.points(SMALL_BYTES, 1 << 10, 64 << 10)) {
            for (int connections : scale.powers(1, 16, 2)) {
                NetPlan plan = overConnections(bytes, connections);
                cells.cell(bytes, connections).with(STARLING, plan).with(NETTY, plan).measure();
            }
        }
    }

    private static NetPlan overConnections(int bytes, int connections) {
        return NetPlan.roundTrips(RAW, bytes, connections, connections, Waiting.ADAPTIVE);
    }
}
