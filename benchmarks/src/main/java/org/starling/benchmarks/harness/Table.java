package org.starling.benchmarks.harness;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a study: texts and numbers under columns with units in their names. Confined to one
 * thread.
 */
public final class Table {

    private static final MathContext WRITTEN = new MathContext(6);
    private static final int SHOWN_DIGITS = 3;
    private static final String GAP = "  ";

    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    /** An empty table. */
    public Table(String... columns) {
        this.columns = List.of(columns);
    }

    /**
     * Adds a row.
     *
     * @param cells a text, a finite number, or null for none, for each column
     */
    public Table add(@Nullable Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(
                    "%d cells for %d columns".formatted(cells.length, columns.size()));
        }
        List<@Nullable Object> row = new ArrayList<>();
        for (Object cell : cells) {
            if (cell instanceof Double number && !Double.isFinite(number)) {
                throw new IllegalArgumentException("a cell is " + number);
            }
            row.add(cell);
        }
        rows.add(Collections.unmodifiableList(row));
        return this;
    }

    /** Rows by the names of their columns, as a JSON tree. */
    public List<Map<String, @Nullable Object>> tree() {
        List<Map<String, @Nullable Object>> tree = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                named.put(columns.get(i), row.get(i));
            }
            tree.add(named);
        }
        return tree;
    }

    /** Comma-separated values as in RFC 4180, with a line of names first. */
    public String csv() {
        StringBuilder text = new StringBuilder(line(columns));
        for (List<@Nullable Object> row : rows) {
            text.append(line(row));
        }
        return text.toString();
    }

    /** For people: columns in line, numbers flush right and rounded. */
    public String text() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns);
        rows.forEach(row -> lines.add(row.stream().map(Table::shown).toList()));
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder shown = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                shown.append(padded(line.get(i), width(lines, i), isNumeric(i))).append(GAP);
            }
            text.append(shown.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private boolean isNumeric(int column) {
        return rows.stream().noneMatch(row -> row.get(column) instanceof String);
    }

    private static int width(List<List<String>> lines, int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    private static String padded(String text, int width, boolean flushRight) {
        String pad = " ".repeat(width - text.length());
        return flushRight ? pad + text : text + pad;
    }

    private static String shown(@Nullable Object cell) {
        if (!(cell instanceof Double number)) {
            return cell == null ? "-" : String.valueOf(cell);
        }
        double size = Math.abs(number);
        if (size >= 1000) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(SHOWN_DIGITS));
        return size != 0 && size < 1e-3
                ? String.format(Locale.ROOT, "%.1e", number)
                : rounded.toPlainString();
    }

    private static String line(List<?> cells) {
        return cells.stream().map(Table::written).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String written(@Nullable Object cell) {
        if (cell instanceof Double number) {
            return BigDecimal.valueOf(number).round(WRITTEN).stripTrailingZeros().toPlainString();
        }
        String text = cell == null ? "" : String.valueOf(cell);
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
