package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.ValuedEdges.Person;
import org.starling.compute.ValuedEdges.Tie;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Properties that a graph is made with, against the same in plain Java. */
@Timeout(60)
final class PropertyTest {
    private static final int VERTICES = 700;
    private static final int EDGES = 4_000;

    @AutoClose private static final Clusters clusters = new Clusters();

    @ParameterizedTest
    @CsvSource({"1,true", "1,false", "3,true", "3,false", "5,false"})
    void areReadByPrograms(int peers, boolean directed) {
        ValuedEdges edges = ValuedEdges.random(11, VERTICES, EDGES);
        String graph = build(peers, edges, directed);

        clusters.run(peers, graph, SumOfProperties::new);

        List<Long> sums = new ArrayList<>();
        List<Long> heard = new ArrayList<>();
        expect(edges, directed, sums, heard);
        assertThat(clusters.longsById(peers, graph, SumOfProperties.SUM))
                .containsExactly(sums.toArray(new Long[0]));
        assertThat(clusters.longsById(peers, graph, SumOfProperties.HEARD))
                .containsExactly(heard.toArray(new Long[0]));
    }

    /** What {@link SumOfProperties} leaves, in the order of ids. */
    static void expect(ValuedEdges edges, boolean directed, List<Long> sums, List<Long> heard) {
        TreeMap<Long, Long> all = new TreeMap<>();
        TreeMap<Long, Long> received = new TreeMap<>();
        Map<Long, SortedMap<Long, Tie>> rows = edges.edges(directed);
        for (Person p : edges.vertices().values()) {
            long sum = SumOfProperties.ofVertex(p);
            received.putIfAbsent(p.id(), 0L);
            for (Tie tie : rows.getOrDefault(p.id(), new TreeMap<>()).values()) {
                long part = SumOfProperties.ofEdge(tie);
                sum += part;
                received.merge(tie.to(), part, Long::sum);
            }
            all.put(p.id(), sum);
        }
        sums.addAll(all.values());
        heard.addAll(received.values());
    }

    @Test
    void areReadLikeStates() {
        ValuedEdges edges = ValuedEdges.random(12, 300, 900);
        String graph = build(3, edges, false);
        GraphSession session = clusters.session(3);

        try (StateCursor alive = session.read(graph, "alive");
                StateCursor place = session.read(graph, "place")) {
            for (Person person : edges.vertices().values()) {
                assertThat(alive.next() && place.next()).isTrue();
                assertThat(alive.id()).isEqualTo(person.id());
                assertThat(alive.text()).isEqualTo(Boolean.toString(person.alive()));
                assertThat(place.text()).isEqualTo(person.x() + " " + person.y());
            }
            assertThat(alive.next()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void thatAreStringsAreReadAndWrittenLikeStates(int peers, @TempDir Path folder)
            throws IOException {
        ValuedEdges edges = ValuedEdges.random(17, 2_000, 4_000);
        String graph = build(peers, edges, false);
        GraphSession session = clusters.session(peers);
        List<String> expected = new ArrayList<>();
        for (Person person : edges.vertices().values()) {
            expected.add(person.id() + " " + person.name());
        }

        List<String> read = new ArrayList<>();
        try (StateCursor name = session.read(graph, "name")) {
            while (name.next()) {
                read.add(name.id() + " " + name.text());
            }
        }
        assertThat(read).isEqualTo(expected);
        session.write(graph, "name", folder.resolve("names.txt"));
        assertThat(Files.readAllLines(folder.resolve("names.txt"))).isEqualTo(expected);
        assertThat(parts(session, graph, "name", folder))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(parts(session, graph, "alive", folder))
                .containsExactlyInAnyOrderElementsOf(
                        edges.vertices().values().stream()
                                .map(person -> person.id() + " " + person.alive())
                                .toList());
    }

    private static List<String> parts(
            GraphSession session, String graph, String column, Path folder) throws IOException {
        session.writeParts(graph, column, folder.resolve(column));
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path part : files.filter(file -> file.toString().contains(".part-")).toList()) {
                if (part.getFileName().toString().startsWith(column)) {
                    lines.addAll(Files.readAllLines(part));
                }
            }
        }
        return lines;
    }

    @Test
    void thatAreStringsAreNothingElse() {
        String graph = build(3, ValuedEdges.random(18, 30, 90).withoutColumnsOfEdges(), false);
        GraphSession session = clusters.session(3);

        assertThatThrownBy(() -> clusters.run(3, graph, () -> new Reader("name", "weight")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no state \"name\" of type int; it has ")
                .hasMessageContaining("name is string");
        assertThatThrownBy(() -> clusters.run(3, graph, () -> new StringReader("age", "")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "has no property \"age\" of vertices that is a string; it has [age is int");
        assertThatThrownBy(() -> clusters.run(3, graph, () -> new StringReader("", "weight")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"weight\" of edges")
                .hasMessageContaining("is float, no string; declare it by edgeValues");
        assertThatThrownBy(() -> clusters.run(3, graph, () -> new Rewiring(3, 2, true)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has the property \"name\" of strings");
        assertThatThrownBy(
                        () -> {
                            try (StateCursor name = session.read(graph, "name")) {
                                name.next();
                                name.asLong();
                            }
                        })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a string is no number");
    }

    @Test
    void refusesWhatIsNoProperty() {
        String graph = build(1, ValuedEdges.random(12, 30, 90), true);

        assertThatThrownBy(() -> clusters.run(1, graph, () -> new Reader("agee", "since")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no state \"agee\" of type int; it has ")
                .hasMessageContaining(
                        "age is int, alive is boolean, name is string, place is float[2]");
        assertThatThrownBy(() -> clusters.run(1, graph, () -> new Reader("age", "until")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no column \"until\" of edges; it has [weight is float, ")
                .hasMessageContaining(
                        "kind is string, since is int, close is boolean, trust is double[2]");
    }

    @Test
    void refusesAVertexThatHasPropertiesTwice() {
        ValuedEdges edges = ValuedEdges.random(12, 30, 90);
        Person first = edges.vertices().values().iterator().next();
        edges.person(first).person(first);

        assertThatThrownBy(() -> build(3, edges, true))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("vertex " + first.id() + " has properties twice");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void stayWithTheVerticesOfAGraphThatAProgramChanges(int peers) {
        ValuedEdges edges =
                ValuedEdges.random(14, 300, 1_200).withoutColumnsOfEdges().withoutNames();
        SortedMap<Long, Person> before = edges.vertices();
        String graph = build(peers, edges, false);

        clusters.run(peers, graph, () -> new Rewiring(3, 3, true));

        SortedMap<Long, String> ages = Clusters.texts(clusters.session(peers), graph, "age");
        assertThat(ages).hasSizeGreaterThan(50);
        assertThat(ages.keySet()).isNotEqualTo(before.keySet());
        int known = 0;
        for (Map.Entry<Long, String> age : ages.entrySet()) {
            Person person = before.get(age.getKey());
            if (person != null && age.getValue().equals(Integer.toString(person.age()))) {
                known++;
            } else {
                assertThat(age.getValue()).as("vertex %s came", age.getKey()).isEqualTo("0");
            }
        }
        assertThat(known).isGreaterThan(50);
    }

    @Test
    void ofEdgesDoNotGoWithChangesOfTheTopology() {
        String graph = build(3, ValuedEdges.random(15, 100, 300).withoutNames(), false);

        assertThatThrownBy(() -> clusters.run(3, graph, () -> new Rewiring(3, 2, true)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("edges of graph \"" + graph + "\" have the column \"kind\"");
    }

    private static String build(int peers, ValuedEdges edges, boolean directed) {
        String name = "valued-" + peers + directed + edges.hashCode();
        clusters.session(peers)
                .build(
                        name,
                        ValuedEdges.NAME,
                        edges.named(),
                        directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED);
        return name;
    }

    /** Declares strings. */
    private record StringReader(String name, String ofEdges) implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            if (!name.isEmpty()) {
                graph.stringProperty(name);
            }
            if (!ofEdges.isEmpty()) {
                graph.edgeStringProperty(ofEdges);
            }
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }

    /** Declares two columns. */
    private record Reader(String state, String ofEdges) implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.existingIntState(state);
            graph.edgeValues(ofEdges);
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }
}
