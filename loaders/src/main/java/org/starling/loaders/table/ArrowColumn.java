package org.starling.loaders.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of a column of a record batch. Its buffers are long enough for all rows; where texts lie
 * is checked for each. Confined to one thread.
 */
final class ArrowColumn {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Texts up to this stand in their view. */
    private static final int INLINE_BYTES = 12;

    private final String name;
    private final ArrowSchema.Shape shape;
    private final @Nullable MemorySegment present;
    private final MemorySegment values;
    private final List<MemorySegment> texts;
    private byte[] text = {};

    private ArrowColumn(
            String name,
            ArrowSchema.Shape shape,
            @Nullable MemorySegment present,
            MemorySegment values,
            List<MemorySegment> texts) {
        this.name = name;
        this.shape = shape;
        this.present = present;
        this.values = values;
        this.texts = texts;
    }

    /** Finds a column in a body. */
    static ArrowColumn of(String name, ArrowSchema.Layout layout, ArrowBody body) {
        int first = layout.buffer() + body.viewBuffers(layout.views());
        MemorySegment present = body.present(layout.node(), first);
        long rows = body.rows();
        List<MemorySegment> texts = new ArrayList<>();
        long least =
                switch (layout.shape()) {
                    case BITS -> Math.ceilDiv(rows, Byte.SIZE);
                    case TEXT, LONG_TEXT ->
                            rows == 0 ? 0 : Math.multiplyExact(rows + 1, layout.shape().width());
                    case I8, U8, I16, U16, I32, U32, I64, F32, F64, VIEW ->
                            Math.multiplyExact(rows, layout.shape().width());
                    case OTHER -> throw new IllegalStateException(name + " is not read");
                };
        MemorySegment values = body.buffer(first + 1, least);
        switch (layout.shape()) {
            case TEXT, LONG_TEXT -> texts.add(body.buffer(first + 2, 0));
            case VIEW -> {
                for (int i = 0; i < body.viewBuffersOf(layout.views()); i++) {
                    texts.add(body.buffer(first + 2 + i, 0));
                }
            }
            case BITS, I8, U8, I16, U16, I32, U32, I64, F32, F64, OTHER -> {} // no texts
        }
        return new ArrowColumn(name, layout.shape(), present, values, texts);
    }

    /** The place in a dictionary that a row has; -1 if it has none. */
    long place(long row) {
        if (present != null && !isSet(present, row)) {
            return -1;
        }
        long place =
                switch (shape) {
                    case I8 -> values.get(ValueLayout.JAVA_BYTE, row);
                    case U8 -> values.get(ValueLayout.JAVA_BYTE, row) & 0xFF;
                    case I16 -> values.get(SHORT, row * Short.BYTES);
                    case U16 -> values.get(SHORT, row * Short.BYTES) & 0xFFFF;
                    case I32 -> values.get(INT, row * Integer.BYTES);
                    case U32 -> values.get(INT, row * Integer.BYTES) & 0xFFFF_FFFFL;
                    case I64 -> values.get(LONG, row * Long.BYTES);
                    case BITS, F32, F64, TEXT, LONG_TEXT, VIEW, OTHER ->
                            throw new IllegalStateException(shape + " is no place");
                };
        return place < 0 ? Long.MAX_VALUE : place; // refused as one behind the last
    }

    /** Puts the value of a row into a column of a batch. */
    void put(long row, TableBatch batch, int index) {
        if (present != null && !isSet(present, row)) {
            batch.putNothing(index);
            return;
        }
        switch (shape) {
            case BITS -> batch.putLong(index, isSet(values, row) ? 1 : 0);
            case I8 -> batch.putLong(index, values.get(ValueLayout.JAVA_BYTE, row));
            case U8 -> batch.putLong(index, values.get(ValueLayout.JAVA_BYTE, row) & 0xFF);
            case I16 -> batch.putLong(index, values.get(SHORT, row * Short.BYTES));
            case U16 -> batch.putLong(index, values.get(SHORT, row * Short.BYTES) & 0xFFFF);
            case I32, F32 -> batch.putLong(index, values.get(INT, row * Integer.BYTES));
            case U32 -> batch.putLong(index, values.get(INT, row * Integer.BYTES) & 0xFFFF_FFFFL);
            case I64, F64 -> batch.putLong(index, values.get(LONG, row * Long.BYTES));
            case TEXT ->
                    putText(
                            batch,
                            index,
                            texts.getFirst(),
                            values.get(INT, row * Integer.BYTES),
                            values.get(INT, (row + 1) * Integer.BYTES));
            case LONG_TEXT ->
                    putText(
                            batch,
                            index,
                            texts.getFirst(),
                            values.get(LONG, row * Long.BYTES),
                            values.get(LONG, (row + 1) * Long.BYTES));
            case VIEW -> putView(batch, index, row * shape.width());
            case OTHER -> throw new IllegalStateException(name + " is not read");
        }
    }

    private void putView(TableBatch batch, int index, long at) {
        int length = values.get(INT, at);
        long begin = at + Integer.BYTES;
        if (length >= 0 && length <= INLINE_BYTES) {
            putText(batch, index, values, begin, begin + length);
            return;
        }
        int which = values.get(INT, begin + Integer.BYTES);
        long from = values.get(INT, begin + 2 * Integer.BYTES);
        if (length < 0 || which < 0 || which >= texts.size()) {
            throw new MalformedTableException(
                    "column \"%s\" has a text of %d bytes in buffer %d of %d"
                            .formatted(name, length, which, texts.size()));
        }
        putText(batch, index, texts.get(which), from, from + length);
    }

    private void putText(TableBatch batch, int index, MemorySegment from, long begin, long end) {
        if (begin < 0 || end < begin || end > from.byteSize()) {
            throw new MalformedTableException(
                    "column \"%s\" has a text from byte %d to %d of %d"
                            .formatted(name, begin, end, from.byteSize()));
        }
        int length = requireTextBytes(end - begin);
        if (text.length < length) {
            text = new byte[Math.max(2 * text.length, length)];
        }
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, begin, text, 0, length);
        batch.putText(index, text, 0, length);
    }

    private int requireTextBytes(long bytes) {
        if (bytes > ColumnFile.MAX_TEXT_BYTES) {
            throw new MalformedTableException(
                    "column \"%s\" has a text of %d bytes; %d are possible"
                            .formatted(name, bytes, ColumnFile.MAX_TEXT_BYTES));
        }
        return (int) bytes;
    }

    private static boolean isSet(MemorySegment bits, long row) {
        return (bits.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
    }
}
