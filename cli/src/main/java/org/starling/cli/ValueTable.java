package org.starling.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.cli.plot.Panel;
import org.starling.cli.plot.Point;
import org.starling.cli.plot.Series;
import org.starling.compute.script.NearestName;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * One column of numbers of a table that {@code graph.write} has written as text: the curve of its
 * values by rank, and where they are whole, how many vertices have each. All values are held, eight
 * bytes each. Used by one thread.
 */
final class ValueTable {
    /** Most rows that are read. */
    static final int MAX_ROWS = 50_000_000;

    private static final int MAX_LINE_CHARACTERS = 1 << 20;
    private static final int CURVE_POINTS = 400;
    private static final int MAX_BARS = 2000;
    private static final int FIRST_ROWS = 1024;

    private final Path file;
    private final char separator;
    private final @Nullable String wanted;
    private double[] values = new double[FIRST_ROWS];
    private int rows;
    private String column = "value";

    private ValueTable(Path file, char separator, @Nullable String wanted) {
        this.file = file;
        this.separator = separator;
        this.wanted = wanted;
    }

    /**
     * The panels of a column.
     *
     * @param column its name; the first behind the ids if null
     * @throws InvalidInputException if the file is no such table
     */
    static List<Panel> panels(Path file, @Nullable String column) {
        String name = String.valueOf(file.getFileName());
        char separator =
                switch (name.substring(name.lastIndexOf('.') + 1)) {
                    case "csv" -> ',';
                    case "tsv" -> '\t';
                    case "txt" -> ' ';
                    default ->
                            throw new InvalidInputException(
                                    "%s: plot reads tables that end in .csv or .tsv, or lines \"id value\" that end in .txt; write one of these with graph.write"
                                            .formatted(file));
                };
        ValueTable table = new ValueTable(file, separator, column);
        table.read();
        return table.draw();
    }

    private void read() {
        if (!Files.isRegularFile(file)) {
            throw new InvalidInputException("there is no table " + file);
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int line = 0;
            int index = 1;
            if (separator == ' ') {
                if (wanted != null) {
                    throw new InvalidInputException(
                            "%s has one column of values, without a name; leave --column out"
                                    .formatted(file));
                }
            } else {
                index = index(fields(lines.readLine(), ++line));
            }
            for (String row = lines.readLine(); row != null; row = lines.readLine()) {
                add(fields(row, ++line), index, line);
            }
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    private int index(List<String> header) {
        if (header.size() < 2) {
            throw new InvalidInputException(
                    "%s:1: expected a header with a column behind the ids".formatted(file));
        }
        String name = wanted == null ? header.get(1) : wanted;
        int index = wanted == null ? 1 : header.indexOf(name);
        if (index < 0) {
            throw new InvalidInputException(
                    "%s has no column \"%s\"%s"
                            .formatted(file, name, NearestName.hint(name, header)));
        }
        column = header.get(index);
        return index;
    }

    private void add(List<String> fields, int index, int line) {
        if (fields.size() <= index) {
            throw new InvalidInputException(
                    "%s:%d: expected %d fields, found %d"
                            .formatted(file, line, index + 1, fields.size()));
        }
        String field = fields.get(index);
        if (field.isEmpty()) {
            return; // nothing is known of that vertex
        }
        if (rows == MAX_ROWS) {
            throw new InvalidInputException(
                    "%s has more than %,d rows; write fewer with \"sort\" and \"top\""
                            .formatted(file, MAX_ROWS));
        }
        if (rows == values.length) {
            values = Arrays.copyOf(values, Math.min(MAX_ROWS, 2 * rows));
        }
        try {
            values[rows++] = Double.parseDouble(field);
        } catch (NumberFormatException text) {
            throw new InvalidInputException(
                    "%s:%d: \"%s\" of column %s is no number; name a column of numbers with --column"
                            .formatted(file, line, field, column),
                    text);
        }
    }

    /**
     * Fields of a line; one in quotes may hold separators and doubled quotes, but no line break.
     */
    private List<String> fields(@Nullable String line, int number) {
        if (line == null || line.length() > MAX_LINE_CHARACTERS) {
            throw new InvalidInputException(
                    "%s:%d: expected a line of a table, found %s"
                            .formatted(file, number, line == null ? "the end" : "too long a one"));
        }
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        if (quoted) {
            throw new InvalidInputException(
                    "%s:%d: a quote is not closed on its line, and plot reads no texts with line breaks"
                            .formatted(file, number));
        }
        return fields;
    }

    private List<Panel> draw() {
        double[] sorted =
                Arrays.stream(values, 0, rows).filter(Double::isFinite).sorted().toArray();
        if (sorted.length == 0) {
            throw new InvalidInputException(
                    "%s has no finite number in column %s".formatted(file, column));
        }
        List<Panel> panels = new ArrayList<>();
        String title = "%s: %s".formatted(file.getFileName(), column);
        panels.add(
                new Panel(
                        title + " by rank",
                        "rank",
                        column,
                        Panel.Shape.LINES,
                        List.of(new Series(column, curve(sorted)))));
        TreeMap<Double, Double> counts = new TreeMap<>();
        for (double value : sorted) {
            if (value != Math.rint(value) || counts.size() > MAX_BARS) {
                return panels;
            }
            counts.merge(value, 1.0, Double::sum);
        }
        if (counts.size() <= MAX_BARS) {
            List<Point> points = new ArrayList<>();
            counts.forEach((value, count) -> points.add(new Point(value, count)));
            panels.add(
                    new Panel(
                            "vertices by " + title,
                            column,
                            "vertices",
                            Panel.Shape.BARS,
                            List.of(new Series("vertices", points))));
        }
        return panels;
    }

    /** Greatest first: all of them, or ranks whose distances grow. */
    private static List<Point> curve(double[] sorted) {
        List<Point> points = new ArrayList<>();
        double growth = Math.pow(sorted.length, 1.0 / CURVE_POINTS);
        double next = 1;
        while (next <= sorted.length) {
            int rank = (int) next;
            points.add(new Point(rank, sorted[sorted.length - rank]));
            next = Math.max(rank + 1.0, next * growth);
        }
        Point last = new Point(sorted.length, sorted[0]);
        if (!points.getLast().equals(last)) {
            points.add(last);
        }
        return points;
    }
}
