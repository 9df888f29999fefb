package org.starling.loaders;

import java.io.IOException;
import java.util.Locale;
import org.starling.graph.InvalidInputException;

/**
 * The first lines of a Matrix Market file: the banner {@code %%MatrixMarket matrix coordinate FIELD
 * SYMMETRY}, comments, and {@code rows columns entries}. Immutable.
 *
 * @param vertices rows, which are as many as columns
 * @param entries number of lines behind
 * @param valued whether entries have a value
 * @param symmetric whether one triangle stands for both
 * @param line number of the line of sizes, from 1
 * @param bodyOffset offset of the line after it
 */
record MatrixMarketHeader(
        long vertices,
        long entries,
        boolean valued,
        boolean symmetric,
        long line,
        long bodyOffset) {
    /** What such a file begins with. */
    static final String BANNER = "%%MatrixMarket";

    private static final String FORM =
            "the banner \"%%MatrixMarket matrix coordinate pattern|real|integer"
                    + " general|symmetric\"";

    /** Bytes of the shortest entry: two digits, a blank, a line's end. */
    private static final int SHORTEST_ENTRY_BYTES = 4;

    /**
     * Reads the header.
     *
     * @throws InvalidInputException if there is none, or its matrix is no graph
     */
    static MatrixMarketHeader read(TextFile text) throws IOException {
        String[] banner = text.line(0).strip().split("[ \t]+", -1);
        if (!banner[0].equalsIgnoreCase(BANNER) || banner.length != 5) {
            throw text.badHeader(1, FORM, text.line(0));
        }
        String field = banner[3].toLowerCase(Locale.ROOT);
        String symmetry = banner[4].toLowerCase(Locale.ROOT);
        checkBanner(text, banner, field, symmetry);
        long offset;
        long body;
        try (ByteCursor cursor = text.cursor()) {
            if (!DataLines.findFirst(cursor)) {
                throw new InvalidInputException(
                        "%s: there is no line \"rows columns entries\" behind the banner (fetch the file again)"
                                .formatted(text.path()));
            }
            offset = cursor.offset();
            cursor.skipLine();
            body = cursor.offset();
        }
        MatrixMarketHeader header =
                sizes(text, offset, body, !field.equals("pattern"), !symmetry.equals("general"));
        header.checkAgainstSize(text);
        return header;
    }

    private static void checkBanner(TextFile text, String[] banner, String field, String symmetry) {
        if (!banner[1].equalsIgnoreCase("matrix") || !banner[2].equalsIgnoreCase("coordinate")) {
            throw text.badHeader(
                    1,
                    "a matrix in the form coordinate, whose entries are edges",
                    banner[1] + " " + banner[2]);
        }
        switch (field) {
            case "pattern", "real", "integer", "double" -> {}
            default ->
                    throw text.badHeader(
                            1,
                            "values that are pattern, real or integer, which weights can be",
                            banner[3]);
        }
        switch (symmetry) {
            case "general", "symmetric" -> {}
            default ->
                    throw text.badHeader(
                            1,
                            "a matrix that is general or symmetric (make it one of these)",
                            banner[4]);
        }
    }

    private static MatrixMarketHeader sizes(
            TextFile text, long offset, long body, boolean valued, boolean symmetric)
            throws IOException {
        long number = text.lineNumber(offset);
        String[] fields = text.line(offset).strip().split("[ \t]+", -1);
        boolean numbers = fields.length == 3;
        for (String field : fields) {
            numbers &= field.matches("[0-9]{1,18}");
        }
        if (!numbers) {
            throw text.badHeader(number, "\"rows columns entries\"", text.line(offset));
        }
        long rows = Long.parseLong(fields[0]);
        if (rows != Long.parseLong(fields[1])) {
            throw text.badHeader(
                    number,
                    "a square matrix, whose rows and columns are the same vertices",
                    fields[0] + " rows, " + fields[1] + " columns");
        }
        return new MatrixMarketHeader(
                rows, Long.parseLong(fields[2]), valued, symmetric, number, body);
    }

    /** A header that promises more entries than there are bytes is not believed. */
    private void checkAgainstSize(TextFile text) {
        if (vertices < 1) {
            throw text.badHeader(line, "at least one row", "" + vertices);
        }
        if (entries > (text.maxTextBytes() - bodyOffset) / SHORTEST_ENTRY_BYTES + 1) {
            throw text.badHeader(
                    line, "a number of entries that fits the file's size", "" + entries);
        }
    }
}
