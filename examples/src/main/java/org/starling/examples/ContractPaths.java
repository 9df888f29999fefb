package org.starling.examples;

import org.starling.graph.Argument;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Runs {@link Contraction}: the graph is a smaller one behind it. */
public final class ContractPaths implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "example.contract",
                        "Takes vertices with two neighbours out of a graph, and puts edges in their"
                                + " place; a kept graph stays as it is.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "an undirected graph"))
                .returns("vertices", "number", "vertices that are left")
                .returns("edges", "number", "edges that are left")
                .returns("supersteps", "number", "supersteps that it took");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        String graph = arguments.text("graph");
        if (context.graphs().info(graph).directed()) {
            throw new InvalidInputException(
                    "paths can be contracted in undirected graphs alone, but \""
                            + graph
                            + "\" is directed");
        }
        RunResult run =
                context.graphs().run(graph, GuideProgramsProvider.CONTRACTION, Parameters.NONE);
        GraphInfo left = context.graphs().info(graph);
        return new TaskResult()
                .put("vertices", left.vertices())
                .put("edges", left.edges())
                .put("supersteps", run.supersteps());
    }
}
