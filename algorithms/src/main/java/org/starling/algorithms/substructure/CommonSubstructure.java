package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.starling.algorithms.MaximumClique;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.VertexId;

/**
 * A largest common induced substructure of two graphs: as many vertices of one as possible, each
 * paired with a vertex of the other that has the same label, so that two of them are neighbours
 * exactly if those they are paired with are (in directed graphs, the same way).
 *
 * <p>Source: the pairs are a largest clique of the modular product of the graphs (Levi, 1973; see
 * {@link ProductSource}); Of several largest ones it is the same for any number of peers and
 * threads. The product of n pairs has up to n²/2 edges, 8 bytes each and twice; finding the clique
 * is exponential at worst ({@link org.starling.algorithms.MaximumClique}). Where it must be
 * connected, or labels leave a vertex more than {@value #FEW_PARTNERS} partners on average, there
 * is no product: sets of vertices are split instead (McCreesh, Prosser, Trimble, 2017; {@link
 * SplitSearch}), by the driver. Without labels that takes seconds for random graphs of 26 vertices
 * each, and about twice as long for each vertex more; graphs that have much in common go faster.
 */
public final class CommonSubstructure {
    /** Largest number of vertices of the product. */
    public static final int MAX_PAIRS = 4096;

    /** With more partners than this for a vertex, on average, sets of vertices are split. */
    private static final int FEW_PARTNERS = 4;

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
     * @param proven whether a check has shown that there is no larger one
     */
    public record Result(int size, List<Pair> pairs, boolean proven) {
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
     * @param verify whether to check the pairs against both graphs, and to look for a larger clique
     *     of the product as {@link MaximumClique} does ({@link Result#proven()})
     * @param check called now and then while sets are split; may throw to end the search
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
            boolean verify,
            Runnable check) {
        boolean directed = session.info(first.graph()).directed();
        if (directed != session.info(second.graph()).directed()) {
            throw new InvalidInputException(
                    "one of the graphs \"%s\" and \"%s\" is directed, the other is not; load both alike"
                            .formatted(first.graph(), second.graph()));
        }
        SmallGraph left = SmallGraph.read(session, first.graph(), first.labels());
        SmallGraph right = SmallGraph.read(session, second.graph(), second.labels());
        Set<String> common = left.labels();
        common.retainAll(right.labels());
        if (common.isEmpty()) {
            return new Result(0, List.of(), verify);
        }
        left = left.labelled(common);
        right = right.labelled(common);
        List<int[]> pairs = pairs(left, right);
        ProductGraph product = new ProductGraph(session, left, right, pairs);
        int fewer = Math.min(left.vertices(), right.vertices());
        List<int[]> found =
                connected || pairs.size() > (long) FEW_PARTNERS * fewer
                        ? split(left, right, List.copyOf(common), connected, check)
                        : product.largestClique();
        boolean proven = false;
        if (verify) {
            SubstructureCheck.require(left, right, found, connected);
            proven = product.isLargest(found.size(), connected);
        }
        return result(left, right, found, proven);
    }

    private static List<int[]> split(
            SmallGraph left,
            SmallGraph right,
            List<String> labels,
            boolean connected,
            Runnable check) {
        SplitSearch search =
                new SplitSearch(
                        relation(left),
                        relation(right),
                        new int[][] {numbers(left, labels), numbers(right, labels)},
                        connected,
                        _ -> check.run());
        search.search();
        return IntStream.range(0, search.size())
                .mapToObj(pair -> new int[] {search.first(pair), search.second(pair)})
                .toList();
    }

    private static Relation relation(SmallGraph graph) {
        return new Relation(new long[] {graph.vertices() - 1}, graph.edges());
    }

    private static int[] numbers(SmallGraph graph, List<String> labels) {
        return IntStream.range(0, graph.vertices())
                .map(vertex -> labels.indexOf(graph.label(vertex)))
                .toArray();
    }

    /** Pairs of vertices with the same label. */
    static List<int[]> pairs(SmallGraph left, SmallGraph right) {
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

    private static Result result(
            SmallGraph left, SmallGraph right, List<int[]> found, boolean proven) {
        List<Pair> pairs =
                found.stream()
                        .map(pair -> new Pair(left.id(pair[0]), right.id(pair[1])))
                        .sorted(Comparator.comparing(Pair::first, VertexId.ASCENDING))
                        .toList();
        return new Result(pairs.size(), pairs, proven);
    }
}
