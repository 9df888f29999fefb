package org.starling.compute.internal.run;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.EdgeColumn;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeValues;
import org.starling.graph.Property;

/**
 * A column of edges as programs see it. Remembers where the values of one row begin, since edges
 * are mostly read row by row. Bounds are checked. Confined to the worker's thread.
 */
final class EdgeValuesHandle implements EdgeValues {
    private final StoredProperty property;
    private final ColumnType type;
    private final int length;
    private final @Nullable EdgeColumn column;

    /** The row at hand; -1 before the first one. */
    private long row = -1;

    private long address;
    private int degree;

    /**
     * A handle over a column.
     *
     * @param column null where nothing is computed: nobody knows its type there
     */
    static EdgeValuesHandle of(String name, @Nullable EdgeColumn column) {
        StoredProperty property =
                column == null
                        ? new StoredProperty(name, StateType.of(ColumnType.LONG), true)
                        : column.property();
        return new EdgeValuesHandle(property, column);
    }

    private EdgeValuesHandle(StoredProperty property, @Nullable EdgeColumn column) {
        this.property = property;
        this.type = property.type().element();
        this.length = property.type().length();
        this.column = column;
    }

    @Override
    public Property property() {
        return property.property();
    }

    @Override
    public long asLong(EdgeCursor edge, int element) {
        PlacedEdge placed = (PlacedEdge) edge;
        return asLong(placed.source(), placed.index(), element);
    }

    @Override
    public double asDouble(EdgeCursor edge, int element) {
        PlacedEdge placed = (PlacedEdge) edge;
        return asDouble(placed.source(), placed.index(), element);
    }

    @Override
    public long asLong(long ordinal, int index, int element) {
        return type.asLong(bits(ordinal, index, element));
    }

    @Override
    public double asDouble(long ordinal, int index, int element) {
        return type.asDouble(bits(ordinal, index, element));
    }

    private long bits(long ordinal, int index, int element) {
        if (ordinal != row) {
            EdgeColumn of = Objects.requireNonNull(column, "values of edges where none are");
            address = of.rowAddress(ordinal);
            degree = of.degree(ordinal);
            row = ordinal;
        }
        long first = (long) Objects.checkIndex(index, degree) * length;
        return type.read(address + (first + Objects.checkIndex(element, length)) * type.width());
    }
}
