package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class ConnectedComponentsTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#peersAndShapes",
        "org.starling.algorithms.Scenarios#peersAndWideShapes"
    })
    void namesComponentsOfOracleAfterTheirSmallestVertices(int peers, Shape shape) {
        List<Set<Long>> components = new ConnectivityInspector<>(shape.oracle()).connectedSets();
        try (Lab lab = Lab.of(peers, shape)) {

            ConnectedComponents.Result result =
                    ConnectedComponents.run(lab.session(), lab.graph(), true);

            assertThat(lab.vertices(ConnectedComponents.COMPONENT))
                    .isEqualTo(smallest(shape, components, lab.ordinals()));
            assertThat(result.components()).isEqualTo(components.size());
            assertThat(result.largest())
                    .isEqualTo(components.stream().mapToInt(Set::size).max().orElseThrow());
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#allPeersAndShapes",
        "org.starling.algorithms.Scenarios#allPeersAndWideShapes"
    })
    void namesComponentsOnAnyNumberOfPeers(int peers, Shape shape) {
        namesComponentsOfOracleAfterTheirSmallestVertices(peers, shape);
    }

    @Test
    void labelsLargestComponentAlsoWhenHighestDegreeLiesElsewhere() {
        // a clique of 5 with ids 0 to 4, and a path of 50 from id 100 on
        Shape shape = Shape.cliques(1, 5);
        for (long id = 100; id < 149; id++) {
            shape.edge(id, id + 1);
        }
        try (Lab lab = Lab.of(3, shape)) {

            ConnectedComponents.Result result =
                    ConnectedComponents.run(lab.session(), lab.graph(), true);

            assertThat(result).isEqualTo(new ConnectedComponents.Result(2, 50));
        }
    }

    @Test
    void findsVertexOfHighestDegree() {
        try (Lab lab = Lab.of(2, Shape.star(500, 700, false))) {
            assertThat(lab.session().id(lab.graph(), 0)).isEqualTo(500);
        }
    }

    @Test
    void followsLongPath() {
        assertFollows(1_000);
    }

    @Tag("slow")
    @Test
    void followsVeryLongPath() {
        assertFollows(10_000);
    }

    private static void assertFollows(int length) {
        try (Lab lab = Lab.of(2, Shape.path(length, false))) {

            ConnectedComponents.Result result =
                    ConnectedComponents.run(lab.session(), lab.graph(), true);

            assertThat(result).isEqualTo(new ConnectedComponents.Result(1, length));
        }
    }

    @Test
    void checkSeesEdgesOfDirectedGraphsFromBothEnds() {
        // 1 → 0 and 1 → 2: nothing leads out of 0 and 2
        Shape fork = Shape.path(1, true).edge(1, 0).edge(1, 2);

        assertRefused(fork, List.of(0L, 0L, 2L), List.of(0L, 1L, 0L), "vertex 1 has a neighbour");
        assertRefused(fork, List.of(1L, 1L, 1L), List.of(0L, 0L, 0L), "3 sets of connected");
    }

    @Test
    void checkRefusesComponentThatIsTorn() {
        assertRefused(
                Shape.path(4, false),
                List.of(0L, 0L, 2L, 2L),
                List.of(0L, 1L, 0L, 1L),
                "vertex 1 has a neighbour in another component");
    }

    @Test
    void checkRefusesNameThatIsNotTheSmallestVertex() {
        Shape path = Shape.path(3, false); // vertex 1 has most edges and so the smallest ordinal

        assertRefused(path, List.of(0L, 0L, 0L), List.of(0L, 1L, 2L), "vertex 1 has a component");
        assertRefused(
                path, List.of(-1L, -1L, -1L), List.of(0L, 1L, 2L), "vertex 1 has a component");
    }

    @Test
    void checkRefusesOneNameForTwoComponents() {
        Shape apart = Shape.path(2, false).edge(10, 11);

        assertRefused(
                apart, List.of(0L, 0L, 0L, 0L), List.of(0L, 1L, 1L, 2L), "2 sets of connected");
        assertRefused(
                apart, List.of(0L, 0L, 0L, 0L), List.of(0L, 1L, 2L, 2L), "share 1 components");
    }

    private static void assertRefused(
            Shape shape, List<Long> components, List<Long> steps, String reason) {
        try (Lab lab = Lab.of(2, shape)) {
            ConnectedComponents.run(lab.session(), lab.graph(), true);
            lab.forge(
                    ForgedColumn.vertices(ConnectedComponents.COMPONENT, lab.ordinals(components)));
            lab.forge(ForgedColumn.ints(ConnectedComponents.STEP, steps));

            assertThatThrownBy(() -> ConnectedComponents.check(lab.session(), lab.graph()))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("connected components of graph")
                    .hasMessageContaining(reason);
        }
    }

    /** Of each vertex, the one with the smallest ordinal of its component. */
    private static List<Long> smallest(
            Shape shape, List<Set<Long>> components, List<Long> ordinals) {
        List<Long> ids = shape.ids();
        List<Long> names = new ArrayList<>(Collections.nCopies(ids.size(), -1L));
        for (Set<Long> component : components) {
            long smallest =
                    component.stream()
                            .map(id -> Collections.binarySearch(ids, id))
                            .min(Comparator.comparing(ordinals::get))
                            .orElseThrow();
            component.forEach(id -> names.set(Collections.binarySearch(ids, id), smallest));
        }
        return names;
    }
}
