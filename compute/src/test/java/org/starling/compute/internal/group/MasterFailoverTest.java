package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.VERTICES;
import static org.starling.compute.internal.group.MedleyJob.at;
import static org.starling.compute.internal.group.MedleyJob.edges;
import static org.starling.compute.internal.group.MedleyJob.medley;
import static org.starling.compute.internal.group.MedleyJob.task;
import static org.starling.compute.internal.group.MedleyJob.tasksFrom;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.Medley;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.internal.group.MedleyJob.Left;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.jars.JobCode;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.JobCancelledException;
import org.starling.graph.LongState;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;
import org.starling.store.StoreNode;

/**
 * A master stands still in the middle of a job, another one takes over, and the old one wakes up
 * again.
 */
@Timeout(60)
final class MasterFailoverTest {
    private TestGroup group;

    @BeforeEach
    void open() {
        group = new TestGroup(3);
    }

    @AfterEach
    void close() {
        group.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void goesOnInTheMiddleOfARunAndRefusesTheOldMaster(int superstep) {
        Left expected = MedleyJob.expected(group);
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch wakes = new CountDownLatch(1);
        List<byte[]> committed = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MasterSession old = group.master(2, ALWAYS);
            CompletableFuture<Left> oldJob =
                    CompletableFuture.supplyAsync(
                            () -> {
                                old.begin(
                                        at(
                                                2,
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
                takesOver(young, committed.get(committed.size() - 1), superstep, expected);
            } finally {
                wakes.countDown();
            }
            assertThatThrownBy(oldJob::join).hasCauseInstanceOf(JobCancelledException.class);
            young.endJob();
            assertThat(group.checkpointChunks()).isZero();
            assertThat(group.chunks()).isZero();
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void goesOnInTheMiddleOfARunAndRefusesTheOldMasterInMoreCases(int superstep) {
        goesOnInTheMiddleOfARunAndRefusesTheOldMaster(superstep);
    }

    private static void takesOver(
            MasterSession young, byte[] progress, int superstep, Left expected) {
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(progress, 77, System.nanoTime());

        Left left = tasksFrom(young, 2, true);

        assertThat(left.totals()).isEqualTo(expected.totals());
        assertThat(left).isEqualTo(expected);
        int resumedAt = superstep == 0 ? -1 : superstep;
        assertThat(young.recoveryEvents())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.node()).isEqualTo(77);
                    assertThat(event.role()).isEqualTo(RecoveryEvent.MASTER);
                    assertThat(event.resumedAt()).isEqualTo(resumedAt);
                });
    }

    @Test
    void doesRunsAgainThatNoCheckpointHolds() {
        Left expected = MedleyJob.expected(group);
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(2, CheckpointOptions.NONE);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        for (int task = 0; task < 2; task++) {
            old.beginTask(task);
            task(old, task, true, edges());
            old.endTask();
        }
        assertThat(group.checkpointChunks()).isZero();

        MasterSession young = group.master(3, CheckpointOptions.NONE);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.get(committed.size() - 1), 77, System.nanoTime());

        assertThat(tasksFrom(young, 2, false)).isEqualTo(expected);
        young.endJob();
        assertThat(group.chunks()).isZero();
    }

    @Test
    void keepsWhatRunsHaveLeftThatItDidAgain() {
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(2, CheckpointOptions.NONE);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        for (int task = 0; task < 2; task++) {
            old.beginTask(task);
            task(old, task, true, edges());
            old.endTask();
        }
        List<Long> first = totals(old);

        MasterSession young = group.master(3, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(2);
        young.run("g", TestPrograms.NAME, TestPrograms.named(Mark::new)); // into a checkpoint
        young.endTask();
        group.kill(1);

        assertThat(totals(young)).isEqualTo(first);
        young.endJob();
    }

    /** Leaves a state of its own and reads none. */
    private static final class Mark implements VertexProgram {
        private LongState mark;

        @Override
        public void declare(Declaration graph) {
            mark = graph.longState("mark", 0);
        }

        @Override
        public void start(Vertex v) {
            mark.set(v, v.ordinal());
        }

        @Override
        public void compute(Vertex v) {}
    }

    /** What the first run of the job has left. */
    private static List<Long> totals(MasterSession session) {
        List<Long> totals = new ArrayList<>();
        try (StateCursor cursor = session.read("g", "total")) {
            while (cursor.next()) {
                totals.add(cursor.asLong());
            }
        }
        return totals;
    }

    @Test
    void removesWhatAnOlderMasterNeverCommitted() {
        MasterSession old = group.master(2, ALWAYS);
        old.begin(JobListener.SILENT, _ -> true);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        task(old, 0, true, edges());
        task(old, 1, true, edges());
        assertThat(group.chunks()).isGreaterThan(VERTICES);

        MasterSession young = group.master(3, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(new byte[0], -1, 0);

        assertThat(group.chunks()).isZero();
        assertThat(young.graphs()).isEmpty();
        assertThatThrownBy(() -> old.run("g", Medley.NAME, medley(true, false)))
                .isInstanceOf(JobCancelledException.class)
                .hasMessageContaining("term 2");
    }

    /** Its name is all by which anybody would find it. The master does not, or another slave. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void forgetsNoGraphOfWhichItDoesNotReachTheOwnerForAMoment(boolean isMaster) {
        group.close();
        group = TestGroup.impatient(3, Duration.ofMillis(500));
        MasterSession old = group.begin(Attempt.term(7, 1), ALWAYS, JobListener.SILENT);
        old.beginTask(0);
        old.build("g", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
        int node = group.node(-1).chunks().owner(group.graphOf(7));
        int owner = IntStream.range(0, 3).filter(i -> group.nodeId(i) == node).sum();
        int master = (owner + 1) % 3;
        List<CompletableFuture<Boolean>> removed = new ArrayList<>();

        group.part(
                isMaster ? master : 3 - master - owner,
                owner,
                () -> {
                    removed.add(
                            CompletableFuture.supplyAsync(
                                    () -> removesOthers(group.node(master), Attempt.term(7, 2))));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_500));
                });

        assertThat(removed.getFirst().join()).isTrue();
        assertThat(group.graphsOf(7)).isEmpty();
        assertThat(group.chunks()).isZero();
    }

    /** As a master of this node does that has nothing of older ones. */
    private boolean removesOthers(StoreNode store, long term) {
        Group slaves = new Group(store.network(), store.membership(), group.members().get());
        Recovery recovery = new Recovery(store, slaves);
        OrphanedChunks orphans = new OrphanedChunks(store, slaves, recovery, term);
        Map<String, KnownGraph> graphs = new TreeMap<>();
        LongSupplier numbers = new AtomicLong(Attempt.of(term, 1))::incrementAndGet;
        RecoveryLoop loop =
                new RecoveryLoop(
                        store,
                        slaves,
                        recovery,
                        new Checkpoints(store, slaves, orphans, term, numbers, graphs, ALWAYS),
                        graphs,
                        numbers,
                        JobCode::builtIn,
                        RecoveryLoop.STORE_PATIENCE_NANOS);
        MasterFailover failover =
                new MasterFailover(
                        store,
                        slaves,
                        recovery,
                        new KeptGraphs(store, 7, InstantSource.system()),
                        term,
                        orphans);
        return loop.untilDone(() -> {
            failover.removeOthers(Progress.nothing(), _ -> false, new Semaphore(1));
            return true;
        });
    }

    @Test
    void stopsWhenItsCommitIsRefused() {
        MasterSession session = group.master(2, ALWAYS);
        AtomicInteger commits = new AtomicInteger();
        session.begin(JobListener.SILENT, _ -> commits.incrementAndGet() == 1);
        session.resume(new byte[0], -1, 0);
        session.beginTask(0);
        task(session, 0, true, edges());

        assertThatThrownBy(session::endTask)
                .isInstanceOf(JobCancelledException.class)
                .hasMessageContaining("another master");
    }

    @Test
    void stopsAtOnceWhenItsFirstCommitIsRefused() {
        MasterSession session = group.master(2, ALWAYS);
        session.begin(JobListener.SILENT, _ -> false);

        assertThatThrownBy(() -> session.resume(new byte[0], -1, 0))
                .isInstanceOf(JobCancelledException.class)
                .hasMessageContaining("another master");
    }

    @Test
    void tellsOfLossesThatOlderMastersDidNotComeToTell() {
        List<byte[]> committed = new ArrayList<>();
        MasterSession first = group.master(2, ALWAYS);
        first.begin(JobListener.SILENT, committed::add);
        first.resume(new byte[0], -1, 0);
        first.beginTask(0);
        task(first, 0, true, edges());
        first.endTask();
        int slave = group.kill(1);
        MasterSession second = group.master(3, ALWAYS);
        second.begin(JobListener.SILENT, committed::add);
        group.awaitLoss(slave);
        second.resume(committed.getLast(), 77, System.nanoTime());
        assertThat(second.recoveryEvents()).isEmpty();

        MasterSession third = group.master(4, ALWAYS);
        third.begin(JobListener.SILENT, committed::add);
        third.resume(committed.getLast(), 78, System.nanoTime());
        tasksFrom(third, 1, true);

        assertThat(third.recoveryEvents())
                .extracting(event -> event.node() + " " + event.role())
                .containsExactlyInAnyOrder("77 master", "78 master", slave + " slave");
    }

    @Test
    void keepsADroppedGraphUntilNobodyCanNeedIt() {
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(2, ALWAYS);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        task(old, 0, true, edges());
        old.endTask();
        old.beginTask(1);
        old.drop("g");
        assertThat(old.graphs()).isEmpty();

        MasterSession young = group.master(3, ALWAYS);
        young.begin(JobListener.SILENT, committed::add);
        young.resume(committed.get(committed.size() - 1), 77, System.nanoTime());
        assertThat(young.info("g").vertices()).isEqualTo(VERTICES);
        young.beginTask(1);
        young.drop("g");
        assertThat(group.chunks()).isGreaterThan(VERTICES);
        young.endTask();

        assertThat(group.chunks()).isZero();
    }
}
