package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.algorithms.substructure.CommonSubstructure;
import org.starling.algorithms.substructure.CommonSubstructure.Labelled;
import org.starling.algorithms.substructure.CommonSubstructure.Pair;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;

@ExtendWith(Clusters.class)
final class CommonSubstructureTest {
    /** Peers, whether graphs are directed, and whether what they share is to be connected. */
    private static final String KINDS =
            """
            1, false, false
            2, false, true
            3, false, false
            1, true, false
            2, true, true
            5, false, true
            """;

    @ParameterizedTest
    @CsvSource(textBlock = KINDS)
    void findsAsManyPairsAsTryingAll(int peers, boolean directed, boolean connected) {
        assertFindsAsMany(peers, directed, connected, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource(textBlock = KINDS)
    void findsAsManyPairsAsTryingAllOfMoreGraphs(int peers, boolean directed, boolean connected) {
        for (long seed = 2; seed <= 4; seed++) {
            assertFindsAsMany(peers, directed, connected, seed);
        }
    }

    private static void assertFindsAsMany(
            int peers, boolean directed, boolean connected, long seed) {
        Shape left = random(7, 10, seed, directed);
        Shape right = random(8, 13, seed + 100, directed);
        Map<Long, String> leftLabels = labels(left, seed);
        Map<Long, String> rightLabels = labels(right, seed + 200);
        try (Lab first = Lab.of(peers, left);
                Lab second = Lab.of(peers, right)) {

            CommonSubstructure.Result result =
                    CommonSubstructure.run(
                            first.session(),
                            new Labelled(first.graph(), leftLabels),
                            new Labelled(second.graph(), rightLabels),
                            connected,
                            true,
                            () -> {});

            assertThat(result.size())
                    .as("seed %d", seed)
                    .isEqualTo(new Trial(left, right, leftLabels, rightLabels, connected).largest())
                    .isEqualTo(result.pairs().size());
        }
    }

    @Test
    void pairsTheSameVerticesWithAnyNumberOfPeers() {
        Shape left = random(14, 30, 3, false);
        Shape right = random(14, 30, 4, false);

        List<Pair> pairs = pairs(1, left, right, false);

        assertThat(pairs(3, left, right, false)).isEqualTo(pairs);
        assertThat(pairs(5, left, right, false)).isEqualTo(pairs);
    }

    @Test
    void findsPathInCycleAndApartOnlyWhatMayBeApart() {
        Shape cycle = Shape.edges("cycle", false).edge(0, 1).edge(1, 2).edge(2, 3).edge(3, 0);
        Shape apart = Shape.edges("two edges", false).edge(5, 6).edge(8, 9);
        Shape path = Shape.edges("path", false).edge(10, 11).edge(11, 12).edge(12, 13).edge(13, 14);

        assertThat(pairs(1, cycle, path, false)).hasSize(3);
        assertThat(pairs(1, apart, path, false)).hasSize(4);
        assertThat(pairs(1, apart, path, true)).hasSize(2);
    }

    @Test
    void findsNothingWhereLabelsDiffer() {
        try (Lab lab = Lab.of(1, Shape.path(3, false))) {
            Map<Long, String> letters = Map.of(0L, "a", 1L, "b", 2L, "a");
            Map<Long, String> others = Map.of(0L, "c", 1L, "d", 2L, "c");

            CommonSubstructure.Result result =
                    CommonSubstructure.run(
                            lab.session(),
                            new Labelled(lab.graph(), letters),
                            new Labelled(lab.graph(), others),
                            false,
                            true,
                            () -> {});

            assertThat(result).isEqualTo(new CommonSubstructure.Result(0, List.of(), true));
        }
    }

    @Test
    void refusesWhatItCannotCompare() {
        try (Lab large = Lab.of(1, Shape.path(65, false));
                Lab directed = Lab.of(1, Shape.path(3, true))) {
            assertThatThrownBy(() -> run(large, large, Map.of()))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("have 4225 pairs of vertices with the same label")
                    .hasMessageContaining("at most 4096; take smaller graphs or finer labels");
            assertThatThrownBy(() -> run(large, directed, Map.of()))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("is directed, the other is not");
            assertThatThrownBy(() -> run(directed, directed, Map.of(0L, "a")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("vertex 1 of graph")
                    .hasMessageContaining("has no label");
            assertThat(large.session().graphs()).noneMatch(name -> name.contains(" x "));
        }
    }

    private static List<Pair> pairs(int peers, Shape left, Shape right, boolean connected) {
        try (Lab first = Lab.of(peers, left);
                Lab second = Lab.of(peers, right)) {
            GraphSession session = first.session();
            return CommonSubstructure.run(
                            session,
                            new Labelled(first.graph(), Map.of()),
                            new Labelled(second.graph(), Map.of()),
                            connected,
                            true,
                            () -> {})
                    .pairs();
        }
    }

    private static CommonSubstructure.Result run(Lab first, Lab second, Map<Long, String> labels) {
        return CommonSubstructure.run(
                first.session(),
                new Labelled(first.graph(), labels),
                new Labelled(second.graph(), labels),
                false,
                false,
                () -> {});
    }

    private static Shape random(int vertices, int edges, long seed, boolean directed) {
        SplittableRandom random = new SplittableRandom(seed);
        Shape shape = Shape.edges("random, seed " + seed, directed).range(0, vertices);
        for (int i = 0; i < edges; i++) {
            shape.edge(random.nextInt(vertices), random.nextInt(vertices));
        }
        return shape;
    }

    private static Map<Long, String> labels(Shape shape, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, String> labels = new HashMap<>();
        shape.ids().forEach(id -> labels.put(id, random.nextInt(2) == 0 ? "C" : "N"));
        return labels;
    }

    /** Tries all ways to pair vertices, vertex by vertex of the first graph. */
    private static final class Trial {
        private final Graph<Long, DefaultEdge> left;
        private final Graph<Long, DefaultEdge> right;
        private final Map<Long, String> leftLabels;
        private final Map<Long, String> rightLabels;
        private final boolean connected;
        private final List<Long> vertices;
        private int largest;

        Trial(
                Shape left,
                Shape right,
                Map<Long, String> leftLabels,
                Map<Long, String> rightLabels,
                boolean connected) {
            this.left = left.oracle();
            this.right = right.oracle();
            this.leftLabels = leftLabels;
            this.rightLabels = rightLabels;
            this.connected = connected;
            this.vertices = left.ids();
        }

        int largest() {
            extend(0, new ArrayList<>());
            return largest;
        }

        private void extend(int next, List<Pair> pairs) {
            if (pairs.size() > largest && (!connected || isConnected(pairs))) {
                largest = pairs.size();
            }
            if (next == vertices.size()) {
                return;
            }
            long vertex = vertices.get(next);
            for (long other : right.vertexSet()) {
                Pair pair = new Pair(vertex, other);
                if (fits(pair, pairs)) {
                    pairs.add(pair);
                    extend(next + 1, pairs);
                    pairs.removeLast();
                }
            }
            extend(next + 1, pairs);
        }

        private boolean fits(Pair pair, List<Pair> pairs) {
            return Objects.equals(leftLabels.get(pair.first()), rightLabels.get(pair.second()))
                    && pairs.stream()
                            .allMatch(p ->
                                    p.second() != pair.second()
                                            && left.containsEdge(p.first(), pair.first())
                                                    == right.containsEdge(p.second(), pair.second())
                                            && left.containsEdge(pair.first(), p.first())
                                                    == right.containsEdge(
                                                            pair.second(), p.second()));
        }

        private boolean isConnected(List<Pair> pairs) {
            Set<Long> reached = new HashSet<>(Set.of(pairs.getFirst().first()));
            for (int before = 0; before < reached.size(); ) {
                before = reached.size();
                for (Pair pair : pairs) {
                    if (Set.copyOf(reached).stream()
                            .anyMatch(from ->
                                    left.containsEdge(from, pair.first())
                                            || left.containsEdge(pair.first(), from))) {
                        reached.add(pair.first());
                    }
                }
            }
            return reached.size() == pairs.size();
        }
    }
}
