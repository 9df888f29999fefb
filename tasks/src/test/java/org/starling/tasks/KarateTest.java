package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/**
 * Every task on Zachary's club, against figures computed by igraph: on the engine, with two peers
 * in this process.
 */
final class KarateTest {
    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    @BeforeEach
    void loadClub() throws IOException {
        try (InputStream club = KarateTest.class.getResourceAsStream("/karate.graph")) {
            Files.write(
                    folder.resolve("karate.graph"), Objects.requireNonNull(club).readAllBytes());
        }
        assertThat(run("graph.load", Map.of("file", "karate.graph", "format", "auto")))
                .isEqualTo(
                        Map.of(
                                "vertices", 34L,
                                "edges", 78L,
                                "directed", false,
                                "skippedSelfLoops", 0L,
                                "skippedDuplicates", 0L,
                                "skippedLines", 0L,
                                "badLines", List.of()));
    }

    @AfterEach
    void dropClub() throws IOException {
        run("graph.drop", Map.of());
        assertThat(PEERS.session().graphs()).isEmpty();
    }

    @Test
    void searches() throws IOException {
        assertThat(run("graph.bfs", Map.of("source", 1, "verify", true)))
                .isEqualTo(
                        Map.of(
                                "source",
                                1L,
                                "reached",
                                34L,
                                "levels",
                                List.of(1L, 16L, 9L, 8L),
                                "verified",
                                true));
    }

    @Test
    void tellsNeighboursValuesAndPathsOfSingleVertices() throws IOException {
        run("graph.bfs", Map.of("source", 1, "verify", false));

        Map<String, Object> first = neighbours(1, "out", 20, 0);
        assertThat(first).containsEntry("count", 16L).containsEntry("weights", List.of());
        assertThat(first)
                .extractingByKey("neighbours")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(16)
                .contains(2L, 32L);
        assertThat(neighbours(12, "in", 10, 0)).containsEntry("neighbours", List.of(1L));
        assertThat(neighbours(1, "out", 10, 15))
                .extractingByKey("neighbours")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(1);
        assertThat(run("graph.value", Map.of("column", "level", "id", 26)))
                .isEqualTo(Map.of("type", "int", "value", 2L));
        assertThat(run("graph.value", Map.of("column", "parent", "id", 12)))
                .isEqualTo(Map.of("type", "vertex", "value", 1L));
        assertThat(path(12, 34, 5))
                .containsEntry("found", true)
                .containsEntry("complete", true)
                .containsEntry("length", 3L);

        assertThatThrownBy(() -> neighbours(35, "out", 10, 0))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no vertex 35");
        assertThatThrownBy(() -> run("graph.value", Map.of("column", "levle", "id", 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no state \"levle\"");
        assertThatThrownBy(() -> path(1, 2, 11))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("\"seconds\" must be from 1 to 10, found 11");
    }

    private Map<String, Object> neighbours(int id, String direction, int limit, int offset)
            throws IOException {
        return run(
                "graph.neighbours",
                Map.of("id", id, "direction", direction, "limit", limit, "offset", offset));
    }

    private Map<String, Object> path(int from, int to, int seconds) throws IOException {
        return run(
                "graph.path",
                Map.of("from", from, "to", to, "maxVertices", 1000, "seconds", seconds));
    }

    @Test
    void findsShortestPaths() throws IOException {
        Map<String, Object> arguments =
                Map.of("source", 1, "state", "hops", "parents", true, "verify", true);

        // the club has no weights: distances are levels, 16 + 2 * 9 + 3 * 8 in all
        assertThat(run("graph.sssp", arguments))
                .isEqualTo(
                        Map.of(
                                "source",
                                1L,
                                "reached",
                                34L,
                                "maxDistance",
                                3.0,
                                "sumDistance",
                                58.0,
                                "verified",
                                true));
    }

    @Test
    void findsBetweenness() throws IOException {
        Map<String, Object> found = run("graph.betweenness", Map.of("top", 2, "verify", true));

        // the club's president: 231.07 of 528 pairs, as the literature has it (0.4376)
        List<?> top = (List<?>) Objects.requireNonNull(found.get("top"));
        assertThat(((List<?>) top.get(0)).get(0)).isEqualTo(1L);
        assertThat((Double) ((List<?>) top.get(0)).get(1)).isCloseTo(231.0714286, within(1e-6));
        assertThat(((List<?>) top.get(1)).get(0)).isEqualTo(34L);
        assertThat((Double) ((List<?>) top.get(1)).get(1)).isCloseTo(160.5515873, within(1e-6));
        assertThat(found).containsEntry("sources", 34L).containsEntry("verified", true);

        Map<String, Object> sampled =
                run("graph.betweenness", Map.of("samples", 5, "seed", 3, "top", 0, "verify", true));
        assertThat(sampled).containsEntry("sources", 5L);
        assertThatThrownBy(() ->
                        run("graph.betweenness", Map.of("samples", 5, "sources", new long[] {1})))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("exclude each other");
    }

    @Test
    void ranks() throws IOException {
        Map<String, Object> ranks =
                run(
                        "graph.pagerank",
                        Map.of("damping", 0.85, "tolerance", 1e-12, "top", 2, "verify", true));

        assertThat((Double) ranks.get("sum")).isCloseTo(1, within(1e-9));
        List<?> top = (List<?>) Objects.requireNonNull(ranks.get("top"));
        assertThat(top).hasSize(2);
        assertThat(((List<?>) top.get(0)).get(0)).isEqualTo(34L);
        assertThat((Double) ((List<?>) top.get(0)).get(1)).isCloseTo(0.10091918, within(1e-7));
        assertThat(((List<?>) top.get(1)).get(0)).isEqualTo(1L);
        assertThat((Double) ((List<?>) top.get(1)).get(1)).isCloseTo(0.09699729, within(1e-7));
    }

    @Test
    void findsComponentsAndCores() throws IOException {
        assertThat(run("graph.wcc", Map.of("verify", true)))
                .isEqualTo(Map.of("components", 1L, "largest", 34L));
        assertThat(run("graph.kcore", Map.of("verify", true)))
                .isEqualTo(Map.of("maxCore", 4L, "inMaxCore", 10L));
    }

    @Test
    void findsCommunitiesUnderTheNameThatIsGiven() throws IOException {
        Map<String, Object> found =
                run("graph.cdlp", Map.of("iterations", 1, "state", "side", "verify", true));
        run("graph.write", Map.of("state", "side", "file", "sides"));

        List<String> sides = Files.readAllLines(folder.resolve("sides"));
        Map<String, Long> sizes =
                sides.stream()
                        .collect(
                                Collectors.groupingBy(
                                        l -> l.substring(l.indexOf(' ')), Collectors.counting()));
        assertThat(sides).hasSize(34);
        assertThat(found)
                .isEqualTo(
                        Map.of(
                                "communities",
                                (long) sizes.size(),
                                "largest",
                                Collections.max(sizes.values())));
        assertThat(sizes.size()).isGreaterThan(1);
    }

    @Test
    void loadsDatasetsOfGraphalytics() throws IOException {
        Files.writeString(folder.resolve("two.v"), "7\n8\n9\n");
        Files.writeString(folder.resolve("two.e"), "7 8 0.5\n8 7 2\n");
        Files.writeString(
                folder.resolve("two.properties"),
                "graph.two.directed = true\ngraph.two.edge-properties.names = weight\n");
        Map<String, Object> arguments =
                Map.of("graph", "two", "file", "two.properties", "format", "auto");

        Map<String, Object> made = run("graph.load", arguments);
        Map<String, Object> info = run("graph.info", Map.of("graph", "two"));
        run("graph.drop", Map.of("graph", "two"));
        Map<String, Object> outgoing = new TreeMap<>(arguments);
        outgoing.put("incoming", false);
        run("graph.load", outgoing);
        Map<String, Object> half = run("graph.info", Map.of("graph", "two"));
        assertThatThrownBy(() -> run("graph.wcc", Map.of("graph", "two")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("needs rows of incoming edges");
        run("graph.drop", Map.of("graph", "two"));

        assertThat(made)
                .containsEntry("vertices", 3L)
                .containsEntry("edges", 2L)
                .containsEntry("directed", true);
        assertThat(info)
                .containsEntry("weighted", true)
                .containsEntry("incoming", true)
                .containsEntry("storedEdges", 4L)
                .containsEntry("bytesPerStoredEdge", 8.0);
        assertThat(half)
                .containsEntry("incoming", false)
                .containsEntry("neighbourBytes", 4L)
                .containsEntry("storedEdges", 2L);
        Files.writeString(folder.resolve("two.e"), "7 6 0.5\n");
        assertThatThrownBy(() -> run("graph.load", arguments))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("two.e:1: vertex 6 does not stand in");
        assertThat(PEERS.session().graphs()).containsExactly("club");
    }

    @Test
    void measuresClustering() throws IOException {
        Map<String, Object> found = run("graph.lcc", Map.of("verify", true));

        assertThat((Double) found.get("average")).isCloseTo(0.5706384782076823, within(1e-12));
    }

    @Test
    void tellsWhatMemoryTheGraphTakes() throws IOException {
        Map<String, Object> info = run("graph.info", Map.of());

        assertThat(info)
                .containsEntry("vertices", 34L)
                .containsEntry("edges", 78L)
                .containsEntry("directed", false)
                .containsEntry("weighted", false)
                .containsEntry("storedEdges", 156L)
                .containsEntry("bytesPerStoredEdge", 4.0);
        // ids are consecutive: a table entry, a byte of length, a bit here and there
        assertThat((Double) info.get("bytesPerVertex")).isBetween(9.0, 24.0);
        List<?> peers = (List<?>) Objects.requireNonNull(info.get("peers"));
        long bytes = 0;
        for (Object peer : peers) {
            bytes += (Long) Objects.requireNonNull(((Map<?, ?>) peer).get("bytes"));
        }
        assertThat(peers).hasSize(2);
        assertThat(info).containsEntry("bytes", bytes);
    }

    @Test
    void countsTriangles() throws IOException {
        Map<String, Object> counted = run("graph.triangles", Map.of("verify", true));

        assertThat(counted).containsEntry("triangles", 45L);
        assertThat((Double) counted.get("averageLocalClustering"))
                .isCloseTo(0.5706384782076823, within(1e-12));
    }

    @Test
    void findsCliquesAndWritesThem() throws IOException {
        Map<String, Object> found =
                run("graph.cliques", Map.of("minimumSize", 1, "file", "cliques", "verify", true));

        assertThat(found)
                .containsEntry("maximalCliques", 36L)
                .containsEntry("maximumSize", 5L)
                .containsEntry("sizeHistogram", Map.of("2", 11L, "3", 21L, "4", 2L, "5", 2L))
                .containsEntry("file", folder.resolve("cliques").toString());
        assertThat(Files.readAllLines(folder.resolve("cliques")))
                .hasSize(36)
                .contains("1 2 3 4 8", "1 2 3 4 14");
    }

    @Test
    void findsALargestCliqueAndTheClubInItself() throws IOException {
        List<String> labels = new ArrayList<>();
        for (int id = 1; id <= 34; id++) {
            labels.add(id + " member " + (id < 31 ? id : 0));
        }
        Files.write(folder.resolve("labels"), labels);

        assertThat(run("graph.maximumClique", Map.of("verify", true)))
                .isIn(
                        Map.of("size", 5L, "members", List.of(1L, 2L, 3L, 4L, 8L), "proven", true),
                        Map.of(
                                "size",
                                5L,
                                "members",
                                List.of(1L, 2L, 3L, 4L, 14L),
                                "proven",
                                true));
        assertThat(
                        run(
                                "graph.commonSubstructure",
                                Map.of(
                                        "graphs",
                                        List.of("club", "club"),
                                        "labels",
                                        List.of("labels", "labels"),
                                        "connected",
                                        true,
                                        "verify",
                                        true)))
                .containsEntry("size", 34L);
    }

    @Test
    void countsDegreesAndStrongComponents() throws IOException {
        Map<String, Object> degrees =
                run("graph.degrees", Map.of("direction", "both", "verify", true));

        assertThat(degrees).containsEntry("minimum", 1L).containsEntry("maximum", 17L);
        assertThat((Double) degrees.get("average")).isCloseTo(156 / 34.0, within(1e-12));
        assertThat(run("graph.scc", Map.of("verify", true)))
                .isEqualTo(Map.of("components", 1L, "largest", 34L));
    }

    @Test
    void walksAndWritesDownWhere() throws IOException {
        Map<String, Object> walked =
                run(
                        "graph.walk",
                        Map.of(
                                "length",
                                4,
                                "walksPerVertex",
                                2,
                                "seed",
                                9,
                                "weighted",
                                false,
                                "file",
                                "walks",
                                "verify",
                                true));

        assertThat(walked)
                .isEqualTo(
                        Map.of(
                                "walks", 68L,
                                "steps", 272L,
                                "file", folder.resolve("walks").toString()));
        assertThat(Files.readAllLines(folder.resolve("walks")))
                .hasSize(68)
                .allMatch(line -> line.split(" ", -1).length == 5);
    }

    @Test
    void writesStates() throws IOException {
        run("graph.bfs", Map.of("source", 1, "verify", false));

        run("graph.write", Map.of("state", "level", "file", "levels"));

        assertThat(Files.readAllLines(folder.resolve("levels")))
                .hasSize(34)
                .startsWith("1 0", "2 1", "3 1")
                .endsWith("34 2");
    }

    @Test
    void refusesASourceThatIsNotThere() {
        assertThatThrownBy(() -> run("graph.bfs", Map.of("source", 35, "verify", false)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("35");
    }

    @Test
    void generatesEveryKindOfGraph() throws IOException {
        for (String generator : List.of("kronecker", "uniform", "grid")) {
            Map<String, Object> made =
                    run(
                            "graph.generate",
                            Map.of(
                                    "graph",
                                    "made",
                                    "generator",
                                    generator,
                                    "scale",
                                    6,
                                    "edgefactor",
                                    4,
                                    "seeds",
                                    List.of(2L, 3L)));
            run("graph.drop", Map.of("graph", "made"));

            assertThat(made).containsEntry("vertices", 64L).containsEntry("directed", false);
        }
    }

    private Map<String, Object> run(String task, Map<String, ?> arguments) throws IOException {
        Parameters parameters = Parameters.of("graph", "club");
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            parameters = parameters.with(argument.getKey(), argument.getValue());
        }
        return TasksTest.task(task)
                .run(new FolderContext(PEERS.session(), folder), parameters)
                .asMap();
    }
}
