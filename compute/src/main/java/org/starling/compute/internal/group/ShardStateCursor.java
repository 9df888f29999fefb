package org.starling.compute.internal.group;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StringColumn;

/**
 * Values of a state or a property of one shard of this node, in the order of ordinals, read where
 * they lie. Vertices that they name are asked for piece by piece. Confined to one thread.
 */
final class ShardStateCursor extends ElementCursor {
    private static final int PIECE_VERTICES = 1 << 14;

    private final StoredGraph graph;
    private final @Nullable Column column;
    private final @Nullable StringColumn strings;
    private final VertexNames names;
    private final long end;
    private final Runnable onPiece;
    private long ordinal;
    private long pieceFirst;
    private long pieceEnd;

    /** The vertices that this piece names; empty until somebody asks. */
    private String[] named = {};

    /**
     * Stands before the first vertex.
     *
     * @param onPiece called now and then; what it throws ends the reading
     * @throws org.starling.graph.InvalidInputException if the graph has no such column
     */
    ShardStateCursor(
            StoredGraph graph, String state, int shard, VertexNames names, Runnable onPiece) {
        this.graph = graph;
        this.strings = graph.strings(state);
        this.column = strings == null ? SlaveGraphs.existing(graph, state) : null;
        this.names = names;
        this.ordinal = graph.shards().first(shard) - 1;
        this.pieceEnd = ordinal + 1;
        this.end = graph.shards().end(shard);
        this.onPiece = onPiece;
    }

    @Override
    public boolean next() {
        if (++ordinal >= end) {
            return false;
        }
        if (ordinal == pieceEnd) {
            onPiece.run();
            pieceFirst = ordinal;
            pieceEnd = Math.min(end, pieceFirst + PIECE_VERTICES);
            named = new String[0];
        }
        return true;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public long id() {
        return graph.id(ordinal);
    }

    @Override
    public int length() {
        return column == null ? 1 : column.type().length();
    }

    @Override
    String string() {
        return Objects.requireNonNull(strings, "a column of strings").get(ordinal);
    }

    @Override
    String named() {
        if (named.length == 0) {
            named = names.named(numbers(), pieceFirst, (int) (pieceEnd - pieceFirst));
        }
        return named[(int) (ordinal - pieceFirst)];
    }

    @Override
    public void close() {
        named = new String[0];
    }

    @Override
    ColumnType element() {
        return column == null ? ColumnType.STRING : column.type().element();
    }

    @Override
    long bits(int index) {
        return VertexNames.bits(numbers(), ordinal, Objects.checkIndex(index, length()));
    }

    private Column numbers() {
        return Objects.requireNonNull(column, "a column that is not one of strings");
    }
}
