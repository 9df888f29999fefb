package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.ValuedEdges.Person;
import org.starling.compute.ValuedEdges.Tie;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/** Graphs made of a part of others, against the same in plain Java. */
@Timeout(60)
final class ProjectionTest {
    private static final int VERTICES = 700;
    private static final int EDGES = 6_000;

    @AutoClose private static final Clusters clusters = new Clusters();

    @ParameterizedTest
    @CsvSource({"1,true", "3,false"})
    void takeVerticesAndEdgesByTheirProperties(int peers, boolean directed) {
        ValuedEdges edges = ValuedEdges.random(21, VERTICES, EDGES);
        String graph = build(peers, edges, directed);

        check(
                peers,
                directed,
                edges,
                project(peers, graph, "age > 30", "weight >= 1"),
                p -> p.age() > 30,
                t -> t.weight() >= 1);
        check(
                peers,
                directed,
                edges,
                project(
                        peers,
                        graph,
                        "not alive or place[1] < 0.25",
                        "close and since % 2 == 0 or trust[0] > trust[1]"),
                p -> !p.alive() || p.y() < 0.25,
                t -> (t.close() && t.since() % 2 == 0) || t.a() > t.b());
        check(peers, directed, edges, project(peers, graph, "", ""), _ -> true, _ -> true);
        check(
                peers,
                directed,
                edges,
                project(
                        peers,
                        graph,
                        "name == 'Ada' or name >= \"\u674E \\\"x\\\" 2\" or name == ''",
                        "kind != 'knows' and kind < '\uD83D\uDC26'"),
                p ->
                        p.name().equals("Ada")
                                || ValuedEdges.compareByCodePoints(p.name(), "\u674E \"x\" 2") >= 0
                                || p.name().isEmpty(),
                t ->
                        !t.kind().equals("knows")
                                && ValuedEdges.compareByCodePoints(t.kind(), "\uD83D\uDC26") < 0);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"1,false", "3,true", "5,true"})
    void takeVerticesAndEdgesByTheirPropertiesInMoreCases(int peers, boolean directed) {
        takeVerticesAndEdgesByTheirProperties(peers, directed);
    }

    @Test
    void takesStatesIdsAndProjectionsAgain() {
        ValuedEdges edges = ValuedEdges.random(22, VERTICES, EDGES);
        String graph = build(3, edges, true);
        clusters.run(3, graph, SumOfProperties::new);
        Map<Long, Long> sums = new TreeMap<>();
        try (StateCursor sum = clusters.session(3).read(graph, SumOfProperties.SUM)) {
            while (sum.next()) {
                sums.put(sum.id(), sum.asLong());
            }
        }

        String positive = project(3, graph, "sum > 0 and id < 1500", "");
        String close = project(3, positive, "", "close");

        check(
                3,
                true,
                edges,
                close,
                p -> sums.getOrDefault(p.id(), 0L) > 0 && p.id() < 1500,
                Tie::close);
    }

    @Test
    void mayHaveNoEdgesOrNoVertices() {
        ValuedEdges edges = ValuedEdges.random(23, 60, 200);
        String graph = build(3, edges, false);

        check(3, false, edges, project(3, graph, "", "weight > 99"), _ -> true, _ -> false);
        String none = project(3, graph, "age > 1000", "");

        assertThat(clusters.session(3).info(none).vertices()).isZero();
        clusters.run(3, none, SumOfProperties::new);
        assertThat(clusters.longsById(3, none, SumOfProperties.SUM)).isEmpty();
    }

    @Test
    void workWithoutProperties() {
        TestEdges ring = TestEdges.dense(0, 100);
        for (int i = 0; i < 100; i++) {
            ring.edge(i, (i + 1) % 100);
        }
        String graph = clusters.build(3, ring, BuildOptions.UNDIRECTED.withWideNeighbours());
        GraphSession session = clusters.session(3);

        BuildResult half = session.project(graph, "id >= 50", "", "half");

        assertThat(half.graph().vertices()).isEqualTo(50);
        assertThat(half.graph().edges()).isEqualTo(49);
        assertThat(half.graph().neighbourBytes()).isEqualTo(8);
        assertThatThrownBy(() -> session.project(graph, "", "weight > 1", "other"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "\"edges\": at character 1 of \"weight > 1\": there is no column"
                                + " \"weight\"");
    }

    @Test
    void refuseConditionsThatMakeNoSenseAndLeaveNothing() {
        String graph = build(3, ValuedEdges.random(24, 60, 200), true);
        GraphSession session = clusters.session(3);
        int before = session.graphs().size();

        assertThatThrownBy(() -> session.project(graph, "agee > 30", "", "p"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"vertices\": at character 1 of \"agee > 30\": ")
                .hasMessageContaining("did you mean \"age\"?");
        assertThatThrownBy(() -> session.project(graph, "", "close > 1", "p"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "\"edges\": at character 7 of \"close > 1\": \">\" can't compare");
        assertThatThrownBy(() -> session.project(graph, "", "", graph))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is a graph");
        assertThatThrownBy(() -> session.project("nowhere", "", "", "p"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no graph \"nowhere\"");
        assertThat(session.graphs()).hasSize(before);
    }

    private static void check(
            int peers,
            boolean directed,
            ValuedEdges edges,
            String projected,
            Predicate<Person> vertices,
            Predicate<Tie> ties) {
        Map<Long, SortedMap<Long, Tie>> rows = edges.edges(directed);
        SortedMap<Long, Person> stay = edges.vertices();
        stay.values().removeIf(vertices.negate());
        TreeMap<Long, Long> sums = new TreeMap<>();
        TreeMap<Long, Long> heard = new TreeMap<>();
        stay.keySet().forEach(id -> heard.put(id, 0L));
        long count = 0;
        for (Person p : stay.values()) {
            long sum = SumOfProperties.ofVertex(p);
            for (Tie tie : rows.getOrDefault(p.id(), new TreeMap<>()).values()) {
                if (stay.containsKey(tie.to()) && ties.test(tie)) {
                    long part = SumOfProperties.ofEdge(tie);
                    sum += part;
                    heard.merge(tie.to(), part, Long::sum);
                    count++;
                }
            }
            sums.put(p.id(), sum);
        }
        assertThat(clusters.session(peers).info(projected).storedEdges()).isEqualTo(count);
        clusters.run(peers, projected, SumOfProperties::new);
        assertThat(clusters.longsById(peers, projected, SumOfProperties.SUM))
                .containsExactly(sums.values().toArray(new Long[0]));
        assertThat(clusters.longsById(peers, projected, SumOfProperties.HEARD))
                .containsExactly(heard.values().toArray(new Long[0]));
    }

    private static String project(int peers, String graph, String vertices, String edges) {
        String name = graph + "/" + vertices + "/" + edges;
        clusters.session(peers).project(graph, vertices, edges, name);
        return name;
    }

    private static String build(int peers, ValuedEdges edges, boolean directed) {
        Parameters named = edges.named();
        String name = named.text("key");
        clusters.session(peers)
                .build(
                        name,
                        ValuedEdges.NAME,
                        named,
                        directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED);
        return name;
    }
}
