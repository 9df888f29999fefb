package org.starling.tasks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;
import org.starling.graph.StateCursor;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.VertexTable;

/**
 * The first rows of a table in the order of one of its columns, equal ones in the order of ids; not
 * a number is last. Holds so many rows, whatever the table has, in a heap whose head is the last
 * one. Confined to the job's thread.
 */
final class RankedRows {
    /** The most rows that are sorted: they are in the memory of one peer. */
    static final int MAX_ROWS = 1_000_000;

    /** The most elements of all of them. */
    private static final long MAX_ELEMENTS = 10_000_000;

    /** The most characters of their texts. */
    private static final long MAX_CHARACTERS = 64L << 20;

    private final VertexTable table;
    private final int limit;
    private final int sorted;
    private final Comparator<Row> order;
    private final PriorityQueue<Row> kept;
    private long characters;

    /** A row: its key, the bits of its elements, and its texts and the ids that it names. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares rows as a whole
    private record Row(Key key, long id, long place, long[] bits, String[] texts) {}

    /** What rows are sorted by. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares keys as a whole
    private record Key(long whole, double number, byte @Nullable [] text) {}

    /**
     * An order.
     *
     * @param column what is sorted by, by its index among those behind the ids
     * @param limit how many rows are wanted
     * @throws InvalidInputException if these are too many, or there is no order of such values
     */
    RankedRows(VertexTable table, int column, boolean descending, int limit) {
        StateCursor cursor = table.cursor(column);
        String name = table.columns().get(column + 1).name();
        if (cursor.showsIds() || cursor.length() > 1) {
            throw new InvalidInputException(
                    "\"sort\" is \"%s\", whose values are %s; sort by numbers, booleans or strings"
                            .formatted(name, cursor.showsIds() ? "vertices" : "vectors"));
        }
        long elements = table.columns().stream().mapToLong(one -> one.length()).sum();
        if (limit > MAX_ROWS || limit * elements > MAX_ELEMENTS) {
            throw new InvalidInputException(
                    "%d rows of %d values are too many to be sorted, which one peer does in its memory; say \"top\": %d, or leave \"sort\" out"
                            .formatted(
                                    limit, elements, Math.min(MAX_ROWS, MAX_ELEMENTS / elements)));
        }
        this.table = table;
        this.sorted = column;
        this.limit = limit;
        this.order = order(cursor.type(), descending).thenComparingLong(Row::place);
        this.kept = new PriorityQueue<>(order.reversed());
    }

    private static Comparator<Row> order(PropertyType type, boolean descending) {
        Comparator<Row> order =
                switch (type) {
                    case BOOLEAN, INT, LONG -> Comparator.comparingLong(row -> row.key.whole);
                    case FLOAT, DOUBLE -> Comparator.comparingDouble(row -> row.key.number);
                    case STRING ->
                            Comparator.comparing(row -> row.key.text, Arrays::compareUnsigned);
                };
        Comparator<Row> directed = descending ? order.reversed() : order;
        return Comparator.<Row, Boolean>comparing(row -> Double.isNaN(row.key.number))
                .thenComparing(directed);
    }

    /** Looks at the row that the table stands on, which is the one at {@code place}. */
    void look(long place) {
        if (limit == 0) {
            return;
        }
        Row bare = new Row(key(), table.id(), place, new long[0], new String[0]);
        Row last = kept.peek();
        if (kept.size() == limit) {
            if (last == null || order.compare(bare, last) >= 0) {
                return;
            }
            kept.remove();
            characters -= characters(last);
        }
        Row row = whole(bare);
        characters += characters(row);
        if (characters > MAX_CHARACTERS) {
            throw new InvalidInputException(
                    "the texts of the rows that are sorted have more than %d characters; say a smaller \"top\", or leave \"sort\" out"
                            .formatted(MAX_CHARACTERS));
        }
        kept.add(row);
    }

    private Key key() {
        StateCursor cursor = table.cursor(sorted);
        return switch (cursor.type()) {
            case BOOLEAN, INT, LONG -> new Key(cursor.asLong(), 0, null);
            case FLOAT, DOUBLE -> new Key(0, cursor.asDouble() + 0.0, null); // no zero below 0
            case STRING -> new Key(0, 0, cursor.text().getBytes(StandardCharsets.UTF_8));
        };
    }

    private Row whole(Row row) {
        List<String> texts = new ArrayList<>();
        int elements = table.columns().stream().mapToInt(one -> one.length()).sum();
        long[] bits = new long[elements];
        int next = 0;
        for (int i = 0; i + 1 < table.columns().size(); i++) {
            StateCursor cursor = table.cursor(i);
            if (cursor.showsIds() || cursor.type() == PropertyType.STRING) {
                texts.add(cursor.text());
                continue;
            }
            for (int element = 0; element < cursor.length(); element++) {
                bits[next++] =
                        switch (cursor.type()) {
                            case FLOAT, DOUBLE ->
                                    Double.doubleToRawLongBits(cursor.asDouble(element));
                            case BOOLEAN, INT, LONG, STRING -> cursor.asLong(element);
                        };
            }
        }
        return new Row(
                row.key,
                row.id,
                row.place,
                Arrays.copyOf(bits, next),
                texts.toArray(String[]::new));
    }

    private static long characters(Row row) {
        return Arrays.stream(row.texts).mapToLong(String::length).sum();
    }

    /** Takes batches. */
    interface Sink {
        /** Takes one. */
        void take(TableBatch batch) throws IOException;
    }

    /** Gives all rows in their order. */
    void give(TableBatch batch, Sink sink) throws IOException {
        Row[] rows = kept.toArray(Row[]::new);
        Arrays.sort(rows, order);
        int from = 0;
        while (from < rows.length) {
            batch.clear();
            while (from + batch.rows() < rows.length
                    && batch.rows() < table.batchRows()
                    && !batch.isFull()) {
                put(batch, rows[from + batch.rows()]);
            }
            int end = from + batch.rows();
            table.putIds(batch, Arrays.stream(rows, from, end).mapToLong(Row::id).toArray());
            sink.take(batch);
            from = end;
        }
    }

    private void put(TableBatch batch, Row row) {
        int nextBits = 0;
        int nextText = 0;
        for (int i = 0; i + 1 < table.columns().size(); i++) {
            StateCursor cursor = table.cursor(i);
            if (cursor.showsIds()) {
                table.putNamed(batch, i + 1, row.texts[nextText++]);
            } else if (cursor.type() == PropertyType.STRING) {
                batch.putText(i + 1, row.texts[nextText++]);
            } else {
                for (int element = 0; element < cursor.length(); element++) {
                    long bits = row.bits[nextBits++];
                    switch (cursor.type()) {
                        case FLOAT, DOUBLE -> batch.putDouble(i + 1, Double.longBitsToDouble(bits));
                        case BOOLEAN, INT, LONG, STRING -> batch.putLong(i + 1, bits);
                    }
                }
            }
        }
        batch.endRow();
    }
}
