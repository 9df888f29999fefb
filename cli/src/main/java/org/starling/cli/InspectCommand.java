package org.starling.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;

/** {@code inspect}: a script of one task, {@code file.inspect}. It needs no cluster. */
final class InspectCommand extends Command {
    private static final String FROM = "from";

    InspectCommand() {
        super(
                "inspect",
                "FILE",
                "Tells what a file is (or a URL, s3:// too, or what is piped in: -): its format, columns, size, and the memory its graph takes.");
    }

    @Override
    Options options() {
        return optionsOf(
                valued(FROM, "FORMAT", "its format, if it does not tell itself"),
                valued("source", "COLUMN", "the column of sources of a table"),
                valued("target", "COLUMN", "the column of targets of a table"),
                InputLine.allowUrlOption());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        InputLine input = InputLine.of(operand(line, "file"), line, terminal);
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("task", "file.inspect");
        task.put("file", input.name());
        if (line.hasOption(FROM)) {
            task.put("format", line.getOptionValue(FROM));
        }
        for (String column : List.of("source", "target")) {
            if (line.hasOption(column)) {
                task.put(column, line.getOptionValue(column));
            }
        }
        return new LocalTask(InlineScript.of(name(), task, terminal, input.hosts(), input.files()))
                .run(line, terminal, interruption, InspectCommand::text);
    }

    private static String text(Map<String, ?> found) {
        List<List<String>> rows = new ArrayList<>();
        boolean guessed = Boolean.TRUE.equals(found.get("rowsEstimated"));
        rows.add(List.of("format", String.valueOf(found.get("format"))));
        rows.add(List.of("compression", String.valueOf(found.get("compression"))));
        rows.add(List.of("directed", Boolean.TRUE.equals(found.get("directed")) ? "yes" : "no"));
        rows.add(List.of("columns", columns(found.get("columns"))));
        if (found.get("vertexColumns") instanceof List<?> list && !list.isEmpty()) {
            rows.add(List.of("of vertices", columns(list)));
        }
        rows.add(List.of("rows", (guessed ? "about " : "") + count(found.get("rows"))));
        if (!Long.valueOf(0).equals(found.get("vertices"))) {
            rows.add(List.of("vertices", (guessed ? "about " : "") + count(found.get("vertices"))));
            long bytes = found.get("graphBytes") instanceof Number number ? number.longValue() : 0;
            rows.add(List.of("memory", ByteSize.about(bytes) + " as a graph"));
        }
        StringBuilder text = new StringBuilder(Columns.left(rows));
        if (found.get("first") instanceof List<?> first) {
            text.append("\n");
            first.forEach(row -> text.append("  ").append(shown(row)).append('\n'));
        }
        String hint = shown(found.get("hint"));
        return hint.isEmpty()
                ? text.toString()
                : text.append('\n').append(hint).append('\n').toString();
    }

    private static String count(@Nullable Object number) {
        return number instanceof Long whole
                ? String.format(Locale.ROOT, "%,d", whole)
                : String.valueOf(number);
    }

    /** What stands in a file, without what would end a line or tell the terminal something. */
    private static String shown(@Nullable Object text) {
        StringBuilder shown = new StringBuilder();
        String.valueOf(text)
                .codePoints()
                .map(c -> c != '\t' && Character.isISOControl(c) ? '.' : c)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    private static String columns(@Nullable Object columns) {
        List<String> words = new ArrayList<>();
        if (columns instanceof List<?> list) {
            for (Object one : list) {
                if (one instanceof Map<?, ?> column) {
                    words.add(shown(column.get("name")) + ":" + column.get("type"));
                }
            }
        }
        return String.join(", ", words);
    }
}
