package org.starling.examples.roads;

import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * Task {@code roads.farthest}: which vertex is farthest away? META-INF/services names this class.
 */
public final class FindFarthest implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "roads.farthest",
                        "Finds the vertex that is farthest from a source; leaves the state distance.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "a graph, weighted or not"))
                .with(Argument.required("source", Argument.Type.ID, "where all paths begin"))
                .returns("reached", "number", "vertices that paths lead to, the source included")
                .returns("farthest", "id", "the vertex with the longest of the shortest paths")
                .returns("distance", "number", "the length of that path");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        String graph = arguments.text("graph");
        long source = arguments.integer("source");
        context.graphs().run(graph, Programs.SHORTEST_PATHS, Parameters.of("source", source));

        long reached = 0;
        long farthest = source;
        double longest = 0;
        try (StateCursor distance = context.graphs().read(graph, "distance")) {
            while (distance.next()) {
                if (Double.isFinite(distance.asDouble())) {
                    reached++;
                    if (distance.asDouble() > longest) {
                        longest = distance.asDouble();
                        farthest = distance.id();
                    }
                }
            }
        }
        return new TaskResult()
                .put("reached", reached)
                .put("farthest", context.graphs().shown(arguments.text("graph"), farthest))
                .put("distance", longest);
    }
}
