package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.starling.algorithms.MaximumClique;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/**
 * The ways to find a largest common substructure among given pairs of vertices, each on a graph of
 * these pairs that lives as long as it takes. On the driver's side.
 */
final class Pairing {
    /** Calls after which a check leaves a sub-problem open: all of them are large. */
    private static final int CHECK_CALLS = 1 << 8;

    private final GraphSession session;
    private final String name;
    private final List<int[]> pairs;
    private final boolean connected;
    private final Parameters parameters;

    /**
     * @param pairs a vertex of {@code left} and one of {@code right} each
     * @param connected whether the substructure must be connected
     */
    Pairing(
            GraphSession session,
            SmallGraph left,
            SmallGraph right,
            List<int[]> pairs,
            boolean connected) {
        this.session = session;
        this.name = left.name() + " x " + right.name();
        this.pairs = pairs;
        this.connected = connected;
        int[] inLeft = numbers(left.vertices(), 0);
        int[] inRight = numbers(right.vertices(), 1);
        this.parameters =
                Parameters.of(
                                ProductSource.FIRST,
                                pairs.stream().map(pair -> (long) inLeft[pair[0]]).toList())
                        .with(
                                ProductSource.SECOND,
                                pairs.stream().map(pair -> (long) inRight[pair[1]]).toList())
                        .with(ProductSource.FIRST_EDGES, left.edges(inLeft))
                        .with(ProductSource.SECOND_EDGES, right.edges(inRight));
    }

    /** By a largest clique of the product. */
    List<int[]> byClique() {
        return onPairs(
                graph ->
                        MaximumClique.run(session, graph, linkWeight(), false).members().stream()
                                .map(pair -> pairs.get(Math.toIntExact(pair)))
                                .toList(),
                true);
    }

    /** By {@link SplitSearch}. */
    List<int[]> bySplitting() {
        return onPairs(
                graph -> {
                    session.run(
                            graph,
                            SubstructureProgram.NAME,
                            parameters.with(SubstructureProgram.CONNECTED, connected));
                    List<int[]> found = new ArrayList<>();
                    try (StateCursor cursor = session.read(graph, SubstructureProgram.PAIRED)) {
                        while (cursor.next()) {
                            if (cursor.asLong() == 1) {
                                found.add(pairs.get(Math.toIntExact(cursor.id())));
                            }
                        }
                    }
                    return found;
                },
                false);
    }

    /**
     * Looks for a larger clique of the product.
     *
     * @return whether it is certain that there is none
     * @throws org.starling.graph.JobFailedException if there is one
     */
    boolean isLargest(int size) {
        return onPairs(
                graph -> MaximumClique.isLargest(session, graph, size, linkWeight(), CHECK_CALLS),
                true);
    }

    private float linkWeight() {
        return connected ? ProductSource.LINK : 0;
    }

    private <T> T onPairs(Function<String, T> work, boolean hasEdges) {
        List<String> used = session.graphs();
        String graph = name;
        for (int number = 2; used.contains(graph); number++) {
            graph = name + " " + number;
        }
        session.build(
                graph,
                ProductSource.NAME,
                parameters.with(ProductSource.EDGES, hasEdges),
                BuildOptions.UNDIRECTED);
        try {
            return work.apply(graph);
        } finally {
            session.drop(graph);
        }
    }

    /** Numbers the vertices that occur in pairs, in their order; −1 for others. */
    private int[] numbers(int vertices, int side) {
        int[] numbers = new int[vertices];
        Arrays.fill(numbers, -1);
        pairs.forEach(pair -> numbers[pair[side]] = 0);
        int next = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            if (numbers[vertex] == 0) {
                numbers[vertex] = next++;
            }
        }
        return numbers;
    }
}
