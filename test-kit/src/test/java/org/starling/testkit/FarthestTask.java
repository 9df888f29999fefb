package org.starling.testkit;

import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.graph.VertexId;

/** Runs a program by name and looks at what it left. */
public final class FarthestTask implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of("test.farthest", "Finds the vertex that is farthest away.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "a graph"))
                .with(Argument.required("source", Argument.Type.ID, "where paths begin"))
                .returns("farthest", "id", "the vertex")
                .returns("distance", "number", "its distance");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        String graph = arguments.text("graph");
        context.graphs()
                .run(graph, "test.hops", Parameters.of("source", arguments.integer("source")));
        long farthest = arguments.integer("source");
        double most = 0;
        try (StateCursor cursor = context.graphs().read(graph, "distance")) {
            while (cursor.next()) {
                if (cursor.asDouble() > most) {
                    most = cursor.asDouble();
                    farthest = cursor.id();
                }
            }
        }
        return new TaskResult().put("farthest", VertexId.number(farthest)).put("distance", most);
    }
}
