package org.starling.compute.internal.graph;

import java.util.Locale;
import org.starling.graph.Declaration;

/**
 * Type of a state column: one element for each vertex, or a vector of them.
 *
 * @param element type of the elements
 * @param length number of elements of each vertex
 */
public record StateType(ColumnType element, int length) {
    /** Checks the length. */
    public StateType {
        if (length < 1 || length > Declaration.MAX_VECTOR_LENGTH) {
            throw new IllegalArgumentException("a state of " + length + " elements");
        }
    }

    /** A single value for each vertex. */
    public static StateType of(ColumnType element) {
        return new StateType(element, 1);
    }

    /** Bytes per vertex. */
    public int width() {
        return element.width() * length;
    }

    @Override
    public String toString() {
        String name = element.name().toLowerCase(Locale.ROOT);
        return length == 1 ? name : name + "[" + length + "]";
    }
}
