package org.starling.compute.internal.graph;

import java.util.List;
import org.starling.graph.Property;

/**
 * A property of a graph's vertices or edges: a column that is made with the graph and goes with it.
 * For each shard its values lie in a chunk beside the rows: a value for each vertex, or for each
 * entry of the rows of outgoing edges, row by row.
 *
 * @param name its name
 * @param type of its values
 * @param ofEdges whether edges have it, and not vertices
 */
public record StoredProperty(String name, StateType type, boolean ofEdges) {
    /** A property as users name it. */
    public static StoredProperty of(Property property, boolean ofEdges) {
        return new StoredProperty(property.name(), type(property), ofEdges);
    }

    /** Number of the property of that name among some, or -1. */
    public static int find(List<StoredProperty> properties, String name, boolean ofEdges) {
        for (int i = 0; i < properties.size(); i++) {
            StoredProperty one = properties.get(i);
            if (one.ofEdges == ofEdges && one.name.equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** How values of a property are stored. */
    public static StateType type(Property property) {
        ColumnType element =
                switch (property.type()) {
                    case BOOLEAN -> ColumnType.BOOLEAN;
                    case INT -> ColumnType.INT;
                    case LONG -> ColumnType.LONG;
                    case FLOAT -> ColumnType.FLOAT;
                    case DOUBLE -> ColumnType.DOUBLE;
                    case STRING -> ColumnType.STRING;
                };
        return new StateType(element, property.length());
    }

    /** The property as users name it. */
    public Property property() {
        return new Property(name, type.element().shown(), type.length());
    }

    /** Whether its values are strings. */
    public boolean isString() {
        return type.element() == ColumnType.STRING;
    }

    /** Bytes of its values in a graph; of strings of their codes alone. */
    public long bytes(long vertices, long storedEdges) {
        return type.width() * (ofEdges ? storedEdges : vertices);
    }
}
