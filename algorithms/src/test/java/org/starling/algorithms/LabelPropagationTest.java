package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.RunResult;

@ExtendWith(Clusters.class)
final class LabelPropagationTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#peersAndShapes",
        "org.starling.algorithms.Scenarios#peersAndWideShapes"
    })
    void givesLabelsOfPlainRounds(int peers, Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        Map<Long, Long> expected = new TreeMap<>();
        shape.ids().forEach(id -> expected.put(id, id));
        try (Lab lab = Lab.of(peers, shape)) {
            for (int iterations = 1; iterations <= 3; iterations++) {
                expected.putAll(round(oracle, expected));
                if (iterations == 2) {
                    continue;
                }

                LabelPropagation.Result result = run(lab, iterations);

                assertThat(lab.integers(LabelPropagation.COMMUNITY))
                        .isEqualTo(new ArrayList<>(expected.values()));
                assertThat(result).isEqualTo(census(expected));
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#allPeersAndShapes",
        "org.starling.algorithms.Scenarios#allPeersAndWideShapes"
    })
    void givesLabelsOfPlainRoundsOnAnyNumberOfPeers(int peers, Shape shape) {
        givesLabelsOfPlainRounds(peers, shape);
    }

    @Test
    void stopsWhenNothingChangesAnyMore() {
        // no label of a clique ever changes after the second round
        try (Lab lab = Lab.of(2, Shape.cliques(9, 8))) {

            LabelPropagation.Result result = run(lab, Integer.MAX_VALUE);

            assertThat(result).isEqualTo(new LabelPropagation.Result(9, 8));
        }
    }

    @Test
    void takesLargeIdsForLargeOnes() {
        // two triangles that share a vertex; unsigned, -3 to -1 are the largest ids
        Shape bow = Shape.path(1, false).edge(-1, -2).edge(-2, 7).edge(7, -1).edge(7, 8).edge(8, 9);
        try (Lab lab = Lab.of(3, bow.edge(9, 7))) {

            run(lab, 1);

            assertThat(lab.integers(LabelPropagation.COMMUNITY))
                    .containsExactly(8L, 7L, 7L, 7L, 7L);
        }
    }

    @Test
    void refusesLessThanOneRound() {
        try (Lab lab = Lab.of(1, Shape.path(3, true))) {
            assertThatThrownBy(() -> run(lab, 0))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("\"iterations\" is 0, must be at least 1");
        }
    }

    @Test
    void leavesStateUnderTheNameThatIsGiven() {
        try (Lab lab = Lab.of(2, Shape.path(4, false))) {
            LabelPropagation.run(lab.session(), lab.graph(), 1, "village", true);

            assertThat(lab.integers("village")).containsExactly(1L, 0L, 1L, 2L);
            assertThatThrownBy(() ->
                            LabelPropagation.run(
                                    lab.session(), lab.graph(), 1, LabelPropagation.LABEL, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("\"communityLabel\" is taken");
        }
    }

    @Test
    void givesTheSameLabelsOnAnyNumberOfPeers() {
        Shape shape = Shape.hubs(600, 2_500, true);
        List<Object> results = new ArrayList<>();
        for (int peers : new int[] {1, 2, 3, 5}) {
            try (Lab lab = Lab.of(peers, shape)) {
                results.add(List.of(run(lab, 10), lab.integers(LabelPropagation.COMMUNITY)));
            }
        }

        assertThat(results).containsOnly(results.getFirst());
    }

    /**
     * The fifth vertex of a path of 9 (ordinal 3) takes another label in the second of five rounds.
     */
    public static final class LyingRound implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of("test.labels.lyingRound", parameters -> create(parameters));
        }

        private static Program create(Parameters parameters) {
            return new Meddling<>(
                    new LabelPropagationProgram(
                            parameters.with(LabelPropagationProgram.ITERATIONS, 5)),
                    IntState.class,
                    LabelPropagation.LABEL) {
                @Override
                IntState lying(IntState honest) {
                    return new IntState() {
                        @Override
                        public int get(long ordinal) {
                            return honest.get(ordinal);
                        }

                        @Override
                        public void set(long ordinal, int value) {
                            boolean lies = superstep() == 2 && ordinal == 3;
                            honest.set(ordinal, lies ? 8 : value);
                        }
                    };
                }
            };
        }
    }

    @Test
    void checkRefusesRoundInTheMiddleThatWentWrong() {
        try (Lab lab = Lab.of(2, Shape.path(9, false))) {
            RunResult run =
                    lab.session()
                            .run(
                                    lab.graph(),
                                    "test.labels.lyingRound",
                                    Parameters.of("verify", true));

            assertThatThrownBy(
                            () -> LabelPropagation.requireRounds(lab.session(), lab.graph(), run))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("vertex 4 took a label in superstep 2");
            assertThat(run.supersteps()).isEqualTo(3);
        }
    }

    @Test
    void checkRefusesLabelThatIsNoVertex() {
        assertRefused(LabelPropagation.LABEL, List.of(1L, 0L, 1L, 4L), "vertex 3 has a");
        assertRefused(LabelPropagation.LABEL, List.of(-1L, 0L, 1L, 2L), "vertex 0 has a");
    }

    @Test
    void checkRefusesCommunityOfAnotherLabel() {
        try (Lab lab = oneRoundOnPath()) {
            lab.forge(ForgedColumn.longs(LabelPropagation.COMMUNITY, List.of(1L, 0L, 2L, 2L)));

            assertThatThrownBy(() -> requireOneRound(lab))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("label propagation of graph")
                    .hasMessageContaining("vertex 2 has a community that is not the id");
        }
    }

    private static void assertRefused(String state, List<Long> forged, String reason) {
        try (Lab lab = oneRoundOnPath()) {
            lab.forge(ForgedColumn.ints(state, lab.ordinals(forged)));

            assertThatThrownBy(() -> requireOneRound(lab))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining(reason);
        }
    }

    /** Labels 1, 0, 1, 2. */
    private static Lab oneRoundOnPath() {
        Lab lab = Lab.of(2, Shape.path(4, false));
        run(lab, 1);
        assertThat(lab.integers(LabelPropagation.COMMUNITY)).containsExactly(1L, 0L, 1L, 2L);
        return lab;
    }

    private static LabelPropagation.Result run(Lab lab, int iterations) {
        return LabelPropagation.run(
                lab.session(), lab.graph(), iterations, LabelPropagation.COMMUNITY, true);
    }

    private static void requireOneRound(Lab lab) {
        LabelPropagationCheck.require(lab.session(), lab.graph(), LabelPropagation.COMMUNITY);
    }

    private static Map<Long, Long> round(Graph<Long, DefaultEdge> graph, Map<Long, Long> labels) {
        Map<Long, Long> next = new HashMap<>();
        for (Long v : graph.vertexSet()) {
            Map<Long, Integer> votes = new TreeMap<>();
            // an edge each way makes the same neighbour stand here twice
            for (Long neighbour : Graphs.neighborListOf(graph, v)) {
                votes.merge(labels.get(neighbour), 1, Integer::sum);
            }
            int most = votes.values().stream().mapToInt(count -> count).max().orElse(0);
            next.put(
                    v,
                    votes.entrySet().stream()
                            .filter(vote -> vote.getValue() == most)
                            .map(Map.Entry::getKey)
                            .findFirst()
                            .orElse(v));
        }
        return next;
    }

    private static LabelPropagation.Result census(Map<Long, Long> labels) {
        Map<Long, Long> sizes = new HashMap<>();
        labels.values().forEach(label -> sizes.merge(label, 1L, Long::sum));
        return new LabelPropagation.Result(
                sizes.size(), sizes.values().stream().mapToLong(size -> size).max().orElse(0));
    }
}
