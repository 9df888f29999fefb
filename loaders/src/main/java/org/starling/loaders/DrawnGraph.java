package org.starling.loaders;

import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.starling.graph.PropertyType;

/**
 * A graph as formats have it in which vertices have names: its vertices, then its edges.
 *
 * @param names the name of each vertex
 * @param columns of vertices
 * @param edges each once
 */
record DrawnGraph(
        boolean directed,
        boolean weighted,
        long vertices,
        LongFunction<String> names,
        List<Values> columns,
        Iterable<Edge> edges) {
    /**
     * An edge.
     *
     * @param source name of its beginning
     * @param target name of its other end
     * @param weight 1 in a graph without weights
     */
    record Edge(String source, String target, float weight) {}

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
