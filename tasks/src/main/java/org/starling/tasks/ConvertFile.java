package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.FileFormat;
import org.starling.loaders.GraphConversion;

/** Task {@code file.convert}: a graph's file in another format. It needs no cluster. */
public final class ConvertFile implements Task {
    private static final String FILE = "file";
    private static final String OUTPUT = "output";
    private static final String TO = "to";
    private static final String AUTO = "auto";
    private static final String DIRECTED = "directed";

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "file.convert",
                        "Writes a graph's file in another format, with ids and weights, on one"
                                + " machine and in its memory.")
                .with(
                        Argument.required(
                                FILE,
                                Argument.Type.INPUT_FILE,
                                "the file, or an http or s3 address"))
                .with(
                        Argument.required(
                                OUTPUT,
                                Argument.Type.OUTPUT_FILE,
                                "where to; replaced if there, and packed if it ends in .gz, .bz2"
                                        + " or .zst"))
                .with(SourceArguments.format())
                .with(
                        Argument.choice(
                                TO,
                                "format of the output; auto goes by its ending",
                                Stream.concat(
                                                Stream.of(AUTO),
                                                Arrays.stream(FileFormat.values())
                                                        .filter(GraphConversion::isWritten)
                                                        .map(FileFormat::title))
                                        .toArray(String[]::new)))
                .with(
                        Argument.optional(
                                DIRECTED,
                                Argument.Type.FLAG,
                                "whether edges have directions; otherwise as the file says, and"
                                        + " false where it says nothing"))
                .with(SourceArguments.source())
                .with(SourceArguments.target())
                .with(
                        Argument.optional(
                                "weight",
                                Argument.Type.TEXT,
                                "the column or attribute of weights, if it is not weight; none"
                                        + " leaves weights out"))
                .with(SourceArguments.separator())
                .with(SourceArguments.ids())
                .returns("file", "text", "the file that was written")
                .returns("format", "text", "its format")
                .returns("vertices", "integer", "number of vertices")
                .returns("edges", "integer", "number of edges; an undirected one counts once")
                .returns("directed", "boolean", "whether edges have a direction")
                .returns("weighted", "boolean", "whether edges have weights")
                .returns(
                        "renumbered",
                        "boolean",
                        "whether vertices have other numbers now, because the format counts them"
                                + " through; their order stayed")
                .returns("skippedSelfLoops", "integer", "edges the format has no room for")
                .returns("skippedDuplicates", "integer", "the same of repeated ones")
                .returns("leftOut", "list", "names of properties, which are not written");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.inputFile(arguments.text(FILE));
        Path output = context.outputFile(arguments.text(OUTPUT));
        FileFormat from = SourceArguments.formatOfIds(arguments, file);
        if (from == FileFormat.GRAPHALYTICS) {
            throw new InvalidInputException(
                    "%s names several files; convert its file of edges (.e)"
                            .formatted(file.getFileName()));
        }
        Parameters source = SourceArguments.parameters(arguments, file);
        boolean directed =
                arguments.has(DIRECTED) ? arguments.flag(DIRECTED) : from.directed(source);
        FileFormat to = to(arguments, output);
        GraphConversion.Written written =
                GraphConversion.convert(from, source.with(DIRECTED, directed), output, to);
        return new TaskResult()
                .put("file", output.toString())
                .put("format", to.title())
                .put("vertices", written.vertices())
                .put("edges", written.edges())
                .put("directed", written.directed())
                .put("weighted", written.weighted())
                .put("renumbered", written.renumbered())
                .put("skippedSelfLoops", written.skippedSelfLoops())
                .put("skippedDuplicates", written.skippedDuplicates())
                .put("leftOut", written.leftOut());
    }

    private static FileFormat to(Parameters arguments, Path output) {
        String named = arguments.text(TO);
        if (!named.equals(AUTO)) {
            return FileFormat.named(named);
        }
        return FileFormat.ofName(output)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "the name %s does not tell a format; end it in .csv, .tsv, .parquet, .arrow, .mtx, .gr, .graph, .sg, .graphml, .dot or .graph500, or say \"to\""
                                        .formatted(output.getFileName())));
    }
}
