package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskSignature;

final class TasksTest {
    @TempDir Path folder;

    private final RecordingSession session = new RecordingSession();

    /** Names, arguments and results are a contract with those who have written scripts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    graph.load      | graph file edges format directed incoming separator ids vertices keep header source target weight columns badLines | vertices edges directed skippedSelfLoops skippedDuplicates skippedLines badLines
                    file.inspect    | file format source target separator | format compression columns vertexColumns rows rowsEstimated vertices directed weighted graphBytes first hint
                    file.convert    | file output format to directed source target weight separator ids | file format vertices edges directed weighted renumbered skippedSelfLoops skippedDuplicates leftOut
                    graph.generate  | graph generator scale edgefactor seeds keep | vertices edges directed skippedSelfLoops skippedDuplicates
                    graph.bfs       | graph source verify                       | source reached levels verified
                    graph.sssp      | graph source state parents verify         | source reached maxDistance sumDistance verified
                    graph.betweenness | graph sources samples seed top verify    | sources sum top verified
                    graph.pagerank  | graph damping iterations tolerance top verify | iterations sum top
                    graph.wcc       | graph verify                              | components largest
                    graph.kcore     | graph verify                              | maxCore inMaxCore
                    graph.triangles | graph verify                              | triangles averageLocalClustering
                    graph.cliques   | graph minimumSize file verify             | maximalCliques maximumSize sizeHistogram file
                    graph.scc       | graph verify                              | components largest
                    graph.degrees   | graph direction verify                    | minimum maximum average histogram
                    graph.groups    | graph state limit verify                  | values groups others edges
                    graph.walk      | graph length walksPerVertex seed weighted file verify | walks steps file
                    graph.maximumClique | graph verify                          | size members proven
                    graph.commonSubstructure | graphs labels connected verify   | size pairs proven
                    graph.cdlp      | graph iterations state verify             | communities largest
                    graph.lcc       | graph verify                              | average
                    graph.info      | graph                                     | vertices edges directed weighted incoming neighbourBytes shards storedEdges bytes bytesPerStoredEdge bytesPerVertex peers
                    graph.neighbours | graph id direction limit offset         | count neighbours weights
                    graph.value     | graph column id                           | type value
                    graph.path      | graph from to maxVertices seconds         | found complete length path visited
                    graph.write     | graph state file parts columns format sort descending top | file rows
                    generate.uniform | scale edgefactor seeds weights file format | edges sumSource sumTarget edgeHash weightHash
                    generate.grid   | scale file format                         | edges sumSource sumTarget edgeHash weightHash
                    benchmark.graphalytics | properties algorithms output    | graph algorithms
                    graph.publish   | graph state as replace                    | ''
                    graph.drop      | graph                                     | ''
                    """)
    void keepTheirContract(String name, String arguments, String results) {
        TaskSignature signature = task(name).signature();

        assertThat(String.join(" ", signature.arguments().stream().map(Argument::name).toList()))
                .isEqualTo(arguments);
        assertThat(
                        String.join(
                                " ",
                                signature.results().stream()
                                        .map(TaskSignature.Result::name)
                                        .toList()))
                .isEqualTo(results);
    }

    @Test
    void loadsWhatTheFileLooksLike() throws IOException {
        Path metis = Files.writeString(folder.resolve("a.graph"), "3 2\n2\n1 3\n2\n");
        Path edges = Files.writeString(folder.resolve("a.txt"), "1 2\n");
        Parameters arguments = Parameters.of("graph", "g").with("format", "auto");

        Map<String, Object> result = run("graph.load", arguments.with("file", "a.graph"));
        run("graph.load", arguments.with("file", "a.txt").with("directed", true));

        assertThat(result)
                .isEqualTo(
                        Map.of(
                                "vertices",
                                3L,
                                "edges",
                                2L,
                                "directed",
                                false,
                                "skippedSelfLoops",
                                5L,
                                "skippedDuplicates",
                                7L,
                                "skippedLines",
                                0L,
                                "badLines",
                                List.of()));
        assertThat(session.calls())
                .containsExactly(
                        "build g metis {file=" + metis + ", directed=false} false",
                        "build g edgelist {file=" + edges + ", directed=true} true");
    }

    @Test
    void loadsWithoutIncomingEdgesIfTheyHaveADirection() throws IOException {
        Path edges = Files.writeString(folder.resolve("a.txt"), "1 2\n");
        Parameters arguments =
                Parameters.of("graph", "g")
                        .with("format", "edgelist")
                        .with("file", "a.txt")
                        .with("incoming", false);

        run("graph.load", arguments.with("directed", true));

        assertThat(session.calls())
                .containsExactly(
                        "build g edgelist {file="
                                + edges
                                + ", directed=true} true without incoming");
        assertThatThrownBy(() -> run("graph.load", arguments.with("directed", false)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is undirected")
                .hasMessageContaining("\"incoming\"");
    }

    @Test
    void loadsInTheFormatThatWasAskedFor() throws IOException {
        Path file = folder.resolve("a.graph");

        run(
                "graph.load",
                Parameters.of("graph", "g")
                        .with("format", "edgelist")
                        .with("separator", ";")
                        .with("file", "a.graph"));

        assertThat(session.calls())
                .containsExactly(
                        "build g edgelist {file=" + file + ", separator=;, directed=false} false");
    }

    @Test
    void generatesWithTheParametersOfTheScript() throws IOException {
        run("graph.generate", generated().with("seeds", new long[] {4, -1}));

        assertThat(session.calls())
                .containsExactly("build g kronecker {scale=4, edgefactor=16, seeds=[4, -1]} false");
    }

    @Test
    void generateTheEdgesOfAGrid() throws IOException {
        Map<String, Object> result =
                run("generate.grid", Parameters.of("scale", 2).with("file", "grid.tsv"));

        assertThat(Files.readAllLines(folder.resolve("grid.tsv")))
                .containsExactly("0\t1", "0\t2", "1\t3", "2\t3");
        assertThat(result)
                .containsEntry("edges", 4L)
                .containsEntry("sumSource", "3")
                .containsEntry("sumTarget", "9");
        assertThat(folder)
                .isDirectoryContaining("glob:**grid.tsv")
                .isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void generateTheSameUniformEdgesForTheSameSeeds() throws IOException {
        Parameters arguments =
                Parameters.of("scale", 5)
                        .with("edgefactor", 4)
                        .with("seeds", List.of(2L, 3L))
                        .with("weights", true);

        Map<String, Object> hashed = run("generate.uniform", arguments);
        Map<String, Object> written = run("generate.uniform", arguments.with("file", "u"));
        Map<String, Object> other =
                run("generate.uniform", arguments.with("seeds", List.of(2L, 4L)));

        assertThat(hashed).isEqualTo(written).containsEntry("edges", 128L);
        assertThat(other.get("edgeHash")).isNotEqualTo(hashed.get("edgeHash"));
        assertThat(Files.readAllLines(folder.resolve("u")))
                .hasSize(128)
                .allMatch(line -> line.matches("\\d+\t\\d+\t\\d\\.\\d+(E-\\d+)?"));
    }

    @Test
    void writesAndDrops() throws IOException {
        Map<String, Object> written =
                run(
                        "graph.write",
                        Parameters.of("graph", "g").with("state", "level").with("file", "out"));
        run("graph.drop", Parameters.of("graph", "g"));

        assertThat(written).isEqualTo(Map.of("file", folder.resolve("out").toString()));
        assertThat(session.calls())
                .containsExactly("write g level " + folder.resolve("out"), "drop g");
    }

    @Test
    void keepGraphsAndPublishColumnsIfThatIsSaid() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "1 2\n");
        Parameters load =
                Parameters.of("graph", "g").with("file", "a.txt").with("format", "edgelist");
        Parameters publish = Parameters.of("graph", "g").with("state", "level").with("as", "steps");

        run("graph.load", load);
        run("graph.load", load.with("keep", true));
        run("graph.generate", generated().with("keep", true));
        run("graph.publish", publish);
        run("graph.publish", publish.with("replace", true));

        assertThat(session.calls())
                .filteredOn(call -> !call.startsWith("build"))
                .containsExactly(
                        "keep g", "keep g", "publish g level steps", "publish g level steps again");
    }

    @Test
    void refuseToKeepGraphsUnderNamesThatFitNoPath() {
        Parameters good = generated().with("keep", true);

        task("graph.generate").check(good.with("graph", "a graph_1.2+x@y-z"));
        task("graph.generate").check(generated().with("graph", "a/b"));

        for (String name : List.of("a/b", "", ".a", "a".repeat(129), "a\tb", "-a", "a%b")) {
            assertThatThrownBy(() -> task("graph.generate").check(good.with("graph", name)))
                    .as("\"%s\"", name)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("a graph that is kept has a name");
        }
    }

    @Test
    void refuseColumnsWithoutANameOrWithOneThatIsTooLong() {
        Task publish = task("graph.publish");

        publish.check(Parameters.of("as", "a".repeat(128)));

        for (String name : List.of("", "a".repeat(129))) {
            assertThatThrownBy(() -> publish.check(Parameters.of("as", name)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("1 to 128 characters");
        }
    }

    @Test
    void refuseGeneratorsParametersBeforeAnythingRuns() {
        Task generate = task("graph.generate");
        Parameters good = generated();

        generate.check(good);

        assertThatThrownBy(() -> generate.check(good.with("scale", 99)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("scale");
        assertThatThrownBy(() -> generate.check(good.with("edgefactor", 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("edgefactor");
        assertThatThrownBy(() -> generate.check(good.with("seeds", List.of(1L))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("seeds");
    }

    @Test
    void refuseCliquesOfNoSizeBeforeAnythingRuns() {
        Task cliques = task("graph.cliques");

        cliques.check(Parameters.of("graph", "g").with("minimumSize", 1));

        assertThatThrownBy(() -> cliques.check(Parameters.of("graph", "g").with("minimumSize", 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("\"minimumSize\" must be at least 1, found 0");
    }

    @Test
    void refuseWalksOfNoLengthBeforeAnythingRuns() {
        Task walk = task("graph.walk");
        Parameters good =
                Parameters.of("graph", "g")
                        .with("length", 1)
                        .with("walksPerVertex", 1)
                        .with("seed", -1);

        walk.check(good);

        assertThatThrownBy(() -> walk.check(good.with("length", 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("length must be from 1 to 1000000, found 0");
        assertThatThrownBy(() -> walk.check(good.with("walksPerVertex", 1L << 40)))
                .hasMessageContaining("at most 2147483647");
    }

    @Test
    void refuseToCompareOneGraphOrThreeBeforeAnythingRuns() {
        Task compare = task("graph.commonSubstructure");
        Parameters good = Parameters.of("graphs", List.of("a", "b"));

        compare.check(good);
        compare.check(good.with("labels", List.of("x", "y")));

        assertThatThrownBy(() -> compare.check(Parameters.of("graphs", List.of("a"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("\"graphs\" must have two elements, found 1");
        assertThatThrownBy(() -> compare.check(good.with("labels", List.of("x", "y", "z"))))
                .hasMessage("\"labels\" must have two elements, found 3");
    }

    @Test
    void refuseLabelsThatMakeNoSense() throws IOException {
        Path file = folder.resolve("labels");

        Files.writeString(file, "# atoms\n\n1 C\n 2\tN +\n18446744073709551615 O\n");
        assertThat(LabelFile.read(file, false))
                .isEqualTo(Map.of("1", "C", "2", "N +", "18446744073709551615", "O"));
        for (String[] wrong :
                new String[][] {
                    {"1 C\nx N\n", "labels:2: expected a vertex id and a label, found \"x N\""},
                    {"1\n", "labels:1: expected a vertex id and a label, found \"1\""},
                    {"1 C\n1 C\n", "labels:2: vertex 1 has a label already"},
                    {"# none\n", "labels has no labels; write lines \"id label\""}
                }) {
            Files.writeString(file, wrong[0]);
            assertThatThrownBy(() -> LabelFile.read(file, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageEndingWith(wrong[1]);
        }
    }

    @Test
    void takeTextsAsIdsOfLabels() throws IOException {
        Path file = folder.resolve("labels");

        Files.writeString(file, "007 C\n\"a \"\"b\"\"\" N +\nx\"y O\n");
        assertThat(LabelFile.read(file, true))
                .isEqualTo(Map.of("007", "C", "a \"b\"", "N +", "x\"y", "O"));
        Files.writeString(file, "\u2003a\u2003 C\n\"" + "x\"\"".repeat(30_000) + "\" D\n");
        assertThat(LabelFile.read(file, true))
                .containsEntry("\u2003a\u2003", "C")
                .containsEntry("x\"".repeat(30_000), "D");
        Files.writeString(file, "7 C\n\"a b C\n");
        assertThatThrownBy(() -> LabelFile.read(file, true))
                .hasMessageEndingWith(
                        "labels:2: expected a vertex id and a label, found \"\"a b C\"");
    }

    @Test
    void refusePageRanksParametersBeforeAnythingRuns() {
        Task rank = task("graph.pagerank");
        Parameters good = Parameters.of("graph", "g").with("damping", 0.85).with("top", 10);

        rank.check(good);
        rank.check(good.with("iterations", 1));
        rank.check(good.with("tolerance", 1e-6));

        assertThatThrownBy(() -> rank.check(good.with("iterations", 1).with("tolerance", 0.1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> rank.check(good.with("iterations", 0)))
                .hasMessageContaining("\"iterations\" must be at least 1");
        assertThatThrownBy(() -> rank.check(good.with("iterations", 1L << 40)))
                .hasMessageContaining("at most 2147483647");
        assertThatThrownBy(() -> rank.check(good.with("damping", 1.0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("damping");
        assertThatThrownBy(() -> rank.check(good.with("tolerance", 0.0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("tolerance");
        assertThatThrownBy(() -> rank.check(good.with("top", -1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("top");
    }

    private static Parameters generated() {
        return Parameters.of("graph", "g")
                .with("generator", "kronecker")
                .with("scale", 4)
                .with("edgefactor", 16)
                .with("seeds", List.of(2L, 3L));
    }

    private Map<String, Object> run(String task, Parameters arguments) throws IOException {
        return task(task).run(new FolderContext(session, folder), arguments).asMap();
    }

    static Task task(String name) {
        return ServiceLoader.load(Task.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(task -> task.signature().name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
