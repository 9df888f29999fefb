package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** What every task that makes a graph answers. */
final class MadeGraph {
    /** Argument that names the graph, in most of these tasks. */
    static final String GRAPH = "graph";

    private static final String KEEP = "keep";
    private static final String INCOMING = "incoming";

    private MadeGraph() {}

    /** Whether the graph outlives the job. */
    static Argument keep() {
        return Argument.flag(
                KEEP,
                "whether the graph outlives the job: it goes into the cluster's catalogue, and"
                        + " later jobs can name it");
    }

    /** Whether edges can be gone along in both directions. */
    static Argument incoming() {
        return Argument.optional(
                INCOMING,
                Argument.Type.FLAG,
                "whether rows of incoming edges are stored beside those of outgoing ones; without"
                        + " them a directed graph takes half the memory, and programs can only go"
                        + " along edges",
                true);
    }

    /**
     * How the graph is made.
     *
     * @throws InvalidInputException if incoming edges are not wanted where all edges go both ways
     */
    static BuildOptions options(boolean directed, Parameters arguments) {
        BuildOptions options = directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED;
        if (!arguments.has(INCOMING) || arguments.flag(INCOMING)) {
            return options;
        }
        if (!directed) {
            throw new InvalidInputException(
                    "graph \"%s\" is undirected: an edge stands in the rows of both its ends; leave \"incoming\" out, or set \"directed\": true"
                            .formatted(arguments.text(GRAPH)));
        }
        return options.withoutIncoming();
    }

    static TaskSignature results(TaskSignature signature) {
        return signature
                .returns("vertices", "integer", "number of vertices")
                .returns("edges", "integer", "number of edges; an undirected one counts once")
                .returns("directed", "boolean", "whether edges have a direction")
                .returns("skippedSelfLoops", "integer", "edges dropped: both ends were the same")
                .returns("skippedDuplicates", "integer", "edges dropped: there was an equal one");
    }

    /**
     * Checks the name of a graph that is to be kept.
     *
     * @param name argument that names the graph
     */
    static void check(Parameters arguments, String name) {
        if (arguments.flag(KEEP)) {
            GraphSession.requireKeepable(arguments.text(name));
        }
    }

    /**
     * Keeps the graph if that is wanted, and answers.
     *
     * @param name argument that names the graph
     */
    static TaskResult result(
            TaskContext context, Parameters arguments, String name, BuildResult made) {
        if (arguments.flag(KEEP)) {
            context.graphs().keep(arguments.text(name));
        }
        GraphInfo graph = made.graph();
        return new TaskResult()
                .put("vertices", graph.vertices())
                .put("edges", graph.edges())
                .put("directed", graph.directed())
                .put("skippedSelfLoops", made.skippedSelfLoops())
                .put("skippedDuplicates", made.skippedDuplicates());
    }
}
