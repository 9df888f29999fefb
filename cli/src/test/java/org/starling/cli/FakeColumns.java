package org.starling.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnField.Kind;
import org.starling.compute.columns.ColumnService;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.columns.ColumnValues;
import org.starling.compute.script.UnknownNameException;

/**
 * Columns of two graphs of five vertices, in batches of two rows. {@code web} has a column of each
 * kind, and its last vertex has the greatest id that there is. The ids of {@code people} are texts,
 * and {@code knows} names vertices. Guarded by itself.
 */
public final class FakeColumns implements ColumnService {
    private static final long[] IDS = {7, 3, 0, 12, -1};
    private static final String[] NAMES = {"Ann", "", "a \"b\", c", "日本", "line\nbreak"};
    private static final int BATCH_ROWS = 2;

    /** Is there only for those who ask for it. */
    private static final ColumnField WIDE = new ColumnField("wide", Kind.FLOAT, 300_000);

    /** The same; {@link FakeService} tells of it. */
    private static final ColumnField RANK = new ColumnField("rank", Kind.DOUBLE, 1);

    private final Map<String, ColumnField> fields = new TreeMap<>();
    private int readable = Integer.MAX_VALUE;
    private RuntimeException trouble =
            new ClusterException("a part of the graph is being recovered");
    private Runnable meanwhile = () -> {};

    FakeColumns() {
        for (Kind kind : Kind.values()) {
            if (kind == Kind.NAME) {
                continue; // of graph "people" alone
            }
            String name = kind.name().toLowerCase(java.util.Locale.ROOT);
            fields.put(name, new ColumnField(name, kind, 1));
        }
        fields.put("place", new ColumnField("place", Kind.FLOAT, 2));
    }

    /** Reading breaks off after so many batches. */
    public synchronized void breakAfter(int batches) {
        readable = batches;
    }

    /** Reading breaks off after so many batches, with this. */
    public synchronized void breakAfter(int batches, RuntimeException with) {
        readable = batches;
        trouble = with;
    }

    /** Is done in the course of each reading that begins from now on. */
    public synchronized void whileReading(Runnable something) {
        meanwhile = something;
    }

    @Override
    public synchronized ColumnTable open(String graph, List<String> columns) {
        if (graph.equals("people")) {
            ColumnField knows = new ColumnField("knows", Kind.NAME, 1);
            return new Table(Kind.NAME, List.of(knows), readable, trouble, meanwhile);
        }
        if (!graph.equals("web")) {
            throw new UnknownNameException("no graph \"%s\" is kept".formatted(graph));
        }
        List<ColumnField> found = new ArrayList<>();
        for (String column : columns) {
            ColumnField field =
                    switch (column) {
                        case "wide" -> WIDE;
                        case "rank" -> RANK;
                        default -> fields.get(column);
                    };
            if (field == null) {
                throw new UnknownNameException(
                        "graph \"web\" has no column \"%s\" of vertices".formatted(column));
            }
            found.add(field);
        }
        return new Table(Kind.VERTEX, found, readable, trouble, meanwhile);
    }

    @Override
    public ColumnTable openAll(String graph) {
        return open(graph, List.copyOf(fields.keySet()));
    }

    private record Table(
            Kind ids,
            List<ColumnField> fields,
            int readable,
            RuntimeException trouble,
            Runnable meanwhile)
            implements ColumnTable {
        @Override
        public long vertices() {
            return IDS.length;
        }

        @Override
        public ColumnField id() {
            return new ColumnField("id", ids, 1);
        }

        @Override
        public void read(long offset, long limit, Sink sink) throws IOException {
            meanwhile.run();
            int from = (int) Math.min(offset, IDS.length);
            int end = (int) (from + Math.min(limit, IDS.length - from));
            for (int batches = 0; from < end; batches++) {
                if (batches == readable) {
                    throw trouble;
                }
                int first = from;
                int rows = Math.min(BATCH_ROWS, end - first);
                ByteBuffer numbers = buffer(rows * Long.BYTES);
                for (int i = 0; i < rows; i++) {
                    numbers.putLong(IDS[first + i]);
                }
                sink.take(
                        new ColumnBatch(
                                rows,
                                ids == Kind.NAME
                                        ? strings(first, rows, -1)
                                        : ColumnValues.of(numbers.flip()),
                                fields.stream().map(one -> values(one, first, rows)).toList()));
                from += rows;
            }
        }
    }

    private static ColumnValues values(ColumnField field, int first, int rows) {
        if (field.kind() == Kind.STRING) {
            return strings(first, rows, -1);
        }
        if (field.kind() == Kind.NAME) {
            return strings(first, rows, 2); // the third one knows nobody
        }
        int elements = rows * field.length();
        ByteBuffer fixed = buffer(elements * field.kind().width());
        byte[] present = new byte[1];
        for (int i = 0; i < elements; i++) {
            int n = first * field.length() + i;
            switch (field.kind()) {
                case BOOLEAN -> fixed.put((byte) (n % 2));
                case INT -> fixed.putInt(-n);
                case LONG -> fixed.putLong(n * 10_000_000_000L);
                case FLOAT -> fixed.putFloat(n + 0.1f);
                case DOUBLE -> fixed.putDouble(n == 4 ? Double.POSITIVE_INFINITY : n / 8.0);
                case VERTEX -> {
                    fixed.putLong(n == 1 ? 0 : IDS[n]);
                    present[0] |= (byte) (n == 1 ? 0 : 1 << i);
                }
                case STRING, NAME -> throw new IllegalStateException();
            }
        }
        boolean isVertex = field.kind() == Kind.VERTEX;
        return new ColumnValues(
                fixed.flip(), buffer(0), ByteBuffer.wrap(isVertex ? present : new byte[0]));
    }

    private static ColumnValues strings(int first, int rows, int absent) {
        boolean isThere = absent < first || absent >= first + rows;
        byte[] present = isThere ? new byte[0] : new byte[] {(byte) ~(1 << (absent - first))};
        ByteBuffer starts = buffer((rows + 1) * Integer.BYTES).putInt(0);
        ByteBuffer text = buffer(100);
        for (int i = 0; i < rows; i++) {
            text.put(NAMES[first + i].getBytes(StandardCharsets.UTF_8));
            starts.putInt(text.position());
        }
        return new ColumnValues(starts.flip(), text.flip(), ByteBuffer.wrap(present));
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
