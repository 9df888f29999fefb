package org.starling.tasks;

import java.time.Duration;
import org.starling.graph.Argument;
import org.starling.graph.GraphQueries;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.graph.VertexPath;

/** Task {@code graph.path}: a path with the fewest edges between two vertices. */
public final class FindPath implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.path",
                        "Finds a path with the fewest edges between two vertices, by a search from"
                                + " both ends; of several the first one in the graph's own order of"
                                + " vertices.")
                .with(CommonArguments.graph())
                .with(CommonArguments.vertex("from", "id of the first vertex"))
                .with(CommonArguments.vertex("to", "id of the last vertex"))
                .with(
                        Argument.integer(
                                "maxVertices",
                                "how many vertices the search may come to",
                                GraphQueries.MAX_PATH_VERTICES))
                .with(Argument.integer("seconds", "how long to search, up to 10", 5))
                .returns("found", "boolean", "whether a path was found")
                .returns("complete", "boolean", "false if the search ended at a bound")
                .returns("length", "integer", "number of its edges; null if none was found")
                .returns("path", "list", "ids of its vertices, both ends included")
                .returns("visited", "integer", "vertices that the search came to");
    }

    @Override
    public void check(Parameters arguments) {
        maxVertices(arguments);
        time(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        VertexPath found =
                context.graphs()
                        .queries()
                        .path(
                                arguments.text("graph"),
                                arguments.integer("from"),
                                arguments.integer("to"),
                                (int) maxVertices(arguments),
                                time(arguments));
        return new TaskResult()
                .put("found", found.isFound())
                .put("complete", found.complete())
                .put("length", found.isFound() ? found.length() : null)
                .put("path", context.graphs().shown(arguments.text("graph"), found.ids()))
                .put("visited", found.visited());
    }

    private static long maxVertices(Parameters arguments) {
        return BoundedInteger.within("maxVertices", arguments, 1, GraphQueries.MAX_PATH_VERTICES);
    }

    private static Duration time(Parameters arguments) {
        return Duration.ofSeconds(
                BoundedInteger.within(
                        "seconds", arguments, 1, GraphQueries.MAX_PATH_TIME.toSeconds()));
    }
}
