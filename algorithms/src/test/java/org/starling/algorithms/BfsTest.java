package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.traverse.BreadthFirstIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class BfsTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#peersAndShapes",
        "org.starling.algorithms.Scenarios#peersAndWideShapes"
    })
    void findsLevelsOfOracleAndParentsOfSmallestOrdinal(int peers, Shape shape) {
        try (Lab lab = Lab.of(peers, shape)) {
            List<Long> ids = shape.ids();
            long source = ids.get(ids.size() / 2);

            Bfs.Result result = Bfs.run(lab.session(), lab.graph(), source, true);

            List<Long> levels = levels(shape, source);
            assertThat(lab.integers(Bfs.LEVEL)).isEqualTo(levels);
            assertThat(lab.vertices(Bfs.PARENT))
                    .isEqualTo(smallestParents(shape, levels, lab.ordinals()));
            assertThat(result.source()).isEqualTo(source);
            assertThat(result.reached()).isEqualTo(levels.stream().filter(l -> l >= 0).count());
            assertThat(result.levels()).isEqualTo(histogram(levels));
            assertThat(result.verified()).isTrue();
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#allPeersAndShapes",
        "org.starling.algorithms.Scenarios#allPeersAndWideShapes"
    })
    void findsLevelsAndParentsOnAnyNumberOfPeers(int peers, Shape shape) {
        findsLevelsOfOracleAndParentsOfSmallestOrdinal(peers, shape);
    }

    @Test
    void reachesEndOfLongPath() {
        assertReachesEnd(1_000);
    }

    @Tag("slow")
    @Test
    void reachesEndOfVeryLongPath() {
        assertReachesEnd(10_000);
    }

    private static void assertReachesEnd(int length) {
        try (Lab lab = Lab.of(2, Shape.path(length, false))) {

            Bfs.Result result = Bfs.run(lab.session(), lab.graph(), 0, true);

            assertThat(result.levels()).hasSize(length).containsOnly(1);
        }
    }

    @Test
    void countsLevelsWindowByWindow() {
        try (Lab lab = Lab.of(1, Shape.grid(40, 25))) {
            Bfs.Result result = Bfs.run(lab.session(), lab.graph(), 0, false);

            long[] levels = Bfs.levels(lab.session(), lab.graph(), 1000, 7);

            assertThat(levels).isEqualTo(result.levels());
            assertThat(result.verified()).isFalse();
        }
    }

    @Test
    void refusesSourceThatIsNotInGraph() {
        try (Lab lab = Lab.of(2, Shape.path(10, false))) {
            assertThatThrownBy(() -> Bfs.run(lab.session(), lab.graph(), 10, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("10");
        }
    }

    @Test
    void checkRefusesLevelThatIsTooLarge() {
        // 0 - 1 - 2 - 3 and 0 - 3: vertex 3 is one edge away, not three
        Shape square = Shape.path(4, false).edge(0, 3);

        assertRefused(square, List.of(0L, 1L, 2L, 3L), List.of(0L, 0L, 1L, 2L), "from it");
    }

    @Test
    void checkRefusesLevelThatIsTooSmall() {
        Shape path = Shape.path(4, false);

        assertRefused(path, List.of(0L, 1L, 1L, 2L), List.of(0L, 0L, 0L, 2L), "vertex 2 has a");
    }

    @Test
    void checkRefusesUnreachedNeighbour() {
        Shape path = Shape.path(4, false);

        assertRefused(path, List.of(0L, 1L, 2L, -1L), List.of(0L, 0L, 1L, -1L), "reached from it");
    }

    @Test
    void checkRefusesParentOfSameLevelAndParentThatIsNoVertex() {
        Shape triangle = Shape.cliques(1, 3);

        assertRefused(triangle, List.of(0L, 1L, 1L), List.of(0L, 0L, 1L), "one level up");
        assertRefused(triangle, List.of(0L, 1L, 1L), List.of(0L, 0L, 77L), "one level up");
    }

    @Test
    void checkRefusesParentThatIsOneLevelUpButNoNeighbour() {
        // two arms of a path with the source in the middle: 4 - 3 - 2 - 1 - 0 from 2
        List<Long> levels = List.of(2L, 1L, 0L, 1L, 2L);
        List<Long> parents = List.of(3L, 2L, 2L, 2L, 3L);

        assertRefused(Shape.path(5, false), 2, levels, parents, "vertex 0 has a parent");
    }

    @Test
    void checkRefusesSecondRootAndForeignRoot() {
        Shape apart = Shape.path(2, false).vertex(9);

        assertRefused(apart, List.of(0L, 1L, 0L), List.of(0L, 0L, 2L), "vertex 9 has level 0");
        assertRefused(apart, 9, List.of(0L, 1L, -1L), List.of(0L, 0L, -1L), "is not the source");
        assertRefused(
                apart, List.of(-1L, -1L, -1L), List.of(-1L, -1L, -1L), "0 vertices of level 0");
    }

    @Test
    void checkRefusesOrphanWithParent() {
        Shape apart = Shape.path(2, false).vertex(9);

        assertRefused(apart, List.of(0L, 1L, -1L), List.of(0L, 0L, 1L), "not reached");
    }

    @Test
    void checkRefusesParentAgainstArrow() {
        // 0 -> 1, 0 -> 2, 1 -> 3: vertex 3 claims to come from 2
        Shape tree = Shape.path(2, true).edge(0, 2).edge(1, 3);

        assertRefused(
                tree, List.of(0L, 1L, 1L, 2L), List.of(0L, 0L, 0L, 2L), "without an edge to them");
    }

    private static void assertRefused(
            Shape shape, List<Long> levels, List<Long> parents, String reason) {
        assertRefused(shape, 0, levels, parents, reason);
    }

    private static void assertRefused(
            Shape shape, long source, List<Long> levels, List<Long> parents, String reason) {
        try (Lab lab = Lab.of(2, shape)) {
            Bfs.run(lab.session(), lab.graph(), source, true);
            lab.forge(ForgedColumn.ints(Bfs.LEVEL, levels));
            lab.forge(ForgedColumn.vertices(Bfs.PARENT, lab.ordinals(parents)));

            assertThatThrownBy(() -> BfsCheck.require(lab.session(), lab.graph(), source))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("breadth-first search of graph")
                    .hasMessageContaining(reason);
        }
    }

    private static List<Long> levels(Shape shape, long source) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        List<Long> ids = shape.ids();
        List<Long> levels = new ArrayList<>(Collections.nCopies(ids.size(), -1L));
        BreadthFirstIterator<Long, DefaultEdge> search = new BreadthFirstIterator<>(oracle, source);
        while (search.hasNext()) {
            long id = search.next();
            levels.set(Collections.binarySearch(ids, id), (long) search.getDepth(id));
        }
        return levels;
    }

    private static List<Long> smallestParents(Shape shape, List<Long> levels, List<Long> ordinals) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        List<Long> ids = shape.ids();
        List<Long> parents = new ArrayList<>();
        for (int v = 0; v < ids.size(); v++) {
            long above = levels.get(v) - 1;
            parents.add(
                    above < 0
                            ? levels.get(v) < 0 ? -1L : v
                            : Graphs.predecessorListOf(oracle, ids.get(v)).stream()
                                    .map(id -> Collections.binarySearch(ids, id))
                                    .filter(u -> levels.get(u) == above)
                                    .min(Comparator.comparing(ordinals::get))
                                    .orElseThrow()
                                    .longValue());
        }
        return parents;
    }

    private static long[] histogram(List<Long> levels) {
        long[] counts = new long[(int) (Collections.max(levels) + 1)];
        levels.stream().filter(l -> l >= 0).forEach(l -> counts[l.intValue()]++);
        return Arrays.copyOf(counts, counts.length);
    }
}
