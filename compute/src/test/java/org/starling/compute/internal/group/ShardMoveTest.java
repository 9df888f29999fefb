package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;
import static org.starling.compute.internal.group.MedleyJob.tasksFrom;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.group.MedleyJob.Left;
import org.starling.graph.GraphShare;
import org.starling.graph.JobCancelledException;
import org.starling.graph.StateCursor;

/** Peers that join a job, or leave it, take shards and hand them over; results stay the same. */
@Timeout(60)
final class ShardMoveTest {
    private TestGroup group;
    private Left expected;

    @BeforeEach
    void open() {
        group = TestGroup.durable(4);
        expected = MedleyJob.expected(group);
    }

    @AfterEach
    void close() {
        group.close();
    }

    private MasterSession master(CheckpointOptions options, JobListener listener) {
        MasterSession master = group.master(2, options);
        master.begin(listener, _ -> true);
        master.resume(new byte[0], -1, 0);
        return master;
    }

    @ParameterizedTest
    @CsvSource("2, 4")
    void takesInAPeerThatJoinsInARun(int run, int superstep) {
        List<Integer> joined = new ArrayList<>();
        MasterSession master =
                master(
                        CheckpointOptions.NONE,
                        at(run, superstep, () -> joined.add(group.join().nodeId())));

        Left left = tasksFrom(master, 0, true);

        assertThat(left).isEqualTo(expected);
        assertThat(master.moves()).isEqualTo(1);
        assertThat(master.recoveryEvents()).isEmpty();
        assertThat(shares(master)).containsOnlyKeys(slaves(master)).hasSize(5);
        assertThat(shares(master).get(joined.getFirst())).isPositive();
        nothingIsLeft(master);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 5", "2, 0", "2, 8"})
    void takesInAPeerThatJoinsInARunInMoreCases(int run, int superstep) {
        takesInAPeerThatJoinsInARun(run, superstep);
    }

    @ParameterizedTest
    @CsvSource("1, 5, 0")
    void letsAPeerGoThatLeavesInARun(int run, int superstep, int peer) {
        List<Integer> steps = new ArrayList<>();
        MasterSession master =
                master(
                        CheckpointOptions.NONE,
                        both(at(run, superstep, () -> group.letLeave(peer)), steps));

        Left left = tasksFrom(master, 0, true);

        assertThat(left).isEqualTo(expected);
        assertThat(master.moves()).isEqualTo(1);
        assertThat(slaves(master)).doesNotContain(group.nodeId(peer)).hasSize(3);
        assertThat(group.jobsOf(peer)).isZero();
        assertThat(steps).as("no superstep is done twice").doesNotHaveDuplicates();
        nothingIsLeft(master);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 0, 3", "2, 4, 2", "2, 8, 0"})
    void letsAPeerGoThatLeavesInARunInMoreCases(int run, int superstep, int peer) {
        letsAPeerGoThatLeavesInARun(run, superstep, peer);
    }

    @Test
    void losesNothingWhenAPeerThatHasHandedOverIsGone() {
        MasterSession master =
                master(
                        ALWAYS,
                        both(at(1, 3, () -> group.letLeave(2)), at(1, 6, () -> group.close(2))));

        assertThat(tasksFrom(master, 0, true)).isEqualTo(expected);

        assertThat(master.recoveryEvents()).isEmpty();
        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    /** In the middle of a move: before shards are copied, behind that, and behind all. */
    @ParameterizedTest
    @CsvSource("1, 2")
    void goesBackToACheckpointWhenASlaveIsLostInAMove(int step, int victim) {
        MasterSession master =
                master(
                        CheckpointOptions.NONE,
                        both(at(1, 4, group::join), onceMoving(step, () -> group.kill(victim))));

        assertThat(tasksFrom(master, 0, true)).isEqualTo(expected);

        assertThat(master.recoveryEvents())
                .singleElement()
                .satisfies(event -> assertThat(event.node()).isEqualTo(group.nodeId(victim)));
        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"0, 4", "0, 1", "1, 4", "2, 4", "2, 0"})
    void goesBackToACheckpointWhenASlaveIsLostInAMoveInMoreCases(int step, int victim) {
        goesBackToACheckpointWhenASlaveIsLostInAMove(step, victim);
    }

    @ParameterizedTest
    @CsvSource("1, 3")
    void goesBackToACheckpointWhenASlaveIsLostWhileAnotherLeaves(int step, int victim) {
        group.join();
        MasterSession master =
                master(
                        CheckpointOptions.NONE,
                        both(
                                at(2, 3, () -> group.letLeave(2)),
                                onceMoving(step, () -> group.kill(victim))));

        assertThat(tasksFrom(master, 0, true)).isEqualTo(expected);

        assertThat(slaves(master)).doesNotContain(group.nodeId(2));
        master.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "2, 2", "2, 1"})
    void goesBackToACheckpointWhenASlaveIsLostWhileAnotherLeavesInMoreCases(int step, int victim) {
        goesBackToACheckpointWhenASlaveIsLostWhileAnotherLeaves(step, victim);
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void leavesAMoveToANewMaster(int step) {
        List<byte[]> committed = new ArrayList<>();
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch wakes = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MasterSession old = group.master(2, ALWAYS);
            CompletableFuture<Left> oldJob =
                    CompletableFuture.supplyAsync(
                            () -> {
                                JobListener change =
                                        at(
                                                2,
                                                4,
                                                () -> {
                                                    group.join();
                                                    group.letLeave(0);
                                                });
                                Runnable stand =
                                        () -> {
                                            stands.countDown();
                                            await(wakes);
                                        };
                                old.begin(both(change, onceMoving(step, stand)), committed::add);
                                old.resume(new byte[0], -1, 0);
                                return tasksFrom(old, 0, true);
                            },
                            threads);
            await(stands);
            MasterSession young = group.master(3, ALWAYS);
            try {
                young.begin(JobListener.SILENT, _ -> true);
                young.resume(committed.getLast(), 77, System.nanoTime());

                assertThat(tasksFrom(young, 2, true)).isEqualTo(expected);
                assertThat(slaves(young)).contains(group.nodeId(4));
                assertThat(slaves(young)).doesNotContain(group.nodeId(0));
            } finally {
                wakes.countDown();
            }
            assertThatThrownBy(oldJob::join).hasCauseInstanceOf(JobCancelledException.class);
            nothingIsLeft(young);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void leavesAMoveToANewMasterInMoreCases(int step) {
        leavesAMoveToANewMaster(step);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = 1)
    void takesInAndLetsGoAgainAndAgain(long seed) {
        Random random = new Random(seed);
        List<Integer> here = new ArrayList<>(List.of(0, 1, 2, 3));
        int[] changes = new int[2];
        JobListener crowd =
                new JobListener() {
                    @Override
                    public void progress(String what, long done, long total) {}

                    @Override
                    public void superstep(int superstep, long active, long messages) {
                        if (random.nextInt(3) > 0) {
                            return;
                        }
                        if (here.size() <= 4 || (here.size() < 7 && random.nextBoolean())) {
                            here.add(4 + changes[0]++);
                            group.join();
                        } else {
                            changes[1]++;
                            group.letLeave(here.remove(/* index */ random.nextInt(here.size())));
                        }
                    }
                };
        MasterSession master = master(ALWAYS, crowd);

        Left left = tasksFrom(master, 0, true);

        assertThat(left).as("seed %d", seed).isEqualTo(expected);
        assertThat(changes).as("joined and left, seed %d", seed).doesNotContain(0);
        assertThat(master.moves()).as("seed %d", seed).isGreaterThan(1);
        assertThat(master.recoveryEvents()).isEmpty();
        nothingIsLeft(master);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void takesInAndLetsGoAgainAndAgainInMoreCases(long seed) {
        takesInAndLetsGoAgainAndAgain(seed);
    }

    @Test
    void leavesAKeptGraphWhereItIsAndPublishesColumnsOfMovedShards() {
        MasterSession first = master(CheckpointOptions.NONE, JobListener.SILENT);
        first.beginTask(0);
        MedleyJob.task(first, 0, true, MedleyJob.edges());
        first.keep("g");
        first.endTask();
        first.endJob();
        long graphAlone = group.chunks();
        MasterSession second =
                begin(3, both(at(1, 2, group::join), at(1, 5, () -> group.letLeave(1))));
        second.beginTask(0);
        Left left = MedleyJob.task(second, 1, true, MedleyJob.edges());
        second.publish("g", "total", "sums", false);
        second.endTask();
        assertThat(second.moves()).isEqualTo(2);
        second.endJob();
        group.close(1);

        MasterSession third = begin(4, JobListener.SILENT);
        assertThat(values(third, "g", "sums")).isEqualTo(left.totals());
        third.endJob();
        CatalogueService catalogue = new CatalogueService(group.node(-1), InstantSource.system());
        catalogue.copy("g", "copy");
        MasterSession fourth = begin(5, JobListener.SILENT);
        assertThat(values(fourth, "copy", "sums")).isEqualTo(left.totals());
        fourth.endJob();
        catalogue.drop("copy");
        catalogue.drop("g");
        assertThat(graphAlone).isGreaterThan(1);
        assertThat(group.chunksOfLiving()).as("the catalogue").isEqualTo(1);
    }

    private MasterSession begin(long term, JobListener listener) {
        MasterSession master = group.master(term, CheckpointOptions.NONE);
        master.begin(listener, _ -> true);
        master.resume(new byte[0], -1, 0);
        return master;
    }

    private static List<Long> values(MasterSession session, String graph, String state) {
        List<Long> values = new ArrayList<>();
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values.add(cursor.asLong());
            }
        }
        return values;
    }

    @Test
    void doesNotInterruptAProgramThatCannotGoOn() {
        MasterSession master = master(ALWAYS, at(1, 2, group::join));

        assertThat(tasksFrom(master, 0, false)).isEqualTo(expected);

        assertThat(master.moves()).as("in the next task").isEqualTo(1);
        nothingIsLeft(master);
    }

    @Test
    void reportsWhoHasNotHadAShareOnlyWhereShardsCanMove() {
        MasterSession master = master(ALWAYS, JobListener.SILENT);
        tasksFrom(master, 0, true);

        group.join();
        master.beginTask(3);
        master.beginTask(4);

        assertThat(master.moves()).as("once").isEqualTo(1);
        nothingIsLeft(master);
    }

    /** Acts once, at this step of the first move. */
    private static JobListener onceMoving(int step, Runnable act) {
        AtomicBoolean done = new AtomicBoolean();
        return new JobListener() {
            @Override
            public void progress(String what, long now, long total) {
                if (what.startsWith("moving shards")
                        && now == step
                        && done.compareAndSet(false, true)) {
                    act.run();
                }
            }

            @Override
            public void superstep(int superstep, long active, long messages) {}
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JobListener both(JobListener one, JobListener other) {
        return new JobListener() {
            @Override
            public void progress(String what, long done, long total) {
                one.progress(what, done, total);
                other.progress(what, done, total);
            }

            @Override
            public void superstep(int superstep, long active, long messages) {
                one.superstep(superstep, active, messages);
                other.superstep(superstep, active, messages);
            }
        };
    }

    /** Numbers each superstep of each run. */
    private static JobListener both(JobListener one, List<Integer> steps) {
        return both(
                one,
                new JobListener() {
                    private int runs;

                    @Override
                    public void progress(String what, long done, long total) {}

                    @Override
                    public void superstep(int superstep, long active, long messages) {
                        runs += superstep == 0 ? 1 : 0;
                        steps.add(1_000 * runs + superstep);
                    }
                });
    }

    private static Integer[] slaves(MasterSession master) {
        return java.util.Arrays.stream(master.slaves()).boxed().toArray(Integer[]::new);
    }

    /** Vertices of each slave. */
    private static java.util.Map<Integer, Long> shares(MasterSession master) {
        return master.shares("g").stream()
                .collect(java.util.stream.Collectors.toMap(GraphShare::node, GraphShare::vertices));
    }

    private void nothingIsLeft(MasterSession master) {
        master.endJob();
        assertThat(group.checkpointChunks()).isZero();
        assertThat(group.chunks()).isZero();
    }
}
