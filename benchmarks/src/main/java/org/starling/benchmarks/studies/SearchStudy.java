package org.starling.benchmarks.studies;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Sample;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/**
 * The vertex program of the box, which broadcasts and leaves the rest to the engine, beside {@link
 * OwnLoopSearch}, on a Kronecker graph and one peer. A measurement is a search from each of some
 * roots; million edges per second as Graph500 counts them, their harmonic mean.
 */
final class SearchStudy implements Study {
    private static final String GRAPH = "searched";
    private static final String VERTEX_PROGRAM = "algorithms.bfs";
    private static final String SOURCE = "source";
    private static final int ROOTS = 16;
    private static final int SEED = 20;
    private static final double MILLION = 1e6;

    @Override
    public String name() {
        return "search";
    }

    @Override
    public String question() {
        return "How much of a search with loops of its own does a vertex program that broadcasts reach?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        int scale = contest.scale().graphScale();
        Table table = new Table("program", "scale", "MTEPS", "minimum", "maximum", "timesVertex");
        try (ComputeCluster cluster = ComputeCluster.start(ClusterOptions.of(1, false))) {
            GraphSession session = cluster.session(JobListener.SILENT);
            session.build(
                    GRAPH,
                    "kronecker",
                    Parameters.of("scale", scale),
                    new BuildOptions(false, true));
            long[] inputDegrees = column(session, BuildOptions.INPUT_DEGREE);
            List<Root> roots = roots(session);
            long[] edges = new long[ROOTS];
            for (int i = 0; i < ROOTS; i++) {
                edges[i] = compare(session, roots.get(i), inputDegrees);
            }
            Map<String, Contest.Trial<Double>> trials = new LinkedHashMap<>();
            for (String program : List.of(VERTEX_PROGRAM, OwnLoopSearch.NAME)) {
                trials.put(program, time -> measure(session, program, roots, edges, time));
            }
            double vertex = 0;
            for (Map.Entry<String, List<Double>> measured :
                    contest.run("searches at scale " + scale, trials).entrySet()) {
                Sample rates = Sample.of(measured.getValue(), rate -> rate);
                vertex = vertex == 0 ? rates.median() : vertex;
                table.add(
                        measured.getKey(),
                        scale,
                        rates.median(),
                        rates.minimum(),
                        rates.maximum(),
                        rates.median() / vertex);
            }
        }
        return table;
    }

    /**
     * Lets both programs search; answers the edges of what they reached, which must be the same.
     */
    private static long compare(GraphSession session, Root root, long[] inputDegrees)
            throws WrongResultException {
        search(session, VERTEX_PROGRAM, root);
        long[] expected = column(session, OwnLoopSearch.LEVEL);
        search(session, OwnLoopSearch.NAME, root);
        if (!Arrays.equals(expected, column(session, OwnLoopSearch.LEVEL))) {
            throw new WrongResultException(
                    OwnLoopSearch.NAME + " from " + root.id + " differs from " + VERTEX_PROGRAM);
        }
        long ends = 0;
        for (int v = 0; v < expected.length; v++) {
            ends += expected[v] < 0 ? 0 : inputDegrees[v];
        }
        return ends / 2;
    }

    private static double measure(
            GraphSession session, String program, List<Root> roots, long[] edges, Duration time) {
        long begin = System.nanoTime();
        double inverse = 0;
        int searches = 0;
        do {
            for (int i = 0; i < ROOTS; i++) {
                inverse += search(session, program, roots.get(i)) / edges[i];
                searches++;
            }
        } while (System.nanoTime() - begin < time.toNanos());
        return searches / inverse / MILLION;
    }

    private static double search(GraphSession session, String program, Root root) {
        Parameters where =
                program.equals(VERTEX_PROGRAM)
                        ? Parameters.of(SOURCE, root.id)
                        : Parameters.of(OwnLoopSearch.ROOT, root.ordinal);
        return session.run(GRAPH, program, where).seconds();
    }

    /** A state by ordinal. */
    private static long[] column(GraphSession session, String state) {
        long[] values = new long[Math.toIntExact(session.info(GRAPH).vertices())];
        try (StateCursor cursor = session.read(GRAPH, state)) {
            while (cursor.next()) {
                values[(int) cursor.ordinal()] = cursor.asLong();
            }
        }
        return values;
    }

    /** Vertices with edges, at random. */
    private static List<Root> roots(GraphSession session) {
        List<Root> all = new ArrayList<>();
        try (StateCursor cursor = session.read(GRAPH, BuildOptions.INPUT_DEGREE)) {
            while (cursor.next()) {
                if (cursor.asLong() > 0) {
                    all.add(new Root(cursor.id(), cursor.ordinal()));
                }
            }
        }
        return new Random(SEED).ints(ROOTS, 0, all.size()).mapToObj(all::get).toList();
    }

    private record Root(long id, long ordinal) {}
}
