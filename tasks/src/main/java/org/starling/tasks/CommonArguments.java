package org.starling.tasks;

import java.util.List;
import java.util.stream.IntStream;
import org.starling.algorithms.Score;
import org.starling.graph.Argument;
import org.starling.graph.TaskContext;

/** Arguments and results that many tasks have, so that they read the same everywhere. */
final class CommonArguments {
    private CommonArguments() {}

    /** The graph that a task works on. */
    static Argument graph() {
        return Argument.required("graph", Argument.Type.GRAPH, "the graph");
    }

    /** The graph that a task makes. */
    static Argument newGraph() {
        return Argument.required("graph", Argument.Type.NEW_GRAPH, "name of the new graph");
    }

    /** Whether the algorithm's checker runs afterwards. */
    static Argument verify() {
        return Argument.flag(
                "verify", "whether to check the result; the task fails if it is wrong");
    }

    /** The id of the vertex that a search starts from. */
    static Argument source() {
        return Argument.required("source", Argument.Type.ID, "id of the vertex to start from");
    }

    /** The id of a vertex. */
    static Argument vertex(String name, String meaning) {
        return Argument.required(name, Argument.Type.ID, meaning);
    }

    /** How many of the best vertices to report. */
    static Argument top() {
        return Argument.integer("top", "how many of the best vertices to report", 10);
    }

    /** Vertices and what they were ranked by, as a result. */
    static List<List<Object>> scores(TaskContext context, String graph, List<Score> scores) {
        List<Object> ids = context.graphs().shown(graph, scores.stream().map(Score::id).toList());
        return IntStream.range(0, ids.size())
                .mapToObj(i -> List.of(ids.get(i), (Object) scores.get(i).score()))
                .toList();
    }
}
