package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.alg.interfaces.ShortestPathAlgorithm.SingleSourcePaths;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.sssp.SsspProgram;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;

@ExtendWith(Clusters.class)
final class SsspTest {
    private static final float FAR = Float.POSITIVE_INFINITY;
    private static final Sssp.Options ALL = new Sssp.Options(Sssp.DISTANCE, true, true);

    static Stream<Arguments> scenarios() {
        List<Arguments> shapes = Scenarios.peersAndShapes().toList();
        Weighting[] others = {Weighting.WILD, Weighting.NONE};
        return IntStream.range(0, shapes.size())
                .boxed()
                .flatMap(i ->
                        Stream.of(
                                with(shapes.get(i), Weighting.UNIFORM),
                                with(shapes.get(i), others[i / 2 % others.length])));
    }

    static Stream<Arguments> allScenarios() {
        return Stream.of(Weighting.UNIFORM, Weighting.WILD, Weighting.NONE)
                .flatMap(weighting ->
                        Scenarios.allPeersAndShapes().map(shape -> with(shape, weighting)));
    }

    @ParameterizedTest(name = "{1}, {2}, on {0} peers")
    @MethodSource("scenarios")
    void findsLeastSumsAndParentsThatDoNotDependOnPeers(
            int peers, Shape shape, Weighting weighting) {
        List<Long> ids = shape.ids();
        int source = ids.size() / 2;
        try (Lab lab = weighting.lab(peers, shape)) {

            Sssp.Result result = Sssp.run(lab.session(), lab.graph(), ids.get(source), ALL);

            Reference expected = new Reference(shape, weighting, source, lab.ordinals());
            assertThat(distances(lab)).isEqualTo(expected.distances());
            assertThat(lab.vertices(Sssp.PARENT)).isEqualTo(expected.parents());
            List<Float> reached = expected.distances().stream().filter(d -> d < FAR).toList();
            assertThat(result.reached()).isEqualTo(reached.size());
            assertThat(result.maxDistance()).isEqualTo((double) Collections.max(reached));
            assertThat(result.sumDistance())
                    .isCloseTo(
                            reached.stream().mapToDouble(d -> d).sum(),
                            org.assertj.core.data.Percentage.withPercentage(1e-9));
            assertThat(result.verified()).isTrue();
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1}, {2}, on {0} peers")
    @MethodSource("allScenarios")
    void findsLeastSumsAndParentsOfAllWeightings(int peers, Shape shape, Weighting weighting) {
        findsLeastSumsAndParentsThatDoNotDependOnPeers(peers, shape, weighting);
    }

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("org.starling.algorithms.Scenarios#peersAndShapes")
    void findsDistancesOfOracle(int peers, Shape shape) {
        List<Long> ids = shape.ids();
        try (Lab lab = Weighting.EIGHTHS.lab(peers, shape)) {

            Sssp.run(
                    lab.session(),
                    lab.graph(),
                    ids.get(0),
                    new Sssp.Options(Sssp.DISTANCE, false, true));

            SingleSourcePaths<Long, DefaultWeightedEdge> paths =
                    new DijkstraShortestPath<>(weighted(shape)).getPaths(ids.get(0));
            assertThat(lab.numbers(Sssp.DISTANCE))
                    .isEqualTo(ids.stream().map(paths::getWeight).toList());
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("org.starling.algorithms.Scenarios#allPeersAndShapes")
    void findsDistancesOnAnyNumberOfPeers(int peers, Shape shape) {
        findsDistancesOfOracle(peers, shape);
    }

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#peers")
    void reachesEndOfVeryLongPath(int peers) {
        try (Lab lab = Weighting.UNIFORM.lab(peers, Shape.path(10_000, false))) {

            Sssp.Result result = Sssp.run(lab.session(), lab.graph(), 0, ALL);

            assertThat(result.reached()).isEqualTo(10_000);
        }
    }

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#peers")
    void widthOfFirstEpochChangesNothing(int peers) {
        Shape shape = Shape.hubs(600, 3000, false);
        try (Lab lab = Weighting.UNIFORM.lab(peers, shape)) {
            Reference expected = new Reference(shape, Weighting.UNIFORM, 0, lab.ordinals());
            for (double width : new double[] {1e-6, 0.001, 0.05, 0.3, 1e30}) {
                Parameters search =
                        Parameters.of(SsspProgram.SOURCE, 0L)
                                .with(SsspProgram.PARENTS, Sssp.PARENT)
                                .with(SsspProgram.WIDTH, width);

                lab.session().run(lab.graph(), SsspProgram.NAME, search);

                assertThat(distances(lab)).isEqualTo(expected.distances());
                assertThat(lab.vertices(Sssp.PARENT)).isEqualTo(expected.parents());
            }
        }
    }

    @Tag("slow")
    @Timeout(1_800)
    @Test
    void aThousandSearchesOfFivePeersAllEndRight() {
        Shape shape = Shape.hubs(3_000, 20_000, false);
        List<Long> ids = shape.ids();
        try (Lab lab = Weighting.UNIFORM.lab(5, shape)) {
            for (int search = 0; search < 1_000; search++) {
                long source = ids.get(search * 7 % ids.size());
                assertThat(Sssp.run(lab.session(), lab.graph(), source, ALL).verified()).isTrue();
            }
        }
    }

    @Test
    void leavesDistancesUnderAnotherName() {
        try (Lab lab = Weighting.EIGHTHS.lab(2, Shape.path(4, true))) {
            Sssp.run(lab.session(), lab.graph(), 0, new Sssp.Options("far", false, true));

            assertThat(lab.numbers("far")).hasSize(4).startsWith(0.0);
            assertThatThrownBy(() -> lab.numbers(Sssp.DISTANCE))
                    .isInstanceOf(InvalidInputException.class);
        }
    }

    @Test
    void refusesSourceThatIsNotInGraphAndOneNameForTwoStates() {
        try (Lab lab = Weighting.EIGHTHS.lab(2, Shape.path(4, false))) {
            assertThatThrownBy(() -> Sssp.run(lab.session(), lab.graph(), 4, Sssp.Options.DEFAULT))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no vertex 4");
            Sssp.Options same = new Sssp.Options(Sssp.PARENT, true, false);
            assertThatThrownBy(() -> Sssp.run(lab.session(), lab.graph(), 0, same))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("name the state otherwise");
        }
    }

    @Test
    void refusesNegativeWeightAndWeightThatIsNoNumberWhereverTheyAre() {
        for (float bad : new float[] {-1e-30f, Float.NaN, Float.NEGATIVE_INFINITY}) {
            try (Lab lab = listed(List.of(0L, 1L, 5L, 6L), List.of(1f, bad))) {
                assertThatThrownBy(
                                () -> Sssp.run(lab.session(), lab.graph(), 0, Sssp.Options.DEFAULT))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("has an edge at vertex 5 whose weight is negative");
            }
        }
    }

    @Test
    void takesNegativeZeroForZeroAndInfinityForNoWay() {
        List<Float> weights = List.of(-0f, 2f, FAR, Float.MAX_VALUE, Float.MAX_VALUE);
        List<Long> ends = List.of(0L, 1L, 1L, 2L, 2L, 3L, 0L, 4L, 4L, 5L);
        try (Lab lab = listed(ends, weights)) {
            Sssp.run(lab.session(), lab.graph(), 0, ALL);

            assertThat(distances(lab)).containsExactly(0f, 0f, 2f, FAR, Float.MAX_VALUE, FAR);
            assertThat(lab.vertices(Sssp.PARENT)).containsExactly(0L, 0L, 1L, -1L, 0L, -1L);
        }
    }

    @Test
    void checkRefusesDistanceThatIsTooLargeOrTooSmall() {
        // weights of the path: 1 each
        assertRefused(List.of(0f, 1f, 3f, 4f), List.of(0L, 0L, 1L, 2L), "vertex 2 would be");
        assertRefused(List.of(0f, 1f, 2f, 2.5f), List.of(0L, 0L, 1L, 2L), "vertex 3 has a");
        assertRefused(List.of(0f, 1f, 2f, FAR), List.of(0L, 0L, 1L, -1L), "vertex 3 would be");
        assertRefused(List.of(0f, 1f, 2f, Float.NaN), List.of(0L, 0L, 1L, 2L), "that is none");
        assertRefused(List.of(0.5f, 1.5f, 2.5f, 3.5f), List.of(0L, 0L, 1L, 2L), "distance 0");
    }

    @Test
    void checkRefusesFalseParents() {
        assertRefused(List.of(0f, 1f, 2f, 3f), List.of(0L, 0L, 3L, 2L), "vertex 2 has a");
        assertRefused(List.of(0f, 1f, 2f, 3f), List.of(1L, 0L, 1L, 2L), "its own parent");
        assertRefused(List.of(0f, 1f, 2f, 3f), List.of(0L, 0L, 1L, 3L), "its own parent");
        assertRefused(List.of(0f, 1f, 2f, 3f), List.of(0L, 0L, 1L, 77L), "vertex 3 has a");
    }

    @Test
    void checkRefusesCycleWithoutWeightThatHoldsItselfUp() {
        // 0 -1- 1, and 2 -0- 3 -0- 4 -0- 2 far from it: reached by nobody
        List<Long> ends = List.of(0L, 1L, 2L, 3L, 3L, 4L, 4L, 2L);
        List<Float> weights = List.of(1f, 0f, 0f, 0f);
        try (Lab lab = listed(ends, weights)) {
            Sssp.run(lab.session(), lab.graph(), 0, ALL);
            lab.forge(ForgedColumn.floats(Sssp.DISTANCE, List.of(0f, 1f, 7f, 7f, 7f)));
            lab.forge(
                    ForgedColumn.vertices(Sssp.PARENT, lab.ordinals(List.of(0L, 0L, 3L, 4L, 2L))));

            assertRefused(lab, true, "vertex 2 has a distance that no path");
            assertRefused(lab, false, "vertex 2 has a distance that no path");
        }
    }

    @Test
    void checkRefusesCycleOfParentsOverEdgesWithoutWeight() {
        // 0 -0- 1 -0- 2 -0- 3: distances are right, but 2 and 3 name each other
        List<Long> ends = List.of(0L, 1L, 1L, 2L, 2L, 3L);
        try (Lab lab = listed(ends, List.of(0f, 0f, 0f))) {
            Sssp.run(lab.session(), lab.graph(), 0, ALL);
            lab.forge(ForgedColumn.vertices(Sssp.PARENT, lab.ordinals(List.of(0L, 0L, 3L, 2L))));

            assertRefused(lab, true, "vertex 2 has a distance that no path");
        }
    }

    private static void assertRefused(List<Float> distances, List<Long> parents, String reason) {
        try (Lab lab = Weighting.NONE.lab(2, Shape.path(4, false))) {
            Sssp.run(lab.session(), lab.graph(), 0, ALL);
            lab.forge(ForgedColumn.floats(Sssp.DISTANCE, distances));
            lab.forge(ForgedColumn.vertices(Sssp.PARENT, lab.ordinals(parents)));

            assertRefused(lab, true, reason);
        }
    }

    private static void assertRefused(Lab lab, boolean parents, String reason) {
        Parameters search = Parameters.of(SsspProgram.SOURCE, 0L);
        Parameters states = parents ? search.with(SsspProgram.PARENTS, Sssp.PARENT) : search;
        assertThatThrownBy(() -> Sssp.require(lab.session(), lab.graph(), states))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("shortest paths of graph")
                .hasMessageContaining(reason);
    }

    private static Lab listed(List<Long> ends, List<Float> weights) {
        List<Long> bits = weights.stream().map(w -> (long) Float.floatToRawIntBits(w)).toList();
        return Lab.of(
                2,
                ListedEdges.NAME,
                ListedEdges.parameters(List.of(), ends, 3).with(ListedEdges.WEIGHTS, bits),
                org.starling.graph.BuildOptions.UNDIRECTED);
    }

    private static List<Float> distances(Lab lab) {
        return lab.numbers(Sssp.DISTANCE).stream().map(Double::floatValue).toList();
    }

    private static Arguments with(Arguments arguments, Weighting weighting) {
        return Arguments.of(arguments.get()[0], arguments.get()[1], weighting);
    }

    private static Graph<Long, DefaultWeightedEdge> weighted(Shape shape) {
        Graph<Long, DefaultWeightedEdge> graph =
                shape.isDirected()
                        ? new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class)
                        : new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
        Graph<Long, DefaultEdge> plain = shape.oracle();
        plain.vertexSet().forEach(graph::addVertex);
        for (DefaultEdge edge : plain.edgeSet()) {
            long a = plain.getEdgeSource(edge);
            long b = plain.getEdgeTarget(edge);
            DefaultWeightedEdge copy = graph.addEdge(a, b);
            graph.setEdgeWeight(copy, Weighting.EIGHTHS.weight(a, b, shape.isDirected()));
        }
        return graph;
    }

    /** Distances and parents by the book: rounds over all edges until nothing changes. */
    private static final class Reference {
        private final List<Long> ordinals;
        private final List<Long> ids;
        private final Graph<Long, DefaultEdge> graph;
        private final Weighting weighting;
        private final boolean directed;
        private final float[] distance;
        private final int[] level;
        private final long[] parent;

        Reference(Shape shape, Weighting weighting, int source, List<Long> ordinals) {
            this.ordinals = ordinals;
            this.ids = shape.ids();
            this.graph = shape.oracle();
            this.weighting = weighting;
            this.directed = shape.isDirected();
            this.distance = new float[ids.size()];
            this.level = new int[ids.size()];
            this.parent = new long[ids.size()];
            Arrays.fill(distance, FAR);
            Arrays.fill(level, Integer.MAX_VALUE);
            Arrays.fill(parent, -1);
            distance[source] = 0;
            level[source] = 0;
            boolean changed = true;
            while (changed) {
                changed = false;
                for (int v = 0; v < ids.size(); v++) {
                    changed |= v != source && improve(v);
                }
            }
            parent[source] = source;
        }

        List<Float> distances() {
            List<Float> list = new ArrayList<>();
            for (float d : distance) {
                list.add(d);
            }
            return list;
        }

        List<Long> parents() {
            return Arrays.stream(parent).boxed().toList();
        }

        private boolean isBefore(int u, long other) {
            return ordinals.get(u) < ordinals.get((int) other);
        }

        /** Sets the least of distance, edges without length before it, and parent. */
        private boolean improve(int v) {
            float oldDistance = distance[v];
            int oldLevel = level[v];
            long oldParent = parent[v];
            float bestDistance = FAR;
            int bestLevel = Integer.MAX_VALUE;
            long bestParent = -1;
            for (long id : Graphs.predecessorListOf(graph, ids.get(v))) {
                int u = Collections.binarySearch(ids, id);
                float length = distance[u] + weighting.weight(id, ids.get(v), directed);
                if (length == FAR) {
                    continue;
                }
                int levels = length > distance[u] ? 0 : level[u] + 1;
                if (length < bestDistance
                        || (length == bestDistance && levels < bestLevel)
                        || (length == bestDistance
                                && levels == bestLevel
                                && isBefore(u, bestParent))) {
                    bestDistance = length;
                    bestLevel = levels;
                    bestParent = u;
                }
            }
            distance[v] = bestDistance;
            level[v] = bestLevel;
            parent[v] = bestParent;
            return bestDistance != oldDistance || bestLevel != oldLevel || bestParent != oldParent;
        }
    }
}
