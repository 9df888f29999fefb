package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.Rewiring;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongState;
import org.starling.graph.RowCursor;
import org.starling.graph.StateCursor;
import org.starling.graph.Topology;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Programs that change their graph, slaves and masters that are lost meanwhile, and no chunk left.
 */
@Tag("thorough")
@Timeout(60)
final class TopologyLossTest {
    private static final int VERTICES = 900;
    private static final int STEPS = 4;
    private static final Map<Boolean, String> EXPECTED = new ConcurrentHashMap<>();

    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(4);
    }

    @AfterEach
    void close() {
        group.close();
    }

    private static TestEdges edges() {
        TestEdges edges = TestEdges.sparseWeighted();
        Random random = new Random(31);
        for (int i = 0; i < 3 * VERTICES; i++) {
            edges.edge(random.nextInt(VERTICES), random.nextInt(VERTICES), random.nextInt(9));
        }
        return edges.parts(4);
    }

    /** Leaves a state that a run behind it does not name. */
    private static final class Mark implements VertexProgram {
        private LongState mark;

        @Override
        public void declare(Declaration graph) {
            mark = graph.longState("mark", 0);
        }

        @Override
        public void start(Vertex v) {
            mark.set(v, v.id() * 3);
        }

        @Override
        public void compute(Vertex v) {}
    }

    private MasterSession master(long term, CheckpointOptions options, JobListener listener) {
        MasterSession master = group.master(term, options);
        master.begin(listener, _ -> true);
        master.resume(new byte[0], -1, 0);
        return master;
    }

    /** All that a job has left, as one text. */
    private static String left(GraphSession session, String graph, String... states) {
        StringBuilder text = new StringBuilder();
        text.append(session.info(graph)).append('\n');
        TreeMap<Long, String> rows = new TreeMap<>();
        TreeMap<Long, Long> ids = new TreeMap<>();
        try (RowCursor cursor = session.rows(graph)) {
            while (cursor.next()) {
                ids.put(cursor.ordinal(), cursor.id());
                StringBuilder row = new StringBuilder();
                for (int i = 0; i < cursor.degree(); i++) {
                    row.append(' ').append(cursor.target(i));
                }
                rows.put(cursor.id(), row.toString());
            }
        }
        text.append(ids).append('\n').append(rows).append('\n');
        for (String state : states) {
            try (StateCursor cursor = session.read(graph, state)) {
                while (cursor.next()) {
                    text.append(cursor.text()).append(' ');
                }
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static void task(GraphSession session, int task, boolean goesOn) {
        switch (task) {
            case 0 -> session.build("g", TestEdges.NAME, edges().named(), BuildOptions.DIRECTED);
            case 1 -> {
                session.run("g", TestPrograms.NAME, TestPrograms.named(Mark::new));
                session.run("g", TestPrograms.NAME, REWIRING[goesOn ? 1 : 0]);
            }
            default -> {
                session.run("g", TestPrograms.NAME, REWIRING[2]);
                session.run("g", TestPrograms.NAME, REWIRING[3]);
            }
        }
    }

    /** The same for each master, which must name the same program to go on with a run. */
    private static final org.starling.graph.Parameters[] REWIRING = {
        TestPrograms.named(() -> new Rewiring(1, STEPS, false)),
        TestPrograms.named(() -> new Rewiring(2, STEPS, true)),
        TestPrograms.named(() -> new Rewiring(3, 1, true)),
        TestPrograms.named(() -> new Rewiring(4, 2, true))
    };

    private static String tasksFrom(MasterSession master, int first, boolean goesOn) {
        for (int task = first; task < 3; task++) {
            master.beginTask(task);
            task(master, task, goesOn);
            master.endTask();
        }
        return left(master, "g", "mark", Rewiring.SEEN, Rewiring.FRIEND);
    }

    /** What is left when nothing happens, found out on the first group that is asked. */
    private String expected(boolean goesOn) {
        return EXPECTED.computeIfAbsent(goesOn, this::undisturbed);
    }

    private String undisturbed(boolean goesOn) {
        MasterSession master = master(1, CheckpointOptions.NONE, JobListener.SILENT);
        String left = tasksFrom(master, 0, goesOn);
        master.endJob();
        assertThat(group.checkpointChunks()).isZero();
        assertThat(group.chunks()).isZero();
        return left;
    }

    @ParameterizedTest
    @CsvSource("2, 1, 1, true")
    void goesOnWhenASlaveIsLost(int run, int superstep, int victim, boolean goesOn) {
        String expected = expected(goesOn);
        MasterSession master = master(2, ALWAYS, at(run, superstep, () -> group.kill(victim)));

        String left = tasksFrom(master, 0, goesOn);

        assertThat(left).isEqualTo(expected);
        assertThat(master.recoveryEvents()).hasSize(1);
        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "2, 0, 0, true",
        "2, 2, 2, false",
        "2, 3, 3, false",
        "2, 3, 0, true",
        "4, 2, 3, true",
        "3, 0, 1, true",
        "4, 1, 2, true"
    })
    void goesOnWhenASlaveIsLostInMoreCases(int run, int superstep, int victim, boolean goesOn) {
        goesOnWhenASlaveIsLost(run, superstep, victim, goesOn);
    }

    /** A program that changes its graph is not interrupted; the versions that it left move. */
    @ParameterizedTest
    @CsvSource("2, 1, 1")
    void goesOnWithOtherPeersBehindARun(int run, int superstep, int peer) {
        String expected = expected(true);
        JobListener change =
                at(
                        run,
                        superstep,
                        () -> {
                            group.join();
                            group.letLeave(peer);
                        });
        MasterSession master = master(2, CheckpointOptions.NONE, change);

        String left = tasksFrom(master, 0, true);

        assertThat(left).isEqualTo(expected);
        assertThat(master.moves()).isEqualTo(run == 4 ? 0 : 1);
        assertThat(master.recoveryEvents()).isEmpty();
        master.endJob();
        assertThat(group.checkpointChunks()).isZero();
        assertThat(group.chunks()).isZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "3, 0, 2", "4, 0, 0"})
    void goesOnWithOtherPeersBehindARunInMoreCases(int run, int superstep, int peer) {
        goesOnWithOtherPeersBehindARun(run, superstep, peer);
    }

    @ParameterizedTest
    @ValueSource(ints = 2)
    void goesOnWithoutCheckpointsBetweenChanges(int superstep) {
        String expected = expected(true);
        MasterSession master =
                master(2, CheckpointOptions.NONE, at(2, superstep, () -> group.kill(1)));

        assertThat(tasksFrom(master, 0, true)).isEqualTo(expected);

        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void goesOnWithoutCheckpointsBetweenChangesInMoreCases(int superstep) {
        goesOnWithoutCheckpointsBetweenChanges(superstep);
    }

    @ParameterizedTest
    @CsvSource("2, 1")
    void goesOnUnderAnotherMaster(int run, int superstep) {
        String expected = expected(true);
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch wakes = new CountDownLatch(1);
        List<byte[]> committed = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MasterSession old = group.master(2, ALWAYS);
            CompletableFuture<String> oldJob =
                    CompletableFuture.supplyAsync(
                            () -> {
                                old.begin(
                                        at(
                                                run,
                                                superstep,
                                                () -> {
                                                    stands.countDown();
                                                    await(wakes);
                                                }),
                                        committed::add);
                                old.resume(new byte[0], -1, 0);
                                return tasksFrom(old, 0, true);
                            },
                            threads);
            await(stands);
            MasterSession young = group.master(3, ALWAYS);
            try {
                young.begin(JobListener.SILENT, _ -> true);
                young.resume(committed.getLast(), 77, System.nanoTime());
                assertThat(tasksFrom(young, run == 2 ? 1 : 2, true)).isEqualTo(expected);
            } finally {
                wakes.countDown();
            }
            assertThatThrownBy(oldJob::join).hasCauseInstanceOf(JobCancelledException.class);
            young.endJob();
            assertThat(group.checkpointChunks()).isZero();
            assertThat(group.chunks()).isZero();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"2, 0", "2, 3", "2, 4", "3, 0", "4, 0", "4, 2"})
    void goesOnUnderAnotherMasterInMoreCases(int run, int superstep) {
        goesOnUnderAnotherMaster(run, superstep);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Removes vertices, changes a state in place, and fails then. */
    private static final class Failing implements VertexProgram {
        private Topology topology;
        private LongState mark;

        @Override
        public void declare(Declaration graph) {
            topology = graph.topology();
            mark = graph.existingLongState("mark");
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            mark.set(v, -v.superstep());
            if (v.id() % 7 == v.superstep()) {
                topology.removeVertex(v);
                topology.addVertex(5000 + v.id());
            }
            if (v.superstep() == 2) {
                throw new IllegalStateException("enough");
            }
        }
    }

    @Test
    void leavesTheGraphAsItWasWhenTheRunFails() {
        MasterSession master = master(2, ALWAYS, JobListener.SILENT);
        master.beginTask(0);
        task(master, 0, true);
        master.run("g", TestPrograms.NAME, TestPrograms.named(Mark::new));
        master.endTask();
        String before = left(master, "g", "mark");
        master.beginTask(1);

        assertThatThrownBy(
                        () -> master.run("g", TestPrograms.NAME, TestPrograms.named(Failing::new)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("enough");

        assertThat(left(master, "g", "mark")).isEqualTo(before);
        group.kill(1);
        assertThat(left(master, "g", "mark")).isEqualTo(before);
        master.run("g", TestPrograms.NAME, REWIRING[1]);
        master.endTask();
        assertThat(left(master, "g", "mark")).isNotEqualTo(before);
        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    /** What the failed run went out from lies in copies that shards have moved to. */
    @Test
    void leavesTheGraphAsItWasWhereItsShardsHaveMoved() {
        MasterSession master = master(2, CheckpointOptions.NONE, JobListener.SILENT);
        master.beginTask(0);
        task(master, 0, true);
        int peer = group.join().nodeId();
        TestGroup.await(
                () -> Arrays.stream(group.members().get()).anyMatch(member -> member == peer));
        master.run("g", TestPrograms.NAME, TestPrograms.named(Mark::new));
        assertThat(master.moves()).isEqualTo(1);
        master.endTask();
        String before = left(master, "g", "mark");
        master.beginTask(1);

        assertThatThrownBy(
                        () -> master.run("g", TestPrograms.NAME, TestPrograms.named(Failing::new)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("enough");

        assertThat(left(master, "g", "mark")).isEqualTo(before);
        master.endTask();
        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    @Test
    void leavesAKeptGraphAlone() {
        MasterSession first = master(1, CheckpointOptions.NONE, JobListener.SILENT);
        first.beginTask(0);
        task(first, 0, true);
        first.keep("g");
        first.run("g", TestPrograms.NAME, TestPrograms.named(Mark::new));
        first.publish("g", "mark", "mark", false);
        first.endTask();
        String kept = left(first, "g", "mark");
        first.endJob();
        long chunks = group.chunks();

        MasterSession second = master(2, ALWAYS, at(1, 1, () -> {}));
        second.beginTask(0);
        second.run("g", TestPrograms.NAME, REWIRING[1]);
        second.endTask();
        assertThat(left(second, "g", "mark")).isNotEqualTo(kept);
        second.endJob();

        assertThat(group.chunks()).isEqualTo(chunks);
        MasterSession third = master(3, CheckpointOptions.NONE, JobListener.SILENT);
        assertThat(left(third, "g", "mark")).isEqualTo(kept);
        third.endJob();
    }

    @Test
    void dropsAGraphThatHasChanged() {
        MasterSession master = master(2, ALWAYS, JobListener.SILENT);
        master.beginTask(0);
        task(master, 0, true);
        task(master, 1, true);
        master.drop("g");
        task(master, 0, true);
        master.endTask();
        master.beginTask(1);
        task(master, 1, true);
        master.drop("g");
        master.endTask();

        assertThat(group.checkpointChunks()).isZero();
        assertThat(group.chunks()).isZero();
        master.endJob();
    }
}
