package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.FileFormat;
import org.starling.loaders.FileInspection;

/** Task {@code file.inspect}: what a file is. It needs no cluster. */
public final class InspectFile implements Task {
    private static final String FILE = "file";

    /** What a graph takes for a vertex, and for an edge in a row of one of its ends. */
    private static final double VERTEX_BYTES = 24;

    private static final double ROW_BYTES = 4.5;
    private static final int WEIGHT_BYTES = 4;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "file.inspect",
                        "Tells what a file is: format, columns, about how large, and what memory"
                                + " its graph takes.")
                .with(
                        Argument.required(
                                FILE,
                                Argument.Type.INPUT_FILE,
                                "the file, or an http or s3 address"))
                .with(SourceArguments.format())
                .with(SourceArguments.source())
                .with(SourceArguments.target())
                .with(SourceArguments.separator())
                .returns("format", "text", "its format")
                .returns("compression", "text", "none, gzip, bzip2, zstd or lz4")
                .returns("columns", "list", "name and type of what an edge has")
                .returns("vertexColumns", "list", "the same of what a vertex has beside its id")
                .returns("rows", "integer", "edges, or lines of a table of which no more is known")
                .returns("rowsEstimated", "boolean", "whether that is a guess")
                .returns("vertices", "integer", "vertices, exact or guessed; 0 if not known")
                .returns("directed", "boolean", "whether the file says that edges have directions")
                .returns("weighted", "boolean", "whether edges have weights")
                .returns(
                        "graphBytes",
                        "integer",
                        "about what memory the graph takes, without replicas and properties")
                .returns("first", "list", "the first edges or lines")
                .returns("hint", "text", "what to say when it is loaded; may be empty");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.inputFile(arguments.text(FILE));
        FileFormat format = SourceArguments.format(arguments, file);
        if (format == FileFormat.GRAPHALYTICS) {
            throw new InvalidInputException(
                    "%s says what a dataset is; inspect its file of edges (.e)"
                            .formatted(file.getFileName()));
        }
        FileInspection found =
                FileInspection.of(file, format, SourceArguments.parameters(arguments, file));
        return new TaskResult()
                .put("format", found.format().title())
                .put("compression", found.packing().title())
                .put("columns", columns(found.columns()))
                .put("vertexColumns", columns(found.vertexColumns()))
                .put("rows", found.rows())
                .put("rowsEstimated", found.rowsEstimated())
                .put("vertices", found.vertices())
                .put("directed", found.directed())
                .put("weighted", found.weighted())
                .put("graphBytes", graphBytes(found))
                .put("first", found.first())
                .put("hint", found.hint());
    }

    /** Each edge stands in the rows of both its ends. */
    private static long graphBytes(FileInspection found) {
        double row = ROW_BYTES + (found.weighted() ? WEIGHT_BYTES : 0);
        return Math.round(found.vertices() * VERTEX_BYTES + 2 * row * found.rows());
    }

    private static List<Map<String, Object>> columns(List<FileInspection.Column> columns) {
        List<Map<String, Object>> maps = new ArrayList<>();
        for (FileInspection.Column column : columns) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("name", column.name());
            map.put("type", column.type());
            maps.add(map);
        }
        return maps;
    }
}
