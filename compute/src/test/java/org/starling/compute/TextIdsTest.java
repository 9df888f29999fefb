package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.GraphSession;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.RunOptions;
import org.starling.graph.StateCursor;
import org.starling.graph.TextId;
import org.starling.graph.TextOutput;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Graphs whose ids are texts, against the same in plain Java. */
@Timeout(60)
final class TextIdsTest {
    @AutoClose private static final Clusters clusters = new Clusters();

    private static int graphs;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void haveNumbersInTheOrderOfTheirCodePoints(int peers) {
        TextEdges edges = TextEdges.random(1, 700, 3_000);
        GraphSession session = clusters.session(peers);
        String graph = build(session, edges);

        List<String> ids = List.copyOf(edges.ids());
        long[] numbers = LongStream.range(0, ids.size()).toArray();
        assertThat(session.info(graph).textIds()).isTrue();
        assertThat(session.info(graph).vertices()).isEqualTo(ids.size());
        assertThat(session.texts(graph, numbers)).isEqualTo(ids);
        assertThat(session.numbers(graph, ids)).isEqualTo(numbers);
        assertThat(session.shown(graph, 3)).isEqualTo(ids.get(3));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void areWrittenIntoFiles(int peers, @TempDir Path folder) throws IOException {
        TextEdges edges = TextEdges.random(2, 700, 2_000);
        GraphSession session = clusters.session(peers);
        String graph = build(session, edges);
        session.run(graph, TestPrograms.NAME, TestPrograms.named(Neighbourhood::new));
        List<String> degrees = new ArrayList<>();
        List<String> least = new ArrayList<>();
        edges.neighbours()
                .forEach((id, row) -> {
                    String first = row.isEmpty() ? "-1" : TextId.field(row.first());
                    degrees.add(TextId.field(id) + " " + row.size());
                    least.add(TextId.field(id) + " " + first);
                });

        Path file = folder.resolve("degrees.txt");
        session.write(graph, "degree", file);
        assertThat(TextEdges.lines(file)).isEqualTo(degrees);
        Path named = folder.resolve("least.txt");
        session.write(graph, "least", named);
        assertThat(TextEdges.lines(named)).isEqualTo(least);
        session.writeParts(graph, "least", folder.resolve("many"));
        try (Stream<Path> files = Files.list(folder)) {
            List<String> parts =
                    files.filter(one -> one.toString().contains(".part-"))
                            .flatMap(one -> TextEdges.lines(one).stream())
                            .toList();
            assertThat(parts).containsExactlyInAnyOrderElementsOf(least);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void areWrittenByProgramsInTheirLines(int peers, @TempDir Path folder) {
        TextEdges edges = TextEdges.random(3, 300, 900);
        GraphSession session = clusters.session(peers);
        String graph = build(session, edges);

        Path file = folder.resolve("rows.txt");
        session.run(
                graph,
                TestPrograms.NAME,
                TestPrograms.named(Rows::new),
                RunOptions.DEFAULT.withOutput("rows", file));

        List<String> expected = new ArrayList<>();
        edges.neighbours()
                .forEach((id, row) ->
                        expected.add(TextId.field(id) + ":" + row.size() + " " + TextId.field(id)));
        assertThat(TextEdges.lines(file)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void goWithThePartsOfAGraphThatConditionsHoldFor(int peers) {
        TextEdges edges = TextEdges.randomValued(4, 400, 2_000);
        GraphSession session = clusters.session(peers);
        String graph = build(session, edges);

        session.project(graph, "length < 30 and id != 'a b' and id > '7'", "", graph + "-part");

        List<String> expected =
                edges.ids().stream()
                        .filter(id ->
                                id.length() < 30
                                        && !id.equals("a b")
                                        && TextEdges.compare(id, "7") > 0)
                        .toList();
        long[] numbers = LongStream.range(0, expected.size()).toArray();
        assertThat(expected).contains("\u00E9", "e\u0301").hasSizeLessThan(edges.ids().size());
        assertThat(session.info(graph + "-part").vertices()).isEqualTo(expected.size());
        assertThat(session.texts(graph + "-part", numbers)).isEqualTo(expected);
        session.drop(graph);
        assertThat(session.texts(graph + "-part", numbers)).isEqualTo(expected);
        List<String> read = new ArrayList<>();
        try (StateCursor lengths = session.read(graph + "-part", TextEdges.LENGTH)) {
            while (lengths.next()) {
                String id = expected.get((int) lengths.id());
                assertThat(lengths.asLong()).isEqualTo(id.length());
                read.add(id);
            }
        }
        assertThat(read).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = 3)
    void areWhatColumnsOfOtherGraphsAreJoinedBy(int peers) {
        GraphSession session = clusters.session(peers);
        TextEdges known = TextEdges.randomValued(5, 300, 1_000);
        TextEdges some = TextEdges.inParts(3);
        known.ids().stream().limit(200).forEach(id -> some.edge(id, "zz-nobody"));
        String from = build(session, known);
        String graph = build(session, some);

        session.run(graph, TestPrograms.NAME, TestPrograms.named(() -> new Join(from)));

        List<String> ids = List.copyOf(some.ids());
        try (StateCursor joined = session.read(graph, "joined")) {
            while (joined.next()) {
                String id = ids.get((int) joined.id());
                assertThat(joined.asLong()).isEqualTo(known.ids().contains(id) ? id.length() : -5);
            }
        }
        String numbers =
                clusters.build(peers, TestEdges.sparse().edge(1, 2), BuildOptions.UNDIRECTED);
        assertThatThrownBy(() ->
                        session.run(
                                numbers,
                                TestPrograms.NAME,
                                TestPrograms.named(() -> new Join(from))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("the ids of graph \"%s\" are texts".formatted(from));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = 1)
    void areWhatColumnsOfOtherGraphsAreJoinedByInMoreCases(int peers) {
        areWhatColumnsOfOtherGraphsAreJoinedBy(peers);
    }

    @Test
    void mayAllBeginAlike() {
        TextEdges edges = TextEdges.inParts(4);
        String beginning = "long".repeat(200);
        for (int i = 0; i < 2_000; i++) {
            edges.edge(beginning + i, beginning + (i * 7 % 2_000));
        }
        GraphSession session = clusters.session(3);
        String graph = build(session, edges);

        List<String> ids = List.copyOf(edges.ids());
        assertThat(session.texts(graph, LongStream.range(0, ids.size()).toArray())).isEqualTo(ids);
    }

    @Test
    void refusesWhatCanBeNoId() {
        String tooLong = "x".repeat(TextId.MAX_BYTES + 1);
        List<String> wrong = List.of("", tooLong);
        List<String> reasons =
                List.of(
                        "expected a vertex id, found an empty text",
                        "expected a vertex id of up to 65520 bytes, found one of 65521");

        for (int i = 0; i < wrong.size(); i++) {
            TextEdges edges = TextEdges.inParts(2).edge("a", "b").edge("c", wrong.get(i));
            assertThatThrownBy(() -> build(clusters.session(3), edges))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(reasons.get(i));
        }
        TextEdges longest =
                TextEdges.inParts(2).edge("a", "x".repeat(TextId.MAX_BYTES)).edge("b", "c");
        GraphSession session = clusters.session(3);
        assertThat(session.texts(build(session, longest), new long[] {3}))
                .containsExactly("x".repeat(TextId.MAX_BYTES));
    }

    @Test
    void namesAVertexThatHasPropertiesTwice() {
        TextEdges edges =
                TextEdges.valued(3).edge("a", "b").vertex("caf\u00E9").vertexAgain("caf\u00E9");

        for (int peers : new int[] {1, 3}) {
            assertThatThrownBy(() -> build(clusters.session(peers), edges))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("vertex \"caf\u00E9\" has properties twice");
        }
    }

    @Test
    void namesVerticesThatAreNotThere() {
        GraphSession session = clusters.session(3);
        String graph = build(session, TextEdges.inParts(1).edge("a", "b"));

        assertThatThrownBy(() -> session.numbers(graph, List.of("a", "A")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "graph \"%s\" has no vertex \"A\"; take an id that stands in its file"
                                .formatted(graph));
        String marks = build(session, TextEdges.inParts(1).edge("?", "a?"));
        assertThatThrownBy(() -> session.numbers(marks, List.of("a?", "\uD83D")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("half of a character, \\uD83D");
        assertThatThrownBy(() -> session.queries().numbers(marks, List.of("a\uDE00")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("half of a character, \\uDE00");
        String numbers = clusters.build(3, TestEdges.sparse().edge(1, 2), BuildOptions.UNDIRECTED);
        assertThatThrownBy(() -> session.numbers(numbers, List.of("a")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("the ids of graph \"%s\" are numbers".formatted(numbers));
        assertThat(session.shown(numbers, 2)).isEqualTo(2L);
    }

    private static String build(GraphSession session, TextEdges edges) {
        String name = "texts-" + ++graphs;
        session.build(name, TextEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
        return name;
    }

    /** How many neighbours there are, and which one has the least id. */
    private static final class Neighbourhood implements VertexProgram {
        private IntState degree;
        private LongState least;
        private LongMirror ids;
        private IntChannel again;

        @Override
        public void declare(Declaration graph) {
            degree = graph.intState("degree", 0);
            least = graph.vertexState("least");
            ids = graph.longMirror("ids", -1);
            again = graph.intChannel("again", IntCombiner.SUM);
        }

        @Override
        public void start(Vertex v) {
            degree.set(v, v.degree());
            ids.publish(v, v.id());
            again.send(v.ordinal(), 1);
        }

        @Override
        public void compute(Vertex v) {
            long best = -1;
            for (EdgeCursor edge = v.edges(); edge.next(); ) {
                if (best < 0 || ids.read(edge.target()) < ids.read(best)) {
                    best = edge.target();
                }
            }
            least.set(v, best);
        }
    }

    /** A line for each vertex. */
    private static final class Rows implements VertexProgram {
        private TextOutput rows;

        @Override
        public void declare(Declaration graph) {
            rows = graph.textOutput("rows");
        }

        @Override
        public void start(Vertex v) {
            rows.vertex(v.id()).character(':').number(v.degree()).character(' ');
            rows.vertex(v.id()).endLine();
        }

        @Override
        public void compute(Vertex v) {}
    }

    /** Brings lengths over. */
    private static final class Join implements VertexProgram {
        private final String from;

        Join(String from) {
            this.from = from;
        }

        @Override
        public void declare(Declaration graph) {
            graph.join("joined", from, TextEdges.LENGTH, -5);
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }
}
