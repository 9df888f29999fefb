package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** What every task that makes a graph answers. */
final class MadeGraph {
    private static final String KEEP = "keep";
    private static final String GRAPH = "graph";

    private MadeGraph() {}

    /** Whether the graph outlives the job. */
    static Argument keep() {
        return Argument.flag(
                KEEP,
                "whether the graph outlives the job: it goes into the cluster's catalogue, and"
                        + " later jobs can name it");
    }

    static TaskSignature results(TaskSignature signature) {
        return signature
                .returns("vertices", "integer", "number of vertices")
                .returns("edges", "integer", "number of edges; an undirected one counts once")
                .returns("directed", "boolean", "whether edges have a direction")
                .returns("skippedSelfLoops", "integer", "edges dropped: both ends were the same")
                .returns("skippedDuplicates", "integer", "edges dropped: there was an equal one");
    }

    /** Checks the name of a graph that is to be kept. */
    static void check(Parameters arguments) {
        check(arguments, GRAPH);
    }

    /**
     * The same.
     *
     * @param name argument that names the graph
     */
    static void check(Parameters arguments, String name) {
        if (arguments.flag(KEEP)) {
            GraphSession.requireKeepable(arguments.text(name));
        }
    }

    /** Keeps the graph if that is wanted, and answers. */
    static TaskResult result(TaskContext context, Parameters arguments, BuildResult made) {
        return result(context, arguments, GRAPH, made);
    }

    /**
     * The same.
     *
     * @param name argument that names the graph
     */
    static TaskResult result(
            TaskContext context, Parameters arguments, String name, BuildResult made) {
        if (arguments.flag(KEEP)) {
            context.graphs().keep(arguments.text(name));
        }
        return result(made);
    }

    private static TaskResult result(BuildResult made) {
        GraphInfo graph = made.graph();
        return new TaskResult()
                .put("vertices", graph.vertices())
                .put("edges", graph.edges())
                .put("directed", graph.directed())
                .put("skippedSelfLoops", made.skippedSelfLoops())
                .put("skippedDuplicates", made.skippedDuplicates());
    }
}
