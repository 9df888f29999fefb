package org.starling.benchmarks.queries;

import java.time.Duration;
import org.starling.graph.Argument;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * Task {@code benchmark.queries}: asks about random vertices, one question after another, on the
 * peer that leads the job. In a group of one peer that is the owner of all.
 */
public final class QueryTask implements Task {
    /** Result with the times of questions for neighbours. */
    static final String NEIGHBOURS = "neighbours";

    /** Result with those of questions for paths. */
    static final String PATHS = "paths";

    /** Neighbours in an answer. */
    static final int LIMIT = 10;

    /** How long a path may be searched for. */
    static final Duration PATH_TIME = Duration.ofSeconds(5);

    /** Questions of each kind before any is counted. */
    static final int WARM_UP = 2_000;

    /** The same of paths. */
    static final int PATH_WARM_UP = 200;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "benchmark.queries",
                        "Measures questions about single vertices of a graph whose ids are dense.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "the graph"))
                .with(Argument.integer("seconds", "how long to ask questions of each kind", 5))
                .returns(NEIGHBOURS, "object", "how many, and microseconds of each")
                .returns(PATHS, "object", "the same of paths");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        String graph = arguments.text("graph");
        long vertices = context.graphs().info(graph).vertices();
        GraphQueries queries = context.graphs().queries();
        long seconds = arguments.integer("seconds");
        Latencies neighbours =
                Latencies.measure(
                        WARM_UP,
                        seconds,
                        i -> {
                            context.checkCancelled();
                            var _ =
                                    queries.neighbours(
                                            graph,
                                            vertex(i, vertices),
                                            EdgeDirection.OUTGOING,
                                            0,
                                            LIMIT);
                        });
        Latencies paths =
                Latencies.measure(
                        PATH_WARM_UP,
                        seconds,
                        i -> {
                            context.checkCancelled();
                            var _ =
                                    queries.path(
                                            graph,
                                            vertex(2 * i, vertices),
                                            vertex(2 * i + 1, vertices),
                                            GraphQueries.MAX_PATH_VERTICES,
                                            PATH_TIME);
                        });
        return new TaskResult().put(NEIGHBOURS, neighbours.tree()).put(PATHS, paths.tree());
    }

    /** A vertex for each question, the same in each run. */
    static long vertex(int question, long vertices) {
        long mixed = (question + 1L) * 0x9E37_79B9_7F4A_7C15L;
        return Long.remainderUnsigned(mixed ^ mixed >>> 29, vertices);
    }
}
