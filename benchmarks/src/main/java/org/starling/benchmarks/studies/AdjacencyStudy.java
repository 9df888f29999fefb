package org.starling.benchmarks.studies;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Sample;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.benchmarks.studies.RowPasses.Pass;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;

/**
 * Rows of a Kronecker graph, in the engine's order of vertices, as they are and as gaps: bytes, and
 * the time of the passes that a graph engine lives of.
 *
 * <p>{@code sweep} adds up a double of every neighbour of every vertex (a sweep of PageRank),
 * {@code scan} looks for the first neighbour in a random half of the vertices, for the other half
 * (a step of a search from below), {@code build} writes all rows from plain ones.
 */
final class AdjacencyStudy implements Study {
    private static final String GRAPH = "rows";
    private static final List<RowCoding> CODINGS = List.of(new PlainCoding(), new GroupCoding());

    @Override
    public String name() {
        return "adjacency";
    }

    @Override
    public String question() {
        return "Do rows of neighbours pay as gaps: bytes and time per edge, beside 4 bytes each?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        int scale = contest.scale().graphScale();
        try (CodedRows plain = rows(scale);
                RowPasses passes = new RowPasses(plain)) {
            for (RowCoding coding : CODINGS) {
                if (!passes.code(coding)) {
                    throw new WrongResultException(coding.name() + " rows are not what went in");
                }
            }
            return table(contest, passes);
        }
    }

    private static Table table(Contest contest, RowPasses passes) throws Exception {
        Table table =
                new Table(
                        "pass",
                        "scale",
                        "coding",
                        "bytesPerEdge",
                        "nanosPerEdge",
                        "minimum",
                        "maximum",
                        "timesPlain");
        int scale = contest.scale().graphScale();
        for (Pass pass : Pass.values()) {
            Map<String, Contest.Trial<Double>> trials = new LinkedHashMap<>();
            long expected = passes.run(pass, CODINGS.getFirst());
            for (RowCoding coding : CODINGS) {
                trials.put(coding.name(), time -> measure(passes, pass, coding, expected, time));
            }
            String cell = "%s at scale %d".formatted(word(pass), scale);
            Map<String, List<Double>> measured = contest.fresh().run(cell, trials);
            add(table, pass, scale, measured, passes);
        }
        return table;
    }

    private static void add(
            Table table,
            Pass pass,
            int scale,
            Map<String, List<Double>> measured,
            RowPasses passes) {
        double plain = 0;
        for (RowCoding coding : CODINGS) {
            Sample nanos = Sample.of(measured.getOrDefault(coding.name(), List.of()), d -> d);
            plain = plain == 0 ? nanos.median() : plain;
            table.add(
                    word(pass),
                    scale,
                    coding.name(),
                    passes.bytesPerEdge(coding),
                    nanos.median(),
                    nanos.minimum(),
                    nanos.maximum(),
                    nanos.median() / plain);
        }
    }

    /** Builds the graph as everybody does, and copies its rows. */
    private static CodedRows rows(int scale) {
        try (ComputeCluster cluster = ComputeCluster.start(ClusterOptions.of(1, false))) {
            GraphSession session = cluster.session(JobListener.SILENT);
            GraphInfo info =
                    session.build(
                                    GRAPH,
                                    "kronecker",
                                    Parameters.of("scale", scale),
                                    BuildOptions.UNDIRECTED)
                            .graph();
            try (RowCursor cursor = session.rows(GRAPH)) {
                return CodedRows.read(cursor, Math.toIntExact(info.vertices()), info.storedEdges());
            }
        }
    }

    /** Nanoseconds per edge of as many passes as fit into a time, at least one. */
    private static double measure(
            RowPasses passes, Pass pass, RowCoding coding, long expected, Duration time)
            throws WrongResultException {
        long begin = System.nanoTime();
        long nanos;
        int runs = 0;
        do {
            if (passes.run(pass, coding) != expected) {
                throw new WrongResultException(
                        "a %s of %s rows differs from one of plain rows"
                                .formatted(word(pass), coding.name()));
            }
            runs++;
            nanos = System.nanoTime() - begin;
        } while (nanos < time.toNanos());
        return (double) nanos / runs / passes.edges(pass);
    }

    private static String word(Pass pass) {
        return pass.name().toLowerCase(Locale.ROOT);
    }
}
