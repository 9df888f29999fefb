package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Program;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.net.NativeMemory;

/**
 * In-process clusters of some sizes, started at their first use and kept for a class of tests.
 * Closing checks that nothing of them is left in native memory.
 */
final class Clusters implements AutoCloseable {
    static final long PEER_BYTES = 256L << 20;

    private final long before = NativeMemory.reservedBytes();
    private final Map<Integer, ComputeCluster> started = new TreeMap<>();
    private int graphs;

    ComputeCluster cluster(int peers) {
        return started.computeIfAbsent(
                peers, _ -> ComputeCluster.start(new ClusterOptions(peers, false, 2, PEER_BYTES)));
    }

    GraphSession session(int peers) {
        return cluster(peers).session(JobListener.SILENT);
    }

    /** Makes a graph under a name of its own. */
    String build(int peers, TestEdges edges, BuildOptions options) {
        String name = "graph-" + ++graphs;
        session(peers).build(name, TestEdges.NAME, edges.named(), options);
        return name;
    }

    RunResult run(int peers, String graph, java.util.function.Supplier<Program> program) {
        return session(peers).run(graph, TestPrograms.NAME, TestPrograms.named(program));
    }

    /** A state's integers, by ordinal. */
    long[] longs(int peers, String graph, String state) {
        GraphSession session = session(peers);
        long[] values = new long[(int) session.info(graph).vertices()];
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values[(int) cursor.ordinal()] = cursor.asLong();
            }
        }
        return values;
    }

    /** A state's whole numbers, in the order of ids. */
    long[] longsById(int peers, String graph, String state) {
        LongStream.Builder values = LongStream.builder();
        try (StateCursor cursor = session(peers).read(graph, state)) {
            while (cursor.next()) {
                values.add(cursor.asLong());
            }
        }
        return values.build().toArray();
    }

    /** A state's floating point numbers, by ordinal. */
    double[] doubles(int peers, String graph, String state) {
        GraphSession session = session(peers);
        double[] values = new double[(int) session.info(graph).vertices()];
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values[(int) cursor.ordinal()] = cursor.asDouble();
            }
        }
        return values;
    }

    /** A state's values as they are written, by id. */
    static SortedMap<Long, String> texts(GraphSession session, String graph, String state) {
        SortedMap<Long, String> values = new TreeMap<>();
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values.put(cursor.id(), cursor.text());
            }
        }
        return values;
    }

    @Override
    public void close() {
        started.values().forEach(ComputeCluster::close);
        started.clear();
        assertThat(NativeMemory.reservedBytes()).as("native memory left").isEqualTo(before);
    }
}
