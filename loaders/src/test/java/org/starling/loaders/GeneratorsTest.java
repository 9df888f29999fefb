package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

class GeneratorsTest {

    @Test
    void kroneckerBeginsWithTheEdgesOfTheReference() throws IOException {
        KroneckerEdges edges = new KroneckerEdges(new KroneckerGraph(4, 16, 2, 3), true);

        edges.next();
        assertThat(edges.source()).isEqualTo(15);
        assertThat(edges.target()).isEqualTo(3);
        assertThat(Float.floatToIntBits(edges.weight())).isEqualTo(0x3d8d233b);

        edges.next();
        assertThat(edges.source()).isEqualTo(15);
        assertThat(edges.target()).isEqualTo(12);
    }

    @Test
    void kroneckerSourceGivesTheEdgesOfItsCursorWhateverTheParts() throws IOException {
        Parameters parameters =
                Parameters.of(Map.of("scale", 14, "edgefactor", 17, "weights", true));
        EdgeSource source = Edges.source("kronecker", parameters);
        EdgeHash whole =
                KroneckerReferenceTest.hashOf(new KroneckerGraph(14, 17, 2, 3), 0, 17 << 14);

        List<Edges.Edge> edges = Edges.of(source);

        assertThat(source.describe().parts()).isGreaterThan(1);
        assertThat(edges).hasSize(17 << 14);
        assertThat(edges.stream().mapToLong(Edges.Edge::source).sum())
                .isEqualTo(whole.sumSource().longValueExact());
        assertThat(edges.stream().mapToLong(edge -> Float.floatToIntBits(edge.weight())).sum())
                .isEqualTo(whole.weightBitsSum());
    }

    @Test
    void kroneckerHashDoesNotDependOnTheNumberOfThreads() throws IOException {
        KroneckerGraph graph = new KroneckerGraph(15, 8, 7, 9);

        EdgeHash one = new EdgeRun(source(graph), false, 1).hash((_, _) -> {});
        EdgeHash three = new EdgeRun(source(graph), false, 3).hash((_, _) -> {});

        assertThat(three.edges()).isEqualTo(8 << 15).isEqualTo(one.edges());
        assertThat(three.edgeHash()).isEqualTo(one.edgeHash());
        assertThat(three.sumTarget()).isEqualTo(one.sumTarget());
    }

    @Test
    void seeksAnyEdge() {
        KroneckerGraph graph = new KroneckerGraph(9, 4, 0xdeadbeefcafebabeL, -1);
        KroneckerEdges walking = new KroneckerEdges(graph, true);
        KroneckerEdges seeking = new KroneckerEdges(graph, true);

        for (long edge = 0; edge < graph.edges(); edge++) {
            walking.next();
            seeking.seek(edge);
            seeking.next();

            assertThat(seeking.source()).isEqualTo(walking.source());
            assertThat(seeking.target()).isEqualTo(walking.target());
            assertThat(seeking.weight()).isEqualTo(walking.weight());
        }
    }

    @Test
    void scramblesWithoutCollisions() {
        Scrambler scrambler = Scrambler.of(RecursiveGenerator.seeded(2, 3), 10);
        boolean[] seen = new boolean[1 << 10];

        for (int position = 0; position < seen.length; position++) {
            seen[(int) scrambler.scramble(position)] = true;
        }

        assertThat(seen).containsOnly(true);
    }

    @Test
    void uniformSpreadsEdgesOverAllVertices() throws IOException {
        Parameters parameters = Parameters.of(Map.of("scale", 8, "edgefactor", 64));

        List<Edges.Edge> edges = Edges.of("uniform", parameters);

        int[] degrees = new int[1 << 8];
        for (Edges.Edge edge : edges) {
            degrees[(int) edge.source()]++;
            degrees[(int) edge.target()]++;
        }
        // Expected: 128 each, with a standard deviation of 11.3.
        assertThat(edges).hasSize(64 << 8);
        for (int degree : degrees) {
            assertThat(degree).isBetween(60, 200);
        }
        assertThat(edges).isEqualTo(Edges.of("uniform", parameters));
        assertThat(edges)
                .isNotEqualTo(Edges.of("uniform", parameters.with("seeds", new long[] {4, 5})));
    }

    @Test
    void uniformDrawsWeightsWhenAskedTo() throws IOException {
        Parameters parameters =
                Parameters.of(Map.of("scale", 10, "edgefactor", 16, "weights", true));

        List<Edges.Edge> edges = Edges.of("uniform", parameters);

        double mean = edges.stream().mapToDouble(Edges.Edge::weight).average().orElseThrow();
        assertThat(mean).isBetween(0.48, 0.52);
        assertThat(edges).allMatch(edge -> edge.weight() >= 0f && edge.weight() < 1f);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 2", "2, 2, 2", "5, 4, 8", "18, 512, 512"})
    void gridJoinsEveryVertexToItsRightAndLowerNeighbour(int scale, long rows, long columns)
            throws IOException {
        EdgeSource source = Edges.source("grid", Parameters.of("scale", scale));

        List<Edges.Edge> edges = Edges.of(source);

        SourceDescription description = source.describe();
        assertThat(description.vertexCount()).isEqualTo(rows * columns);
        assertThat(description.dense()).isTrue();
        assertThat(edges).hasSize((int) (rows * (columns - 1) + (rows - 1) * columns));
        Edges.Edge before = new Edges.Edge(-1, -1, 1f);
        for (Edges.Edge edge : edges) { // a description of each of so many would take seconds
            if (edge.compareTo(before) <= 0
                    || (edge.target() != edge.source() + columns
                            && (edge.target() != edge.source() + 1
                                    || edge.target() % columns == 0))) {
                throw new AssertionError(edge + " behind " + before);
            }
            before = edge;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 43, 63, -1, 1L << 32})
    void refusesScalesOutOfRange(long scale) {
        for (String name : List.of("kronecker", "uniform", "grid")) {
            assertThatThrownBy(() -> Edges.source(name, Parameters.of("scale", scale)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("\"scale\" must be from 1 to 42")
                    .hasMessageContaining("found " + scale);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -16, (1L << 20) + 1})
    void refusesEdgeFactorsOutOfRange(long edgeFactor) {
        Parameters parameters = Parameters.of(Map.of("scale", 5, "edgefactor", edgeFactor));

        for (String name : List.of("kronecker", "uniform")) {
            assertThatThrownBy(() -> Edges.source(name, parameters))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("\"edgefactor\" must be from 1 to 1048576")
                    .hasMessageContaining("found " + edgeFactor);
        }
    }

    @Test
    void refusesOneSeed() {
        Parameters parameters = Parameters.of(Map.of("scale", 5, "seeds", new long[] {1}));

        assertThatThrownBy(() -> Edges.source("kronecker", parameters))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"seeds\" must be two numbers, found 1");
    }

    @Test
    void refusesAMissingScale() {
        assertThatThrownBy(() -> Edges.source("kronecker", Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("needs \"scale\"");
    }

    @Test
    void noticesALostPart() throws IOException {
        EdgeSource source = Edges.source("kronecker", Parameters.of("scale", 14));
        int parts = source.describe().parts();
        assertThat(parts).isEqualTo(2);

        PartSummary first = source.read(0, new CountingSink());

        assertThatThrownBy(() -> source.check(List.of(first)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("131072 edges arrived in 1 parts, 262144 were due");
    }

    @Test
    void boundsTheNumberOfPartsOfTheLargestGraph() throws IOException {
        Parameters parameters = Parameters.of(Map.of("scale", 42, "edgefactor", 1 << 20));

        SourceDescription description = Edges.source("kronecker", parameters).describe();

        assertThat(description.edgeCount()).isEqualTo(1L << 62);
        assertThat(description.parts()).isEqualTo(1 << 20);
    }

    /** The edges of a graph, with weights. */
    static EdgeSource source(KroneckerGraph graph) {
        return Edges.source(
                "kronecker",
                Parameters.of("scale", graph.scale())
                        .with("edgefactor", graph.edgeFactor())
                        .with("seeds", new long[] {graph.seed1(), graph.seed2()})
                        .with("weights", true));
    }
}
