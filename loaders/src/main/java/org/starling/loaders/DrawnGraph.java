package org.starling.loaders;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.PropertyType;

/** A graph as formats have it in which vertices have names: its vertices, then its edges. */
interface DrawnGraph {
    boolean directed();

    boolean weighted();

    long vertices();

    /** The name of a vertex. */
    String name(long vertex);

    /** Columns of vertices. */
    List<Values> columns();

    int edges();

    /** The name of an edge's beginning. */
    String source(int edge);

    /** The name of an edge's other end. */
    String target(int edge);

    /** 1 in a graph without weights. */
    float weight(int edge);

    /**
     * A column.
     *
     * @param name its name
     * @param type of its elements; strings where they are ids
     * @param length number of elements of each value
     * @param texts of all vertices; null for none
     */
    record Values(String name, PropertyType type, int length, List<@Nullable String> texts) {
        /** Its value of a vertex as text; null for none. */
        @Nullable String text(long vertex) {
            return texts.get((int) vertex);
        }
    }
}
