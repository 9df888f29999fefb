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
 * and its validation, both outside the timer; the same for shortest paths (kernel 3), if they are
 * asked for. The first wrong result ends the run.
 *
 * <p>Used once, from the session's thread. The graph is dropped in the end.
 */
final class Graph500Benchmark {

    /** Name of the graph while it exists. */
    static final String GRAPH = "graph500";

    /** Largest graph whose keys are chosen from a bit set of vertices. */
    static final int MAX_SCALE = 30;

    private static final double NANOS_PER_SECOND = 1e9;

    private static final Kernel BREADTH_FIRST =
            new Kernel(Kernels.BFS, Parameters.NONE, LevelValidation.NAME, "Searching");
    private static final Kernel SHORTEST_PATHS =
            new Kernel(
                    Kernels.SSSP,
                    Parameters.of(Kernels.PARENTS, Kernels.PARENT),
                    DistanceValidation.NAME,
                    "Searching shortest paths");

    private final TaskContext context;
    private final GraphSession session;
    private final Parameters source;
    private final KroneckerGraph input;
    private final int roots;
    private final boolean shortestPaths;
    private final boolean validating;

    /** {@code source} has the parameters of the edge source; there is at least one root. */
    Graph500Benchmark(
            TaskContext context,
            Parameters source,
            int roots,
            boolean shortestPaths,
            boolean validating) {
        this.context = context;
        this.session = context.graphs();
        this.source = shortestPaths ? source.with("weights", true) : source;
        this.shortestPaths = shortestPaths;
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
            long[] keys = keys();
            return new Graph500Run(
                    input.scale(),
                    input.edgeFactor(),
                    context.peers(),
                    context.separateProcesses(),
                    built.readSeconds(),
                    built.constructionSeconds(),
                    validating,
                    searches(keys, BREADTH_FIRST),
                    shortestPaths ? searches(keys, SHORTEST_PATHS) : null);
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

    private Searches searches(long[] keys, Kernel kernel) {
        context.progress("Warming up", 0, roots);
        search(keys[0], kernel);
        List<Searches.Search> searches = new ArrayList<>();
        for (long key : keys) {
            context.checkCancelled();
            searches.add(search(key, kernel));
            context.progress(kernel.doing(), searches.size(), roots);
        }
        return new Searches(searches);
    }

    private Searches.Search search(long key, Kernel kernel) {
        RunResult search =
                session.run(GRAPH, kernel.program(), kernel.parameters().with(Kernels.SOURCE, key));
        long edges =
                session.run(GRAPH, TraversedEdgesProgram.NAME, Parameters.NONE)
                                .longAggregate(TraversedEdgesProgram.DEGREES)
                        / 2;
        return new Searches.Search(key, search.seconds(), edges, validate(key, edges, kernel));
    }

    private double validate(long key, long edges, Kernel kernel) {
        if (!validating) {
            return Searches.NOT_VALIDATED;
        }
        long start = System.nanoTime();
        new SearchValidation(session, GRAPH, kernel.validation()).require(key, edges);
        return (System.nanoTime() - start) / NANOS_PER_SECOND;
    }

    /**
     * A kernel that searches.
     *
     * @param program its name
     * @param parameters what it is given beside the root
     * @param validation name of the program that validates what it leaves
     * @param doing what people are told meanwhile
     */
    private record Kernel(String program, Parameters parameters, String validation, String doing) {}
}
