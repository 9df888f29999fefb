package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.RunMessage.FindValues;
import org.starling.compute.internal.protocol.RunMessage.JoinColumn;
import org.starling.compute.internal.protocol.RunMessage.ValuesFound;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.compute.internal.run.VertexTexts;
import org.starling.net.NativeMemory;

/**
 * A slave's part in bringing a column of another graph over: for each piece of own vertices asks
 * all slaves which of them they have there, since nobody knows where an id lies. Ids are sent
 * sorted, and looked for by going along the ascending runs of the other graph, so that a piece
 * costs a pass over these at most. Holds pieces and the column, nothing of the other graph. Owned
 * by {@link SlaveJob}; its workers ask.
 */
final class ColumnFetch {
    /** Vertices that are asked for at once, at most, */
    private static final int MAX_PIECE_VERTICES = 1 << 15;

    /** and bytes of their values. */
    private static final int MAX_PIECE_BYTES = 1 << 20;

    private final JoinColumn command;
    private final StoredGraph graph;
    private final StoredGraph from;
    private final NodeContext node;
    private final StopSign stop;

    private record Piece(long first, int count) {}

    ColumnFetch(
            JoinColumn command,
            StoredGraph graph,
            StoredGraph from,
            NodeContext node,
            StopSign stop) {
        this.command = command;
        this.graph = graph;
        this.from = from;
        this.node = node;
        this.stop = stop;
    }

    /** The column with the values of own vertices; the caller owns it. */
    Column make() {
        Column made = new Column(command.state(), command.valueType(), graph.shards().vertices());
        try {
            List<Piece> pieces = pieces();
            node.team().forEach(pieces.size(), stop, (_, i) -> fetch(pieces.get(i), made));
            stop.check();
            return made;
        } catch (RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    private List<Piece> pieces() {
        int vertices =
                Math.clamp(MAX_PIECE_BYTES / command.valueType().width(), 1, MAX_PIECE_VERTICES);
        List<Piece> pieces = new ArrayList<>();
        for (int shard : graph.ownShards()) {
            long end = graph.shards().end(shard);
            for (long first = graph.shards().first(shard); first < end; first += vertices) {
                pieces.add(new Piece(first, (int) Math.min(vertices, end - first)));
            }
        }
        return pieces;
    }

    private void fetch(Piece piece, Column into) {
        stop.check();
        long[] ids = new long[piece.count];
        NativeMemory.copyToArray(graph.idAddress(piece.first), ids, 0, ids.length);
        if (graph.descriptor().textIds()) {
            ids = numbersThere(ids);
        }
        long[] sorted = sorted(ids);
        int width = command.valueType().width();
        byte[] values = new byte[Math.multiplyExact(ids.length, width)];
        BitSet known = new BitSet();
        for (int slave : command.slaves()) {
            take(ask(slave, sorted), width, values, known);
        }
        Column column = from.state(command.column());
        if (column != null && column.type().element() == ColumnType.VERTEX) {
            nameById(values, known);
        }
        for (int i = 0; i < ids.length; i++) {
            int at = Arrays.binarySearch(sorted, ids[i] ^ Long.MIN_VALUE);
            long to = into.address() + (piece.first + i) * width;
            if (known.get(at)) {
                NativeMemory.copyFromArray(values, at * width, to, width);
            } else {
                writeOtherwise(to);
            }
        }
    }

    /** By what numbers the other graph has vertices whose ids are texts; -1 for none. */
    private long[] numbersThere(long[] numbers) {
        List<String> texts = VertexTexts.of(numbers, graph, node, command.term());
        return VertexTexts.numbers(texts, from, command.slaves(), node, command.term());
    }

    /** Ascending as signed numbers, with their highest bits turned. */
    private static long[] sorted(long[] ids) {
        long[] sorted = new long[ids.length];
        Arrays.setAll(sorted, i -> ids[i] ^ Long.MIN_VALUE);
        Arrays.sort(sorted);
        return sorted;
    }

    private ValuesFound ask(int slave, long[] sorted) {
        long[] ids = new long[sorted.length];
        Arrays.setAll(ids, i -> sorted[i] ^ Long.MIN_VALUE);
        FindValues question = new FindValues(command.run(), command.from(), command.column(), ids);
        if (slave == node.node()) {
            return answer(question, from);
        }
        return node.ask(slave, question);
    }

    private static void take(ValuesFound told, int width, byte[] values, BitSet known) {
        BitSet found = BitSet.valueOf(told.found());
        int next = 0;
        for (int at = found.nextSetBit(0); at >= 0; at = found.nextSetBit(at + 1)) {
            System.arraycopy(told.values(), next, values, at * width, width);
            next += width;
        }
        known.or(found);
    }

    /** Values are ordinals in the other graph. */
    private void nameById(byte[] values, BitSet known) {
        ByteBuffer ordinals = ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
        int[] places =
                known.stream().filter(at -> ordinals.getLong(at * Long.BYTES) >= 0).toArray();
        long[] named =
                Arrays.stream(places).mapToLong(at -> ordinals.getLong(at * Long.BYTES)).toArray();
        long[] ids = VertexIds.of(named, from, node, command.term());
        for (int i = 0; i < places.length; i++) {
            ordinals.putLong(places[i] * Long.BYTES, ids[i]);
        }
    }

    private void writeOtherwise(long to) {
        ColumnType element = command.valueType().element();
        for (int i = 0; i < command.valueType().length(); i++) {
            element.write(to + (long) i * element.width(), command.otherwise());
        }
    }

    /** What a slave has of what another one asks for. */
    static ValuesFound answer(FindValues question, StoredGraph graph) {
        Column column = SlaveGraphs.existing(graph, question.column());
        StateType type = column.type();
        long[] ordinals = graph.ordinals(question.ids());
        BitSet found = new BitSet();
        for (int i = 0; i < ordinals.length; i++) {
            found.set(i, ordinals[i] >= 0);
        }
        byte[] values = new byte[Math.multiplyExact(found.cardinality(), type.width())];
        int next = 0;
        for (int at = found.nextSetBit(0); at >= 0; at = found.nextSetBit(at + 1)) {
            NativeMemory.copyToArray(
                    column.address() + ordinals[at] * type.width(), values, next, type.width());
            next += type.width();
        }
        return new ValuesFound(found.toLongArray(), values);
    }
}
