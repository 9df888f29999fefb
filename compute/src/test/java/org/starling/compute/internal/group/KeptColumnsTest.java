package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.TextEdges;
import org.starling.compute.ValuedEdges;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.columns.ColumnValues;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.query.KeptColumns;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;
import org.starling.net.LoopbackHub;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;

/** Whole columns of kept graphs, beside the values that they were made of. */
@Timeout(60)
final class KeptColumnsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private static final Comparator<String> BY_UTF8 =
            (a, b) ->
                    Arrays.compareUnsigned(
                            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    /** Vertices name the next one; every fifth names none. */
    private static final class Next implements VertexProgram {
        private final long count;
        private LongState next;
        private LongState self;

        private Next(long count) {
            this.count = count;
        }

        @Override
        public void declare(Declaration graph) {
            next = graph.vertexState("next");
            self = graph.idState("self", -1);
        }

        @Override
        public void start(Vertex v) {
            if (v.id() % 5 != 0) {
                next.set(v, (v.ordinal() + 1) % count);
                self.set(v, v.id());
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @Test
    void readsPropertiesOfAllTypes() throws IOException {
        ValuedEdges people = ValuedEdges.random(5, 300, 900);
        try (LocalGroup group = group(3)) {
            MasterSession session = begin(group);
            session.build("g", ValuedEdges.NAME, people.named(), BuildOptions.UNDIRECTED);
            session.keep("g");

            ColumnTable table = new KeptColumns(group.superpeer(), PATIENCE).openAll("g");

            assertThat(table.vertices()).isEqualTo(people.vertices().size());
            assertThat(table.fields().stream().map(one -> one.name() + " " + one.type()))
                    .containsExactly(
                            "age int",
                            "alive boolean",
                            "worth long",
                            "place float[2]",
                            "score double",
                            "name string");
            Map<Object, List<@Nullable Object>> rows = rows(table, 0, Long.MAX_VALUE);
            assertThat(rows.keySet()).isEqualTo(people.vertices().keySet());
            people.vertices()
                    .values()
                    .forEach(person ->
                            assertThat(rows.get(person.id()))
                                    .containsExactly(
                                            person.age(),
                                            person.alive(),
                                            person.worth(),
                                            List.of(person.x(), person.y()),
                                            person.score(),
                                            person.name()));
        }
    }

    @Test
    void readsVerticesAsTheirIdsAndPagesInOneOrder() throws IOException {
        int count = 20_000;
        TestEdges edges = TestEdges.dense(100, count);
        for (int i = 0; i < count; i++) {
            edges.edge(100 + i, 100 + (i * 7L + 1) % count);
        }
        try (LocalGroup group = group(3)) {
            MasterSession session = begin(group);
            session.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            session.run("g", TestPrograms.NAME, TestPrograms.named(() -> new Next(count)));
            session.keep("g");
            assertThatThrownBy(() -> session.publish("g", "next", "id", false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("take another name");
            session.publish("g", "next", "after", false);
            KeptColumns columns = new KeptColumns(group.superpeer(), PATIENCE);

            ColumnTable table = columns.open("g", List.of("after"));
            Map<Object, List<@Nullable Object>> all = rows(table, 0, Long.MAX_VALUE);
            List<Object> ids = List.copyOf(all.keySet());

            for (int i = 0; i < count; i++) {
                long id = (Long) ids.get(i);
                Object next = id % 5 == 0 ? null : ids.get((i + 1) % count);
                assertThat(all.get(id)).containsExactly(next);
            }
            Map<Object, List<@Nullable Object>> paged = new LinkedHashMap<>();
            for (long offset = 0; offset < count; offset += 3_333) {
                paged.putAll(rows(table, offset, 3_333));
            }
            assertThat(List.copyOf(paged.entrySet())).isEqualTo(List.copyOf(all.entrySet()));
            assertThat(rows(table, count, 10)).isEmpty();
        }
    }

    @Test
    void callsVerticesByTheirTexts() throws IOException {
        TextEdges edges = TextEdges.randomValued(43, 600, 2_500);
        try (TestGroup group = TestGroup.durable(3)) {
            MasterSession session = group.begin(1, CheckpointOptions.NONE, JobListener.SILENT);
            session.beginTask(0);
            session.build("g", TextEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            long count = session.info("g").vertices();
            session.run("g", TestPrograms.NAME, TestPrograms.named(() -> new Next(count)));
            session.keep("g");
            session.publish("g", "next", "after", false);
            session.publish("g", "self", "self", false);
            KeptColumns columns = new KeptColumns(group.node(-1), PATIENCE);

            ColumnTable table = columns.open("g", List.of("length", "after", "self"));
            Map<Object, List<@Nullable Object>> all = rows(table, 0, Long.MAX_VALUE);
            List<Object> ids = List.copyOf(all.keySet());

            assertThat(table.fields().stream().map(ColumnField::type))
                    .containsExactly("int", "vertex", "vertex");
            assertThat(table.id().kind()).isEqualTo(ColumnField.Kind.NAME);
            List<String> sorted = ids.stream().map(String.class::cast).sorted(BY_UTF8).toList();
            assertThat(sorted).hasSize((int) count).contains("007", "e\u0301", "\uD83D\uDE00");
            for (int i = 0; i < count; i++) {
                String id = (String) ids.get(i);
                boolean names = Collections.binarySearch(sorted, id, BY_UTF8) % 5 != 0;
                assertThat(all.get(id))
                        .containsExactly(
                                id.length(),
                                names ? ids.get((int) ((i + 1) % count)) : null,
                                names ? id : null);
            }
            assertThat(List.copyOf(rows(table, 100, 250).entrySet()))
                    .isEqualTo(List.copyOf(all.entrySet()).subList(100, 350));
        }
    }

    @Test
    void handsOnFewRowsAtOnceWhereTextsAreLong() throws IOException {
        TextEdges edges = TextEdges.inParts(2);
        for (int i = 0; i < 300; i++) {
            edges.edge(i + "x".repeat(40_000), (i + 1) % 300 + "x".repeat(40_000));
        }
        try (LocalGroup group = group(2)) {
            MasterSession session = begin(group);
            session.build("g", TextEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            session.keep("g");
            List<Integer> texts = new ArrayList<>();
            Set<String> ids = new HashSet<>();

            new KeptColumns(group.superpeer(), PATIENCE)
                    .open("g", List.of())
                    .read(
                            0,
                            Long.MAX_VALUE,
                            batch -> {
                                texts.add(batch.ids().text().remaining());
                                for (int row = 0; row < batch.rows(); row++) {
                                    ids.add(string(batch.ids(), row));
                                }
                            });

            assertThat(ids).hasSize(300);
            assertThat(texts)
                    .hasSizeGreaterThan(1)
                    .allMatch(bytes -> bytes <= ColumnBatch.TEXT_BYTES);
        }
    }

    @Test
    void refusesWhatIsNotThereAndWhatWasDroppedMeanwhile() {
        TestEdges edges = TestEdges.dense(0, 100).edge(1, 2);
        try (LocalGroup group = group(3)) {
            MasterSession session = begin(group);
            session.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            session.keep("g");
            session.endTask();
            session.endJob();
            KeptColumns columns = new KeptColumns(group.superpeer(), PATIENCE);
            assertThatThrownBy(() -> columns.open("h", List.of()))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no graph \"h\" is kept");
            assertThatThrownBy(() -> columns.open("g", List.of("rank")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no column \"rank\" of vertices");

            ColumnTable table = columns.openAll("g");
            new CatalogueService(group.superpeer(), InstantSource.system()).drop("g");

            assertThatThrownBy(() -> table.read(0, 10, _ -> {}))
                    .isInstanceOfAny(StoreException.class, InvalidInputException.class);
        }
    }

    @Test
    void readsOnWhenAnOwnerIsLost() throws IOException {
        TestEdges edges = TestEdges.dense(0, 5_000);
        for (int i = 0; i < 5_000; i++) {
            edges.edge(i, i * 13L % 5_000);
        }
        try (TestGroup group = new TestGroup(4)) {
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT, _ -> true);
            session.resume(new byte[0], -1, 0);
            session.beginTask(0);
            session.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            session.keep("g");
            session.endTask();
            session.endJob();
            ColumnTable table = new KeptColumns(group.node(-1), PATIENCE).openAll("g");
            Map<Object, List<@Nullable Object>> before = rows(table, 0, Long.MAX_VALUE);

            group.kill(1);

            assertThat(List.copyOf(rows(table, 0, Long.MAX_VALUE).keySet()))
                    .isEqualTo(List.copyOf(before.keySet()))
                    .hasSize(5_000);
        }
    }

    private static LocalGroup group(int peers) {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(64 << 20);
        LocalGroup group = new LocalGroup(new LoopbackHub(), config, 2, null);
        for (int i = 0; i < peers; i++) {
            group.join();
        }
        return group;
    }

    private static MasterSession begin(LocalGroup group) {
        MasterSession session = group.master(1, CheckpointOptions.NONE);
        session.begin(JobListener.SILENT);
        session.beginTask(0);
        return session;
    }

    private static Map<Object, List<@Nullable Object>> rows(
            ColumnTable table, long offset, long limit) throws IOException {
        Map<Object, List<@Nullable Object>> rows = new LinkedHashMap<>();
        table.read(
                offset,
                limit,
                batch -> {
                    for (int row = 0; row < batch.rows(); row++) {
                        rows.put(
                                Objects.requireNonNull(
                                        element(table.id().kind(), batch.ids(), row)),
                                values(table.fields(), batch, row));
                    }
                });
        return rows;
    }

    private static List<@Nullable Object> values(
            List<ColumnField> fields, ColumnBatch batch, int row) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            ColumnField field = fields.get(i);
            List<@Nullable Object> elements = new ArrayList<>();
            for (int e = 0; e < field.length(); e++) {
                elements.add(
                        element(field.kind(), batch.values().get(i), row * field.length() + e));
            }
            values.add(field.length() == 1 ? elements.getFirst() : elements);
        }
        return values;
    }

    private static @Nullable Object element(ColumnField.Kind kind, ColumnValues values, int index) {
        ByteBuffer fixed = values.fixed();
        return switch (kind) {
            case BOOLEAN -> fixed.get(index) != 0;
            case INT -> fixed.getInt(index * Integer.BYTES);
            case LONG -> fixed.getLong(index * Long.BYTES);
            case FLOAT -> fixed.getFloat(index * Float.BYTES);
            case DOUBLE -> fixed.getDouble(index * Double.BYTES);
            case VERTEX -> values.isPresent(index) ? fixed.getLong(index * Long.BYTES) : null;
            case STRING -> string(values, index);
            case NAME -> values.isPresent(index) ? string(values, index) : null;
        };
    }

    private static String string(ColumnValues values, int index) {
        int from = values.fixed().getInt(index * Integer.BYTES);
        byte[] utf8 = new byte[values.fixed().getInt((index + 1) * Integer.BYTES) - from];
        values.text().get(from, utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
