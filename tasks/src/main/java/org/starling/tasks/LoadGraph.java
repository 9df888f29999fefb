package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
    private static final String VERTICES = "vertices";
    private static final String DIRECTED = "directed";
    private static final String WEIGHT = "weight";
    private static final String FILE = "file";
    private static final String EDGES = "edges";
    private static final String HEADER = "header";
    private static final String COLUMNS = "columns";
    private static final String BAD_LINES = "badLines";
    private static final String FAIL = "fail";
    private static final String SKIP = "skip";

    @Override
    public TaskSignature signature() {
        TaskSignature signature =
                TaskSignature.of("graph.load", "Loads a graph from a file, or from several.")
                        .with(CommonArguments.newGraph())
                        .with(
                                Argument.optional(
                                        FILE,
                                        Argument.Type.INPUT_FILE,
                                        "the file, plain or compressed (gzip, bzip2, zstd, lz4);"
                                                + " short for edges with one file"))
                        .with(
                                Argument.optional(
                                        EDGES,
                                        Argument.Type.INPUT_FILES,
                                        "the file, or for edge lists several: a list, a pattern"
                                                + " such as part-*.csv.gz, a folder; also an http"
                                                + " or s3 address, or - for what is piped into run"))
                        .with(SourceArguments.format())
                        .with(
                                Argument.optional(
                                        DIRECTED,
                                        Argument.Type.FLAG,
                                        "whether edges keep their direction; otherwise as the file"
                                                + " says, and false where it says nothing (edge"
                                                + " lists, METIS); a Graphalytics dataset always"
                                                + " says so itself"))
                        .with(MadeGraph.incoming())
                        .with(SourceArguments.separator())
                        .with(
                                Argument.choice(
                                        SourceArguments.IDS,
                                        "what the ids of an edge list are: whole numbers from 0"
                                                + " to 2^64 - 1, or texts, which all tasks then"
                                                + " take and give",
                                        SourceArguments.NUMBERS,
                                        SourceArguments.TEXTS))
                        .with(
                                Argument.optional(
                                        VERTICES,
                                        Argument.Type.INPUT_FILES,
                                        "beside an edge list: a file (or several) of vertices and their"
                                                + " properties, with a header such as"
                                                + " id,age:int,score:double; an edge list's own"
                                                + " header is source,target,weight:float,since:int"))
                        .with(MadeGraph.keep());
        return MadeGraph.results(withTables(signature))
                .returns(
                        "skippedLines",
                        "integer",
                        "lines passed over, which made no sense, or lead to a literal (triples)")
                .returns("badLines", "list", "what is wrong with the first ten of them");
    }

    /** What goes with edge lists alone, but for the weight. */
    private static TaskSignature withTables(TaskSignature signature) {
        return signature
                .with(
                        Argument.optional(
                                HEADER,
                                Argument.Type.FLAG,
                                "whether an edge list's first line of data names its"
                                        + " columns; otherwise that is so if it names"
                                        + " source and target"))
                .with(SourceArguments.source())
                .with(SourceArguments.target())
                .with(
                        Argument.optional(
                                WEIGHT,
                                Argument.Type.TEXT,
                                "the column, or attribute in GraphML and GML, of weights, if"
                                        + " it is not weight; none leaves the weights of"
                                        + " any file out"))
                .with(
                        Argument.optional(
                                COLUMNS,
                                Argument.Type.COLUMN_TYPES,
                                "types of an edge list's columns, like {\"since\": \"int\"};"
                                        + " int? where fields may be empty, none for a"
                                        + " column to leave out; others follow from the"
                                        + " first lines"))
                .with(
                        Argument.choice(
                                BAD_LINES,
                                "what becomes of lines of an edge list that make no sense:"
                                        + " they end the load, or are passed over and"
                                        + " counted",
                                FAIL,
                                SKIP));
    }

    @Override
    public void check(Parameters arguments) {
        MadeGraph.check(arguments, MadeGraph.GRAPH);
        if (arguments.has(FILE) == arguments.has(EDGES)) {
            throw new InvalidInputException(
                    arguments.has(FILE)
                            ? "\"file\" is short for \"edges\" with one file; leave one of them out"
                            : "graph.load needs \"edges\", the file (or files) to read");
        }
    }

    @Override
    public void plan(TaskContext forecast, Parameters arguments) throws IOException {
        run(forecast, arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        List<Path> files = edges(context, arguments);
        Path file = files.getFirst();
        FileFormat format = SourceArguments.formatOfIds(arguments, file);
        requireTable(arguments, files, format);
        if (format == FileFormat.GRAPHALYTICS) {
            return load(context, arguments, GraphalyticsDataset.read(file));
        }
        Parameters parameters = parameters(context, arguments, files, format);
        boolean directed =
                arguments.has(DIRECTED) ? arguments.flag(DIRECTED) : format.directed(parameters);
        BuildOptions options = MadeGraph.options(directed, arguments);
        return result(
                context,
                arguments,
                context.graphs()
                        .build(
                                arguments.text("graph"),
                                format.title(),
                                parameters.with(DIRECTED, directed),
                                options));
    }

    private static List<Path> edges(TaskContext context, Parameters arguments) {
        if (arguments.has(FILE)) {
            return List.of(context.inputFile(arguments.text(FILE)));
        }
        return files(context, arguments.texts(EDGES));
    }

    private static List<Path> files(TaskContext context, List<String> names) {
        List<Path> files =
                names.stream().flatMap(name -> context.inputFiles(name).stream()).toList();
        if (files.isEmpty()) {
            throw new InvalidInputException("the list of files is empty; name at least one");
        }
        return files;
    }

    /** Throws if something is given that goes with edge lists alone, or with tables. */
    private static void requireTable(Parameters arguments, List<Path> files, FileFormat format) {
        if (format == FileFormat.EDGE_LIST) {
            return;
        }
        Path file = files.getFirst().getFileName();
        if (files.size() > 1 && !format.isTable() && !format.isOfLines()) {
            throw new InvalidInputException(
                    "several files are read as one edge list, but %s is %s; load one file, or say \"format\": \"edgelist\""
                            .formatted(file, format.title()));
        }
        List<String> others =
                format.isTable()
                        ? List.of(SourceArguments.SEPARATOR, HEADER)
                        : List.of(
                                VERTICES,
                                SourceArguments.SEPARATOR,
                                HEADER,
                                SourceArguments.SOURCE,
                                SourceArguments.TARGET,
                                COLUMNS);
        for (String argument : others) {
            boolean isOfTriples = format == FileFormat.NTRIPLES && argument.equals(COLUMNS);
            if (arguments.has(argument) && !isOfTriples) {
                throw new InvalidInputException(
                        "\"%s\" goes with an edge list, and %s is %s; leave it out, or say \"format\": \"edgelist\""
                                .formatted(argument, file, format.title()));
            }
        }
        if (arguments.text(BAD_LINES, FAIL).equals(SKIP) && !format.isOfLines()) {
            throw new InvalidInputException(
                    "only edge lists and triples can do without their bad lines, and %s is %s; leave \"badLines\" out"
                            .formatted(file, format.title()));
        }
    }

    private static Parameters parameters(
            TaskContext context, Parameters arguments, List<Path> files, FileFormat format) {
        Parameters parameters = Parameters.of(FILE, files.getFirst().toString());
        if (files.size() > 1) {
            parameters = parameters.with("files", names(files));
        }
        if (arguments.has(WEIGHT)) {
            parameters = parameters.with(WEIGHT, arguments.text(WEIGHT));
        }
        if (format.isOfLines() && arguments.has(BAD_LINES)) {
            parameters = parameters.with(BAD_LINES, arguments.text(BAD_LINES));
        }
        if ((format.isTable() || format.isOfLines()) && arguments.has(COLUMNS)) {
            parameters = parameters.with(COLUMNS, arguments.texts(COLUMNS));
        }
        if (!format.isTable()) {
            return parameters;
        }
        if (SourceArguments.hasTextIds(arguments)) {
            parameters = parameters.with(SourceArguments.IDS, SourceArguments.TEXTS);
        }
        for (String argument :
                List.of(
                        SourceArguments.SEPARATOR,
                        SourceArguments.SOURCE,
                        SourceArguments.TARGET)) {
            if (arguments.has(argument)) {
                parameters = parameters.with(argument, arguments.text(argument));
            }
        }
        if (arguments.has(HEADER)) {
            parameters = parameters.with(HEADER, arguments.flag(HEADER));
        }
        if (arguments.has(VERTICES)) {
            parameters =
                    parameters.with(VERTICES, names(files(context, arguments.texts(VERTICES))));
        }
        return parameters;
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(Path::toString).toList();
    }

    private static TaskResult result(TaskContext context, Parameters arguments, BuildResult made) {
        return MadeGraph.result(context, arguments, MadeGraph.GRAPH, made)
                .put("skippedLines", made.skippedLines())
                .put("badLines", made.firstSkipped());
    }

    /** A dataset says itself whether its edges have directions and weights. */
    private static TaskResult load(
            TaskContext context, Parameters arguments, GraphalyticsDataset dataset)
            throws IOException {
        String graph = arguments.text("graph");
        dataset.files().forEach(file -> context.inputFile(file.toString()));
        BuildOptions options = MadeGraph.options(dataset.directed(), arguments);
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
        return result(context, arguments, made);
    }
}
