package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.starling.graph.Argument;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.TableFile;
import org.starling.loaders.table.TableFormat;

/** Task {@code graph.write}: a state column as a file, or as many; or several as a table. */
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
                                + " -1 (in tables nothing) for none.")
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
                                "write a state as many files at once, FILE.part-00000.STAMP in the"
                                        + " order of ordinals; the file then names them"))
                .with(
                        Argument.optional(
                                COLUMNS,
                                Argument.Type.TEXT_LIST,
                                "states, properties and published columns, which are written as a"
                                        + " table, behind a column of ids"))
                .with(
                        Argument.choice(
                                FORMAT,
                                "format of the table; auto goes by the ending of the file",
                                Stream.concat(Stream.of(AUTO), Stream.of(TableFormat.titles()))
                                        .toArray(String[]::new)))
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
                .returns("rows", "integer", "number of rows of a table");
    }

    @Override
    public void check(Parameters arguments) {
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
        if (arguments.flag(PARTS)) {
            throw new InvalidInputException(
                    "\"parts\" goes with \"state\", and a table is one file; leave one of them out");
        }
        format(arguments);
        checkOrder(arguments);
    }

    /** Nothing that goes with tables alone is passed over. */
    private static void checkLines(Parameters arguments) {
        for (String argument : List.of(SORT, TOP, DESCENDING, FORMAT)) {
            boolean isSaid =
                    switch (argument) {
                        case DESCENDING -> arguments.flag(argument);
                        case FORMAT -> !arguments.text(argument, AUTO).equals(AUTO);
                        default -> arguments.has(argument);
                    };
            if (isSaid) {
                throw new InvalidInputException(
                        "\"%s\" goes with \"columns\", and this is one state; write \"columns\": [\"%s\"]"
                                .formatted(argument, arguments.text(STATE)));
            }
        }
    }

    /** What reads such files by their names would find no table in them. */
    private static void checkName(Parameters arguments) {
        Path file = Path.of(arguments.text(FILE));
        TableFormat.ofName(file)
                .filter(format -> !format.isText())
                .ifPresent(format -> {
                    throw new InvalidInputException(
                            "the name %s tells a table of format %s, and \"state\" writes lines of ids and values; write \"columns\": [\"%s\"], or name the file otherwise"
                                    .formatted(
                                            file.getFileName(),
                                            format.title(),
                                            arguments.text(STATE)));
                });
    }

    private static void checkOrder(Parameters arguments) {
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

    /** The format that is meant. */
    private static TableFormat format(Parameters arguments) {
        String named = arguments.text(FORMAT, AUTO);
        if (!named.equals(AUTO)) {
            return TableFormat.named(named);
        }
        Path file = Path.of(arguments.text(FILE));
        return TableFormat.ofName(file)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "the name %s does not tell a format of tables; end it in .%s, or say \"format\""
                                        .formatted(
                                                file.getFileName(),
                                                String.join(", .", TableFormat.titles()))));
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.outputFile(arguments.text(FILE));
        String graph = arguments.text("graph");
        TaskResult result = new TaskResult().put(FILE, file.toString());
        if (arguments.has(COLUMNS)) {
            try {
                return result.put("rows", writeTable(context, graph, arguments, file));
            } catch (IOException unwritable) {
                throw new InvalidInputException(
                        "cannot write %s: %s; choose a folder that can be written"
                                .formatted(file, FileTrouble.reason(unwritable)),
                        unwritable);
            }
        }
        String state = arguments.text(STATE);
        if (arguments.flag(PARTS)) {
            context.graphs().writeParts(graph, state, file);
        } else {
            context.graphs().write(graph, state, file);
        }
        return result;
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
