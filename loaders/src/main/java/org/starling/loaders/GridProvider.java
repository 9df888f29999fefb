package org.starling.loaders;

import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

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
        return new Source(1L << (scale / 2), 1L << (scale - scale / 2));
    }

    /** Immutable. */
    private record Source(long rows, long columns) implements EdgeSource {

        @Override
        public SourceDescription describe() {
            return new SourceDescription(
                    GraphSize.parts(vertices()), true, 0, vertices(), edges(), false);
        }

        @Override
        public PartSummary read(int part, EdgeSink sink) {
            long perPart = GraphSize.partItems(vertices());
            long first = part * perPart;
            long end = Math.min(first + perPart, vertices());
            long made = 0;
            for (long vertex = first; vertex < end; vertex++) {
                if (vertex % columns < columns - 1) {
                    sink.edge(vertex, vertex + 1, 1f);
                    made++;
                }
                if (vertex + columns < vertices()) {
                    sink.edge(vertex, vertex + columns, 1f);
                    made++;
                }
            }
            return new PartSummary(end - first, 0, made, 0);
        }

        @Override
        public void check(List<PartSummary> parts) {
            GeneratedParts.check("grid", edges(), parts);
        }

        private long vertices() {
            return rows * columns;
        }

        private long edges() {
            return rows * (columns - 1) + (rows - 1) * columns;
        }
    }
}
