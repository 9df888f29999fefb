package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.starling.graph.Argument;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.SmallGraphFormat;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.TableFile;
import org.starling.loaders.table.TableFormat;
import org.starling.loaders.table.VertexTable;

/**
 * Task {@code graph.write}: a state column as a file, or as many; several as a table, or as a
 * folder of tables; or a small graph with them as attributes.
 */
public final class WriteState implements Task {
    private static final String STATE = "state";
    private static final String COLUMNS = "columns";
    private static final String FORMAT = "format";
    private static final String AUTO = "auto";
    private static final String SORT = "sort";
    private static final String DESCENDING = "descending";
    private static final String TOP = "top";
    private static final String PARTS = "parts";
    private static final String FILE = "file";

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.write",
                        "Writes a state as lines \"id value\", or columns as a table with ids, in"
                                + " the order of ids; a state that names vertices with their ids,"
                                + " -1 (in tables nothing) for none. As graphml or dot a small"
                                + " graph is written, with the columns as attributes of vertices.")
                .with(CommonArguments.graph())
                .with(
                        Argument.optional(
                                STATE,
                                Argument.Type.TEXT,
                                "name of the state, left by a task; or say columns"))
                .with(
                        Argument.required(
                                FILE,
                                Argument.Type.OUTPUT_FILE,
                                "where to; replaced if there; a table of text is packed if it"
                                        + " ends in .gz, .bz2 or .zst"))
                .with(
                        Argument.flag(
                                PARTS,
                                "write as many files at once, in the order of ordinals: columns into"
                                        + " a folder FILE, a table part-00000 and so on for each"
                                        + " shard; a state as FILE.part-00000.STAMP, which FILE"
                                        + " names"))
                .with(
                        Argument.optional(
                                COLUMNS,
                                Argument.Type.TEXT_LIST,
                                "states, properties and published columns, which are written as a"
                                        + " table, behind a column of ids; a small graph can have"
                                        + " none"))
                .with(
                        Argument.choice(
                                FORMAT,
                                "format of the table, or of a small graph (graphml, dot: up to 10000"
                                        + " vertices and 100000 edges); auto goes by the ending of"
                                        + " the file",
                                formats()))
                .with(
                        Argument.optional(
                                SORT,
                                Argument.Type.TEXT,
                                "which of the columns the table is sorted by, instead of by ids;"
                                        + " up to 1000000 rows"))
                .with(Argument.flag(DESCENDING, "whether the greatest values come first"))
                .with(
                        Argument.optional(
                                TOP,
                                Argument.Type.INTEGER,
                                "how many rows of the sorted table to write; otherwise all"))
                .returns("file", "text", "the file that was written")
                .returns(
                        "rows",
                        "integer",
                        "number of rows of a table, or of vertices of a small graph");
    }

    private static String[] formats() {
        return Stream.of(
                        Stream.of(AUTO),
                        Stream.of(TableFormat.titles()),
                        Stream.of(SmallGraphFormat.titles()))
                .flatMap(names -> names)
                .toArray(String[]::new);
    }

    @Override
    public void check(Parameters arguments) {
        Optional<SmallGraphFormat> small = smallGraph(arguments);
        if (small.isPresent() && !arguments.has(STATE)) {
            checkSmall(arguments, small.get());
            return;
        }
        if (arguments.has(STATE) == arguments.has(COLUMNS)) {
            throw new InvalidInputException(
                    "graph.write needs either \"state\", for lines of ids and values, or \"columns\", for a table");
        }
        if (arguments.has(STATE)) {
            checkLines(arguments);
            checkName(arguments);
            return;
        }
        VertexTable.check(arguments.texts(COLUMNS));
        format(arguments);
        checkOrder(arguments);
    }

    /** A small graph has no rows that could be sorted or spread. */
    private static void checkSmall(Parameters arguments, SmallGraphFormat format) {
        if (arguments.has(COLUMNS) && !arguments.texts(COLUMNS).isEmpty()) {
            VertexTable.check(arguments.texts(COLUMNS));
        }
        for (String argument : List.of(SORT, TOP, DESCENDING, PARTS)) {
            if (isSaid(argument, arguments)) {
                throw new InvalidInputException(
                        "\"%s\" goes with tables, and %s is a graph; leave it out"
                                .formatted(argument, format.title()));
            }
        }
    }

    /** Nothing that goes with tables alone is passed over. */
    private static void checkLines(Parameters arguments) {
        for (String argument : List.of(SORT, TOP, DESCENDING, FORMAT)) {
            if (isSaid(argument, arguments)) {
                throw new InvalidInputException(
                        "\"%s\" goes with \"columns\", and this is one state; write \"columns\": [\"%s\"]"
                                .formatted(argument, arguments.text(STATE)));
            }
        }
    }

    private static boolean isSaid(String argument, Parameters arguments) {
        return switch (argument) {
            case DESCENDING, PARTS -> arguments.flag(argument);
            case FORMAT -> !arguments.text(argument, AUTO).equals(AUTO);
            default -> arguments.has(argument);
        };
    }

    /** What reads such files by their names would find no table in them. */
    private static void checkName(Parameters arguments) {
        Path file = Path.of(arguments.text(FILE));
        Optional<String> told =
                TableFormat.ofName(file)
                        .filter(format -> !format.isText())
                        .map(TableFormat::title)
                        .or(() -> SmallGraphFormat.ofName(file).map(SmallGraphFormat::title));
        told.ifPresent(title -> {
            throw new InvalidInputException(
                    "the name %s tells a file of format %s, and \"state\" writes lines of ids and values; write \"columns\": [\"%s\"], or name the file otherwise"
                            .formatted(file.getFileName(), title, arguments.text(STATE)));
        });
    }

    private static void checkOrder(Parameters arguments) {
        if (arguments.flag(PARTS)) {
            for (String argument : List.of(SORT, TOP, DESCENDING)) {
                if (isSaid(argument, arguments)) {
                    throw new InvalidInputException(
                            "\"parts\" are written by all peers at once, each in the order of its own vertices, and can't have \"%s\"; leave one of them out"
                                    .formatted(argument));
                }
            }
            return;
        }
        if (!arguments.has(SORT)) {
            if (arguments.has(TOP) || arguments.flag(DESCENDING)) {
                throw new InvalidInputException(
                        "\"%s\" needs \"sort\", the column that rows are sorted by"
                                .formatted(arguments.has(TOP) ? TOP : DESCENDING));
            }
            return;
        }
        if (!arguments.texts(COLUMNS).contains(arguments.text(SORT))) {
            throw new InvalidInputException(
                    "\"sort\" is \"%s\", which is none of the columns; name one of %s"
                            .formatted(
                                    arguments.text(SORT),
                                    String.join(", ", arguments.texts(COLUMNS))));
        }
        if (arguments.has(TOP)) {
            BoundedInteger.within(TOP, arguments, 1, RankedRows.MAX_ROWS);
        }
    }

    /** The format of small graphs that is meant, if one is. */
    private static Optional<SmallGraphFormat> smallGraph(Parameters arguments) {
        String named = arguments.text(FORMAT, AUTO);
        return named.equals(AUTO)
                ? SmallGraphFormat.ofName(Path.of(arguments.text(FILE)))
                : SmallGraphFormat.named(named);
    }

    /** The format of tables that is meant. */
    private static TableFormat format(Parameters arguments) {
        String named = arguments.text(FORMAT, AUTO);
        if (!named.equals(AUTO)) {
            return TableFormat.named(named);
        }
        Path file = Path.of(arguments.text(FILE));
        return TableFormat.ofName(file)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "the name %s does not tell a format; end it in .%s, or say \"format\""
                                        .formatted(
                                                file.getFileName(),
                                                Stream.of(formats())
                                                        .skip(1)
                                                        .collect(Collectors.joining(", .")))));
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.outputFile(arguments.text(FILE));
        String graph = arguments.text("graph");
        TaskResult result = new TaskResult().put(FILE, file.toString());
        if (arguments.has(STATE)) {
            requireNoFolder(file);
            String state = arguments.text(STATE);
            if (arguments.flag(PARTS)) {
                context.graphs().writeParts(graph, state, file);
            } else {
                context.graphs().write(graph, state, file);
            }
            return result;
        }
        Optional<SmallGraphFormat> small = smallGraph(arguments);
        List<String> columns = arguments.has(COLUMNS) ? arguments.texts(COLUMNS) : List.of();
        if (small.isEmpty() && arguments.flag(PARTS)) {
            TableFormat format = format(arguments);
            context.graphs().writeTable(graph, columns, format.title(), format.ending(file), file);
            return result.put("rows", context.graphs().info(graph).vertices());
        }
        requireNoFolder(file);
        try {
            return result.put(
                    "rows",
                    small.isPresent()
                            ? small.get().write(context.graphs(), graph, columns, file)
                            : writeTable(context, graph, arguments, file));
        } catch (IOException unwritable) {
            throw new InvalidInputException(
                    "cannot write %s: %s; choose a folder that can be written"
                            .formatted(file, FileTrouble.reason(unwritable)),
                    unwritable);
        }
    }

    /** A folder of parts can be written anew, but no file takes its place. */
    private static void requireNoFolder(Path file) {
        if (Files.isDirectory(file)) {
            throw new InvalidInputException(
                    "%s is a folder, not a file; say \"parts\": true with \"columns\" to write into it anew, or name a file"
                            .formatted(file));
        }
    }

    private static long writeTable(
            TaskContext context, String graph, Parameters arguments, Path file) throws IOException {
        List<String> names = arguments.texts(COLUMNS);
        long vertices = context.graphs().info(graph).vertices();
        try (VertexTable table = VertexTable.open(context.graphs(), graph, names);
                TableFile out = TableFile.create(file, format(arguments), table.columns())) {
            TableBatch batch = new TableBatch(table.columns());
            long[] rows = {0};
            if (arguments.has(SORT)) {
                ranked(context, table, arguments, vertices)
                        .give(
                                batch,
                                some -> {
                                    out.write(some);
                                    rows[0] += some.rows();
                                });
            } else {
                while (table.fill(batch)) {
                    out.write(batch);
                    rows[0] += batch.rows();
                    batch.clear();
                    context.progress("rows", rows[0], vertices);
                    context.checkCancelled();
                }
            }
            out.commit();
            return rows[0];
        }
    }

    private static RankedRows ranked(
            TaskContext context, VertexTable table, Parameters arguments, long vertices) {
        long most = arguments.has(TOP) ? arguments.integer(TOP) : vertices;
        RankedRows rows =
                new RankedRows(
                        table,
                        arguments.texts(COLUMNS).indexOf(arguments.text(SORT)),
                        arguments.flag(DESCENDING),
                        (int) Math.min(Math.min(most, vertices), Integer.MAX_VALUE));
        for (long place = 0; table.next(); place++) {
            rows.look(place);
            if (place % TableBatch.MAX_ROWS == 0) {
                context.progress("rows", place, vertices);
                context.checkCancelled();
            }
        }
        return rows;
    }
}
