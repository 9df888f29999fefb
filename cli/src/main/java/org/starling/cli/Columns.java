package org.starling.cli;

import java.util.List;

/** Lays rows of texts out in columns. */
final class Columns {
    private static final int INDENT = 2;
    private static final int GAP = 2;

    private Columns() {}

    /** Rows with all columns flush left, as most tables are. */
    static String left(List<List<String>> rows) {
        return left(rows, INDENT, GAP);
    }

    /**
     * Rows with all columns flush left.
     *
     * @param indent blanks before the first column
     * @param gap blanks between columns
     */
    static String left(List<List<String>> rows, int indent, int gap) {
        return aligned(rows, indent, gap, Integer.MAX_VALUE);
    }

    /** Rows with the columns from {@code firstRight} on flush right, as numbers want it. */
    static String aligned(List<List<String>> rows, int indent, int gap, int firstRight) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ".repeat(indent));
            for (int i = 0; i < row.size(); i++) {
                String pad = " ".repeat(widths[i] - width(row.get(i)));
                line.append(i >= firstRight ? pad + row.get(i) : row.get(i) + pad);
                line.append(" ".repeat(gap));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
