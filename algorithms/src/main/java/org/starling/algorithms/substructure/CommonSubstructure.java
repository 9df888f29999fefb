package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * {@link ProductSource}); connected ones are cliques that hang together by edges between pairs of
 * neighbours (Koch, 2001). Of several largest ones it is the same for any number of peers and
 * threads. The product of n pairs has up to n²/2 edges, 8 bytes each and twice; finding the clique
 * is exponential at worst ({@link org.starling.algorithms.MaximumClique}). Where labels leave a
 * vertex more than {@value #FEW_PARTNERS} partners on average, there is no product: sets of
 * vertices are split instead (McCreesh, Prosser, Trimble, 2017; {@link SplitSearch}), on one
 * worker. Without labels that takes seconds for random graphs of 26 vertices each, and about twice
 * as long for each vertex more; graphs that have much in common go faster.
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
        return run(session, left, right, pairs, connected, verify, hasFewLabels(pairs));
    }

    /**
     * Finds a largest common substructure in one of two ways.
     *
     * @param splits whether to split sets of vertices instead of looking for a clique
     */
    static Result run(
            GraphSession session,
            SmallGraph left,
            SmallGraph right,
            List<int[]> pairs,
            boolean connected,
            boolean verify,
            boolean splits) {
        if (pairs.isEmpty()) {
            return new Result(0, List.of(), verify);
        }
        Pairing pairing = new Pairing(session, left, right, pairs, connected);
        List<int[]> found = splits ? pairing.bySplitting() : pairing.byClique();
        boolean proven = false;
        if (verify) {
            SubstructureCheck.require(left, right, found, connected);
            proven = pairing.isLargest(found.size());
        }
        return result(left, right, found, proven);
    }

    /** Whether a vertex may be paired with so many that cliques of the product are no good way. */
    static boolean hasFewLabels(List<int[]> pairs) {
        long lefts = pairs.stream().mapToInt(pair -> pair[0]).distinct().count();
        long rights = pairs.stream().mapToInt(pair -> pair[1]).distinct().count();
        return pairs.size() > (long) FEW_PARTNERS * Math.min(lefts, rights);
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
