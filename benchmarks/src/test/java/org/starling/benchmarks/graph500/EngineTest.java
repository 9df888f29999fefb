package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/** The benchmark on the engine itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineTest {

    private static final String GRAPH = "g";
    private static final String WEIGHTED = "w";
    private static final int SCALE = 10;
    private static final Parameters SOURCE = Parameters.of("scale", SCALE).with("edgefactor", 16);

    // Of the reference at scale 10: its first key, and the edges of that key's component.
    private static final long KEY = 458;
    private static final long EDGES = 16239;

    private final ComputeCluster cluster = ComputeCluster.start(ClusterOptions.of(2, false));
    private final GraphSession session = cluster.session(JobListener.SILENT);
    private final SearchValidation validation =
            new SearchValidation(session, GRAPH, LevelValidation.NAME);

    private final SearchValidation distances =
            new SearchValidation(session, WEIGHTED, DistanceValidation.NAME);

    @BeforeAll
    void checksWhatItConstructed() {
        BuildResult built =
                session.build(GRAPH, Kernels.KRONECKER, SOURCE, new BuildOptions(false, true));

        new ConstructionCheck(session, SOURCE).require(built);

        // Distinct edges at scale 10, as counted with the reference.
        assertThat(built.graph().edges()).isEqualTo(10551);
        assertThat(built.skippedSelfLoops()).isEqualTo(144);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource("3, false")
    void runsByTheRules(int peers, boolean processes) {
        try (ComputeCluster other = ComputeCluster.start(ClusterOptions.of(peers, processes))) {
            FakeContext context = new FakeContext(other.session(JobListener.SILENT), Path.of("."));
            Parameters arguments = SOURCE.with("roots", 8).with("skipValidation", false);

            Map<String, ?> result = new Graph500Task().run(context, arguments).asMap();

            assertThat(result.get("validated")).isEqualTo(true);
            assertThat(String.valueOf(result.get("block")))
                    .contains("min_nedge:                      16239\n")
                    .contains("max_nedge:                      16239\n");
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void runsByTheRulesInMoreCases(int peers, boolean processes) {
        runsByTheRules(peers, processes);
    }

    @ParameterizedTest
    @CsvSource("3, false")
    void runsShortestPathsByTheRules(int peers, boolean processes) {
        try (ComputeCluster other = ComputeCluster.start(ClusterOptions.of(peers, processes))) {
            FakeContext context = new FakeContext(other.session(JobListener.SILENT), Path.of("."));
            Parameters arguments =
                    SOURCE.with("roots", 3).with("sssp", true).with("skipValidation", false);

            Map<String, ?> result = new Graph500Task().run(context, arguments).asMap();

            assertThat(result.get("validated")).isEqualTo(true);
            assertThat(result.get("sssp")).isInstanceOf(Map.class);
            assertThat(String.valueOf(result.get("block")))
                    .contains("sssp min_TEPS: ")
                    .contains("min_nedge:                      16239\n");
            assertThat(context.told.getLast()).isEqualTo("Searching shortest paths 3/3");
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void runsShortestPathsByTheRulesInMoreCases(int peers, boolean processes) {
        runsShortestPathsByTheRules(peers, processes);
    }

    @Test
    void rejectsEveryForgeryOfADistanceOnTheEngine() {
        Parameters weighted = SOURCE.with("weights", true);
        BuildResult built =
                session.build(WEIGHTED, Kernels.KRONECKER, weighted, new BuildOptions(false, true));
        new ConstructionCheck(session, weighted).require(built);
        searchShortestPaths();
        long root = session.ordinal(WEIGHTED, KEY);
        long far = farthest();
        long parent = value(WEIGHTED, Kernels.PARENT, far);
        double distance = number(far);
        assertThatCode(() -> distances.require(KEY, EDGES)).doesNotThrowAnyException();

        assertForgedDistance(far, 1L << SCALE, distance, "rule 1: a parent is no vertex");
        assertForgedDistance(root, parent, 0, "rule 1: the root is not its own parent");
        assertForgedDistance(far, far, distance, "rule 1: following parents does not lead to");
        assertForgedDistance(far, parent, Math.nextDown((float) distance), "rule 2: the distance");
        assertForgedDistance(far, parent, Math.nextUp((float) distance), "rule 2: the distance");
        assertForgedDistance(far, root, distance, "rule 2: the distance is not the parent's");
        assertForgedDistance(far, -1, 1e39, "rule 4: an edge joins a vertex");
        assertForgedDistance(far, parent, -1, "rule 1: the distance is none");
        assertForgedDistance(far, parent, 1e39, "rule 1: the distance is none");
        assertForgedDistance(root, root, 0.5, "rule 2: the distance");
    }

    private void assertForgedDistance(long vertex, long parent, double distance, String reason) {
        searchShortestPaths();
        session.run(
                WEIGHTED,
                ForgeProgram.NAME,
                Parameters.of(ForgeProgram.VERTEX, vertex)
                        .with(Kernels.PARENT, parent)
                        .with(Kernels.DISTANCE, distance));

        assertThatThrownBy(() -> distances.require(KEY, EDGES))
                .as("vertex %d, parent %d, distance %s", vertex, parent, distance)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("No results printed for invalid run.")
                .hasMessageContaining(reason);
    }

    private void searchShortestPaths() {
        session.run(
                WEIGHTED,
                Kernels.SSSP,
                Parameters.of(Kernels.SOURCE, KEY).with(Kernels.PARENTS, Kernels.PARENT));
    }

    /** A vertex that nobody has as its parent: the farthest of those reached. */
    private long farthest() {
        long farthest = -1;
        double most = -1;
        try (StateCursor cursor = session.read(WEIGHTED, Kernels.DISTANCE)) {
            while (cursor.next()) {
                if (Double.isFinite(cursor.asDouble()) && cursor.asDouble() > most) {
                    most = cursor.asDouble();
                    farthest = cursor.ordinal();
                }
            }
        }
        return farthest;
    }

    private double number(long vertex) {
        try (StateCursor cursor = session.read(WEIGHTED, Kernels.DISTANCE)) {
            while (cursor.next()) {
                if (cursor.ordinal() == vertex) {
                    return cursor.asDouble();
                }
            }
        }
        throw new AssertionError("no vertex " + vertex);
    }

    @Test
    void rejectsEveryForgeryOfAVertexOnTheEngine() {
        search(KEY);
        long root = session.ordinal(GRAPH, KEY);
        long reached = vertexWith(Kernels.LEVEL, 2);
        long unreached = vertexWith(Kernels.LEVEL, -1);
        assertThatCode(() -> validation.require(KEY, EDGES)).doesNotThrowAnyException();

        assertForged(reached, 1L << SCALE, 2, "rule 1: a parent is no vertex");
        assertForged(root, reached, 0, "rule 1: the root is not its own parent");
        assertForged(reached, reached, 2, "rule 1: following parents does not lead to the root");
        assertForged(
                unreached, unreached, 100, "rule 1: following parents does not lead to the root");
        assertForged(reached, value(GRAPH, Kernels.PARENT, reached), 3, "rule 2: ");
        assertForged(reached, root, 1, "rule ");
        assertForged(reached, -1, -1, "rule ");
        assertForged(unreached, root, 1, "rule 5: the parent is not a neighbour");
    }

    private void assertForged(long vertex, long parent, long level, String reason) {
        search(KEY);
        session.run(
                GRAPH,
                ForgeProgram.NAME,
                Parameters.of(ForgeProgram.VERTEX, vertex)
                        .with(Kernels.PARENT, parent)
                        .with(Kernels.LEVEL, level));

        assertThatThrownBy(() -> validation.require(KEY, EDGES))
                .as("vertex %d, parent %d, level %d", vertex, parent, level)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("No results printed for invalid run.")
                .hasMessageContaining(reason);
    }

    private void search(long key) {
        session.run(GRAPH, Kernels.BFS, Parameters.of(Kernels.SOURCE, key));
    }

    private long vertexWith(String state, long value) {
        try (StateCursor cursor = session.read(GRAPH, state)) {
            while (cursor.next()) {
                if (cursor.asLong() == value) {
                    return cursor.ordinal();
                }
            }
        }
        throw new AssertionError("no vertex with %s %d".formatted(state, value));
    }

    private long value(String graph, String state, long vertex) {
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                if (cursor.ordinal() == vertex) {
                    return cursor.asLong();
                }
            }
        }
        throw new AssertionError("no vertex " + vertex);
    }
}
