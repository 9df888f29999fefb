package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestPrograms;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.testing.TestCluster;
import org.starling.graph.ElementType;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.PartProgram;
import org.starling.graph.StoredList;
import org.starling.graph.StoredMap;
import org.starling.graph.StoredTable;
import org.starling.graph.StoredTable.Column;
import org.starling.graph.StructurePart;
import org.starling.graph.Structures;

/** Structures beside graphs, compared with collections of Java, with and without losses. */
@Timeout(90)
final class StructuresTest {
    private static final List<Column> COLUMNS =
            List.of(new Column("key", ElementType.TEXT), new Column("n", ElementType.LONG));

    /** What the structures should hold. */
    private record Model(Map<Long, String> map, List<Double> list, List<String> table) {
        Model copy() {
            return new Model(new HashMap<>(map), new ArrayList<>(list), new ArrayList<>(table));
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = 3)
    void holdWhatCollectionsHoldThroughTasksThatSucceedAndFail(int peers) {
        long seed = new Random().nextLong();
        try (TestGroup group = new TestGroup(peers)) {
            MasterSession session = begin(group, 7, 1);
            Random random = new Random(seed);
            Model model = new Model(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
            for (int task = 0; task < 12; task++) {
                session.beginTask(task);
                Model before = model.copy();
                work(session.structures(), model, random, 400);
                assertThat(held(session.structures())).as("seed %d", seed).isEqualTo(model);
                boolean well = random.nextInt(3) > 0;
                session.endStructures(well);
                session.endTask();
                model = well ? model : before;
                session.beginTask(task + 100);
                assertThat(held(session.structures())).as("seed %d", seed).isEqualTo(model);
            }
            session.endJob();
            assertThat(group.chunks()).isZero();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = 5)
    void holdWhatCollectionsHoldThroughTasksThatSucceedAndFailInMoreCases(int peers) {
        holdWhatCollectionsHoldThroughTasksThatSucceedAndFail(peers);
    }

    @Test
    void holdWhatCollectionsHoldOnOnePeer() {
        try (TestCluster cluster = TestCluster.start(1, OptionalLong.empty())) {
            Structures structures = cluster.session(JobListener.SILENT).structures();
            Random random = new Random(11);
            Model model = new Model(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
            for (int task = 0; task < 5; task++) {
                work(structures, model, random, 500);
                cluster.endTask();
                assertThat(held(structures)).isEqualTo(model);
            }
            cluster.endJob();
        }
    }

    @Test
    void areTheSameWhenASlaveIsLostInTheMiddle() {
        try (TestGroup group = TestGroup.durable(4)) {
            MasterSession session = begin(group, 7, 1);
            Random random = new Random(5);
            Model model = new Model(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
            session.beginTask(0);
            work(session.structures(), model, random, 3000);
            session.endStructures(true);
            session.endTask();
            session.beginTask(1);
            work(session.structures(), model, random, 1000);

            group.kill(1);

            work(session.structures(), model, random, 1000);
            session.endStructures(true);
            session.endTask();
            session.beginTask(2);
            assertThat(held(session.structures())).isEqualTo(model);
            session.endJob();
            assertThat(group.node(-1).names().list()).isEmpty();
            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaveNothingWhenTheTaskThatHasFilledThemDropsThem(boolean well) {
        try (TestGroup group = new TestGroup(3)) {
            MasterSession session = begin(group, 7, 1);
            session.beginTask(0);
            session.structures().list("large", ElementType.BYTES).add(new byte[1]);
            session.endStructures(true);
            session.endTask();
            session.beginTask(1);

            large(session.structures());
            session.structures().drop("large");
            session.endStructures(well);
            session.endTask();

            session.beginTask(2);
            assertThat(session.structures().names()).hasSize(well ? 0 : 1);
            session.endJob();
            assertThat(group.chunks()).isZero();
        }
    }

    @Tag("thorough")
    @Test
    void areAsAtTheBeginningOfATaskThatIsDoneAgainByAnotherMaster() {
        try (TestGroup group = new TestGroup(3)) {
            Random random = new Random(3);
            Model model = new Model(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
            MasterSession first = begin(group, 7, 1);
            first.beginTask(0);
            work(first.structures(), model, random, 500);
            first.endStructures(true);
            first.endTask();

            first.beginTask(1);
            work(first.structures(), model.copy(), random, 500);
            large(first.structures());
            MasterSession second = begin(group, 7, 2);
            second.beginTask(1);
            assertThat(held(second.structures())).as("lost before its end").isEqualTo(model);

            work(second.structures(), model.copy(), random, 500);
            second.structures().keep("map");
            second.structures().drop("list");
            second.endStructures(true);
            MasterSession third = begin(group, 7, 3);
            third.beginTask(1);
            assertThat(held(third.structures())).as("lost behind its end").isEqualTo(model);

            third.endStructures(true);
            third.endTask();
            third.structures().drop("map");
            third.endStructures(true);
            third.endTask();
            third.endJob();
            assertThat(group.chunks()).isZero();
        }
    }

    @Test
    void stayForLaterJobsWhenTheyAreKept() {
        try (TestGroup group = new TestGroup(3)) {
            MasterSession first = begin(group, 7, 1);
            first.beginTask(0);
            first.structures().value("note", ElementType.TEXT).set("kept");
            first.structures().list("other", ElementType.LONG).add(4L);
            first.structures().keep("note");
            first.endStructures(true);
            first.endTask();
            first.endJob();

            MasterSession second = begin(group, 8, 1);
            second.beginTask(0);
            Structures structures = second.structures();
            assertThat(structures.names()).containsExactly("note");
            assertThat(structures.value("note", ElementType.TEXT).get()).contains("kept");
            assertThatThrownBy(() -> structures.list("note", ElementType.LONG))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("structure \"note\" is a value of type text, not a list of long");
            assertThatThrownBy(() -> structures.drop("none"))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("there is no structure \"none\"");
            structures.drop("note");
            assertThat(structures.names()).isEmpty();
            second.endStructures(true);
            second.endTask();
            second.endJob();
            assertThat(group.chunks()).isZero();
        }
    }

    @Test
    void leaveNothingOfATaskThatFails() {
        try (TestGroup group = new TestGroup(3)) {
            MasterSession session = begin(group, 7, 1);
            session.beginTask(0);
            StoredMap<Long, String> map =
                    session.structures().map("map", ElementType.LONG, ElementType.TEXT);
            map.put(1L, "one");
            session.structures().keep("map");
            session.endStructures(false);
            session.endTask();

            assertThatThrownBy(map::size).isInstanceOf(IllegalStateException.class);
            session.beginTask(1);
            assertThat(session.structures().map("map", ElementType.LONG, ElementType.TEXT).size())
                    .isZero();
            session.endJob();
            assertThat(group.chunks()).isZero();
            MasterSession other = begin(group, 8, 1);
            other.beginTask(0);
            assertThat(other.structures().names()).isEmpty();
            other.endJob();
        }
    }

    /** Emits the length of each text, by its key. */
    private static final class Lengths implements PartProgram {
        @Override
        public void part(StructurePart part) {
            while (part.next()) {
                String text = part.value(ElementType.TEXT);
                part.emit("k" + part.key(ElementType.LONG), (long) text.length());
            }
        }
    }

    private static final class Broken implements PartProgram {
        @Override
        public void part(StructurePart part) {
            part.emit("too few");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areReadByAllPeersAtOnce(boolean lost) {
        try (TestGroup group = TestGroup.durable(4)) {
            MasterSession session = begin(group, 7, 1);
            session.beginTask(0);
            Structures structures = session.structures();
            StoredMap<Long, String> map =
                    structures.map("texts", ElementType.LONG, ElementType.TEXT);
            Map<String, Long> expected = new HashMap<>();
            for (long i = 0; i < 2_000; i++) {
                map.put(i, "x".repeat((int) i));
                expected.put("k" + i, i);
            }
            if (lost) {
                assertThat(map.size()).isEqualTo(2_000);
                session.endStructures(true);
                session.endTask();
                session.beginTask(1);
                group.kill(2);
            }
            StoredTable lengths = structures.table("lengths", COLUMNS);

            long rows =
                    structures.each(
                            "texts", TestPrograms.NAME, TestPrograms.named(Lengths::new), lengths);

            Map<String, Long> found = new HashMap<>();
            lengths.forEach(
                    row -> found.put(row.get(0, ElementType.TEXT), row.get(1, ElementType.LONG)));
            assertThat(rows).isEqualTo(2_000);
            assertThat(found).isEqualTo(expected);
            assertThatThrownBy(() ->
                            structures.each(
                                    "texts",
                                    TestPrograms.NAME,
                                    TestPrograms.named(Broken::new),
                                    lengths))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("expected 2 values, found 1");
            session.endJob();
            assertThat(group.node(-1).names().list()).isEmpty();
            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    @Test
    void refuseChangesWhileTheyAreShown() {
        try (TestGroup group = new TestGroup(3)) {
            MasterSession session = begin(group, 7, 1);
            session.beginTask(0);
            StoredList<Long> list = session.structures().list("list", ElementType.LONG);
            list.add(1L);
            list.add(2L);

            assertThatThrownBy(() -> list.forEach(list::add))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> list.get(9)).isInstanceOf(IndexOutOfBoundsException.class);
            session.endJob();
        }
    }

    private static MasterSession begin(TestGroup group, long job, long attempt) {
        MasterSession session = group.master(Attempt.term(job, attempt), CheckpointOptions.DEFAULT);
        session.begin(JobListener.SILENT, _ -> true);
        session.resume(new byte[0], -1, 0);
        return session;
    }

    /** Entries large enough to be cut into many pages. */
    private static void work(Structures structures, Model model, Random random, int steps) {
        StoredMap<Long, String> map = structures.map("map", ElementType.LONG, ElementType.TEXT);
        StoredList<Double> list = structures.list("list", ElementType.DOUBLE);
        StoredTable table = structures.table("table", COLUMNS);
        for (int i = 0; i < steps; i++) {
            long key = random.nextInt(300);
            String text = "t" + key + "x".repeat(random.nextInt(4_000));
            switch (random.nextInt(6)) {
                case 0, 1 ->
                        assertThat(map.put(key, text)).isEqualTo(model.map.put(key, text) == null);
                case 2 -> assertThat(map.remove(key)).isEqualTo(model.map.remove(key) != null);
                case 3 -> {
                    list.add((double) i);
                    model.list.add((double) i);
                    int at = random.nextInt(model.list.size());
                    list.set(at, -1.0);
                    model.list.set(at, -1.0);
                }
                case 4 -> {
                    table.append(text, key);
                    model.table.add(text + key);
                }
                default ->
                        assertThat(map.get(key)).isEqualTo(Optional.ofNullable(model.map.get(key)));
            }
        }
    }

    /** More than stands in memory. */
    private static void large(Structures structures) {
        StoredList<byte[]> list = structures.list("large", ElementType.BYTES);
        for (int i = 0; i < 400; i++) {
            list.add(new byte[100_000]);
        }
    }

    private static Model held(Structures structures) {
        Model held = new Model(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
        StoredMap<Long, String> map = structures.map("map", ElementType.LONG, ElementType.TEXT);
        map.forEach(held.map::put);
        StoredList<Double> list = structures.list("list", ElementType.DOUBLE);
        list.forEach(held.list::add);
        StoredTable table = structures.table("table", COLUMNS);
        table.forEach(
                row -> held.table.add(row.get(0, ElementType.TEXT) + row.get(1, ElementType.LONG)));
        assertThat(map.size()).isEqualTo(held.map.size());
        assertThat(list.size()).isEqualTo(held.list.size());
        assertThat(table.size()).isEqualTo(held.table.size());
        return held;
    }
}
