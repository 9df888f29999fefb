package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.ValuedEdges.Person;
import org.starling.graph.BooleanState;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleState;
import org.starling.graph.FloatVectorState;
import org.starling.graph.GraphSession;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongState;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Columns that are brought over from other graphs, against the same in plain Java. */
@Timeout(60)
final class JoinTest {
    @AutoClose private static final Clusters clusters = new Clusters();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void bringValuesOverByIds(int peers) {
        ValuedEdges people = ValuedEdges.random(41, 900, 3_000);
        String from = build(peers, people);
        String graph = graphOfSome(peers, people);

        clusters.run(peers, graph, () -> new Joining(from));

        SortedMap<Long, Person> there = people.vertices();
        int partners = 0;
        List<Long> expected = new ArrayList<>();
        for (Long id : ids(peers, graph)) {
            Person person = there.get(id);
            partners += person == null ? 0 : 1;
            expected.add(
                    person == null
                            ? Joining.sum(-1, true, -7, 0.5, 3, 3)
                            : Joining.sum(
                                    person.age(),
                                    person.alive(),
                                    person.worth(),
                                    person.score(),
                                    person.x(),
                                    person.y()));
        }
        assertThat(clusters.longsById(peers, graph, Joining.SUM))
                .containsExactly(expected.toArray(new Long[0]));
        assertThat(partners).isBetween(100, expected.size() - 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void bringIdsOverWhereAColumnNamesVertices(int peers) {
        ValuedEdges people = ValuedEdges.random(42, 400, 1_500);
        String from = build(peers, people);
        String graph = graphOfSome(peers, people);
        clusters.run(peers, from, Naming::new);
        Map<Long, String> named = new TreeMap<>();
        try (StateCursor cursor = clusters.session(peers).read(from, Naming.NAMED)) {
            while (cursor.next()) {
                named.put(cursor.id(), cursor.text());
            }
        }

        clusters.run(peers, graph, () -> new OnlyJoining("least", from, Naming.NAMED, -2));

        assertThat(named).containsValue("-1").hasSizeGreaterThan(100);
        try (StateCursor least = clusters.session(peers).read(graph, "least")) {
            while (least.next()) {
                assertThat(least.text()).isEqualTo(named.getOrDefault(least.id(), "-2"));
            }
        }
    }

    @Test
    void areRefusedWithASentence() {
        ValuedEdges people = ValuedEdges.random(43, 60, 200);
        String from = build(3, people);
        String graph = graphOfSome(3, people);

        refused(
                () -> clusters.run(3, graph, () -> new OnlyJoining("s", "nowhere", "age", 0)),
                "there is no graph \"nowhere\"");
        refused(
                () -> clusters.run(3, graph, () -> new OnlyJoining("s", from, "agee", 0)),
                "graph \"" + from + "\" has no column \"agee\" of vertices; did you mean \"age\"?");
        refused(
                () -> clusters.run(3, graph, () -> new OnlyJoining("s", from, "name", 0)),
                "column \"name\" of graph \"" + from + "\" is string, which no state can have");
        refused(
                () -> clusters.run(3, graph, () -> new OnlyJoining("s", from, "age", 0.5)),
                "column \"age\" of graph \"%s\" is int, and 0.5, for vertices that it does not have"
                        .formatted(from));
        refused(
                () -> clusters.run(3, graph, () -> new OnlyJoining("s", from, "alive", 2)),
                "is boolean, and 2, for vertices that it does not have, is no such value");
        refused(
                () -> clusters.run(3, graph, () -> new WrongType(from)),
                "reads \"age\" as double, but column \"age\" of graph \"" + from + "\" is int");
        assertThatThrownBy(() -> clusters.session(3).read(graph, "s").close())
                .as("nothing is left")
                .isInstanceOf(InvalidInputException.class);
    }

    private static void refused(Runnable run, String sentence) {
        assertThatThrownBy(run::run)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(sentence);
    }

    /** About half of its vertices are among the others. */
    private static String graphOfSome(int peers, ValuedEdges people) {
        Random random = new Random(peers);
        List<Long> ids = new ArrayList<>(people.vertices().keySet());
        TestEdges edges = TestEdges.sparse();
        for (int i = 0; i < ids.size(); i++) {
            long one = random.nextBoolean() ? ids.get(random.nextInt(ids.size())) : -1L - i;
            long other = random.nextBoolean() ? ids.get(random.nextInt(ids.size())) : 3L * i + 1;
            edges.edge(one, other);
        }
        return clusters.build(peers, edges, BuildOptions.UNDIRECTED);
    }

    private static List<Long> ids(int peers, String graph) {
        List<Long> ids = new ArrayList<>();
        try (StateCursor cursor = clusters.session(peers).read(graph, Joining.SUM)) {
            while (cursor.next()) {
                ids.add(cursor.id());
            }
        }
        return ids;
    }

    private static String build(int peers, ValuedEdges edges) {
        GraphSession session = clusters.session(peers);
        String name = "people-" + peers + "-" + edges.hashCode();
        session.build(name, ValuedEdges.NAME, edges.named(), BuildOptions.DIRECTED);
        return name;
    }

    /** Makes one number of what it brings over. */
    private static final class Joining implements VertexProgram {
        private static final String SUM = "joined sum";
        private final String from;
        private IntState age;
        private BooleanState alive;
        private LongState worth;
        private DoubleState score;
        private FloatVectorState place;
        private LongState sum;

        private Joining(String from) {
            this.from = from;
        }

        @Override
        public void declare(Declaration graph) {
            graph.join("age", from, "age", -1);
            graph.join("is alive", from, "alive", 1);
            graph.join("worth", from, "worth", -7L);
            graph.join("score", from, "score", 0.5);
            graph.join("place", from, "place", 3);
            age = graph.existingIntState("age");
            alive = graph.existingBooleanState("is alive");
            worth = graph.existingLongState("worth");
            score = graph.existingDoubleState("score");
            place = graph.existingFloatVectorState("place", 2);
            sum = graph.longState(SUM, 0);
        }

        @Override
        public void start(Vertex v) {
            sum.set(
                    v,
                    sum(
                            age.get(v),
                            alive.get(v),
                            worth.get(v),
                            score.get(v),
                            place.get(v, 0),
                            place.get(v, 1)));
        }

        @Override
        public void compute(Vertex v) {}

        private static long sum(
                int age, boolean alive, long worth, double score, float x, float y) {
            return age * 31L
                    + (alive ? 1_000_003 : 7)
                    + worth
                    + Float.floatToIntBits(x) * 3L
                    + Float.floatToIntBits(y) * 5L
                    + Double.doubleToLongBits(score) * 17;
        }
    }

    /** Every other vertex names itself. */
    private static final class Naming implements VertexProgram {
        private static final String NAMED = "named";
        private LongState named;

        @Override
        public void declare(Declaration graph) {
            named = graph.vertexState(NAMED);
        }

        @Override
        public void start(Vertex v) {
            named.set(v, v.id() % 2 == 0 ? v.ordinal() : -1);
        }

        @Override
        public void compute(Vertex v) {}
    }

    private record OnlyJoining(String state, String from, String column, Number otherwise)
            implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.join(state, from, column, otherwise);
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }

    private record WrongType(String from) implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.join("age", from, "age", 0);
            graph.existingDoubleState("age");
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }
}
