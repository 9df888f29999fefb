package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeDirection;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Neighbours;

/** Graphs with columns for programs that draw: on the engine, with two peers in this process. */
final class WrittenSmallGraphTest {
    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    @AfterEach
    void dropGraphs() {
        List.copyOf(PEERS.session().graphs()).forEach(PEERS.session()::drop);
    }

    private Map<String, Object> run(String task, Map<String, ?> arguments) throws IOException {
        return PEERS.run(folder, task, arguments);
    }

    /** Three people, one of them with characters that XML and DOT escape; weights, directions. */
    private void loadPeople() throws IOException {
        Files.writeString(
                folder.resolve("v.csv"),
                "id,age:int,at:double[2],ok:boolean,name:string\nAnn,40,0.5 -1,true,\"A & <B> \"\"C\"\"\"\n\"B, ob\",-3,1e300 0,false,\n-1,40,0 0,true,back\\slash\n");
        Files.writeString(
                folder.resolve("e.csv"),
                "source,target,weight:float\nAnn,\"B, ob\",2.5\n\"B, ob\",-1,1\n");
        run(
                "graph.load",
                Map.of(
                        "file",
                        "e.csv",
                        "directed",
                        true,
                        "vertices",
                        List.of("v.csv"),
                        "ids",
                        "text",
                        "format",
                        "auto"));
        run("graph.bfs", Map.of("source", PEERS.session().numbers("g", List.of("B, ob"))[0]));
    }

    @Test
    void writesGraphMlWithTypedAttributes() throws IOException {
        loadPeople();

        Map<String, Object> result =
                run(
                        "graph.write",
                        Map.of(
                                "columns",
                                List.of("age", "at", "ok", "name", "parent"),
                                "file",
                                "p.graphml"));

        assertThat(result).containsEntry("rows", 3L);
        assertThat(Files.readAllLines(folder.resolve("p.graphml")))
                .contains(
                        "  <key id=\"v0\" for=\"node\" attr.name=\"age\" attr.type=\"int\"/>",
                        "  <key id=\"v1\" for=\"node\" attr.name=\"at\" attr.type=\"string\"/>",
                        "  <key id=\"v2\" for=\"node\" attr.name=\"ok\" attr.type=\"boolean\"/>",
                        "  <key id=\"v4\" for=\"node\" attr.name=\"parent\" attr.type=\"string\"/>",
                        "  <graph edgedefault=\"directed\">",
                        "    <node id=\"Ann\"><data key=\"v0\">40</data><data key=\"v1\">0.5 -1.0</data><data key=\"v2\">true</data><data key=\"v3\">A &amp; &lt;B&gt; &quot;C&quot;</data></node>",
                        "    <edge source=\"Ann\" target=\"B, ob\"><data key=\"weight\">2.5</data></edge>");
        assertThat(Files.readString(folder.resolve("p.graphml")))
                .contains("<data key=\"v4\">B, ob</data></node>");
    }

    @Test
    void writesDotWithAttributes() throws IOException {
        loadPeople();

        run("graph.write", Map.of("columns", List.of("age", "name", "parent"), "file", "p.gv"));

        assertThat(Files.readAllLines(folder.resolve("p.gv")))
                .containsExactly(
                        "digraph {",
                        "  -1 [\"age\"=40, \"name\"=\"back\\\\slash\", \"parent\"=\"B, ob\"];",
                        "  \"Ann\" [\"age\"=40, \"name\"=\"A & <B> \\\"C\\\"\"];",
                        "  \"B, ob\" [\"age\"=-3, \"name\"=\"\", \"parent\"=\"B, ob\"];",
                        "  \"Ann\" -> \"B, ob\" [weight=\"2.5\", label=\"2.5\"];",
                        "  \"B, ob\" -> -1 [weight=1, label=1];",
                        "}");
    }

    @Test
    void writesEachEdgeOfAnUndirectedGraphOnceAndNeedsNoColumns() throws IOException {
        Files.writeString(folder.resolve("e.csv"), "7,1\n1,18446744073709551615\n7,2\n");
        run("graph.load", Map.of("file", "e.csv", "format", "edgelist"));

        run("graph.write", Map.of("file", "p.dot"));

        assertThat(Files.readAllLines(folder.resolve("p.dot")))
                .containsExactlyInAnyOrder(
                        "graph {",
                        "  1;",
                        "  2;",
                        "  7;",
                        "  18446744073709551615;",
                        "  1 -- 7;",
                        "  1 -- 18446744073709551615;",
                        "  2 -- 7;",
                        "}");
    }

    @Test
    void readsBackTheGraphThatItHasWritten() throws IOException {
        Files.writeString(folder.resolve("v.csv"), "id,age:int\n1,4\n2,5\n3,6\n");
        Files.writeString(folder.resolve("e.csv"), "1 2 0.5\n2 3 7\n");
        run(
                "graph.load",
                Map.of("file", "e.csv", "format", "edgelist", "vertices", List.of("v.csv")));
        run("graph.write", Map.of("columns", List.of("age"), "file", "p.graphml.gz"));

        run("graph.load", Map.of("graph", "h", "file", "p.graphml.gz", "format", "auto"));

        assertThat(PEERS.session().info("h").edges()).isEqualTo(2);
        assertThat(PEERS.session().queries().value("h", "age", 3).value()).isEqualTo(6L);
        Neighbours around =
                PEERS.session().queries().neighbours("h", 3, EdgeDirection.OUTGOING, 0, 10);
        assertThat(around.ids()).containsExactly(2L);
        assertThat(around.weights()).containsExactly(7f);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.dot", "p.graphml"})
    void refusesAGraphThatNobodyDraws(String file) throws IOException {
        Files.write(
                folder.resolve("e.csv"),
                IntStream.range(0, 10_001).mapToObj(i -> i + " " + (i + 1)).toList());
        run("graph.load", Map.of("file", "e.csv", "format", "edgelist"));

        assertThatThrownBy(() -> run("graph.write", Map.of("file", file)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "is for graphs that can be drawn: at most 10,000 vertices and 100,000 edges, and \"g\" has 10,002 and 10,001");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(one -> one.getFileName().toString())).containsExactly("e.csv");
        }
    }

    @Test
    void refusesACharacterThatXmlCannotHave() throws IOException {
        Files.writeString(folder.resolve("e.csv"), "a\u0001b,c\n");
        run("graph.load", Map.of("file", "e.csv", "format", "edgelist", "ids", "text"));

        assertThatThrownBy(() -> run("graph.write", Map.of("file", "p.graphml")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has the character U+0001, which GraphML can't have");
    }
}
