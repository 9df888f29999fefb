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
 * Edge source {@code kronecker}: the graphs of Graph500. Parameters: {@code scale}, {@code
 * edgefactor} (16), {@code seeds} ([2, 3]), {@code weights} (false). Ids are dense, from 0.
 */
public final class KroneckerProvider implements EdgeSourceProvider {

    @Override
    public String name() {
        return "kronecker";
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidInputException if scale or edgefactor is out of range
     */
    @Override
    public EdgeSource create(Parameters parameters) {
        return new Source(KroneckerGraph.of(parameters), parameters.flag("weights"));
    }

    /** Immutable; each part has a cursor of its own. */
    private record Source(KroneckerGraph graph, boolean weighted) implements EdgeSource {

        @Override
        public SourceDescription describe() {
            return new SourceDescription(
                    GraphSize.parts(graph.edges()),
                    true,
                    0,
                    graph.vertices(),
                    graph.edges(),
                    weighted);
        }

        @Override
        public PartSummary read(int part, EdgeSink sink) {
            long perPart = GraphSize.partItems(graph.edges());
            long first = part * perPart;
            long end = Math.min(first + perPart, graph.edges());
            KroneckerEdges edges = new KroneckerEdges(graph, weighted);
            edges.seek(first);
            for (long edge = first; edge < end; edge++) {
                edges.next();
                sink.edge(edges.source(), edges.target(), edges.weight());
            }
            return new PartSummary(end - first, 0, end - first, 0);
        }

        @Override
        public void check(List<PartSummary> parts) {
            GeneratedParts.check("kronecker", graph.edges(), parts);
        }
    }
}
