package org.starling.tasks;

import org.starling.algorithms.Betweenness;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.betweenness}: {@link Betweenness}. */
public final class FindBetweenness implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.betweenness",
                        "Finds over how many shortest paths every vertex lies, edges counting 1;"
                                + " leaves the state betweenness.")
                .with(CommonArguments.graph())
                .with(
                        Argument.optional(
                                "sources",
                                Argument.Type.ID_LIST,
                                "ids of the vertices that paths begin at; without them and without"
                                        + " samples, all"))
                .with(
                        Argument.optional(
                                "samples",
                                Argument.Type.INTEGER,
                                "instead of sources: how many vertices to draw, for an estimate"))
                .with(Argument.integer("seed", "what the draw depends on", 1L))
                .with(CommonArguments.top())
                .with(CommonArguments.verify())
                .returns("sources", "integer", "number of vertices that paths began at")
                .returns("sum", "number", "sum of all scores")
                .returns("top", "list of [id, score]", "the best vertices, best first")
                .returns("verified", "boolean", "whether the result was checked");
    }

    @Override
    public void check(Parameters arguments) {
        sources(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Betweenness.Result found =
                sources(arguments)
                        .run(
                                context.graphs(),
                                arguments.text("graph"),
                                BoundedInteger.of("top", arguments),
                                arguments.flag("verify"));
        return new TaskResult()
                .put("sources", found.sources())
                .put("sum", found.sum())
                .put("top", CommonArguments.scores(context, arguments.text("graph"), found.top()))
                .put("verified", found.verified());
    }

    private static Betweenness sources(Parameters arguments) {
        boolean given = arguments.has("sources");
        if (given && arguments.has("samples")) {
            throw new InvalidInputException(
                    "\"sources\" and \"samples\" exclude each other; give one");
        }
        if (given) {
            return Betweenness.from(arguments.integers("sources"));
        }
        return arguments.has("samples")
                ? Betweenness.samples(
                        BoundedInteger.of("samples", arguments), arguments.integer("seed", 1))
                : Betweenness.all();
    }
}
