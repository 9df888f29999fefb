package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.project}: makes a graph of a part of another one. */
public final class ProjectGraph implements SessionTask {
    private static final String VERTICES = "vertices";
    private static final String EDGES = "edges";
    private static final String AS = "as";

    @Override
    public TaskSignature signature() {
        return MadeGraph.results(
                TaskSignature.of(
                                "graph.project",
                                "Makes a graph of the vertices and edges of another one that"
                                        + " conditions hold for, with their properties.")
                        .with(CommonArguments.graph())
                        .with(
                                Argument.optional(
                                        VERTICES,
                                        Argument.Type.CONDITION,
                                        "which vertices to take, by id, properties, published"
                                                + " columns and states, such as age > 30 and name"
                                                + " != 'Ada'; all without it"))
                        .with(
                                Argument.optional(
                                        EDGES,
                                        Argument.Type.CONDITION,
                                        "which edges to take of those whose ends are taken, by"
                                                + " weight and properties, such as weight >= 0.5;"
                                                + " all without it"))
                        .with(
                                Argument.required(
                                        AS, Argument.Type.NEW_GRAPH, "name of the new graph"))
                        .with(MadeGraph.keep()));
    }

    @Override
    public void check(Parameters arguments) {
        MadeGraph.check(arguments, AS);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        GraphSession graphs = context.graphs();
        return MadeGraph.result(
                context,
                arguments,
                AS,
                graphs.project(
                        arguments.text("graph"),
                        arguments.text(VERTICES, ""),
                        arguments.text(EDGES, ""),
                        arguments.text(AS)));
    }
}
