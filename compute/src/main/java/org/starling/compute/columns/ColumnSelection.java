package org.starling.compute.columns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.filter.Filter;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;

/**
 * The rows of a table of one column that a condition on its value holds for, perhaps in the order
 * of values. Each reading looks at all rows of the table. Sorted rows are held in memory, so that
 * they are the first ones only. Confined to one thread.
 */
public final class ColumnSelection implements ColumnTable {
    /** The most rows of a sorted column, those that are left out first counted. */
    public static final int MAX_SORTED_ROWS = 100_000;

    /** The most bytes of values and ids of sorted rows. */
    static final long MAX_SORTED_BYTES = 64L << 20;

    /** What conditions call the value, whatever the column's name is. */
    static final String VALUE = "value";

    private final ColumnTable table;
    private final ColumnField field;
    private final Filter.@Nullable RowTest test;
    private final @Nullable Order order;
    private long holding = -1;

    /** How values are sorted; what is absent or no number comes last. */
    public enum Order {
        /** The smallest first. */
        ASC,
        /** The greatest first. */
        DESC
    }

    private ColumnSelection(
            ColumnTable table, Filter.@Nullable RowTest test, @Nullable Order order) {
        this.table = table;
        this.field = table.fields().getFirst();
        this.test = test;
        this.order = order;
    }

    /**
     * A selection.
     *
     * @param table of one column
     * @param where a condition on {@code value}; null if all rows are taken
     * @param order null for the graph's own
     * @throws InvalidInputException if the condition makes no sense, or the column has no order
     */
    public static ColumnSelection of(
            ColumnTable table, @Nullable String where, @Nullable Order order) {
        ColumnField field = table.fields().getFirst();
        if (order != null && field.length() > 1) {
            throw new InvalidInputException(
                    "sort: values of %s are vectors, which have no order".formatted(field.name()));
        }
        return new ColumnSelection(table, where == null ? null : test(where, field), order);
    }

    private static Filter.RowTest test(String where, ColumnField field) {
        PropertyType type =
                switch (field.kind()) {
                    case BOOLEAN -> PropertyType.BOOLEAN;
                    case INT, LONG, VERTEX -> PropertyType.LONG;
                    case FLOAT, DOUBLE -> PropertyType.DOUBLE;
                    case STRING, NAME -> PropertyType.STRING;
                };
        try {
            return Filter.parse(where)
                    .over(
                            List.of(new Property(VALUE, type, field.length())),
                            (name, names) -> "; a condition here is about \"" + VALUE + "\" alone");
        } catch (InvalidInputException wrong) {
            throw new InvalidInputException("where: " + wrong.getMessage(), wrong);
        }
    }

    /** Rows that the condition holds for, once they were read; until then at most so many. */
    @Override
    public long vertices() {
        return holding < 0 ? table.vertices() : holding;
    }

    @Override
    public ColumnField id() {
        return table.id();
    }

    @Override
    public List<ColumnField> fields() {
        return table.fields();
    }

    @Override
    public void read(long offset, long limit, Sink sink) throws IOException {
        Taker taker = order == null ? new InOrder(offset, limit, sink) : new Sorted(offset, limit);
        SelectedRow.Cursor row = new SelectedRow.Cursor(table.id(), field);
        long[] place = new long[1];
        table.read(
                0,
                Long.MAX_VALUE,
                batch -> {
                    for (int i = 0; i < batch.rows(); i++) {
                        row.moveTo(batch, i);
                        if (test == null || (row.isPresent() && test.holds(row))) {
                            taker.take(row, place[0]++);
                        }
                    }
                    taker.endBatch();
                });
        holding = place[0];
        taker.end(sink);
    }

    /** What becomes of the rows that the condition holds for. */
    private interface Taker {
        void take(SelectedRow.Cursor row, long place) throws IOException;

        void endBatch() throws IOException;

        void end(Sink sink) throws IOException;
    }

    /** Hands rows on as they come; if whoever takes them has enough, the others are counted. */
    private final class InOrder implements Taker {
        private final long offset;
        private final long end;
        private final Sink sink;
        private final List<SelectedRow> rows = new ArrayList<>();
        private @Nullable IOException enough;

        private InOrder(long offset, long limit, Sink sink) {
            this.offset = offset;
            this.end = limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + limit;
            this.sink = sink;
        }

        @Override
        public void take(SelectedRow.Cursor row, long place) {
            if (place >= offset && place < end && enough == null) {
                rows.add(row.copy(place));
            }
        }

        @Override
        public void endBatch() {
            try {
                SelectedRow.give(rows, table.id(), field, sink);
            } catch (IOException full) {
                enough = full;
            }
            rows.clear();
        }

        @Override
        public void end(Sink sink) throws IOException {
            if (enough != null) {
                throw enough;
            }
        }
    }

    /** Keeps the first rows; the last of them on top. */
    private final class Sorted implements Taker {
        private final int offset;
        private final int most;
        private final PriorityQueue<SelectedRow> kept;
        private long bytes;

        private Sorted(long offset, long limit) {
            long left = Math.max(0, table.vertices() - offset);
            long wanted = left == 0 ? 0 : offset + Math.min(limit, left);
            if (wanted > MAX_SORTED_ROWS) {
                throw new InvalidInputException(
                        String.format(
                                Locale.ROOT,
                                "limit: a sorted column has %,d rows at most, those before them counted, and these are %,d; say less, or read it in the graph's own order",
                                MAX_SORTED_ROWS,
                                wanted));
            }
            this.offset = (int) Math.min(offset, wanted);
            this.most = (int) wanted;
            this.kept = new PriorityQueue<>(comparator().reversed());
        }

        @Override
        public void take(SelectedRow.Cursor row, long place) {
            if (most == 0) {
                return;
            }
            SelectedRow one = row.copy(place);
            if (kept.size() == most) {
                SelectedRow last = Objects.requireNonNull(kept.peek(), "it is full");
                if (comparator().compare(one, last) >= 0) {
                    return;
                }
                kept.poll();
                bytes -= last.bytes();
            }
            kept.add(one);
            bytes += one.bytes();
            if (bytes > MAX_SORTED_BYTES) {
                throw new InvalidInputException(
                        String.format(
                                Locale.ROOT,
                                "limit: %,d sorted rows take more than %,d bytes, so long are their texts; say less",
                                kept.size(),
                                MAX_SORTED_BYTES));
            }
        }

        @Override
        public void endBatch() {
            // all come at the end
        }

        @Override
        public void end(Sink sink) throws IOException {
            List<SelectedRow> rows = new ArrayList<>(kept);
            rows.sort(comparator());
            SelectedRow.give(
                    rows.subList(Math.min(offset, rows.size()), rows.size()),
                    table.id(),
                    field,
                    sink);
        }
    }

    private Comparator<SelectedRow> comparator() {
        Comparator<SelectedRow> byValue = SelectedRow.byValue(field);
        return Comparator.comparing(SelectedRow::isLast)
                .thenComparing(order == Order.DESC ? byValue.reversed() : byValue)
                .thenComparingLong(SelectedRow::place);
    }
}
