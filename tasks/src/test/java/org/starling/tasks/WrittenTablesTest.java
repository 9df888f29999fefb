package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Columns as tables: on the engine, with two peers in this process. */
final class WrittenTablesTest {
    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    @AfterEach
    void dropGraphs() {
        List.copyOf(PEERS.session().graphs()).forEach(PEERS.session()::drop);
    }

    private Map<String, Object> run(String task, Map<String, ?> arguments) throws IOException {
        Parameters parameters = Parameters.of("graph", "g");
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            parameters = parameters.with(argument.getKey(), argument.getValue());
        }
        return TasksTest.task(task)
                .run(new FolderContext(PEERS.session(), folder), parameters)
                .asMap();
    }

    /** Vertex 1 names two others, 18446744073709551615 nobody. */
    private void loadPeople() throws IOException {
        Files.writeString(
                folder.resolve("v.csv"),
                "id,age:int,at:double[2],ok:boolean,name:string\n1,40,0.5 -1,true,\"Ann, \"\"A\"\"\"\n7,-3,1e300 0,false,\n18446744073709551615,40,0 0,true,#x\n");
        Files.writeString(folder.resolve("e.csv"), "1,7\n");
        run(
                "graph.load",
                Map.of(
                        "file",
                        "e.csv",
                        "format",
                        "edgelist",
                        "directed",
                        true,
                        "vertices",
                        List.of("v.csv")));
        run("graph.bfs", Map.of("source", 1));
    }

    private List<String> written(String file, Map<String, ?> arguments) throws IOException {
        Parameters given = Parameters.of("file", file);
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            given = given.with(argument.getKey(), argument.getValue());
        }
        TasksTest.task("graph.write").check(given);
        run("graph.write", given.asMap());
        return Files.readAllLines(folder.resolve(file));
    }

    @Test
    void writesColumnsOfAllTypesWithIds() throws IOException {
        loadPeople();

        List<String> columns = List.of("age", "at", "ok", "name", "parent");

        assertThat(written("out.csv", Map.of("columns", columns)))
                .containsExactly(
                        "id,age,at,ok,name,parent",
                        "1,40,0.5 -1.0,true,\"Ann, \"\"A\"\"\",1",
                        "7,-3,1.0E300 0.0,false,\"\",1",
                        "18446744073709551615,40,0.0 0.0,true,\"#x\",");
        assertThat(written("out.tsv", Map.of("columns", columns)))
                .containsExactly(
                        "id\tage\tat\tok\tname\tparent",
                        "1\t40\t0.5 -1.0\ttrue\t\"Ann, \"\"A\"\"\"\t1",
                        "7\t-3\t1.0E300 0.0\tfalse\t\"\"\t1",
                        "18446744073709551615\t40\t0.0 0.0\ttrue\t\"#x\"\t");
        assertThat(written("lines", Map.of("columns", columns, "format", "jsonl")))
                .containsExactly(
                        "{\"id\":1,\"age\":40,\"at\":[0.5,-1.0],\"ok\":true,\"name\":\"Ann, \\\"A\\\"\",\"parent\":1}",
                        "{\"id\":7,\"age\":-3,\"at\":[1.0E300,0.0],\"ok\":false,\"name\":\"\",\"parent\":1}",
                        "{\"id\":18446744073709551615,\"age\":40,\"at\":[0.0,0.0],\"ok\":true,\"name\":\"#x\",\"parent\":null}");
    }

    @Test
    void sortsByAColumnAndLeavesEqualRowsInTheOrderOfIds() throws IOException {
        loadPeople();

        assertThat(written("up.csv", Map.of("columns", List.of("age"), "sort", "age")))
                .containsExactly("id,age", "7,-3", "1,40", "18446744073709551615,40");
        assertThat(
                        written(
                                "down.csv",
                                Map.of(
                                        "columns",
                                        List.of("name", "age", "at", "parent"),
                                        "sort",
                                        "age",
                                        "descending",
                                        true,
                                        "top",
                                        2)))
                .containsExactly(
                        "id,name,age,at,parent",
                        "1,\"Ann, \"\"A\"\"\",40,0.5 -1.0,1",
                        "18446744073709551615,\"#x\",40,0.0 0.0,");
        assertThat(written("names.csv", Map.of("columns", List.of("name"), "sort", "name")))
                .containsExactly(
                        "id,name", "7,\"\"", "18446744073709551615,\"#x\"", "1,\"Ann, \"\"A\"\"\"");
    }

    @Test
    void leavesZerosOfBothSignsInTheOrderOfIds() throws IOException {
        Files.writeString(folder.resolve("v.csv"), "id,x:double\n1,0.0\n2,-0.0\n3,-1\n4,-0.0\n");
        Files.writeString(folder.resolve("e.csv"), "1,2\n3,4\n");
        run(
                "graph.load",
                Map.of("file", "e.csv", "format", "edgelist", "vertices", List.of("v.csv")));

        assertThat(written("up.csv", Map.of("columns", List.of("x"), "sort", "x")))
                .containsExactly("id,x", "3,-1.0", "1,0.0", "2,-0.0", "4,-0.0");
        assertThat(
                        written(
                                "down.csv",
                                Map.of("columns", List.of("x"), "sort", "x", "descending", true)))
                .containsExactly("id,x", "1,0.0", "2,-0.0", "4,-0.0", "3,-1.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "jsonl", "parquet", "arrow"})
    void writesATableOfAGraphWithoutVertices(String format) throws IOException {
        loadPeople();
        run("graph.project", Map.of("vertices", "age > 100", "as", "nobody"));

        for (Map<String, Object> order :
                List.of(Map.<String, Object>of(), Map.<String, Object>of("sort", "age"))) {
            Map<String, Object> arguments = new HashMap<>(order);
            arguments.put("graph", "nobody");
            arguments.put("columns", List.of("age", "name"));
            arguments.put("file", "t." + format);

            assertThat(run("graph.write", arguments)).containsEntry("rows", 0L);
        }
    }

    @Test
    void findsTheSameTopAsASortOfAllOfALargerGraph() throws IOException {
        String edges =
                String.join(
                        "\n",
                        IntStream.range(0, 5000)
                                .mapToObj(i -> i + " " + (i * 7919L % 1009))
                                .toList());
        Files.writeString(folder.resolve("e.txt"), edges + "\n");
        run("graph.load", Map.of("file", "e.txt", "format", "edgelist"));
        run("graph.pagerank", Map.of("damping", 0.85, "iterations", 10, "top", 1, "verify", false));
        run("graph.wcc", Map.of("verify", false));
        List<String> both = List.of("pagerank", "component");

        List<String> all = written("all.csv", Map.of("columns", both));
        List<String> top =
                written(
                        "top.csv",
                        Map.of("columns", both, "sort", "pagerank", "descending", true, "top", 50));

        assertThat(all).hasSize(5001);
        assertThat(top.subList(1, 51))
                .isEqualTo(
                        all.stream()
                                .skip(1)
                                .sorted((a, b) -> Double.compare(rank(b), rank(a)))
                                .limit(50)
                                .toList());
    }

    private static double rank(String line) {
        return Double.parseDouble(line.split(",", -1)[1]);
    }

    @Test
    void writesIdsThatAreTexts() throws IOException {
        Files.writeString(folder.resolve("e.csv"), "Ann,\"B, ob\"\n-1,Ann\n");
        run(
                "graph.load",
                Map.of("file", "e.csv", "format", "edgelist", "directed", true, "ids", "text"));
        run("graph.bfs", Map.of("source", PEERS.session().numbers("g", List.of("-1"))[0]));
        run("graph.wcc", Map.of());

        assertThat(written("t.csv", Map.of("columns", List.of("level", "parent", "component"))))
                .containsExactly(
                        "id,level,parent,component",
                        "-1,0,-1,Ann",
                        "Ann,1,-1,Ann",
                        "\"B, ob\",2,Ann,Ann");
        assertThat(
                        written(
                                "t.jsonl",
                                Map.of(
                                        "columns",
                                        List.of("level"),
                                        "sort",
                                        "level",
                                        "descending",
                                        true,
                                        "top",
                                        1)))
                .containsExactly("{\"id\":\"B, ob\",\"level\":2}");
    }

    @Test
    void packsTextsAsTheirNamesSay() throws IOException {
        loadPeople();

        Map<String, Object> result =
                run("graph.write", Map.of("columns", List.of("age"), "file", "a.csv.gz"));

        assertThat(result).containsEntry("rows", 3L);
        try (GZIPInputStream in =
                new GZIPInputStream(Files.newInputStream(folder.resolve("a.csv.gz")))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("id,age\n1,40\n");
        }
    }

    @Test
    void leavesNothingBehindIfAColumnIsMissing() throws IOException {
        loadPeople();

        assertThatThrownBy(() -> written("out.csv", Map.of("columns", List.of("age", "agee"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"agee\"");
        assertThatThrownBy(() ->
                        written(
                                "out.csv",
                                Map.of("columns", List.of("age", "parent"), "sort", "parent")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "\"sort\" is \"parent\", whose values are vertices; sort by numbers, booleans or strings");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("v.csv", "e.csv");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    file=a.csv                                  | graph.write needs either "state", for lines of ids and values, or "columns", for a table
                    file=a.csv state=s columns=c                | graph.write needs either "state", for lines of ids and values, or "columns", for a table
                    file=a.csv state=s top=1                    | "top" goes with "columns", and this is one state; write "columns": ["s"]
                    file=a.parquet state=s                      | the name a.parquet tells a file of format parquet, and "state" writes lines of ids and values; write "columns": ["s"], or name the file otherwise
                    file=a.arrow state=s parts=true             | the name a.arrow tells a file of format arrow, and "state" writes lines of ids and values; write "columns": ["s"], or name the file otherwise
                    file=a.csv state=s format=parquet           | "format" goes with "columns", and this is one state; write "columns": ["s"]
                    file=a.txt columns=c                        | the name a.txt does not tell a format; end it in .csv, .tsv, .jsonl, .parquet, .arrow, .graphml, .dot, or say "format"
                    file=a.csv columns=c,c                      | "columns" names "c" twice; leave one out
                    file=a.csv columns=c,id                     | "columns" names "id", as the column of ids is called, which is always there; leave it out
                    file=a.csv columns=c sort=d                 | "sort" is "d", which is none of the columns; name one of c
                    file=a.csv columns=c top=5                  | "top" needs "sort", the column that rows are sorted by
                    file=a.csv columns=c descending=true        | "descending" needs "sort", the column that rows are sorted by
                    file=a.csv columns=c sort=c top=0           | "top" must be from 1 to 1000000, found 0
                    file=a.csv columns=c sort=c top=1000001     | "top" must be from 1 to 1000000, found 1000001
                    file=a.csv columns=c parts=true sort=c      | "parts" are written by all peers at once, each in the order of its own vertices, and can't have "sort"; leave one of them out
                    file=a.dot columns=c parts=true             | "parts" goes with tables, and dot is a graph; leave it out
                    file=a columns=c format=graphml sort=c      | "sort" goes with tables, and graphml is a graph; leave it out
                    file=a.dot columns=c,c                      | "columns" names "c" twice; leave one out
                    file=a.graphml state=s                      | the name a.graphml tells a file of format graphml, and "state" writes lines of ids and values; write "columns": ["s"], or name the file otherwise
                    """)
    void saysWhatIsWrongBeforeAnythingRuns(String arguments, String sentence) {
        Parameters given = Parameters.NONE;
        for (String argument : arguments.split(" ", -1)) {
            String[] both = argument.split("=", -1);
            given =
                    given.with(
                            both[0],
                            switch (both[0]) {
                                case "columns" -> Arrays.asList(both[1].split(",", -1));
                                case "top" -> Long.parseLong(both[1]);
                                case "descending", "parts" -> Boolean.parseBoolean(both[1]);
                                default -> both[1];
                            });
        }
        Parameters complete = given;

        assertThatThrownBy(() -> TasksTest.task("graph.write").check(complete))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(sentence);
    }
}
