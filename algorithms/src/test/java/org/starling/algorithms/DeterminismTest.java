package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.algorithms.walks.RandomWalks;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.GraphSession;

/**
 * Results are the same, bit by bit, whatever the number of peers and of threads of each: states as
 * they are written to files, and what drivers return.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DeterminismTest {
    private static final long MEMORY_BYTES_PER_PEER = 256L << 20;
    private static final Shape DIRECTED = Shape.hubs(700, 3500, true);
    private static final Shape UNDIRECTED = Shape.hubs(700, 3500, false);

    @TempDir static Path folder;

    private Map<String, Object> alone = Map.of();

    @BeforeAll
    void runAloneWithOneThread() throws IOException {
        alone = results(1, 1);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource("3, 2")
    void doNotDependOnPeersAndThreads(int peers, int threads) throws IOException {
        Map<String, Object> results = results(peers, threads);

        assertThat(results.keySet()).isEqualTo(alone.keySet());
        alone.forEach((what, result) -> assertThat(results.get(what)).as(what).isEqualTo(result));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 3", "2, 1", "5, 3"})
    void doNotDependOnPeersAndThreadsInMoreCases(int peers, int threads) throws IOException {
        doNotDependOnPeersAndThreads(peers, threads);
    }

    @Test
    void aboutEachAlgorithmThatLeavesOne() {
        assertThat(alone).hasSizeGreaterThan(12);
        assertThat(alone.values()).noneMatch(result -> result.toString().isBlank());
    }

    private Map<String, Object> results(int peers, int threads) throws IOException {
        Map<String, Object> results = new LinkedHashMap<>();
        ClusterOptions options = new ClusterOptions(peers, false, threads, MEMORY_BYTES_PER_PEER);
        try (ComputeCluster cluster = ComputeCluster.start(options)) {
            GraphSession session = cluster.session(JobListener.SILENT);
            build(session, DIRECTED);
            directed(session, results);
            build(session, UNDIRECTED);
            undirected(session, results);
        }
        return results;
    }

    private static void build(GraphSession session, Shape shape) {
        if (session.graphs().contains("g")) {
            session.drop("g");
        }
        Weighting.UNIFORM.build(session, "g", shape);
    }

    private void directed(GraphSession session, Map<String, Object> results) throws IOException {
        Sssp.Options paths = new Sssp.Options(Sssp.DISTANCE, true, false);
        results.put("shortest paths", Sssp.run(session, "g", 0, paths));
        put(session, results, Sssp.DISTANCE);
        put(session, results, Sssp.PARENT);
        results.put("betweenness", Betweenness.samples(6, 9).run(session, "g", 5, true));
        put(session, results, Betweenness.BETWEENNESS);
        for (int smallEdges : new int[] {0, StronglyConnectedComponents.SMALL_EDGES}) {
            results.put(
                    "strong components " + smallEdges,
                    StronglyConnectedComponents.run(session, "g", smallEdges, false));
            put(session, results, StronglyConnectedComponents.COMPONENT);
        }
        results.put("labels", LabelPropagation.run(session, "g", 5, "labels", true));
        put(session, results, "labels");
        PageRank.Options sweeps = new PageRank.Options(0.85, 8, 0, 5);
        results.put("ranks", PageRank.run(session, "g", sweeps, false));
        put(session, results, PageRank.PAGERANK);
        results.put("clustering", LocalClustering.run(session, "g", false));
        put(session, results, LocalClustering.CLUSTERING);
        Path walks = folder.resolve("walks");
        RandomWalks.Options options = new RandomWalks.Options(9, 2, 4, true);
        RandomWalks.run(session, "g", options, walks, true);
        results.put("walks", Files.readString(walks));
    }

    private void undirected(GraphSession session, Map<String, Object> results) throws IOException {
        results.put("components", ConnectedComponents.run(session, "g", false));
        put(session, results, ConnectedComponents.COMPONENT);
        results.put("cores", KCore.run(session, "g", false));
        put(session, results, KCore.CORE);
        results.put("triangles", Triangles.run(session, "g", false));
        results.put("cliques", MaximalCliques.run(session, "g", 2, null, false));
        results.put("largest clique", MaximumClique.run(session, "g", true));
    }

    private void put(GraphSession session, Map<String, Object> results, String state)
            throws IOException {
        Path file = folder.resolve("state");
        session.write("g", state, file);
        results.put(state + " of " + results.size(), Files.readString(file));
    }
}
