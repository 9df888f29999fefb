package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.alg.connectivity.GabowStrongConnectivityInspector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

@ExtendWith(Clusters.class)
final class StronglyConnectedComponentsTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#peersAndDirectedShapes",
        "org.starling.algorithms.Scenarios#peersAndWideDirectedShapes",
        "tangles"
    })
    void namesComponentsOfOracleAfterTheirSmallestVertices(int peers, Shape shape) {
        assertAgrees(
                peers,
                shape,
                new GabowStrongConnectivityInspector<>(shape.oracle()).stronglyConnectedSets());
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#allPeersAndDirectedShapes",
        "org.starling.algorithms.Scenarios#allPeersAndWideDirectedShapes",
        "allTangles"
    })
    void namesComponentsOnAnyNumberOfPeers(int peers, Shape shape) {
        namesComponentsOfOracleAfterTheirSmallestVertices(peers, shape);
    }

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Shape#undirected")
    void findsConnectedComponentsWhereEdgesLeadBothWays(Shape shape) {
        assertAgrees(2, shape, new ConnectivityInspector<>(shape.oracle()).connectedSets());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void goesAroundLongCycleAndAlongLongPath(int peers) {
        assertGoesAroundAndAlong(peers, 300);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void goesAroundVeryLongCycleAndAlongVeryLongPath(int peers) {
        assertGoesAroundAndAlong(peers, 10_000);
    }

    private static void assertGoesAroundAndAlong(int peers, int length) {
        Shape cycle = shuffledCycle(length);
        Shape path = Shape.path(length, true);
        try (Lab round = Lab.of(peers, cycle);
                Lab straight = Lab.of(peers, path)) {
            assertThat(distributed(round)).isEqualTo(new ConnectedComponents.Result(1, length));
            assertThat(distributed(straight)).isEqualTo(new ConnectedComponents.Result(length, 1));
        }
    }

    /** Without supersteps for every step of a way, which these have many of. */
    @ParameterizedTest
    @EnumSource(Shape.Numbering.class)
    void followsLongWaysOfSmallGraphsAtOnce(Shape.Numbering numbering) {
        Shape path = Shape.path(10_000, true).renumbered(numbering);
        Shape chain = Shape.chainOfCycles(30, 300).renumbered(numbering);
        try (Lab straight = Lab.of(2, path);
                Lab chained = Lab.of(3, chain)) {
            assertThat(StronglyConnectedComponents.run(straight.session(), straight.graph(), false))
                    .isEqualTo(new ConnectedComponents.Result(10_000, 1));
            assertThat(StronglyConnectedComponents.run(chained.session(), chained.graph(), true))
                    .isEqualTo(new ConnectedComponents.Result(30, 300));
        }
    }

    /** Ids along the edges, against them and shuffled; 2 log n + t rounds, t being 6 here. */
    @ParameterizedTest
    @EnumSource(Shape.Numbering.class)
    void needsFewRoundsWhateverTheNumbering(Shape.Numbering numbering) {
        assertNeedsFewRounds(Shape.chainOfCycles(300, 3), numbering);
    }

    @Test
    void needsFewRoundsForFewLongCyclesAndForManyEdges() {
        assertNeedsFewRounds(Shape.chainOfCycles(4, 100), Shape.Numbering.SHUFFLED);
        assertNeedsFewRounds(Shape.tournamentOfCycles(100, 2), Shape.Numbering.BACKWARDS);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Shape.Numbering.class)
    void needsFewRoundsWhateverGraphAndNumbering(Shape.Numbering numbering) {
        assertNeedsFewRounds(Shape.chainOfCycles(4, 100), numbering);
        assertNeedsFewRounds(Shape.tournamentOfCycles(300, 2), numbering);
    }

    private static void assertNeedsFewRounds(Shape shape, Shape.Numbering numbering) {
        try (Lab lab = Lab.of(2, shape.renumbered(numbering))) {
            RunResult last = null;
            for (String program : List.of("trim", "flood", "colour")) {
                last = lab.session().run(lab.graph(), "algorithms.scc." + program, Parameters.NONE);
            }
            double most = 2 * Math.log(shape.ids().size()) / Math.log(2) + 6;
            assertThat((double) Objects.requireNonNull(last).longAggregate("rounds"))
                    .as(shape.toString())
                    .isBetween(1.0, most);
        }
    }

    private static ConnectedComponents.Result distributed(Lab lab) {
        return StronglyConnectedComponents.run(lab.session(), lab.graph(), 0, true);
    }

    @Test
    void checkRefusesComponentThatIsTorn() {
        Shape cycle = Shape.chainOfCycles(1, 4);

        assertRefused(
                cycle,
                List.of(0L, 0L, 2L, 2L),
                List.of(0L, 1L, 0L, 1L),
                List.of(0L, 1L, 0L, 1L),
                "not all members of its 2 components reach each other");
        assertRefused(
                cycle,
                List.of(0L, 1L, 2L, 3L),
                List.of(0L, 0L, 0L, 0L),
                List.of(0L, 0L, 0L, 0L),
                "4 vertices lie in, or lead to, components that should be one");
    }

    @Test
    void checkRefusesMembersThatDoNotReachEachOther() {
        assertRefused(
                Shape.path(3, true),
                List.of(1L, 1L, 1L),
                List.of(1L, 0L, 1L),
                List.of(1L, 0L, 1L),
                "not all members of its 1 components reach each other");
    }

    @Test
    void checkRefusesNameThatIsNotTheSmallestVertex() {
        List<Long> none = List.of(0L, 0L, 0L);

        assertRefused(
                Shape.path(3, true), List.of(0L, 2L, 2L), none, none, "vertex 1 has a component");
        assertRefused(
                Shape.path(3, true), List.of(-1L, 1L, 2L), none, none, "vertex 0 has a component");
    }

    private static void assertAgrees(int peers, Shape shape, List<Set<Long>> components) {
        try (Lab lab = Lab.of(peers, shape)) {
            for (int smallEdges : new int[] {0, StronglyConnectedComponents.SMALL_EDGES}) {
                ConnectedComponents.Result result =
                        StronglyConnectedComponents.run(
                                lab.session(), lab.graph(), smallEdges, true);

                assertThat(lab.vertices(StronglyConnectedComponents.COMPONENT))
                        .isEqualTo(smallest(shape, components, lab.ordinals()));
                assertThat(result)
                        .isEqualTo(
                                new ConnectedComponents.Result(
                                        components.size(),
                                        components.stream()
                                                .mapToInt(Set::size)
                                                .max()
                                                .orElseThrow()));
            }
        }
    }

    private static void assertRefused(
            Shape shape,
            List<Long> components,
            List<Long> aheads,
            List<Long> behinds,
            String reason) {
        try (Lab lab = Lab.of(2, shape)) {
            lab.forge(
                    ForgedColumn.vertices(
                            StronglyConnectedComponents.COMPONENT, lab.ordinals(components)));
            lab.forge(ForgedColumn.ints(StronglyConnectedComponents.AHEAD, aheads));
            lab.forge(ForgedColumn.ints(StronglyConnectedComponents.BEHIND, behinds));

            assertThatThrownBy(() -> StronglyConnectedComponents.check(lab.session(), lab.graph()))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("strongly connected components of graph")
                    .hasMessageContaining(reason);
        }
    }

    /**
     * Around the giant and without one: what trimming and the first search leave. Each on another
     * number of peers.
     */
    private static Stream<Arguments> tangles() {
        List<Arguments> all = allTangles().toList();
        return Stream.of(0, 5, 10, 15).map(all::get);
    }

    /** Each on one, two, three and five peers. */
    private static Stream<Arguments> allTangles() {
        List<Shape> tangles =
                List.of(
                        Shape.random("tangled random", 300, 400, 1, true),
                        Shape.random("loose random", 300, 330, 7, true),
                        Shape.chainOfCycles(40, 2),
                        Shape.chainOfCycles(25, 5));
        return Stream.of(1, 2, 3, 5)
                .flatMap(n -> tangles.stream().map(shape -> Arguments.of(n, shape)));
    }

    private static Shape shuffledCycle(int length) {
        List<Long> order = new ArrayList<>();
        for (long id = 0; id < length; id++) {
            order.add(id);
        }
        Collections.shuffle(order, new Random(Shape.SEED));
        Shape cycle = Shape.edges("shuffled cycle", true);
        for (int i = 0; i < length; i++) {
            cycle.edge(order.get(i), order.get((i + 1) % length));
        }
        return cycle;
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
