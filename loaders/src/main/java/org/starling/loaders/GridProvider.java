package org.starling.loaders;

import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/**
 * Edge source {@code grid}: a rectangle of 2^(scale / 2) rows and 2^(scale − scale / 2) columns, in
 * which every vertex is joined to its right and its lower neighbour. Parameter: {@code scale}. The
 * vertex in row r and column c has the id r · columns + c.
 */
public final class GridProvider implements EdgeSourceProvider {

    @Override
    public String name() {
        return "grid";
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidInputException if scale is out of range
     */
    @Override
    public EdgeSource create(Parameters parameters) {
        int scale = GraphSize.scale(parameters);
        long rows = 1L << (scale / 2);
        long columns = 1L << (scale - scale / 2);
        long vertices = rows * columns;
        return new GeneratedSource(
                name(),
                vertices,
                rows * (columns - 1) + (rows - 1) * columns,
                false,
                vertices,
                (first, end, sink) -> make(vertices, columns, first, end, sink));
    }

    private static long make(long vertices, long columns, long first, long end, EdgeSink sink) {
        long made = 0;
        for (long vertex = first; vertex < end; vertex++) {
            if (vertex % columns < columns - 1) {
                sink.edge(vertex, vertex + 1, 1f);
                made++;
            }
            if (vertex + columns < vertices) {
                sink.edge(vertex, vertex + columns, 1f);
                made++;
            }
        }
        return made;
    }
}
