package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import org.starling.graph.Argument;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.GraphalyticsDataset;

/** Task {@code graph.load}: makes a graph of a file. */
public final class LoadGraph implements Task {
    private static final String AUTO = "auto";
    private static final String INCOMING = "incoming";
    private static final String VERTICES = "vertices";

    @Override
    public TaskSignature signature() {
        return MadeGraph.results(
                TaskSignature.of("graph.load", "Loads a graph from a file.")
                        .with(CommonArguments.newGraph())
                        .with(
                                Argument.required(
                                        "file",
                                        Argument.Type.INPUT_FILE,
                                        "the file, plain or compressed with gzip"))
                        .with(
                                Argument.choice(
                                        "format",
                                        "its format; auto goes by the ending (.graph, .metis,"
                                                + " .properties) and by the first lines",
                                        AUTO,
                                        GraphFileProbe.EDGE_LIST,
                                        GraphFileProbe.METIS,
                                        GraphFileProbe.GRAPHALYTICS))
                        .with(
                                Argument.flag(
                                        "directed",
                                        "whether edges keep their direction; a Graphalytics"
                                                + " dataset says so itself"))
                        .with(
                                Argument.optional(
                                        INCOMING,
                                        Argument.Type.FLAG,
                                        "whether rows of incoming edges are stored beside those of"
                                                + " outgoing ones; without them a directed graph"
                                                + " takes half the memory, and programs can only go"
                                                + " along edges",
                                        true))
                        .with(
                                Argument.optional(
                                        "separator",
                                        Argument.Type.TEXT,
                                        "what separates the ids of an edge list; otherwise taken"
                                                + " from its first edge"))
                        .with(
                                Argument.optional(
                                        VERTICES,
                                        Argument.Type.INPUT_FILE,
                                        "beside an edge list: a file of vertices and their"
                                                + " properties, with a header such as"
                                                + " id,age:int,score:double; an edge list's own"
                                                + " header is source,target,weight:float,since:int"))
                        .with(MadeGraph.keep()));
    }

    @Override
    public void check(Parameters arguments) {
        MadeGraph.check(arguments);
    }

    @Override
    public void plan(TaskContext forecast, Parameters arguments) throws IOException {
        run(forecast, arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.inputFile(arguments.text("file"));
        String format = arguments.text("format");
        if (format.equals(AUTO)) {
            format = GraphFileProbe.format(file);
        }
        if (arguments.has(VERTICES) && !format.equals(GraphFileProbe.EDGE_LIST)) {
            throw new InvalidInputException(
                    "\"vertices\" goes with an edge list, and %s is %s; leave it out, or say \"format\": \"edgelist\""
                            .formatted(file.getFileName(), format));
        }
        if (format.equals(GraphFileProbe.GRAPHALYTICS)) {
            return load(context, arguments, GraphalyticsDataset.read(file));
        }
        Parameters parameters = Parameters.of("file", file.toString());
        if (arguments.has("separator") && format.equals(GraphFileProbe.EDGE_LIST)) {
            parameters = parameters.with("separator", arguments.text("separator"));
        }
        if (arguments.has(VERTICES)) {
            Path vertices = context.inputFile(arguments.text(VERTICES));
            parameters = parameters.with(VERTICES, vertices.toString());
        }
        BuildOptions options = options(arguments.flag("directed"), arguments);
        return MadeGraph.result(
                context,
                arguments,
                context.graphs().build(arguments.text("graph"), format, parameters, options));
    }

    /** A dataset says itself whether its edges have directions and weights. */
    private static TaskResult load(
            TaskContext context, Parameters arguments, GraphalyticsDataset dataset)
            throws IOException {
        String graph = arguments.text("graph");
        dataset.files().forEach(file -> context.inputFile(file.toString()));
        BuildOptions options = options(dataset.directed(), arguments);
        BuildResult made =
                context.graphs()
                        .build(
                                graph,
                                GraphFileProbe.GRAPHALYTICS,
                                dataset.source(dataset.weighted()),
                                options);
        try {
            dataset.requireVertices(made.graph().vertices());
        } catch (InvalidInputException wrong) {
            context.graphs().drop(graph);
            throw wrong;
        }
        return MadeGraph.result(context, arguments, made);
    }

    private static BuildOptions options(boolean directed, Parameters arguments) {
        BuildOptions options = directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED;
        if (!arguments.has(INCOMING) || arguments.flag(INCOMING)) {
            return options;
        }
        if (!directed) {
            throw new InvalidInputException(
                    "graph \"%s\" is undirected: an edge stands in the rows of both its ends; leave \"incoming\" out, or set \"directed\": true"
                            .formatted(arguments.text("graph")));
        }
        return options.withoutIncoming();
    }
}
