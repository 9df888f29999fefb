package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.starling.graph.Argument;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.FileFormat;
import org.starling.loaders.GraphalyticsDataset;

/** Task {@code graph.load}: makes a graph of a file. */
public final class LoadGraph implements Task {
    private static final String AUTO = "auto";
    private static final String INCOMING = "incoming";
    private static final String VERTICES = "vertices";
    private static final String DIRECTED = "directed";
    private static final String FORMAT = "format";
    private static final String WEIGHT = "weight";
    private static final String IDS = "ids";
    private static final String TEXT = "text";

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
                                        FORMAT,
                                        "its format; auto goes by the first bytes and by the"
                                                + " ending (.graph, .mtx, .gr, .sg and so on)",
                                        formats()))
                        .with(
                                Argument.optional(
                                        DIRECTED,
                                        Argument.Type.FLAG,
                                        "whether edges keep their direction; otherwise as the file"
                                                + " says, and false where it says nothing (edge"
                                                + " lists, METIS); a Graphalytics dataset always"
                                                + " says so itself"))
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
                                        WEIGHT,
                                        Argument.Type.TEXT,
                                        "which attribute of a GraphML or GML file's edges is their"
                                                + " weight (weight, if they have it); none leaves"
                                                + " the weights of any file out"))
                        .with(
                                Argument.optional(
                                        "separator",
                                        Argument.Type.TEXT,
                                        "what separates the ids of an edge list; otherwise taken"
                                                + " from its first edge"))
                        .with(
                                Argument.choice(
                                        IDS,
                                        "what the ids of an edge list are: whole numbers from 0"
                                                + " to 2^64 - 1, or texts, which all tasks then"
                                                + " take and give",
                                        "number",
                                        TEXT))
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

    private static String[] formats() {
        return Stream.concat(
                        Stream.of(AUTO), Arrays.stream(FileFormat.values()).map(FileFormat::title))
                .toArray(String[]::new);
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
        boolean textIds = arguments.text(IDS, "number").equals(TEXT);
        String named = arguments.text(FORMAT);
        FileFormat format =
                !named.equals(AUTO)
                        ? FileFormat.named(named)
                        : textIds ? FileFormat.EDGE_LIST : GraphFileProbe.format(file);
        if (textIds && format != FileFormat.EDGE_LIST) {
            throw new InvalidInputException(
                    "ids are texts in edge lists alone, and %s is %s, whose ids are numbers; leave \"ids\" out"
                            .formatted(file.getFileName(), format.title()));
        }
        if (arguments.has(VERTICES) && format != FileFormat.EDGE_LIST) {
            throw new InvalidInputException(
                    "\"vertices\" goes with an edge list, and %s is %s; leave it out, or say \"format\": \"edgelist\""
                            .formatted(file.getFileName(), format.title()));
        }
        if (format == FileFormat.GRAPHALYTICS) {
            return load(context, arguments, GraphalyticsDataset.read(file));
        }
        Parameters parameters = parameters(context, arguments, file, format);
        boolean directed =
                arguments.has(DIRECTED) ? arguments.flag(DIRECTED) : format.directed(parameters);
        BuildOptions options = options(directed, arguments);
        return MadeGraph.result(
                context,
                arguments,
                context.graphs()
                        .build(
                                arguments.text("graph"),
                                format.title(),
                                parameters.with(DIRECTED, directed),
                                options));
    }

    private static Parameters parameters(
            TaskContext context, Parameters arguments, Path file, FileFormat format) {
        Parameters parameters = Parameters.of("file", file.toString());
        if (arguments.has("separator") && format == FileFormat.EDGE_LIST) {
            parameters = parameters.with("separator", arguments.text("separator"));
        }
        if (arguments.has(WEIGHT)) {
            parameters = parameters.with(WEIGHT, arguments.text(WEIGHT));
        }
        if (arguments.text(IDS, "number").equals(TEXT)) {
            parameters = parameters.with(IDS, TEXT);
        }
        if (arguments.has(VERTICES)) {
            Path vertices = context.inputFile(arguments.text(VERTICES));
            parameters = parameters.with(VERTICES, vertices.toString());
        }
        return parameters;
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
                                FileFormat.GRAPHALYTICS.title(),
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
