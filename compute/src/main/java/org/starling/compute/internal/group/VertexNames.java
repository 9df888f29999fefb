package org.starling.compute.internal.group;

import java.util.Arrays;
import java.util.List;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.VertexTexts;
import org.starling.graph.TextId;
import org.starling.graph.VertexId;

/**
 * Ids of vertices as files have them, for a slave: those of other shards are asked of their owners.
 * Any thread.
 */
final class VertexNames {
    private static final String NONE = "-1";

    private final StoredGraph graph;
    private final NodeContext node;
    private final long term;

    VertexNames(StoredGraph graph, NodeContext node, long term) {
        this.graph = graph;
        this.node = node;
        this.term = term;
    }

    /** The original ids that are texts of vertices, by ids as programs see them. */
    List<String> texts(long[] ids) {
        return VertexTexts.of(ids, graph, node, term);
    }

    /** Fields of lines, by ids as programs see them. */
    List<String> of(long[] ids) {
        return graph.descriptor().textIds()
                ? texts(ids).stream().map(TextId::field).toList()
                : Arrays.stream(ids).mapToObj(VertexId::text).toList();
    }

    /** The vertices that a column of own vertices names; -1 for none. */
    String[] named(Column column, long first, int count) {
        long[] ordinals = new long[count];
        Arrays.setAll(ordinals, i -> bits(column, first + i, 0));
        long[] present = Arrays.stream(ordinals).filter(one -> one >= 0).toArray();
        boolean byOrdinal = column.type().element() == ColumnType.VERTEX;
        List<String> found = of(byOrdinal ? VertexIds.of(present, graph, node, term) : present);
        String[] named = new String[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            named[i] = ordinals[i] < 0 ? NONE : found.get(next++);
        }
        return named;
    }

    /** The bits of an element of a column. */
    static long bits(Column column, long ordinal, int element) {
        ColumnType type = column.type().element();
        return type.read(
                column.address() + ordinal * column.type().width() + (long) element * type.width());
    }
}
