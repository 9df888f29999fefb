package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.orientation.GraphFile;
import org.starling.graph.BuildOptions;
import org.starling.graph.Parameters;

/** Figures that igraph found on public graphs; skipped where the reference data is not there. */
@ExtendWith(Clusters.class)
final class ReferenceFiguresTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("peersAndFiles")
    void agreesWithFiguresOfIgraph(int peers, String file) throws IOException {
        Optional<Path> data = GraphFile.referenceData();
        assumeTrue(data.isPresent(), "no reference data beside the checkout");
        JsonObject expected =
                JsonParser.parseString(Files.readString(data.get().resolve("expected.json")))
                        .getAsJsonObject()
                        .getAsJsonObject(file);
        String loader = file.endsWith(".graph") ? "metis" : "edgelist";
        Parameters parameters = Parameters.of("file", data.get().resolve(file).toString());
        try (Lab lab = Lab.of(peers, loader, parameters, BuildOptions.UNDIRECTED)) {

            assertLevels(lab, expected);
            assertRanks(lab, expected.getAsJsonArray("pagerank_top5_convergent_0.85"));
            assertThat(ConnectedComponents.run(lab.session(), lab.graph(), true))
                    .isEqualTo(
                            new ConnectedComponents.Result(
                                    expected.get("components").getAsLong(),
                                    expected.get("largest_component").getAsLong()));
            assertThat(KCore.run(lab.session(), lab.graph(), true))
                    .isEqualTo(
                            new KCore.Result(
                                    expected.get("max_core").getAsInt(),
                                    expected.get("in_max_core").getAsLong()));
        }
    }

    private static void assertLevels(Lab lab, JsonObject expected) {
        long source = expected.get("bfs_source_first_vertex").getAsLong();
        long[] levels =
                expected.getAsJsonArray("bfs_level_histogram").asList().stream()
                        .mapToLong(JsonElement::getAsLong)
                        .toArray();

        Bfs.Result result = Bfs.run(lab.session(), lab.graph(), source, true);

        assertThat(result.levels()).isEqualTo(levels);
    }

    private static void assertRanks(Lab lab, JsonArray expected) {
        PageRank.Options options = new PageRank.Options(0.85, 0, 1e-10, expected.size());

        List<Score> top = PageRank.run(lab.session(), lab.graph(), options, true).top();

        for (int i = 0; i < expected.size(); i++) {
            JsonArray score = expected.get(i).getAsJsonArray();
            assertThat(top.get(i).id()).isEqualTo(score.get(0).getAsLong());
            assertThat(top.get(i).score()).isCloseTo(score.get(1).getAsDouble(), within(1e-7));
        }
    }

    private static Stream<Arguments> peersAndFiles() {
        List<String> files =
                List.of(
                        "karate.graph",
                        "lesmis.graph",
                        "jazz.graph",
                        "power.graph",
                        "PGPgiantcompo.graph",
                        "astro-ph.graph",
                        "wiki-Vote.txt");
        return Scenarios.peers().flatMap(n -> files.stream().map(file -> Arguments.of(n, file)));
    }
}
