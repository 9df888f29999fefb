package org.starling.compute.columns;

import java.util.List;

/**
 * Consecutive rows of a table of columns. Its buffers belong to whoever takes it.
 *
 * @param rows how many
 * @param ids ids of the vertices, all of which are there
 * @param values of each column
 */
public record ColumnBatch(int rows, ColumnValues ids, List<ColumnValues> values) {
    /** The most rows of a batch. */
    public static final int MAX_ROWS = 1 << 16;

    /** Texts of a batch come to about so many bytes; it has one row at least. */
    public static final int TEXT_BYTES = 8 << 20;

    /** Checks the number of rows. */
    public ColumnBatch {
        values = List.copyOf(values);
        if (rows < 1 || rows > MAX_ROWS) {
            throw new IllegalArgumentException("%d rows in a batch".formatted(rows));
        }
    }
}
