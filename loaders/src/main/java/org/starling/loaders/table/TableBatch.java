package org.starling.loaders.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Rows of a table on their way into a file or out of one, column by column. A row is begun by
 * putting an element, or all elements of a vector, into each column, and ended by {@link #endRow}.
 * Elements are kept as 64 bits: whole numbers as they are, floating point numbers raw. Holds few
 * megabytes while its filler goes by {@link #isFull}. Confined to one thread.
 */
public final class TableBatch {
    /** The most rows. */
    public static final int MAX_ROWS = 1 << 16;

    /** Elements of all columns, and bytes of texts, behind which a batch is full. */
    private static final int FULL_ELEMENTS = 1 << 20;

    private static final int FULL_TEXT_BYTES = 4 << 20;
    private static final int INITIAL_ELEMENTS = 64;

    private final List<TableColumn> columns;
    private final Values[] values;
    private int rows;
    private int elements;
    private long textBytes;

    /** Elements of a column, one behind the other. */
    private static final class Values {
        private final boolean isText;
        private long[] bits = {};
        private int count;
        private byte[] text = {};
        private int[] ends = {};
        private final BitSet missing = new BitSet();

        Values(boolean isText) {
            this.isText = isText;
        }

        void add(long element) {
            if (count == bits.length) {
                bits = Arrays.copyOf(bits, Math.max(INITIAL_ELEMENTS, 2 * count));
            }
            bits[count++] = element;
        }

        void add(byte[] from, int offset, int length) {
            int begin = count == 0 ? 0 : ends[count - 1];
            int end = Math.addExact(begin, length);
            if (end > text.length) {
                text = Arrays.copyOf(text, (int) Math.min(Integer.MAX_VALUE - 8, 2L * end));
            }
            System.arraycopy(from, offset, text, begin, length);
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, Math.max(INITIAL_ELEMENTS, 2 * count));
            }
            ends[count++] = end;
        }
    }

    /** No rows of these columns yet. */
    public TableBatch(List<TableColumn> columns) {
        this.columns = List.copyOf(columns);
        this.values = new Values[columns.size()];
        Arrays.setAll(values, i -> new Values(columns.get(i).kind() == TableColumn.Kind.STRING));
    }

    /** The columns. */
    public List<TableColumn> columns() {
        return columns;
    }

    /** Forgets all rows. */
    public void clear() {
        for (Values column : values) {
            column.count = 0;
            column.missing.clear();
        }
        rows = 0;
        elements = 0;
        textBytes = 0;
    }

    /** Puts a whole number, or 0 or 1, into a column. */
    public void putLong(int column, long value) {
        numbers(column).add(value);
        elements++;
    }

    /** Puts a floating point number into a column, which may have 32 bits only. */
    public void putDouble(int column, double value) {
        boolean isFloat = columns.get(column).kind() == TableColumn.Kind.FLOAT;
        putLong(
                column,
                isFloat
                        ? Float.floatToRawIntBits((float) value)
                        : Double.doubleToRawLongBits(value));
    }

    /** Puts a text into a column. */
    public void putText(int column, byte[] utf8, int offset, int length) {
        Values into = values[column];
        if (!into.isText) {
            throw new IllegalStateException(columns.get(column) + " has no texts");
        }
        into.add(utf8, offset, length);
        elements++;
        textBytes += length;
    }

    /** Puts a text into a column. */
    public void putText(int column, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        putText(column, utf8, 0, utf8.length);
    }

    /** Leaves an element of a column out. */
    public void putNothing(int column) {
        values[column].missing.set(values[column].count);
        if (values[column].isText) {
            putText(column, new byte[0], 0, 0);
        } else {
            putLong(column, 0);
        }
    }

    /** Ends a row that has all its elements. */
    public void endRow() {
        rows++;
    }

    /** Whether no more rows should be put into it. */
    public boolean isFull() {
        return rows >= MAX_ROWS || elements >= FULL_ELEMENTS || textBytes >= FULL_TEXT_BYTES;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Number of elements of a column: as many as rows, or a multiple where it has vectors. */
    public int elements(int column) {
        return values[column].count;
    }

    /** The bits of an element. */
    public long bits(int column, int element) {
        Values from = numbers(column);
        return from.bits[Objects.checkIndex(element, from.count)];
    }

    /** An element as a floating point number. */
    public double asDouble(int column, int element) {
        long bits = bits(column, element);
        return switch (columns.get(column).kind()) {
            case FLOAT -> Float.intBitsToFloat((int) bits);
            case DOUBLE -> Double.longBitsToDouble(bits);
            case BOOLEAN, INT, LONG, ID, STRING -> bits;
        };
    }

    /** Whether an element is there. */
    public boolean isPresent(int column, int element) {
        return !values[column].missing.get(element);
    }

    /** How many elements of a column are missing. */
    public int missing(int column) {
        return values[column].missing.cardinality();
    }

    /** A text. */
    public String text(int column, int element) {
        int begin = textBegin(column, element);
        return new String(
                values[column].text,
                begin,
                textEnd(column, element) - begin,
                StandardCharsets.UTF_8);
    }

    /** The texts of a column, one behind the other; more may stand behind them. */
    byte[] texts(int column) {
        return values[column].text;
    }

    /** Where a text begins in {@link #texts}. */
    int textBegin(int column, int element) {
        return element == 0 ? 0 : textEnd(column, element - 1);
    }

    /** Where a text ends in {@link #texts}. */
    int textEnd(int column, int element) {
        return values[column].ends[Objects.checkIndex(element, values[column].count)];
    }

    private Values numbers(int column) {
        Values found = values[column];
        if (found.isText) {
            throw new IllegalStateException(columns.get(column) + " has texts");
        }
        return found;
    }
}
