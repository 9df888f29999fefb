package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.QueryMessage.VertexValues;
import org.starling.graph.VertexId;

/**
 * Values of a state in the order of ids: the graph's runs of ascending ids, merged.
 *
 * <p>Fetches vertices piece by piece and holds one piece of each run (at most {@value
 * #PIECE_VERTICES} vertices, 16 bytes each, 24 of a state that names vertices, or as much of longer
 * vectors). A step costs a few comparisons. Confined to the job's thread.
 */
final class StateRunsCursor extends ElementCursor {
    private static final int PIECE_VERTICES = 1 << 14;

    /** Of a piece; vertices with long vectors are fewer. */
    private static final int PIECE_BYTES = 1 << 18;

    /** Fetched first, when nobody knows how wide a value is. */
    private static final int FIRST_VERTICES = 1 << 8;

    /** A state that names vertices names none. */
    private static final String NONE = "-1";

    /** Fetches vertices, whoever owns them. */
    interface Fetch {
        /** Ids and values of vertices of one shard from an ordinal on. */
        VertexValues vertices(int shard, long first, int count);

        /** Ids of vertices of any shards. */
        long[] ids(long[] ordinals);

        /** Ids as files have them. */
        default List<String> names(long[] ids) {
            return Arrays.stream(ids).mapToObj(VertexId::text).toList();
        }
    }

    private final Fetch fetch;
    private final ShardTable shards;
    private final PriorityQueue<Run> waiting =
            new PriorityQueue<>(Comparator.comparingLong(run -> run.id ^ Long.MIN_VALUE));
    private @Nullable StateType type;
    private @Nullable Run current;

    /**
     * Reads a first piece of every run, so that a state that does not exist is noticed at once.
     *
     * @param starts first ordinals of the runs, ascending
     */
    StateRunsCursor(ShardTable shards, long[] starts, Fetch fetch) {
        this.fetch = fetch;
        this.shards = shards;
        for (int i = 0; i < starts.length; i++) {
            Run run = new Run(starts[i], i + 1 < starts.length ? starts[i + 1] : shards.vertices());
            if (run.next()) {
                waiting.add(run);
            }
        }
        if (shards.vertices() == 0) {
            type = fetch.vertices(0, 0, 0).valueType();
        }
    }

    @Override
    public boolean next() {
        if (current != null && current.next()) {
            Run least = waiting.peek();
            if (least == null || Long.compareUnsigned(current.id, least.id) < 0) {
                return true;
            }
            waiting.add(current);
        }
        current = waiting.poll();
        return current != null;
    }

    @Override
    public long ordinal() {
        return here().ordinal;
    }

    @Override
    public long id() {
        return here().id;
    }

    @Override
    public int length() {
        return stored().length();
    }

    @Override
    ColumnType element() {
        return stored().element();
    }

    @Override
    long bits(int index) {
        return here().bits(index);
    }

    @Override
    String string() {
        return here().string();
    }

    @Override
    String named() {
        return here().named();
    }

    @Override
    public void close() {
        waiting.clear();
        current = null;
    }

    private StateType stored() {
        return Objects.requireNonNull(type, "type of a state");
    }

    private Run here() {
        if (current == null) {
            throw new IllegalStateException("the cursor stands on no vertex");
        }
        return current;
    }

    /** Takes a string of an answer. */
    static String nextString(ByteBuffer values) {
        byte[] utf8 = new byte[values.getInt()];
        values.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Vertices with ascending ids. */
    private final class Run {
        private final long end;
        private long ordinal;
        private long id;
        private long first;
        private long pieceEnd;
        private ByteBuffer values = ByteBuffer.allocate(0);
        private ByteBuffer ids = ByteBuffer.allocate(0);

        /** Ids of the vertices that this piece names; empty until somebody asks. */
        private String[] named = {};

        /** Of this piece, if the values are strings. */
        private String[] strings = {};

        Run(long start, long end) {
            this.ordinal = start - 1;
            this.pieceEnd = start;
            this.end = end;
        }

        boolean next() {
            ordinal++;
            if (ordinal >= end) {
                return false;
            }
            if (ordinal >= pieceEnd) {
                fetchPiece();
            }
            id = ids.getLong((int) (ordinal - first) * Long.BYTES);
            return true;
        }

        long bits(int element) {
            int length = stored().length();
            int index = (int) (ordinal - first) * length + Objects.checkIndex(element, length);
            return stored().element().read(values, index);
        }

        private int pieceVertices() {
            return type == null
                    ? FIRST_VERTICES
                    : Math.max(1, Math.min(PIECE_VERTICES, PIECE_BYTES / type.width()));
        }

        /** The value as a string. */
        String string() {
            return strings[(int) (ordinal - first)];
        }

        /** Id of the vertex that the value names, as text. */
        String named() {
            if (named.length == 0) {
                fetchNamed();
            }
            return named[(int) (ordinal - first)];
        }

        /** All those of the piece at once, those of each slave in one question. */
        private void fetchNamed() {
            long[] ordinals = new long[(int) (pieceEnd - first)];
            values.slice(0, ordinals.length * Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asLongBuffer()
                    .get(ordinals);
            long[] present = Arrays.stream(ordinals).filter(one -> one >= 0).toArray();
            List<String> found = fetch.names(namesVertices() ? fetch.ids(present) : present);
            named = new String[ordinals.length];
            int next = 0;
            for (int i = 0; i < ordinals.length; i++) {
                named[i] = ordinals[i] < 0 ? NONE : found.get(next++);
            }
        }

        private void fetchPiece() {
            named = new String[0];
            first = ordinal;
            int shard = shards.shardOf(first);
            int count = (int) Math.min(pieceVertices(), Math.min(end, shards.end(shard)) - first);
            VertexValues fetched = fetch.vertices(shard, first, count);
            pieceEnd = first + fetched.ids().length / Long.BYTES;
            type = Objects.requireNonNull(fetched.valueType(), "type of a state");
            values = ByteBuffer.wrap(fetched.values()).order(ByteOrder.LITTLE_ENDIAN);
            ids = ByteBuffer.wrap(fetched.ids()).order(ByteOrder.LITTLE_ENDIAN);
            if (type.element() == ColumnType.STRING) {
                strings = new String[(int) (pieceEnd - first)];
                Arrays.setAll(strings, _ -> nextString(values));
            }
        }
    }
}
