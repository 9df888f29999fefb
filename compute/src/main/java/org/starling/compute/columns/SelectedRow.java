package org.starling.compute.columns;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.starling.compute.internal.filter.Filter;

/**
 * A row of a table of one column, out of its batch. Immutable.
 *
 * @param place among the rows that the condition holds for
 * @param id bytes of the vertex' id
 * @param value bytes of its value; none where it is absent
 * @param isPresent whether there is a value
 * @param isLast whether it has no place in the order of values
 */
@SuppressWarnings("ArrayRecordComponent") // rows are sorted by parts, never compared whole
record SelectedRow(long place, byte[] id, byte[] value, boolean isPresent, boolean isLast) {
    /** The most rows of a batch that goes out. */
    private static final int BATCH_ROWS = 1 << 12;

    /** What a row takes beside its bytes. */
    private static final int OBJECT_BYTES = 80;

    /** About what it takes. */
    int bytes() {
        return OBJECT_BYTES + id.length + value.length;
    }

    /** The order of values that have a place in it. */
    static Comparator<SelectedRow> byValue(ColumnField field) {
        return switch (field.kind()) {
            case BOOLEAN -> Comparator.comparingInt(row -> row.isPresent ? row.value[0] : 0);
            case INT -> Comparator.comparingInt(row -> row.isPresent ? row.buffer().getInt() : 0);
            case LONG ->
                    Comparator.comparingLong(row -> row.isPresent ? row.buffer().getLong() : 0);
            case FLOAT ->
                    Comparator.comparingDouble(row -> row.isPresent ? row.buffer().getFloat() : 0);
            case DOUBLE ->
                    Comparator.comparingDouble(row -> row.isPresent ? row.buffer().getDouble() : 0);
            case VERTEX ->
                    (a, b) ->
                            a.isPresent && b.isPresent
                                    ? Long.compareUnsigned(
                                            a.buffer().getLong(), b.buffer().getLong())
                                    : 0;
            case STRING, NAME -> (a, b) -> Arrays.compareUnsigned(a.value, b.value);
        };
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Hands rows on, in batches. */
    static void give(
            List<SelectedRow> rows, ColumnField id, ColumnField field, ColumnTable.Sink sink)
            throws IOException {
        int from = 0;
        while (from < rows.size()) {
            int end = from;
            long bytes = 0;
            while (end < rows.size()
                    && end - from < BATCH_ROWS
                    && (end == from || bytes < ColumnBatch.TEXT_BYTES)) {
                bytes += rows.get(end++).bytes();
            }
            List<SelectedRow> some = rows.subList(from, end);
            List<byte[]> ids = some.stream().map(SelectedRow::id).toList();
            List<byte[]> values = some.stream().map(SelectedRow::value).toList();
            ByteBuffer present = ColumnValues.present(some.size(), i -> some.get(i).isPresent);
            sink.take(
                    new ColumnBatch(
                            some.size(),
                            values(id, ids, ColumnValues.NOTHING),
                            List.of(values(field, values, present))));
            from = end;
        }
    }

    private static ColumnValues values(ColumnField field, List<byte[]> values, ByteBuffer present) {
        if (field.kind().isText()) {
            return ColumnValues.ofTexts(values, present);
        }
        int width = field.kind().width() * field.length();
        ByteBuffer fixed = ByteBuffer.allocate(values.size() * width);
        values.forEach(value -> fixed.put(value.length == 0 ? new byte[width] : value));
        return ColumnValues.of(fixed.flip(), present);
    }

    /** A row within its batch, as conditions see it. Confined to one thread. */
    static final class Cursor implements Filter.Row {
        private final ColumnField id;
        private final ColumnField field;
        private ColumnValues ids = ColumnValues.of(ByteBuffer.allocate(0));
        private ColumnValues values = ids;
        private int row;

        Cursor(ColumnField id, ColumnField field) {
            this.id = id;
            this.field = field;
        }

        void moveTo(ColumnBatch batch, int index) {
            ids = batch.ids();
            values = batch.values().getFirst();
            row = index;
        }

        /** Whether there is a value; vectors are whole. */
        boolean isPresent() {
            return values.isPresent(row * field.length());
        }

        @Override
        public long asLong(int column, int element) {
            int index = row * field.length() + element;
            int at = index * field.kind().width();
            return switch (field.kind()) {
                case BOOLEAN -> values.fixed().get(at);
                case INT -> values.fixed().getInt(at);
                case LONG, VERTEX -> values.fixed().getLong(at);
                case FLOAT -> (long) values.fixed().getFloat(at);
                case DOUBLE -> (long) values.fixed().getDouble(at);
                case STRING, NAME -> throw new IllegalStateException("a text is no number");
            };
        }

        @Override
        public double asDouble(int column, int element) {
            int at = (row * field.length() + element) * field.kind().width();
            return switch (field.kind()) {
                case FLOAT -> values.fixed().getFloat(at);
                case DOUBLE -> values.fixed().getDouble(at);
                case BOOLEAN, INT, LONG, VERTEX -> asLong(column, element);
                case STRING, NAME -> throw new IllegalStateException("a text is no number");
            };
        }

        @Override
        public MemorySegment utf8(int column) {
            int first = values.fixed().getInt(row * Integer.BYTES);
            int end = values.fixed().getInt((row + 1) * Integer.BYTES);
            return MemorySegment.ofBuffer(values.text().slice(first, end - first));
        }

        SelectedRow copy(long place) {
            boolean present = isPresent();
            boolean isNumber =
                    switch (field.kind()) {
                        case FLOAT, DOUBLE -> !Double.isNaN(asDouble(0, 0));
                        default -> true;
                    };
            return new SelectedRow(
                    place,
                    bytes(id, ids),
                    present ? bytes(field, values) : new byte[0],
                    present,
                    !present || !isNumber);
        }

        private byte[] bytes(ColumnField of, ColumnValues from) {
            ByteBuffer source;
            int first;
            int end;
            if (of.kind().isText()) {
                source = from.text();
                first = from.fixed().getInt(row * Integer.BYTES);
                end = from.fixed().getInt((row + 1) * Integer.BYTES);
            } else {
                source = from.fixed();
                int width = of.kind().width() * of.length();
                first = row * width;
                end = first + width;
            }
            byte[] copy = new byte[end - first];
            source.get(first, copy);
            return copy;
        }
    }
}
