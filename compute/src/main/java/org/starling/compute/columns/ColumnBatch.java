package org.starling.compute.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Consecutive rows of a table of columns. Its buffers belong to whoever takes it.
 *
 * @param rows how many
 * @param ids ids of the vertices, unsigned numbers of 64 bits, little-endian
 * @param values of each column
 */
public record ColumnBatch(int rows, ByteBuffer ids, List<ColumnValues> values) {
    /** The most rows of a batch. */
    public static final int MAX_ROWS = 1 << 16;

    /** Takes a view of the buffer. */
    public ColumnBatch {
        ids = ids.slice().order(ByteOrder.LITTLE_ENDIAN);
        values = List.copyOf(values);
        if (rows < 1 || rows > MAX_ROWS || ids.remaining() != rows * Long.BYTES) {
            throw new IllegalArgumentException(
                    "%d rows with %d bytes of ids".formatted(rows, ids.remaining()));
        }
    }
}
