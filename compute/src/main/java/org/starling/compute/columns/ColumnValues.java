package org.starling.compute.columns;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

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
    /** No bits: all elements are there. */
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Takes views of the buffers. */
    public ColumnValues {
        fixed = view(fixed);
        text = view(text);
        present = view(present);
    }

    /** Elements that are all there. */
    public static ColumnValues of(ByteBuffer elements) {
        return of(elements, NOTHING);
    }

    /**
     * Elements that are no texts.
     *
     * @param present see {@link #present}
     */
    public static ColumnValues of(ByteBuffer elements, ByteBuffer present) {
        return new ColumnValues(elements, NOTHING, present);
    }

    /**
     * Texts.
     *
     * @param present see {@link #present}
     */
    public static ColumnValues ofTexts(List<byte[]> texts, ByteBuffer present) {
        ByteBuffer starts =
                ByteBuffer.allocate((texts.size() + 1) * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(0);
        int end = 0;
        for (byte[] one : texts) {
            end = Math.addExact(end, one.length);
            starts.putInt(end);
        }
        ByteBuffer text = ByteBuffer.allocate(end);
        texts.forEach(text::put);
        return new ColumnValues(starts.flip(), text.flip(), present);
    }

    /** Which of so many elements are there, as {@link #present} says it. */
    public static ByteBuffer present(int elements, IntPredicate isThere) {
        BitSet bits = new BitSet(elements);
        for (int i = 0; i < elements; i++) {
            bits.set(i, isThere.test(i));
        }
        return bits.cardinality() == elements
                ? NOTHING
                : ByteBuffer.wrap(
                        Arrays.copyOf(bits.toByteArray(), Math.ceilDiv(elements, Byte.SIZE)));
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
