package org.starling.compute.internal.run;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.EdgeColumn;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeStringProperty;
import org.starling.net.NativeMemory;

/**
 * Strings of edges as programs see them. Remembers where the codes of one row begin, since edges
 * are mostly read row by row. Bounds are checked. Confined to the worker's thread.
 */
final class EdgeStringPropertyHandle implements EdgeStringProperty {
    private final @Nullable EdgeColumn column;
    private final StringCodes codes = new StringCodes();

    /** The row at hand; -1 before the first one. */
    private long row = -1;

    private long address;
    private long chunk;
    private int degree;

    /**
     * A handle over a column.
     *
     * @param column null where nothing is computed
     */
    EdgeStringPropertyHandle(@Nullable EdgeColumn column) {
        this.column = column;
    }

    @Override
    public String get(EdgeCursor edge) {
        PlacedEdge placed = (PlacedEdge) edge;
        return get(placed.source(), placed.index());
    }

    @Override
    public boolean is(EdgeCursor edge, String value) {
        PlacedEdge placed = (PlacedEdge) edge;
        return is(placed.source(), placed.index(), value);
    }

    @Override
    public String get(long ordinal, int index) {
        int code = code(ordinal, index);
        return StringsLayout.string(chunk, code);
    }

    @Override
    public boolean is(long ordinal, int index, String value) {
        int code = code(ordinal, index);
        return codes.of(chunk, value) == code;
    }

    private int code(long ordinal, int index) {
        if (ordinal != row) {
            EdgeColumn of = Objects.requireNonNull(column, "strings of edges where none are");
            address = of.rowAddress(ordinal);
            chunk = of.chunk(ordinal);
            degree = of.degree(ordinal);
            row = ordinal;
        }
        return NativeMemory.getInt(
                address + (long) Objects.checkIndex(index, degree) * Integer.BYTES);
    }
}
