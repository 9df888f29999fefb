package org.starling.tasks.graphalytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.tasks.FolderContext;
import org.starling.tasks.TwoPeers;

/** A dataset of its own, with what the suite's examples have not. */
final class GraphalyticsTaskTest {
    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    /** 0 → max, max → 5, 5 → 0 and 5 → max; 9 is alone; max is the largest id there is. */
    private void dataset(boolean directed) throws IOException {
        write("loop.v", "9", "0", "5", MAX);
        write("loop.e", "0 " + MAX + " 2", MAX + " 5 0.5", "5 0 1", "5 " + MAX + " 0.25");
        write(
                "loop.properties",
                Stream.of(
                                "directed = " + directed,
                                "algorithms = wcc, bfs, lcc, pr, cdlp",
                                "edge-properties.names = weight",
                                "bfs.source-vertex = " + MAX,
                                "cdlp.max-iterations = 1",
                                "pr.damping-factor = 0.5",
                                "pr.num-iterations = 1")
                        .map(line -> "graph.loop." + line)
                        .toArray(String[]::new));
    }

    private static final String MAX = "18446744073709551615";

    @Test
    void writesResultsAsTheSuiteHasThem() throws IOException {
        dataset(true);
        Files.createDirectory(folder.resolve("out"));

        Map<String, Object> result = run(Parameters.of("output", "out"));

        assertThat(result).containsEntry("graph", "loop");
        assertThat(verdicts(result)).isEqualTo("wcc=null, bfs=null, lcc=null, pr=null, cdlp=null");
        assertThat(lines("out/loop-WCC")).containsExactly("0 0", "5 0", "9 9", MAX + " 0");
        assertThat(lines("out/loop-BFS"))
                .containsExactly("0 2", "5 1", "9 9223372036854775807", MAX + " 0");
        assertThat(lines("out/loop-CDLP")).containsExactly("0 5", "5 " + MAX, "9 9", MAX + " 5");
        assertThat(lines("out/loop-LCC"))
                .containsExactly(
                        "0 1.000000000000000e+00",
                        "5 5.000000000000000e-01",
                        "9 0.000000000000000e+00",
                        MAX + " 5.000000000000000e-01");
        // 1/8 + 1/2 (what the neighbours pass on + 1/16)
        assertThat(lines("out/loop-PR").getFirst()).isEqualTo("0 2.187500000000000e-01");
        assertThat(PEERS.session().graphs()).isEmpty();
    }

    @Test
    void comparesWithReferencesThatLieBesideTheInput() throws IOException {
        dataset(false);
        write("loop-BFS", MAX + " 0", "0 1", "5 1", "9 9223372036854775807");
        write("loop-WCC", "0 3", "5 3", "9 4", MAX + " 4");
        write("loop-LCC", "0 1", "5 1", MAX + " 1");

        Map<String, Object> result = run(Parameters.of("algorithms", "lcc, bfs,wcc,pr"));

        assertThat(verdicts(result)).isEqualTo("lcc=false, bfs=true, wcc=false, pr=null");
        assertThat(problems(result))
                .contains("loop-LCC: vertex 9 is missing")
                .contains("has 0, but")
                .contains("loop-WCC says 4");
    }

    @Test
    void refusesToWriteOverReferences() throws IOException {
        dataset(false);
        write("loop-BFS", "0 0");

        assertRefused(Parameters.of("output", "."), "is the reference output; choose another");
        assertThat(lines("loop-BFS")).containsExactly("0 0");
    }

    @Test
    void refusesDatasetsThatMakeNoSense() throws IOException {
        dataset(true);
        write("loop.e", "0 5 1", "5 77 1");
        assertRefused(Parameters.NONE, "loop.e:2: vertex 77 does not stand in");
        dataset(true);
        Path properties = folder.resolve("loop.properties");
        String text = Files.readString(properties);
        Files.writeString(properties, text.replace("wcc,", "wcx,"));
        assertRefused(
                Parameters.NONE, "loop.properties:2: there is no algorithm \"wcx\"; there are");
        Files.writeString(properties, text.replace("source-vertex", "start"));
        assertRefused(
                Parameters.NONE, "there is no graph.loop.bfs.source-vertex, where bfs starts");
        Files.writeString(properties, text.replace(MAX, "6"));
        assertRefused(Parameters.NONE, "has no vertex 6");
        assertThat(PEERS.session().graphs()).isEmpty();
    }

    @Test
    void refusesAlgorithmsThatThereAreNotBeforeAnythingRuns() {
        assertThatThrownBy(() ->
                        new GraphalyticsTask()
                                .check(
                                        Parameters.of("properties", "x.properties")
                                                .with("algorithms", "bfs,dfs")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no algorithm \"dfs\"; there are bfs, cdlp, lcc");
    }

    private void assertRefused(Parameters arguments, String reason) {
        assertThatThrownBy(() -> run(arguments))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(reason);
    }

    private Map<String, Object> run(Parameters arguments) throws IOException {
        return new GraphalyticsTask()
                .run(
                        new FolderContext(PEERS.session(), folder),
                        arguments.with("properties", "loop.properties"))
                .asMap();
    }

    private static String verdicts(Map<String, Object> result) {
        return algorithms(result)
                .map(row -> row.get("algorithm") + "=" + row.get("valid"))
                .collect(Collectors.joining(", "));
    }

    private static String problems(Map<String, Object> result) {
        return algorithms(result)
                .map(row -> String.valueOf(row.get("problem")))
                .collect(Collectors.joining("; "));
    }

    private static Stream<Map<?, ?>> algorithms(Map<String, Object> result) {
        return ((List<?>) Objects.requireNonNull(result.get("algorithms")))
                .stream().map(row -> (Map<?, ?>) row);
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name));
    }

    private void write(String name, String... lines) throws IOException {
        Files.write(folder.resolve(name), List.of(lines));
    }
}
