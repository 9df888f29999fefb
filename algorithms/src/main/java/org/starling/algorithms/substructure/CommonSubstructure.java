package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.algorithms.MaximumClique;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.VertexId;

/**
 * A largest common induced substructure of two graphs: as many vertices of one as possible, each
 * paired with a vertex of the other that has the same label, so that two of them are neighbours
 * exactly if those they are paired with are (in directed graphs, the same way).
 *
 * <p>Source: the pairs are a largest clique of the modular product of the graphs (Levi, 1973; see
 * {@link ProductSource}); connected ones are cliques that hang together by edges between pairs of
 * neighbours (Koch, 2001). Of several largest ones it is the same for any number of peers and
 * threads. The product of n pairs has up to n²/2 edges, 8 bytes each and twice; finding the clique
 * is exponential at worst ({@link MaximumClique}).
 */
public final class CommonSubstructure {
    /** Largest number of vertices of the product. */
    public static final int MAX_PAIRS = 4096;

    private CommonSubstructure() {}

    /**
     * A graph and its labels.
     *
     * @param graph its name
     * @param labels by original id; empty if vertices have none
     */
    public record Labelled(String graph, Map<Long, String> labels) {
        /** Copies the labels. */
        public Labelled {
            labels = Map.copyOf(labels);
        }
    }

    /**
     * Two vertices that are paired.
     *
     * @param first original id in the first graph
     * @param second original id in the second graph
     */
    public record Pair(long first, long second) {}

    /**
     * What was found.
     *
     * @param size number of pairs
     * @param pairs in the order of the first graph's ids
     */
    public record Result(int size, List<Pair> pairs) {
        /** Copies the list. */
        public Result {
            pairs = List.copyOf(pairs);
        }
    }

    /**
     * Finds a largest common substructure.
     *
     * @param connected whether it must be connected (in directed graphs, whatever the edges'
     *     direction)
     * @param verify whether to check the pairs against both graphs, and the search as {@link
     *     MaximumClique} does
     * @throws InvalidInputException if there are no such graphs, one is directed and the other not,
     *     a vertex lacks a label, or there are more than {@link #MAX_PAIRS} pairs of vertices with
     *     the same label
     * @throws JobFailedException if a check fails
     */
    public static Result run(
            GraphSession session,
            Labelled first,
            Labelled second,
            boolean connected,
            boolean verify) {
        boolean directed = session.info(first.graph()).directed();
        if (directed != session.info(second.graph()).directed()) {
            throw new InvalidInputException(
                    "one of the graphs \"%s\" and \"%s\" is directed, the other is not; load both alike"
                            .formatted(first.graph(), second.graph()));
        }
        SmallGraph left = SmallGraph.read(session, first.graph(), first.labels());
        SmallGraph right = SmallGraph.read(session, second.graph(), second.labels());
        List<int[]> pairs = pairs(left, right);
        List<int[]> found =
                pairs.isEmpty() ? pairs : find(session, left, right, pairs, connected, verify);
        if (verify) {
            SubstructureCheck.require(left, right, found, connected);
        }
        return result(left, right, found);
    }

    /** Pairs of vertices with the same label. */
    private static List<int[]> pairs(SmallGraph left, SmallGraph right) {
        Map<String, List<Integer>> byLabel = new HashMap<>();
        for (int vertex = 0; vertex < right.vertices(); vertex++) {
            byLabel.computeIfAbsent(right.label(vertex), _ -> new ArrayList<>()).add(vertex);
        }
        long count = 0;
        for (int vertex = 0; vertex < left.vertices(); vertex++) {
            count += byLabel.getOrDefault(left.label(vertex), List.of()).size();
        }
        if (count > MAX_PAIRS) {
            throw new InvalidInputException(
                    ("graphs \"%s\" and \"%s\" have %d pairs of vertices with the same label, but"
                                    + " common substructures are looked for among at most %d; take"
                                    + " smaller graphs or finer labels")
                            .formatted(left.name(), right.name(), count, MAX_PAIRS));
        }
        List<int[]> pairs = new ArrayList<>();
        for (int vertex = 0; vertex < left.vertices(); vertex++) {
            for (int other : byLabel.getOrDefault(left.label(vertex), List.of())) {
                pairs.add(new int[] {vertex, other});
            }
        }
        return pairs;
    }

    /** The pairs that make a largest clique of the product, which lives as long as this takes. */
    private static List<int[]> find(
            GraphSession session,
            SmallGraph left,
            SmallGraph right,
            List<int[]> pairs,
            boolean connected,
            boolean verify) {
        String product = unusedName(session, left.name() + " x " + right.name());
        session.build(
                product,
                ProductSource.NAME,
                parameters(left, right, pairs),
                BuildOptions.UNDIRECTED);
        try {
            float linkWeight = connected ? ProductSource.LINK : 0;
            return MaximumClique.run(session, product, linkWeight, verify).members().stream()
                    .map(pair -> pairs.get(Math.toIntExact(pair)))
                    .toList();
        } finally {
            session.drop(product);
        }
    }

    private static Parameters parameters(SmallGraph left, SmallGraph right, List<int[]> pairs) {
        int[] inLeft = numbers(left.vertices(), pairs, 0);
        int[] inRight = numbers(right.vertices(), pairs, 1);
        return Parameters.of(
                        ProductSource.FIRST,
                        pairs.stream().map(pair -> (long) inLeft[pair[0]]).toList())
                .with(
                        ProductSource.SECOND,
                        pairs.stream().map(pair -> (long) inRight[pair[1]]).toList())
                .with(ProductSource.FIRST_EDGES, left.edges(inLeft))
                .with(ProductSource.SECOND_EDGES, right.edges(inRight));
    }

    /** Numbers the vertices that occur in pairs, in their order; −1 for others. */
    private static int[] numbers(int vertices, List<int[]> pairs, int side) {
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

    private static String unusedName(GraphSession session, String wish) {
        List<String> used = session.graphs();
        String name = wish;
        for (int number = 2; used.contains(name); number++) {
            name = wish + " " + number;
        }
        return name;
    }

    private static Result result(SmallGraph left, SmallGraph right, List<int[]> found) {
        List<Pair> pairs =
                found.stream()
                        .map(pair -> new Pair(left.id(pair[0]), right.id(pair[1])))
                        .sorted(Comparator.comparing(Pair::first, VertexId.ASCENDING))
                        .toList();
        return new Result(pairs.size(), pairs);
    }
}
