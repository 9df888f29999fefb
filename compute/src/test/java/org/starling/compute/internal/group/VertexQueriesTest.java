package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.Averages;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.ValuedEdges;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.query.KeptQueries;
import org.starling.compute.internal.query.PointQueries.UnansweredException;
import org.starling.graph.BooleanState;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.FloatState;
import org.starling.graph.GraphQueries;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongState;
import org.starling.graph.Neighbours;
import org.starling.graph.Vertex;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexProgram;
import org.starling.graph.VertexValue;
import org.starling.net.LoopbackHub;
import org.starling.store.StoreConfig;

/** Questions about single vertices, beside the same in plain Java; with losses and drops. */
@Timeout(60)
final class VertexQueriesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final int MOST = GraphQueries.MAX_PATH_VERTICES;

    @ParameterizedTest
    @CsvSource("3, true, false")
    void answersAsPlainJavaDoes(int peers, boolean directed, boolean incoming) {
        Model model = Model.random(peers + 11, 250, 900, directed);
        try (LocalGroup group = group(peers)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            BuildOptions options = directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED;
            session.build(
                    "g",
                    TestEdges.NAME,
                    model.edges().named(),
                    directed && !incoming ? options.withoutIncoming() : options);
            Map<Long, Long> ordinals = new TreeMap<>();
            model.out.keySet().forEach(id -> ordinals.put(id, session.ordinal("g", id)));
            model.check(session.queries(), "g", ordinals, incoming || !directed);

            session.keep("g");
            session.endTask();
            session.endJob();
            model.check(
                    new KeptQueries(group.superpeer(), PATIENCE),
                    "g",
                    ordinals,
                    incoming || !directed);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "1, true, true",
        "1, false, false",
        "3, false, true",
        "3, true, true",
        "5, true, true",
        "5, false, false"
    })
    void answersAsPlainJavaDoesInMoreCases(int peers, boolean directed, boolean incoming) {
        answersAsPlainJavaDoes(peers, directed, incoming);
    }

    /** Leaves a state of a type of each width. */
    private static final class Widths implements VertexProgram {
        private BooleanState odd;
        private IntState less;
        private FloatState half;
        private LongState vertex;

        @Override
        public void declare(Declaration graph) {
            odd = graph.booleanState("odd", false);
            less = graph.intState("less", 0);
            half = graph.floatState("half", 0);
            vertex = graph.vertexState("vertex");
        }

        @Override
        public void start(Vertex v) {
            odd.set(v, v.id() % 2 == 1);
            less.set(v, (int) v.id() - 100);
            half.set(v, (v.id() % 1000) / -2f);
            if (v.id() % 3 > 0) {
                vertex.set(v, v.ordinal());
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @Test
    void readsValuesOfAllWidths() {
        Model model = Model.random(4, 200, 500, false);
        try (LocalGroup group = group(3)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            session.build("g", TestEdges.NAME, model.edges().named(), BuildOptions.UNDIRECTED);
            session.run("g", TestPrograms.NAME, TestPrograms.named(Widths::new));
            session.keep("g");
            List<String> columns = List.of("odd", "less", "half", "vertex");
            columns.forEach(column -> session.publish("g", column, column, false));
            GraphQueries kept = new KeptQueries(group.superpeer(), PATIENCE);
            for (long id : model.some()) {
                List<Object> expected = new ArrayList<>();
                expected.addAll(List.of(id % 2 == 1, (int) id - 100L, (id % 1000) / -2.0));
                expected.add(id % 3 > 0 ? id : null);
                for (GraphQueries queries : List.of(kept, session.queries())) {
                    assertThat(
                                    columns.stream()
                                            .<Object>map(c -> queries.value("g", c, id).value())
                                            .toList())
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void readsValuesOfStatesAndOfPublishedColumns() {
        Model model = Model.random(3, 200, 500, false);
        try (LocalGroup group = group(3)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            session.build("g", TestEdges.NAME, model.edges().named(), BuildOptions.UNDIRECTED);
            session.run("g", TestPrograms.NAME, TestPrograms.named(Averages::new));
            session.keep("g");
            session.publish("g", Averages.NUMBERS, "numbers", false);
            session.publish("g", Averages.PLACE, "place", false);
            GraphQueries inJob = session.queries();
            GraphQueries kept = new KeptQueries(group.superpeer(), PATIENCE);
            for (long id : model.some()) {
                VertexValue numbers = kept.value("g", "numbers", id);

                assertThat(numbers.type()).isEqualTo("long[2]");
                assertThat(numbers.value())
                        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                        .first()
                        .isEqualTo(id);
                assertThat(inJob.value("g", Averages.NUMBERS, id)).isEqualTo(numbers);
                assertThat(inJob.value("g", Averages.PLACE, id))
                        .isEqualTo(kept.value("g", "place", id));
            }
            assertThatThrownBy(() -> kept.value("g", "plaice", 0))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(
                            "no column \"plaice\" of vertices; did you mean \"place\"?");
            assertThatThrownBy(() -> kept.value("g", "place", 777_777))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("graph \"g\" has no vertex 777777");
            assertThatThrownBy(() -> kept.value("h", "place", 0))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no graph \"h\" is kept");
        }
    }

    @Test
    void readsPropertiesOfVertices() {
        ValuedEdges people = ValuedEdges.random(5, 60, 200);
        try (LocalGroup group = group(3)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            session.build("g", ValuedEdges.NAME, people.named(), BuildOptions.UNDIRECTED);
            session.keep("g");
            for (GraphQueries asked :
                    List.of(session.queries(), new KeptQueries(group.superpeer(), PATIENCE))) {
                for (ValuedEdges.Person person : people.vertices().values()) {
                    long id = person.id();
                    List<VertexValue> expected =
                            List.of(
                                    new VertexValue("int", (long) person.age()),
                                    new VertexValue("boolean", person.alive()),
                                    new VertexValue("long", person.worth()),
                                    new VertexValue(
                                            "float[2]",
                                            List.of(told(person.x()), told(person.y()))),
                                    new VertexValue("double", person.score()),
                                    new VertexValue("string", person.name()));

                    for (int i = 0; i < expected.size(); i++) {
                        String name = ValuedEdges.OF_VERTICES.get(i).name();
                        assertThat(asked.value("g", name, id)).isEqualTo(expected.get(i));
                    }
                }
            }
            assertThatThrownBy(() ->
                            new KeptQueries(group.superpeer(), PATIENCE).value("g", "agee", 7))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no column \"agee\" of vertices; did you mean \"age\"?");
        }
    }

    /** As people write it. */
    private static double told(float value) {
        return Double.parseDouble(Float.toString(value));
    }

    @Test
    void tellsAPartOfManyNeighboursAndHowManyThereAre() {
        int leaves = 300_000;
        TestEdges star = TestEdges.dense(0, leaves + 1L);
        for (int i = 1; i <= leaves; i++) {
            star.edge(0, i);
        }
        try (LocalGroup group = group(3)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            session.build("g", TestEdges.NAME, star.named(), BuildOptions.UNDIRECTED);
            GraphQueries queries = session.queries();

            Neighbours some = neighbours(queries, 0, 0, 3);
            assertThat(some.count()).isEqualTo(leaves);
            assertThat(some.ids()).hasSize(3);
            Set<Long> all = new HashSet<>();
            for (int offset = 0; offset < leaves; offset += GraphQueries.MAX_NEIGHBOURS) {
                all.addAll(neighbours(queries, 0, offset, GraphQueries.MAX_NEIGHBOURS).ids());
            }
            assertThat(all).hasSize(leaves);
            assertThat(neighbours(queries, 0, leaves, 10).ids()).isEmpty();
            assertThat(neighbours(queries, 0, Long.MAX_VALUE, 10).ids()).isEmpty();
            assertThatThrownBy(() -> neighbours(queries, 0, 0, GraphQueries.MAX_NEIGHBOURS + 1))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("limit: expected 0 to 10000, found 10001");
            assertThatThrownBy(() -> neighbours(queries, 0, -1, 10))
                    .isInstanceOf(InvalidInputException.class);

            assertThat(queries.path("g", 1, leaves, MOST, TIME).ids())
                    .containsExactly(1L, 0L, (long) leaves);
            VertexPath bounded = queries.path("g", 0, 1, 2, TIME);
            assertThat(bounded.ids()).as("an edge is found within any bound").hasSize(2);
        }
    }

    @Tag("thorough")
    @Test
    void answersThroughTheLossOfASlave() {
        Model model = Model.random(9, 250, 900, true);
        try (TestGroup group = new TestGroup(4)) {
            MasterSession session = keep(group, model);
            Map<Long, Long> ordinals = new TreeMap<>();
            model.out.keySet().forEach(id -> ordinals.put(id, session.ordinal("g", id)));
            session.endTask();
            session.endJob();
            GraphQueries queries = new KeptQueries(group.node(-1), PATIENCE);
            model.check(queries, "g", ordinals, true);

            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> asked =
                    CompletableFuture.supplyAsync(() -> {
                        int rounds = 0;
                        while (!over.get() || rounds == 0) {
                            model.check(queries, "g", ordinals, true);
                            rounds++;
                        }
                        return rounds;
                    });
            group.kill(1);
            model.check(queries, "g", ordinals, true);
            over.set(true);

            assertThat(asked.join()).isPositive();
        }
    }

    @Test
    void answersOrSaysThatTheGraphIsGoneWhenItIsDroppedMeanwhile() {
        Model model = Model.random(4, 300, 1_000, false);
        try (TestGroup group = new TestGroup(3)) {
            CatalogueService service = new CatalogueService(group.node(-1), InstantSource.system());
            GraphQueries queries = new KeptQueries(group.node(-1), PATIENCE);
            long before = -1;
            for (int round = 0; round < 5; round++) {
                MasterSession session = keep(group, model);
                session.endTask();
                session.endJob();
                long id = model.out.firstKey();
                Set<Long> expected = known(model.out, id).keySet();
                List<CompletableFuture<String>> askers = new ArrayList<>();
                AtomicBoolean begun = new AtomicBoolean();
                for (int i = 0; i < 3; i++) {
                    askers.add(
                            CompletableFuture.supplyAsync(
                                    () -> askUntilGone(queries, id, expected, begun),
                                    task -> Thread.ofVirtual().start(task)));
                }
                TestGroup.await(begun::get);
                service.drop("g");

                for (CompletableFuture<String> asker : askers) {
                    assertThat(asker.join()).isEqualTo("no graph \"g\" is kept; none is at all");
                }
                before = before < 0 ? group.chunks() : before;
                assertThat(group.chunks()).as("round %d leaves nothing", round).isEqualTo(before);
            }
        }
    }

    @Tag("slow")
    @Test
    void asksTheGraphThatHasTheNameNow() {
        Model old = Model.random(4, 300, 1_000, false);
        Model young = Model.random(5, 300, 1_000, false);
        try (TestGroup group = new TestGroup(3)) {
            CatalogueService service = new CatalogueService(group.node(-1), InstantSource.system());
            GraphQueries queries = new KeptQueries(group.node(-1), PATIENCE);
            for (int round = 0; round < 3; round++) {
                for (Model model : List.of(old, young)) {
                    MasterSession session = keep(group, model);
                    session.endTask();
                    session.endJob();
                    for (long id : model.out.keySet()) {
                        assertThat(new TreeSet<>(neighbours(queries, id, 0, 1000).ids()))
                                .isEqualTo(new TreeSet<>(known(model.out, id).keySet()));
                    }
                    service.drop("g");
                }
            }
        }
    }

    @Test
    void saysSoWhenAPartStaysAway() {
        Model model = Model.random(4, 300, 1_000, false);
        try (LocalGroup group = group(3)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            session.build("g", TestEdges.NAME, model.edges().named(), BuildOptions.UNDIRECTED);
            session.keep("g");
            long lost = 0;
            for (long id : model.out.keySet()) {
                lost = session.ordinal("g", id) == 0 ? lost : id;
            }
            group.crash(2); // nothing has copies here
            GraphQueries queries = new KeptQueries(group.superpeer(), Duration.ofMillis(300));

            for (long id : List.of(lost, 777_777L)) {
                assertThatThrownBy(
                                () -> {
                                    for (long each : model.out.keySet()) {
                                        neighbours(queries, each, 0, 10);
                                    }
                                    neighbours(queries, id, 0, 10);
                                })
                        .isInstanceOf(UnansweredException.class);
            }
        }
    }

    private static String askUntilGone(
            GraphQueries queries, long id, Set<Long> expected, AtomicBoolean begun) {
        while (true) {
            try {
                Set<Long> found = new HashSet<>(neighbours(queries, id, 0, 1000).ids());
                if (!found.equals(expected)) {
                    return "neighbours " + found;
                }
                begun.set(true);
            } catch (InvalidInputException gone) {
                return String.valueOf(gone.getMessage());
            }
        }
    }

    private static Neighbours neighbours(GraphQueries queries, long id, long offset, int limit) {
        return queries.neighbours("g", id, EdgeDirection.OUTGOING, offset, limit);
    }

    private static MasterSession keep(TestGroup group, Model model) {
        MasterSession session = group.master(1, CheckpointOptions.NONE);
        session.begin(JobListener.SILENT, _ -> true);
        session.resume(new byte[0], -1, 0);
        session.beginTask(0);
        session.build(
                "g",
                TestEdges.NAME,
                model.edges().named(),
                model.directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED);
        session.keep("g");
        return session;
    }

    private static LocalGroup group(int peers) {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(64 << 20);
        LocalGroup group = new LocalGroup(new LoopbackHub(), config, 2, null);
        for (int i = 0; i < peers; i++) {
            group.join();
        }
        return group;
    }

    /** A weighted graph over scattered ids, large ones among them. */
    private static final class Model {
        private final TreeMap<Long, TreeMap<Long, Float>> out =
                new TreeMap<>(Long::compareUnsigned);
        private final TreeMap<Long, TreeMap<Long, Float>> in = new TreeMap<>(Long::compareUnsigned);
        private final TestEdges edges = TestEdges.sparseWeighted().parts(3);
        private final boolean directed;

        private Model(boolean directed) {
            this.directed = directed;
        }

        private static Model random(long seed, int vertices, int count, boolean directed) {
            Model model = new Model(directed);
            Random random = new Random(seed);
            long[] ids = random.longs(vertices).toArray();
            ids[0] = -1;
            for (int i = 0; i < count; i++) {
                long from = ids[Math.min(random.nextInt(vertices), random.nextInt(vertices))];
                long to = ids[random.nextInt(vertices)];
                boolean known =
                        from == to || model.out.getOrDefault(from, new TreeMap<>()).containsKey(to);
                if (!known) {
                    model.edge(from, to, random.nextInt(100) / 4f);
                }
            }
            return model;
        }

        private void edge(long from, long to, float weight) {
            edges.edge(from, to, weight);
            for (TreeMap<Long, TreeMap<Long, Float>> rows : List.of(out, in)) {
                rows.computeIfAbsent(from, _ -> new TreeMap<>(Long::compareUnsigned));
                rows.computeIfAbsent(to, _ -> new TreeMap<>(Long::compareUnsigned));
            }
            known(out, from).put(to, weight);
            known(in, to).put(from, weight);
            if (!directed) {
                known(out, to).put(from, weight);
                known(in, from).put(to, weight);
            }
        }

        private TestEdges edges() {
            return edges;
        }

        /** Every fourth vertex, from one that is drawn anew. */
        private List<Long> some() {
            List<Long> all = List.copyOf(out.keySet());
            int first = ThreadLocalRandom.current().nextInt(4);
            return IntStream.iterate(first, i -> i < all.size(), i -> i + 4)
                    .mapToObj(all::get)
                    .toList();
        }

        private void check(
                GraphQueries queries, String graph, Map<Long, Long> ordinals, boolean incoming) {
            for (long id : out.keySet()) {
                assertThat(weights(queries, graph, id, EdgeDirection.OUTGOING))
                        .isEqualTo(out.get(id));
            }
            long some = out.firstKey();
            if (incoming) {
                assertThat(weights(queries, graph, some, EdgeDirection.INCOMING))
                        .isEqualTo(in.get(some));
            } else {
                assertThatThrownBy(() -> weights(queries, graph, some, EdgeDirection.INCOMING))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("no rows of incoming edges");
            }
            Random random = new Random(some);
            List<Long> ids = List.copyOf(out.keySet());
            for (int i = 0; i < 15; i++) {
                long from = ids.get(random.nextInt(ids.size()));
                long to = ids.get(random.nextInt(ids.size()));
                VertexPath found = queries.path(graph, from, to, MOST, TIME);

                assertThat(found.complete()).isTrue();
                assertThat(found.ids()).isEqualTo(firstPath(from, to, ordinals));
            }
            assertThatThrownBy(() -> queries.path(graph, some, 777_777, MOST, TIME))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no vertex 777777");
        }

        private static Map<Long, Float> weights(
                GraphQueries queries, String graph, long id, EdgeDirection direction) {
            Neighbours told = queries.neighbours(graph, id, direction, 0, 1000);
            Map<Long, Float> weights = new TreeMap<>(Long::compareUnsigned);
            for (int i = 0; i < told.ids().size(); i++) {
                weights.put(told.ids().get(i), told.weights().get(i));
            }
            assertThat(told.count()).isEqualTo(weights.size());
            return weights;
        }

        private List<Long> firstPath(long from, long to, Map<Long, Long> ordinals) {
            Map<Long, Integer> distance = new TreeMap<>(Map.of(to, 0));
            List<Long> queue = new ArrayList<>(List.of(to));
            for (int i = 0; i < queue.size(); i++) {
                for (long before : known(in, queue.get(i)).keySet()) {
                    if (distance.putIfAbsent(before, known(distance, queue.get(i)) + 1) == null) {
                        queue.add(before);
                    }
                }
            }
            if (!distance.containsKey(from)) {
                return List.of();
            }
            List<Long> path = new ArrayList<>(List.of(from));
            for (long vertex = from; vertex != to; ) {
                int wanted = known(distance, vertex) - 1;
                vertex =
                        known(out, vertex).keySet().stream()
                                .filter(next -> distance.getOrDefault(next, -1) == wanted)
                                .min((a, b) -> Long.compare(known(ordinals, a), known(ordinals, b)))
                                .orElseThrow();
                path.add(vertex);
            }
            return path;
        }
    }

    private static <V> V known(Map<Long, V> map, long id) {
        return Objects.requireNonNull(map.get(id));
    }
}
