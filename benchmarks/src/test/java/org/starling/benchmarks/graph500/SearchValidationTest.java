package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.JobFailedException;

/** False trees, each breaking one rule, against the validation that must see it. */
class SearchValidationTest {

    private static final String GRAPH = "g";
    private static final long NONE = -1;

    // A square 0-1-2-3 with a tail 3-4-5, a triangle 6-7-8 of its own, and 9 alone.
    private static final long[][] EDGES = {
        {0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}, {4, 5}, {6, 7}, {7, 8}, {8, 6}, {1, 0}, {5, 5}
    };
    private static final int VERTICES = 10;

    // Edges of the square and the tail, and the second 0-1.
    private static final long TRAVERSED = 7;

    private FakeGraph graph;
    private SearchValidation validation;

    @BeforeEach
    void makeGraph() {
        FakeSession session = new FakeSession(3);
        graph = FakeGraph.of(GRAPH, VERTICES, 3, EDGES);
        session.graphs.put(GRAPH, graph);
        validation = new SearchValidation(session, GRAPH, LevelValidation.NAME);
    }

    @Test
    void acceptsATrueTree() {
        graph.leave(0, 0, 1, 0, 3, 4, NONE, NONE, NONE, NONE);

        validation.require(0, TRAVERSED);
    }

    @Test
    void acceptsEitherOfTwoParents() {
        graph.leave(0, 0, 3, 0, 3, 4, NONE, NONE, NONE, NONE);

        validation.require(0, TRAVERSED);
    }

    @Test
    void acceptsARootWithoutEdges() {
        graph.leave(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 9);

        validation.require(9, 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {-2, 10, Long.MAX_VALUE, Long.MIN_VALUE})
    void rejectsAParentThatIsNoVertex(long parent) {
        graph.leave(0, 0, 1, 0, 3, parent, NONE, NONE, NONE, NONE);

        assertRejected("rule 1: a parent is no vertex, at vertex 5");
    }

    @Test
    void rejectsARootThatIsNotItsOwnParent() {
        graph.leave(
                new long[] {1, 0, 1, 0, 3, 4, NONE, NONE, NONE, NONE},
                new int[] {0, 1, 2, 1, 2, 3, -1, -1, -1, -1});

        assertRejected("rule 1: the root is not its own parent, at vertex 0");
    }

    @Test
    void rejectsAParentCycleInTheComponent() {
        graph.leave(
                new long[] {0, 0, 1, 0, 5, 4, NONE, NONE, NONE, NONE},
                new int[] {0, 1, 2, 1, 2, 3, -1, -1, -1, -1});

        assertRejected("rule 1: following parents does not lead to the root");
    }

    @Test
    void rejectsAParentCycleThatCoversAnotherComponent() {
        graph.leave(
                new long[] {0, 0, 1, 0, 3, 4, 7, 8, 6, NONE},
                new int[] {0, 1, 2, 1, 2, 3, 100, 101, 102, -1});

        assertRejected("rule 1: following parents does not lead to the root");
    }

    @Test
    void rejectsASecondRoot() {
        graph.leave(0, 0, 1, 0, 3, 4, 6, 6, 6, NONE);

        assertRejected("rule 1: following parents does not lead to the root");
    }

    @Test
    void rejectsALevelThatIsNotOneMoreThanTheParents() {
        graph.leave(
                new long[] {0, 0, 1, 0, 3, 4, NONE, NONE, NONE, NONE},
                new int[] {0, 1, 2, 1, 2, 2, -1, -1, -1, -1});

        assertRejected("rule 2: the level is not one more than the parent's, at vertex 5");
    }

    @Test
    void rejectsALevelOfAVertexNotReached() {
        graph.leave(
                new long[] {0, 0, 1, 0, 3, 4, NONE, NONE, NONE, NONE},
                new int[] {0, 1, 2, 1, 2, 3, -1, -1, -1, 0});

        assertRejected("rule 2: ");
    }

    @Test
    void rejectsATreeThatIsDeeperThanItMustBe() {
        // 3 hangs below 2, although 0 is its neighbour.
        graph.leave(0, 0, 1, 2, 3, 4, NONE, NONE, NONE, NONE);

        assertRejected("rule 3: an edge joins levels that differ by more than one");
    }

    @Test
    void rejectsATreeThatIsOneLevelTooDeep() {
        // In the triangle, 8 hangs below 7, although the root is its neighbour.
        graph.leave(NONE, NONE, NONE, NONE, NONE, NONE, 6, 6, 7, NONE);

        assertThatThrownBy(() -> validation.require(6, 3))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("rule 3: an edge joins levels that differ by more than one");
    }

    @Test
    void rejectsATreeThatDoesNotSpanTheComponent() {
        graph.leave(0, 0, 1, 0, 3, NONE, NONE, NONE, NONE, NONE);

        assertRejected("rule 4: an edge joins a vertex that was reached and one that was not");
    }

    @Test
    void rejectsAParentThatIsNoNeighbour() {
        // 2 and 4 are both at level 2; 5 is a neighbour of 4 only.
        graph.leave(0, 0, 1, 0, 3, 2, NONE, NONE, NONE, NONE);

        assertRejected("rule 5: the parent is not a neighbour, at vertex 5");
    }

    @Test
    void rejectsAnotherComponentHungBelowTheRoot() {
        graph.leave(0, 0, 1, 0, 3, 4, 0, 0, 0, NONE);

        assertRejected("rule 5: the parent is not a neighbour, at vertex 6");
    }

    @Test
    void rejectsAVertexWithoutEdgesHungBelowTheRoot() {
        graph.leave(0, 0, 1, 0, 3, 4, NONE, NONE, NONE, 0);

        assertRejected("rule 5: the parent is not a neighbour, at vertex 9");
    }

    @Test
    void rejectsAnEdgeCountThatIsNotConfirmed() {
        graph.leave(0, 0, 1, 0, 3, 4, NONE, NONE, NONE, NONE);

        assertThatThrownBy(() -> validation.require(0, TRAVERSED - 1))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("the number of traversed edges differs");
    }

    @Test
    void rejectsATreeOfAnotherRoot() {
        graph.search(3);

        assertThatThrownBy(() -> validation.require(1, TRAVERSED))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(
                        "the search from key 1 breaks rule 1: the root is not its own");
    }

    @Test
    void rejectsEverySingleWrongParentOfARandomGraph() {
        long seed = 7;
        Random random = new Random(seed);
        FakeSession session = new FakeSession(4);
        long[][] edges = new long[120][];
        for (int k = 0; k < edges.length; k++) {
            edges[k] = new long[] {random.nextInt(60), random.nextInt(60)};
        }
        FakeGraph made = FakeGraph.of(GRAPH, 60, 4, edges);
        session.graphs.put(GRAPH, made);
        made.search(0);
        long[] truth = made.longs(Kernels.PARENT).clone();
        int[] levels = made.ints(Kernels.LEVEL).clone();
        SearchValidation of = new SearchValidation(session, GRAPH, LevelValidation.NAME);
        long traversed = traversed(made, truth);
        made.leave(truth, levels);
        of.require(0, traversed);

        for (int vertex = 1; vertex < 60; vertex++) {
            for (int parent = -1; parent < 60; parent++) {
                long[] parents = truth.clone();
                parents[vertex] = parent;
                made.leave(parents, levels);
                boolean right = isRight(made, levels, vertex, parent);

                var check = "seed %d, parent of %d is %d".formatted(seed, vertex, parent);
                if (right) {
                    assertThatCode(() -> of.require(0, traversed))
                            .as(check)
                            .doesNotThrowAnyException();
                } else {
                    assertThatThrownBy(() -> of.require(0, traversed))
                            .as(check)
                            .isInstanceOf(JobFailedException.class);
                }
            }
        }
    }

    /** What a parent must be, said in another way than by the validation. */
    private static boolean isRight(FakeGraph graph, int[] levels, int vertex, int parent) {
        if (levels[vertex] < 0) {
            return parent < 0;
        }
        return parent >= 0
                && levels[parent] == levels[vertex] - 1
                && Arrays.stream(graph.rows[vertex]).anyMatch(u -> u == parent);
    }

    private static long traversed(FakeGraph graph, long[] parents) {
        int[] degrees = graph.ints(Kernels.INPUT_DEGREE);
        long sum = 0;
        for (int vertex = 0; vertex < parents.length; vertex++) {
            sum += parents[vertex] >= 0 ? degrees[vertex] : 0;
        }
        return sum / 2;
    }

    private void assertRejected(String reason) {
        assertThatThrownBy(() -> validation.require(0, TRAVERSED))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("No results printed for invalid run. Reason: ")
                .hasMessageContaining("the search from key 0 breaks " + reason);
    }
}
