package org.starling.loaders;

import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

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
        KroneckerGraph graph = KroneckerGraph.of(parameters);
        boolean weighted = parameters.flag("weights");
        return new GeneratedSource(
                name(),
                graph.vertices(),
                graph.edges(),
                weighted,
                graph.edges(),
                (first, end, sink) -> make(graph, weighted, first, end, sink));
    }

    /** Each part has a cursor of its own. */
    private static long make(
            KroneckerGraph graph, boolean weighted, long first, long end, EdgeSink sink) {
        KroneckerEdges edges = new KroneckerEdges(graph, weighted);
        edges.seek(first);
        for (long edge = first; edge < end; edge++) {
            edges.next();
            sink.edge(edges.source(), edges.target(), edges.weight());
        }
        return end - first;
    }
}
