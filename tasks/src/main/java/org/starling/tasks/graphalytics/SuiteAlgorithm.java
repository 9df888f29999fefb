package org.starling.tasks.graphalytics;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.starling.algorithms.Bfs;
import org.starling.algorithms.LabelPropagation;
import org.starling.algorithms.LocalClustering;
import org.starling.algorithms.PageRank;
import org.starling.algorithms.Sssp;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.graph.GraphSession;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexId;
import org.starling.loaders.GraphalyticsDataset;

/** The algorithms of the suite: what they are called, need, leave, and how results compare. */
enum SuiteAlgorithm {
    /** Breadth-first search: levels. */
    BFS(Bfs.LEVEL, MatchRule.EXACT) {
        @Override
        Kernel kernel(GraphalyticsDataset dataset) {
            long source = dataset.id("bfs.source-vertex", "where bfs starts");
            return (session, graph) -> Bfs.run(session, graph, source, false);
        }

        @Override
        Function<StateCursor, String> text() {
            return level -> Long.toString(level.asLong() < 0 ? UNREACHED : level.asLong());
        }
    },
    /** Communities by label propagation: labels, which are ids. */
    CDLP(LabelPropagation.COMMUNITY, MatchRule.EXACT) {
        @Override
        Kernel kernel(GraphalyticsDataset dataset) {
            int rounds = dataset.count("cdlp.max-iterations", "the number of rounds of cdlp");
            return (session, graph) -> LabelPropagation.run(session, graph, rounds, state(), false);
        }

        @Override
        Function<StateCursor, String> text() {
            return label -> VertexId.text(label.asLong());
        }
    },
    /** Local clustering coefficients. */
    LCC(LocalClustering.CLUSTERING, MatchRule.EPSILON) {
        @Override
        Kernel kernel(GraphalyticsDataset dataset) {
            return (session, graph) -> LocalClustering.run(session, graph, false);
        }
    },
    /** PageRank. */
    PR(PageRank.PAGERANK, MatchRule.EPSILON) {
        @Override
        Kernel kernel(GraphalyticsDataset dataset) {
            double damping = dataset.number("pr.damping-factor", "the damping of pr");
            int sweeps = dataset.count("pr.num-iterations", "the number of sweeps of pr");
            PageRank.Options options = new PageRank.Options(damping, sweeps, 0, 0);
            return (session, graph) -> PageRank.run(session, graph, options, false);
        }
    },
    /** Shortest paths from one vertex: distances. */
    SSSP(Sssp.DISTANCE, MatchRule.EPSILON) {
        @Override
        Kernel kernel(GraphalyticsDataset dataset) {
            long source = dataset.id("sssp.source-vertex", "where sssp starts");
            dataset.requireFirstWeight("sssp.weight-property");
            return (session, graph) -> Sssp.run(session, graph, source, Sssp.Options.DEFAULT);
        }

        @Override
        boolean isWeighted() {
            return true;
        }
    },
    /** Weakly connected components: the smallest id of each one. */
    WCC(ConnectedComponents.COMPONENT, MatchRule.EQUIVALENCE) {
        @Override
        Kernel kernel(GraphalyticsDataset dataset) {
            return (session, graph) -> ConnectedComponents.run(session, graph, false);
        }

        // States are read in the order of ids, so that the first member has the smallest one.
        @Override
        Function<StateCursor, String> text() {
            Map<Long, String> ids = new HashMap<>();
            return member -> ids.computeIfAbsent(member.asLong(), _ -> VertexId.text(member.id()));
        }
    };

    /** What the suite writes for the level of a vertex that was not reached. */
    private static final long UNREACHED = Long.MAX_VALUE;

    private final String state;
    private final MatchRule rule;

    SuiteAlgorithm(String state, MatchRule rule) {
        this.state = state;
        this.rule = rule;
    }

    /** An algorithm with its parameters. */
    @FunctionalInterface
    interface Kernel {
        /** Runs it on a graph, where it leaves its state. */
        void run(GraphSession session, String graph);
    }

    /** Names of all, as they stand in properties. */
    static List<String> words() {
        return Stream.of(values()).map(SuiteAlgorithm::word).toList();
    }

    /** Its name in properties. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Name of the state that it leaves. */
    String state() {
        return state;
    }

    /** How its results are compared. */
    MatchRule rule() {
        return rule;
    }

    /** True if edges need their weights. */
    boolean isWeighted() {
        return false;
    }

    /**
     * The algorithm with the parameters of a dataset.
     *
     * @throws org.starling.graph.InvalidInputException if one is missing or makes no sense
     */
    abstract Kernel kernel(GraphalyticsDataset dataset);

    /** Says how a value is written; to be used for one file, from its first line to its last. */
    Function<StateCursor, String> text() {
        return value ->
                value.asDouble() == Double.POSITIVE_INFINITY
                        ? "infinity"
                        : String.format(Locale.ROOT, "%.15e", value.asDouble());
    }
}
