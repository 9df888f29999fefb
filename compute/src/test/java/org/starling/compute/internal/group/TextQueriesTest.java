package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestPrograms;
import org.starling.compute.TextEdges;
import org.starling.compute.cluster.VertexQuestions;
import org.starling.compute.internal.query.KeptQueries;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Questions about single vertices whose ids are texts. */
@Timeout(60)
final class TextQueriesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final TextEdges EDGES = TextEdges.randomValued(43, 200, 1_500);

    @AutoClose private final TestGroup group = TestGroup.durable(3);

    @Test
    void takeAndTellTexts() {
        MasterSession session = kept();
        check(session.queries());
        session.endTask();
        session.endJob();

        check(new KeptQueries(group.node(-1), PATIENCE));
    }

    @Test
    void goOnBehindTheLossOfAPeer() {
        MasterSession session = kept();
        session.endTask();
        session.endJob();

        group.kill(1);
        check(new KeptQueries(group.node(-1), PATIENCE));
    }

    private MasterSession kept() {
        MasterSession session = group.begin(1, CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        session.build("g", TextEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
        session.run("g", TestPrograms.NAME, TestPrograms.named(Names::new));
        session.keep("g");
        session.publish("g", "self", "itself", false);
        session.publish("g", "id", "named", false);
        return session;
    }

    private static void check(GraphQueries queries) {
        VertexQuestions questions = VertexQuestions.over(queries);
        SortedMap<String, SortedSet<String>> rows = EDGES.neighbours();
        List<String> ids = List.copyOf(EDGES.ids());
        long[] numbers = LongStream.range(0, ids.size()).toArray();
        assertThat(queries.texts("g", numbers)).isEqualTo(ids);
        assertThat(queries.numbers("g", ids)).isEqualTo(numbers);
        for (String id : List.of("007", "7", "caf", "a b", "\u00E9", "e\u0301", "\"a\"")) {
            if (!rows.containsKey(id)) {
                continue;
            }
            Map<String, ?> told = questions.neighbours("g", id, EdgeDirection.OUTGOING, 0, 10_000);
            assertThat(told.get("vertex")).isEqualTo(id);
            SortedSet<String> neighbours = new TreeSet<>(TextEdges::compare);
            neighbours.addAll(texts(told, "neighbours"));
            assertThat(neighbours).isEqualTo(rows.get(id));
            assertThat(questions.value("g", TextEdges.LENGTH, id).get("value"))
                    .isEqualTo((long) id.length());
            assertThat(questions.value("g", "itself", id).get("value")).isEqualTo(id);
            assertThat(questions.value("g", "named", id).get("value")).isEqualTo(id);
        }
        Map<String, ?> path = questions.path("g", "007", "a b", 1_000, TIME);
        List<String> way = texts(path, "path");
        assertThat(way).startsWith("007").endsWith("a b");
        for (int i = 1; i < way.size(); i++) {
            assertThat(rows.get(way.get(i - 1))).contains(way.get(i));
        }
        assertThatThrownBy(() -> questions.neighbours("g", "nobody", EdgeDirection.OUTGOING, 0, 10))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "graph \"g\" has no vertex \"nobody\"; take an id that stands in its file");
    }

    private static List<String> texts(Map<String, ?> answer, String name) {
        List<String> texts = new ArrayList<>();
        for (Object one : (List<?>) Objects.requireNonNull(answer.get(name))) {
            texts.add((String) Objects.requireNonNull(one));
        }
        return texts;
    }

    /** Leaves for each vertex itself, as a vertex and as an id. */
    private static final class Names implements VertexProgram {
        private LongState self;
        private LongState id;

        @Override
        public void declare(Declaration graph) {
            self = graph.vertexState("self");
            id = graph.idState("id", -1);
        }

        @Override
        public void start(Vertex v) {
            self.set(v, v.ordinal());
            id.set(v, v.id());
        }

        @Override
        public void compute(Vertex v) {}
    }
}
