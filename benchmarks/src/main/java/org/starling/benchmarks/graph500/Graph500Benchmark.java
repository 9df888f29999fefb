package org.starling.benchmarks.graph500;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.TaskContext;
import org.starling.loaders.KroneckerGraph;
import org.starling.loaders.SearchKeys;

/**
 * A run of Graph500 by its rules: generation (not timed as a kernel), construction (kernel 1),
 * keys, one search to warm up, then for each key a timed search (kernel 2), the count of its edges
 * and its validation, both outside the timer. The first wrong result ends the run.
 *
 * <p>Used once, from the session's thread. The graph is dropped in the end.
 */
final class Graph500Benchmark {

    /** Name of the graph while it exists. */
    static final String GRAPH = "graph500";

    /** Largest graph whose keys are chosen from a bit set of vertices. */
    static final int MAX_SCALE = 30;

    private static final double NANOS_PER_SECOND = 1e9;

    private final TaskContext context;
    private final GraphSession session;
    private final Parameters source;
    private final KroneckerGraph input;
    private final int roots;
    private final boolean validating;

    /**
     * A run.
     *
     * @param source parameters of the edge source
     * @param roots number of searches, at least 1
     * @param validating whether results are checked
     */
    Graph500Benchmark(TaskContext context, Parameters source, int roots, boolean validating) {
        this.context = context;
        this.session = context.graphs();
        this.source = source;
        this.input = KroneckerGraph.of(source);
        this.roots = roots;
        this.validating = validating;
    }

    /**
     * Does it all.
     *
     * @throws JobFailedException if a result is wrong
     */
    Graph500Run run() {
        context.progress("Generating and constructing the graph", 0, roots);
        BuildResult built =
                session.build(GRAPH, Kernels.KRONECKER, source, new BuildOptions(false, true));
        try {
            if (validating) {
                context.progress("Checking construction", 0, roots);
                new ConstructionCheck(session, source).require(built);
            }
            return new Graph500Run(
                    input.scale(),
                    input.edgeFactor(),
                    context.peers(),
                    context.separateProcesses(),
                    built.readSeconds(),
                    built.constructionSeconds(),
                    validating,
                    searches(keys()));
        } finally {
            session.drop(GRAPH);
        }
    }

    private long[] keys() {
        BitSet hasEdge = new BitSet((int) input.vertices());
        try (StateCursor degrees = session.read(GRAPH, Kernels.INPUT_DEGREE)) {
            while (degrees.next()) {
                if (degrees.asLong() > 0) {
                    hasEdge.set((int) degrees.id());
                }
            }
        }
        return SearchKeys.choose(input, roots, key -> hasEdge.get((int) key));
    }

    private List<Graph500Run.Search> searches(long[] keys) {
        context.progress("Warming up", 0, roots);
        search(keys[0]);
        List<Graph500Run.Search> searches = new ArrayList<>();
        for (long key : keys) {
            context.checkCancelled();
            searches.add(search(key));
            context.progress("Searching", searches.size(), roots);
        }
        return searches;
    }

    private Graph500Run.Search search(long key) {
        RunResult search = session.run(GRAPH, Kernels.BFS, Parameters.of(Kernels.SOURCE, key));
        long edges =
                session.run(GRAPH, TraversedEdgesProgram.NAME, Parameters.NONE)
                                .longAggregate(TraversedEdgesProgram.DEGREES)
                        / 2;
        return new Graph500Run.Search(key, search.seconds(), edges, validate(key, edges));
    }

    private double validate(long key, long edges) {
        if (!validating) {
            return Graph500Run.NOT_VALIDATED;
        }
        long start = System.nanoTime();
        new SearchValidation(session, GRAPH).require(key, edges);
        return (System.nanoTime() - start) / NANOS_PER_SECOND;
    }
}
