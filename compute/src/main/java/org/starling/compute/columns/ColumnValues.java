package org.starling.compute.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Values of a column, some consecutive ones. Buffers are little-endian, begin at their position,
 * and are read by absolute access from there on or as a whole.
 *
 * @param fixed elements, {@link ColumnField.Kind#width} bytes each; of texts one number more than
 *     there are texts: where each begins in {@code text}, and where the last one ends
 * @param text bytes of texts; empty for all else
 * @param present a bit for each element, the lowest of each byte first: whether it is there; empty
 *     if all are
 */
public record ColumnValues(ByteBuffer fixed, ByteBuffer text, ByteBuffer present) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Takes views of the buffers. */
    public ColumnValues {
        fixed = view(fixed);
        text = view(text);
        present = view(present);
    }

    /** Elements that are all there. */
    public static ColumnValues of(ByteBuffer elements) {
        return new ColumnValues(elements, NOTHING, NOTHING);
    }

    /** Whether an element is there. */
    public boolean isPresent(int element) {
        return !present.hasRemaining()
                || (present.get(element / Byte.SIZE) >>> (element % Byte.SIZE) & 1) != 0;
    }

    private static ByteBuffer view(ByteBuffer buffer) {
        return buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    }
}
