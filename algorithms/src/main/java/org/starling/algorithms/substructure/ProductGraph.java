package org.starling.algorithms.substructure;

import java.util.List;
import java.util.function.Function;
import org.starling.algorithms.MaximumClique;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;

/**
 * The product of two graphs, as {@link ProductSource} makes it, and what its cliques tell. It lives
 * on the cluster as long as it is looked at. On the driver's side.
 */
final class ProductGraph {
    /** Calls after which a check leaves a sub-problem open: all of them are large. */
    private static final int CHECK_CALLS = 1 << 8;

    private final GraphSession session;
    private final String name;
    private final List<int[]> pairs;
    private final Parameters parameters;

    /**
     * @param pairs a vertex of {@code left} and one of {@code right} each
     */
    ProductGraph(GraphSession session, SmallGraph left, SmallGraph right, List<int[]> pairs) {
        this.session = session;
        this.name = left.name() + " x " + right.name();
        this.pairs = pairs;
        this.parameters =
                Parameters.of(
                                ProductSource.FIRST,
                                pairs.stream().mapToLong(pair -> pair[0]).toArray())
                        .with(
                                ProductSource.SECOND,
                                pairs.stream().mapToLong(pair -> pair[1]).toArray())
                        .with(ProductSource.FIRST_EDGES, left.edges())
                        .with(ProductSource.SECOND_EDGES, right.edges());
    }

    /** The pairs of a largest clique, which need not be connected. */
    List<int[]> largestClique() {
        return onProduct(graph ->
                MaximumClique.run(session, graph, false).members().stream()
                        .map(pair -> pairs.get(Math.toIntExact(pair)))
                        .toList());
    }

    /**
     * Looks for a larger clique than one of that size.
     *
     * @param connected whether only connected ones count
     * @return whether it is certain that there is none
     * @throws org.starling.graph.JobFailedException if there is one
     */
    boolean isLargest(int size, boolean connected) {
        float linkWeight = connected ? ProductSource.LINK : 0;
        return onProduct(
                graph -> MaximumClique.isLargest(session, graph, size, linkWeight, CHECK_CALLS));
    }

    private <T> T onProduct(Function<String, T> work) {
        List<String> used = session.graphs();
        String graph = name;
        for (int number = 2; used.contains(graph); number++) {
            graph = name + " " + number;
        }
        session.build(graph, ProductSource.NAME, parameters, BuildOptions.UNDIRECTED);
        try {
            return work.apply(graph);
        } finally {
            session.drop(graph);
        }
    }
}
