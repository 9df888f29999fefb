package org.starling.tasks;

import org.starling.algorithms.PageRank;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.pagerank}: {@link PageRank}. */
public final class RankVertices implements SessionTask {
    private static final double DEFAULT_DAMPING = 0.85;
    private static final double DEFAULT_TOLERANCE = 1e-9;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of("graph.pagerank", "Ranks vertices; leaves the state pagerank.")
                .with(CommonArguments.graph())
                .with(
                        Argument.optional(
                                "damping",
                                Argument.Type.NUMBER,
                                "share of its rank that a vertex passes on",
                                DEFAULT_DAMPING))
                .with(
                        Argument.optional(
                                "iterations",
                                Argument.Type.INTEGER,
                                "number of sweeps, at least 1"))
                .with(
                        Argument.optional(
                                "tolerance",
                                Argument.Type.NUMBER,
                                "instead of iterations: stop when a sweep changes no more than"
                                        + " this, summed over all vertices; "
                                        + DEFAULT_TOLERANCE
                                        + " if neither is given"))
                .with(CommonArguments.top())
                .with(CommonArguments.verify())
                .returns("iterations", "integer", "sweeps made")
                .returns("sum", "number", "sum of all ranks, 1 but for rounding")
                .returns("top", "list of [id, score]", "the best vertices, best first");
    }

    @Override
    public void check(Parameters arguments) {
        options(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        PageRank.Result ranks =
                PageRank.run(
                        context.graphs(),
                        arguments.text("graph"),
                        options(arguments),
                        arguments.flag("verify"));
        return new TaskResult()
                .put("iterations", ranks.iterations())
                .put("sum", ranks.sum())
                .put("top", CommonArguments.scores(context, arguments.text("graph"), ranks.top()));
    }

    private static PageRank.Options options(Parameters arguments) {
        boolean counted = arguments.has("iterations");
        if (counted && arguments.has("tolerance")) {
            throw new InvalidInputException(
                    "\"iterations\" and \"tolerance\" exclude each other; give one");
        }
        return new PageRank.Options(
                arguments.number("damping"),
                counted ? BoundedInteger.of("iterations", arguments, 1) : 0,
                arguments.number("tolerance", DEFAULT_TOLERANCE),
                BoundedInteger.of("top", arguments));
    }
}
