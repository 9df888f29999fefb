package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;

class ConstructionCheckTest {

    private static final Parameters SOURCE = Parameters.of("scale", 8).with("edgefactor", 16);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 256})
    void acceptsWhatTheInputSays(int shards) {
        check(shards, SOURCE, graph -> graph);
    }

    @Test
    void looksAtMoreThanOneRangeOfEdges() {
        // 614 400 edges: two ranges.
        check(5, Parameters.of("scale", 11).with("edgefactor", 300), graph -> graph);
    }

    @Test
    void rejectsAMissingEntry() {
        assertThatThrownBy(() -> check(3, SOURCE, ConstructionCheckTest::withoutLastEntry))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("No results printed for invalid run.")
                .hasMessageContaining("an edge of the input is not in the graph");
    }

    @Test
    void rejectsAnInventedEntry() {
        assertThatThrownBy(() -> check(3, SOURCE, ConstructionCheckTest::withInventedEntry))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("an edge of the graph is not in the input");
    }

    @Test
    void rejectsAWrongInputDegree() {
        UnaryOperator<FakeGraph> wrong =
                graph -> {
                    graph.ints(Kernels.INPUT_DEGREE)[17]++;
                    return graph;
                };

        assertThatThrownBy(() -> check(3, SOURCE, wrong))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(
                        "wrong at vertex 17: the input degree is not the number of input edges");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 4, 256})
    void rejectsIdsThatAreNotTheGenerators(long wrongId) {
        UnaryOperator<FakeGraph> wrong =
                graph -> {
                    graph.ids[3] = wrongId;
                    return graph;
                };

        assertThatThrownBy(() -> check(3, SOURCE, wrong))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("the id is not one of the generator's");
    }

    @Test
    void rejectsWrongCounts() {
        FakeSession session = new FakeSession(2);
        BuildResult right = build(session, SOURCE);
        BuildResult loops =
                new BuildResult(
                        right.graph(),
                        right.skippedSelfLoops() + 1,
                        right.skippedDuplicates(),
                        1,
                        1);
        BuildResult duplicates =
                new BuildResult(
                        right.graph(),
                        right.skippedSelfLoops(),
                        right.skippedDuplicates() - 1,
                        1,
                        1);

        assertThatThrownBy(() -> new ConstructionCheck(session, SOURCE).require(loops))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("self-loops, there are");
        assertThatThrownBy(() -> new ConstructionCheck(session, SOURCE).require(duplicates))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("duplicates, there are");
    }

    @Test
    void rejectsTheWrongNumberOfVertices() {
        FakeSession session = new FakeSession(2);
        BuildResult built = build(session, SOURCE);
        Parameters other = SOURCE.with("scale", 9);

        assertThatThrownBy(() -> new ConstructionCheck(session, other).require(built))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("construction made 256 vertices of 512");
    }

    private static void check(int shards, Parameters source, UnaryOperator<FakeGraph> change) {
        FakeSession session = new FakeSession(shards).building(change);
        new ConstructionCheck(session, source).require(build(session, source));
    }

    private static BuildResult build(FakeSession session, Parameters source) {
        return session.build("g", Kernels.KRONECKER, source, new BuildOptions(false, true));
    }

    private static FakeGraph withoutLastEntry(FakeGraph graph) {
        int vertex = vertexOfDegree(graph, 5);
        graph.rows[vertex] = Arrays.copyOf(graph.rows[vertex], graph.rows[vertex].length - 1);
        return graph;
    }

    private static FakeGraph withInventedEntry(FakeGraph graph) {
        int vertex = vertexOfDegree(graph, 5);
        long[] row = graph.rows[vertex];
        for (long other = 0; ; other++) {
            if (other != vertex && Arrays.binarySearch(row, other) < 0) {
                long[] longer = Arrays.copyOf(row, row.length + 1);
                longer[row.length] = other;
                Arrays.sort(longer);
                graph.rows[vertex] = longer;
                return graph;
            }
        }
    }

    private static int vertexOfDegree(FakeGraph graph, int atLeast) {
        for (int vertex = 0; vertex < graph.rows.length; vertex++) {
            if (graph.rows[vertex].length >= atLeast && graph.rows[vertex].length < 100) {
                return vertex;
            }
        }
        throw new AssertionError("no vertex of degree " + atLeast);
    }
}
