package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.JsonText;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The command {@code plot}; what it draws is read as XML. */
final class PlotCommandTest {
    private static final String REPORT =
            """
            {"script": "tides & moons", "status": "succeeded", "seconds": 1.5, "peers": 1,
             "processes": false, "recoveries": 0, "tasks": [
              {"task": "graph.load", "seconds": 0.1, "supersteps": 0, "messages": 0,
               "result": {"vertices": 5000, "badLines": []}},
              {"task": "graph.bfs", "as": "tide", "seconds": 1, "supersteps": 4, "messages": 25105,
               "result": {"reached": 5000, "levels": [1, 4999]},
               "runs": [
                {"program": "algorithms.bfs", "graph": "sea", "supersteps": 4, "seconds": 1,
                 "memory": [], "expectedMostMessages": 0, "resumes": true, "incoming": true,
                 "history": [
                  {"first": 0, "last": 0, "frontier": 1, "direction": "none", "messages": 5, "bytes": 0,
                   "seconds": 0.1, "slowestShard": 0, "slowestSeconds": 0.1},
                  {"first": 1, "last": 2, "frontier": 4000, "direction": "push", "messages": 25100,
                   "bytes": 0, "seconds": 0.1, "slowestShard": 0, "slowestSeconds": 0.1},
                  {"first": 3, "last": 3, "frontier": 7, "direction": "push", "messages": 0, "bytes": 0,
                   "seconds": 0.1, "slowestShard": 0, "slowestSeconds": 0.1}]},
                {"program": "algorithms.bfs.census", "graph": "sea", "supersteps": 1, "seconds": 0,
                 "memory": [], "expectedMostMessages": 0, "resumes": true, "incoming": true,
                 "history": [
                  {"first": 0, "last": 0, "frontier": 0, "direction": "none", "messages": 0, "bytes": 0,
                   "seconds": 0.1, "slowestShard": 0, "slowestSeconds": 0.1}]}]},
              {"task": "graph.degrees", "as": "shape", "seconds": 1, "supersteps": 1, "messages": 0,
               "result": {"histogram": {"10": 3, "2": 9, "1": 40}}},
              {"task": "graph.pagerank", "as": "ranks", "seconds": 1, "supersteps": 1, "messages": 0,
               "result": {"top": [["Ann", 0.5], ["Bob", 0.25]]}}]}
            """;

    @TempDir Path folder;

    private final Screen screen = new Screen();

    @BeforeEach
    void writeReport() throws IOException {
        Files.writeString(folder.resolve("report.json"), REPORT);
    }

    @Test
    void drawsFrontierAndMessagesLevelsDegreesAndRanks() throws IOException {
        assertThat(run("plot", "report.json")).isEqualTo(ExitCode.DONE);

        Element svg = picture("report.svg");
        assertThat(texts(svg, "text", "heading")).containsExactly("tides & moons");
        assertThat(texts(svg, "text", "title"))
                .containsExactly(
                        "graph.bfs (tide): algorithms.bfs on sea",
                        "graph.bfs (tide): levels",
                        "graph.degrees (shape): histogram",
                        "graph.pagerank (ranks): top");
        assertThat(texts(svg, "text", "legend"))
                .containsExactly("frontier", "messages", "vertices", "vertices", "score");
        assertThat(elements(svg, "polyline", "line")).hasSize(3);
        assertThat(elements(svg, "circle", "dot")).hasSize(3 + 3 + 2);
        assertThat(elements(svg, "rect", "bar")).hasSize(2 + 3);
        assertThat(screen.out()).contains("report.svg: 4 charts");
        assertThat(screen.err()).contains("left out: 1 runs without frontier and messages");
    }

    @Test
    void tellsEachValueWithTheMeanOfSuperstepsThatArePutTogether() throws IOException {
        assertThat(run("plot", "report.json", "--task", "tide")).isEqualTo(ExitCode.DONE);

        List<String> dots = texts(picture("report.svg"), "circle", "dot");
        assertThat(dots)
                .containsExactly(
                        "superstep 0: frontier, 1",
                        "superstep 1: frontier, 2,000",
                        "superstep 3: frontier, 7",
                        "superstep 0: messages, 5",
                        "superstep 1: messages, 12,550",
                        "superstep 3: messages, 0");
    }

    @Test
    void takesALogarithmicScaleWhereValuesSpanMoreThanThreeDecades() throws IOException {
        assertThat(run("plot", "report.json", "--task", "tide")).isEqualTo(ExitCode.DONE);

        Element panel = elements(picture("report.svg"), "g", "").getFirst();
        assertThat(texts(panel, "text", "tick end"))
                .containsExactly("0", "1", "10", "100", "1,000", "10,000", "100,000");
        assertThat(texts(panel, "text", "tick middle")).containsExactly("0", "1", "2", "3");
        assertThat(texts(panel, "desc", "").getFirst())
                .contains("frontier: 3 values from 1 to 2,000.")
                .contains("The vertical scale is logarithmic.");
    }

    @Test
    void givesScreenReadersTitleAndDescriptionOfEachChart() throws IOException {
        assertThat(run("plot", "report.json")).isEqualTo(ExitCode.DONE);

        Element svg = picture("report.svg");
        List<Element> panels = elements(svg, "g", "");
        assertThat(panels).hasSize(4);
        for (Element panel : panels) {
            assertThat(panel.getAttribute("role")).isEqualTo("img");
            for (String id : panel.getAttribute("aria-labelledby").split(" ", -1)) {
                assertThat(panel.getElementsByTagName("*"))
                        .extracting(list -> withId(list, id))
                        .asString()
                        .isNotBlank();
            }
        }
        assertThat(texts(svg, "style", "").getFirst()).contains("prefers-color-scheme: dark");
    }

    @Test
    void showsHostileNamesAsText() throws IOException {
        String hostile = "</title><script>alert(1)</script>\\u0000\\u202e'\\\" onload=\\\"x";
        Files.writeString(
                folder.resolve("report.json"),
                REPORT.replace("tides & moons", hostile)
                        .replace("\"sea\"", "\"" + hostile + "\"")
                        .replace("Ann", hostile));

        assertThat(run("plot", "report.json")).isEqualTo(ExitCode.DONE);

        Element svg = picture("report.svg");
        String shown = "</title><script>alert(1)</script>\uFFFD\uFFFD'\" onload=\"x";
        assertThat(svg.getElementsByTagName("script").getLength()).isZero();
        assertThat(texts(svg, "text", "heading")).containsExactly(shown);
        assertThat(texts(svg, "circle", "dot")).contains(shown + ": score, 0.5");
        NodeList all = svg.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            assertThat(((Element) all.item(i)).hasAttribute("onload")).isFalse();
        }
    }

    @Test
    void drawsAColumnOfATableByRankAndHowManyHaveEachValue() throws IOException {
        StringBuilder table = new StringBuilder("id,name,core\n");
        for (int i = 0; i < 10_000; i++) {
            table.append(i).append(",\"a,\"\"b\",").append(i % 7).append('\n');
        }
        Files.writeString(folder.resolve("cores.csv"), table.append("10000,c,\n"));

        assertThat(
                        run(
                                "plot",
                                "report.json",
                                "--task",
                                "ranks",
                                "--table",
                                "cores.csv",
                                "--column",
                                "core",
                                "--out",
                                "cores.svg"))
                .isEqualTo(ExitCode.DONE);

        Element svg = picture("cores.svg");
        assertThat(texts(svg, "text", "title"))
                .containsExactly(
                        "graph.pagerank (ranks): top",
                        "cores.csv: core by rank",
                        "vertices by cores.csv: core");
        assertThat(texts(svg, "rect", "bar"))
                .hasSize(7)
                .contains("core 0: vertices, 1,429", "core 6: vertices, 1,428");
        Element curve = elements(svg, "polyline", "line").getLast();
        assertThat(curve.getAttribute("points").split(" ", -1)).hasSizeBetween(100, 401);
        assertThat(folder.resolve("report.svg")).doesNotExist();
    }

    @Test
    void drawsLinesOfIdsAndValues() throws IOException {
        Files.writeString(
                folder.resolve("d.txt"), "\"Ann Bell\" 0.5\n\"Bob Ito\" Infinity\n\"C\" 2e-9\n");

        assertThat(run("plot", "report.json", "--task", "ranks", "--table", "d.txt", "--json"))
                .isEqualTo(ExitCode.DONE);

        assertThat((Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out())))
                .isEqualTo(Map.of("file", folder.resolve("report.svg").toString(), "charts", 2L));
        assertThat(texts(picture("report.svg"), "circle", "dot"))
                .endsWith("rank 1: value, 0.5", "rank 2: value, 2·10⁻⁹");
    }

    @Tag("thorough")
    @Test
    void drawsAReportThatRunHasWritten() throws IOException {
        for (String file : List.of("scripts/first-flight.json", "scripts/karate.graph")) {
            Path to = folder.resolve("examples").resolve(file);
            Files.createDirectories(Objects.requireNonNull(to.getParent()));
            Files.copy(Checkout.root().resolve("examples").resolve(file), to);
        }
        Screen job = new Screen();
        assertThat(
                        Commands.all()
                                .run(
                                        new String[] {
                                            "run",
                                            "examples/scripts/first-flight.json",
                                            "--explain",
                                            "--json"
                                        },
                                        job.terminal(folder),
                                        new Interruption()))
                .isEqualTo(ExitCode.DONE);
        Files.writeString(folder.resolve("flight.json"), job.out());

        assertThat(run("plot", "flight.json")).isEqualTo(ExitCode.DONE);

        Element svg = picture("flight.svg");
        assertThat(texts(svg, "text", "title"))
                .contains(
                        "graph.bfs (clubSearch): algorithms.bfs on club",
                        "graph.pagerank (ranks): top",
                        "graph.cliques (clubCliques): sizeHistogram");
        assertThat(texts(svg, "rect", "bar")).contains("level 1: vertices, 16");
        assertThat(texts(svg, "circle", "dot")).contains("superstep 0: messages, 156");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plot | 2 | plot needs one report, found 0",
                "plot none.json | 3 | there is no report",
                "plot folder.svg --out a.svg | 3 | there is no report",
                "plot text.json | 3 | text.json is no report: line 1",
                "plot binary.json | 3 | binary.json is no report: it is no text in UTF-8",
                "plot list.json | 3 | list.json is no report: it is no JSON object",
                "plot script.json | 3 | script.json is no report: script: expected a text",
                "plot other.json | 3 | other.json is no report: it has no \"tasks\"",
                "plot figures.json | 3 | figures of graph500",
                "plot plain.json | 3 | tells of no superstep, distribution or ranks; run the script with --explain --json",
                "plot report.json --task moon | 3 | has no task \"moon\"",
                "plot report.json --task graph.load | 3 | tells of no superstep",
                "plot report.json --out folder.svg | 3 | folder.svg is a folder",
                "plot report.json --out none/a.svg | 3 | there is no folder",
                "plot report.json --out a.png | 3 | a picture's name ends in .svg",
                "plot report.svg | 3 | is the report itself",
                "plot report.json --column a | 2 | give --table FILE, too",
                "plot report.json --table a.parquet | 3 | tables that end in .csv or .tsv",
                "plot report.json --table a.csv | 3 | there is no table",
                "plot report.json --table t.csv --column rnk | 3 | has no column \"rnk\"; did you mean \"rank\"?",
                "plot report.json --table t.csv --column name | 3 | t.csv:2: \"x\" of column name is no number",
                "plot report.json --table open.tsv | 3 | open.tsv:2: a quote is not closed",
                "plot report.json --table short.csv | 3 | short.csv:3: expected 2 fields, found 1",
            })
    void refusesInOneSentence(String line, int code, String said) throws IOException {
        Files.createDirectory(folder.resolve("folder.svg"));
        Files.writeString(folder.resolve("text.json"), "no report");
        Files.write(folder.resolve("binary.json"), new byte[] {(byte) 0xff, 0, 1});
        Files.writeString(folder.resolve("list.json"), "[]");
        Files.writeString(folder.resolve("script.json"), "{\"tasks\": []}");
        Files.writeString(folder.resolve("other.json"), "{\"a\": 1}");
        Files.writeString(
                folder.resolve("figures.json"), "{\"bfs\": {}, \"constructionSeconds\": 1}");
        Files.writeString(
                folder.resolve("plain.json"),
                "{\"script\": \"s\", \"status\": \"succeeded\", \"tasks\": []}");
        Files.writeString(folder.resolve("t.csv"), "id,rank,name\n1,2,x\n");
        Files.writeString(folder.resolve("open.tsv"), "id\trank\n\"1\t2\n");
        Files.writeString(folder.resolve("short.csv"), "id,rank\n1,2\n1\n");
        if (line.startsWith("plot report.svg")) {
            Files.writeString(folder.resolve("report.svg"), REPORT);
        }
        List<String> before = names();

        assertThat(run(line.split(" ", -1)).number()).isEqualTo(code);

        assertThat(screen.err()).startsWith("starling: ").contains(said).hasLineCount(1);
        assertThat(names()).isEqualTo(before);
    }

    private List<String> names() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private Element picture(String name) throws IOException {
        Path file = folder.resolve(name);
        assertThat(Files.readString(file, StandardCharsets.UTF_8)).doesNotContain("NaN");
        try (InputStream bytes = Files.newInputStream(file)) {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            Document document = factory.newDocumentBuilder().parse(bytes);
            return document.getDocumentElement();
        } catch (ParserConfigurationException | SAXException broken) {
            throw new AssertionError("no XML: " + file, broken);
        }
    }

    /** Elements of a name whose class is, or begins with, one that is wanted. */
    private static List<Element> elements(Element within, String name, String kind) {
        List<Element> found = new ArrayList<>();
        NodeList all = within.getElementsByTagName(name);
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            String classes = element.getAttribute("class") + " ";
            if (kind.isEmpty() || classes.startsWith(kind + " ")) {
                found.add(element);
            }
        }
        return found;
    }

    private static List<String> texts(Element within, String name, String kind) {
        return elements(within, name, kind).stream().map(Element::getTextContent).toList();
    }

    private static String withId(NodeList elements, String id) {
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (element.getAttribute("id").equals(id)) {
                return element.getTextContent();
            }
        }
        return "";
    }

    private ExitCode run(String... words) {
        return Commands.all().run(words, screen.terminal(folder), new Interruption());
    }
}
