package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seven public graphs in one script, against figures of igraph; skipped where the data is not
 * there.
 */
@Timeout(120)
final class ReferenceGraphsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"--peers=1", "--peers=3"})
    void givesTheFiguresOfIgraph(String options) throws Exception {
        Path data = data();
        assumeTrue(Files.isDirectory(data), "no reference data at " + data);
        JsonObject expected =
                JsonParser.parseString(Files.readString(data.resolve("expected.json")))
                        .getAsJsonObject();
        Files.writeString(folder.resolve("all.json"), script(data, expected).toString());
        List<String> command = command(options);

        ProcessRun run = ProcessRun.of(command, folder, Map.of());

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonArray tasks =
                JsonParser.parseString(run.out()).getAsJsonObject().getAsJsonArray("tasks");
        int next = 0;
        for (String file : expected.keySet()) {
            JsonObject[] results = new JsonObject[TASKS.size()];
            for (int i = 0; i < results.length; i++) {
                results[i] = tasks.get(next++).getAsJsonObject().getAsJsonObject("result");
            }
            assertFigures(file, expected.getAsJsonObject(file), results);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"--peers=1 --processes", "--peers=3 --processes"})
    void givesTheFiguresOfIgraphAlsoInProcesses(String options) throws Exception {
        givesTheFiguresOfIgraph(options);
    }

    private static final List<String> TASKS =
            List.of(
                    "graph.load",
                    "graph.bfs",
                    "graph.pagerank",
                    "graph.wcc",
                    "graph.kcore",
                    "graph.triangles",
                    "graph.cliques",
                    "graph.lcc",
                    "graph.info",
                    "graph.drop");

    private static void assertFigures(String file, JsonObject expected, JsonObject[] results) {
        assertThat(results[0].get("vertices")).as(file).isEqualTo(expected.get("n"));
        assertThat(results[0].get("edges")).as(file).isEqualTo(expected.get("m_simple_undirected"));
        assertThat(results[1].get("levels"))
                .as(file)
                .isEqualTo(expected.get("bfs_level_histogram"));
        assertRanks(
                file,
                results[2].getAsJsonArray("top"),
                expected.getAsJsonArray("pagerank_top5_convergent_0.85"));
        assertThat(results[3].get("components")).as(file).isEqualTo(expected.get("components"));
        assertThat(results[3].get("largest")).as(file).isEqualTo(expected.get("largest_component"));
        assertThat(results[4].get("maxCore")).as(file).isEqualTo(expected.get("max_core"));
        assertThat(results[4].get("inMaxCore")).as(file).isEqualTo(expected.get("in_max_core"));
        assertThat(results[5].get("triangles")).as(file).isEqualTo(expected.get("triangles"));
        assertThat(results[5].get("averageLocalClustering").getAsDouble())
                .as(file)
                .isCloseTo(expected.get("average_lcc").getAsDouble(), within(1e-9));
        assertThat(results[6].get("maximalCliques"))
                .as(file)
                .isEqualTo(expected.get("maximal_cliques"));
        assertThat(results[6].get("sizeHistogram"))
                .as(file)
                .isEqualTo(expected.get("maximal_clique_size_histogram"));
        assertThat(results[6].get("maximumSize"))
                .as(file)
                .isEqualTo(expected.get("max_clique_size"));
        assertThat(results[7].get("average").getAsDouble())
                .as(file)
                .isCloseTo(expected.get("average_lcc").getAsDouble(), within(1e-9));
        assertThat(results[8].get("vertices")).as(file).isEqualTo(expected.get("n"));
        assertThat(results[8].get("storedEdges").getAsLong())
                .as(file)
                .isEqualTo(2 * expected.get("m_simple_undirected").getAsLong());
        double weightBytes = results[8].get("weighted").getAsBoolean() ? 4 : 0;
        assertThat(results[8].get("bytesPerStoredEdge").getAsDouble())
                .isLessThanOrEqualTo(4.5 + weightBytes);
        assertThat(results[8].get("bytesPerVertex").getAsDouble()).isLessThanOrEqualTo(24);
    }

    private static void assertRanks(String file, JsonArray top, JsonArray expected) {
        for (int i = 0; i < expected.size(); i++) {
            JsonArray found = top.get(i).getAsJsonArray();
            JsonArray wanted = expected.get(i).getAsJsonArray();
            assertThat(found.get(0)).as(file).isEqualTo(wanted.get(0));
            assertThat(found.get(1).getAsDouble())
                    .as(file)
                    .isCloseTo(wanted.get(1).getAsDouble(), within(2e-8));
        }
    }

    private static org.assertj.core.data.Offset<Double> within(double offset) {
        return org.assertj.core.data.Offset.offset(offset);
    }

    private JsonObject script(Path data, JsonObject expected) throws IOException {
        JsonArray tasks = new JsonArray();
        for (Map.Entry<String, JsonElement> graph : expected.entrySet()) {
            Files.copy(data.resolve(graph.getKey()), folder.resolve(graph.getKey()));
            for (String name : TASKS) {
                JsonObject task = new JsonObject();
                task.addProperty("task", name);
                task.addProperty("graph", "g");
                switch (name) {
                    case "graph.load" -> task.addProperty("file", graph.getKey());
                    case "graph.bfs" -> {
                        JsonObject figures = graph.getValue().getAsJsonObject();
                        task.add("source", figures.get("bfs_source_first_vertex"));
                        task.addProperty("verify", true);
                    }
                    case "graph.pagerank" -> {
                        task.addProperty("tolerance", 1e-11);
                        task.addProperty("top", 5);
                    }
                    default -> {} // the graph is all they need
                }
                tasks.add(task);
            }
        }
        JsonObject script = new JsonObject();
        script.add("tasks", tasks);
        return script;
    }

    private static List<String> command(String options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add("org.starling.cli.Main");
        command.addAll(List.of("run", "all.json", "--json"));
        command.addAll(List.of(options.replace('=', ' ').split(" ")));
        return command;
    }

    private static Path data() {
        String shared = System.getenv("STARLING_SHARED");
        Path folder = shared == null ? Checkout.root().resolveSibling("shared") : Path.of(shared);
        return folder.resolve("data");
    }
}
