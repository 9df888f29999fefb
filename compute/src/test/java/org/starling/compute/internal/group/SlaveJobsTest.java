package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.JobListener;
import org.starling.compute.Medley;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.group.MedleyJob.Left;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.LeaveJob;
import org.starling.compute.internal.protocol.RunMessage.StopRun;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobCancelledException;
import org.starling.net.NativeMemory;
import org.starling.net.Network;

/** Several jobs on the same slaves, each led by a master of its own. */
@Timeout(120)
final class SlaveJobsTest {
    private static final long FIRST = Attempt.term(7, 1);
    private static final long SECOND = Attempt.term(8, 1);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private long before;
    private TestGroup group;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        group = new TestGroup(3);
    }

    @AfterEach
    void close() {
        threads.close();
        group.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void givesJobsSideBySideTheResultsOfEachAlone() {
        Left expected = MedleyJob.undisturbed(group, 1);

        CompletableFuture<Left> first = job(FIRST, JobListener.SILENT);
        CompletableFuture<Left> second = job(SECOND, JobListener.SILENT);

        assertThat(first.join()).isEqualTo(expected);
        assertThat(second.join()).isEqualTo(expected);
        assertNothingLeft();
    }

    @Tag("slow")
    @Test
    void givesJobsSideBySideTheirResultsWhenASlaveIsLostInTheMiddle() {
        Left expected = MedleyJob.undisturbed(group, 1);
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch killed = new CountDownLatch(1);

        CompletableFuture<Left> second =
                job(
                        SECOND,
                        MedleyJob.at(
                                1,
                                3,
                                () -> {
                                    stands.countDown();
                                    await(killed);
                                }));
        CompletableFuture<Left> first =
                job(
                        FIRST,
                        MedleyJob.at(
                                1,
                                4,
                                () -> {
                                    await(stands); // no checkpoint is under way
                                    group.kill(1);
                                    killed.countDown();
                                }));

        assertThat(first.join()).isEqualTo(expected);
        assertThat(second.join()).isEqualTo(expected);
        assertThat(group.jobsOfLiving()).isLessThanOrEqualTo(1);
    }

    @Test
    void leavesOtherJobsAloneWhenANewMasterTakesOne() {
        Left expected = MedleyJob.undisturbed(group, 1);
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch wakes = new CountDownLatch(1);
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(FIRST, MedleyJob.ALWAYS);
        CompletableFuture<Left> lost =
                CompletableFuture.supplyAsync(
                        () -> {
                            old.begin(
                                    MedleyJob.at(
                                            1,
                                            4,
                                            () -> {
                                                stands.countDown();
                                                await(wakes);
                                            }),
                                    committed::add);
                            old.resume(new byte[0], -1, 0);
                            return MedleyJob.tasksFrom(old, 0, true);
                        },
                        threads);
        await(stands);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        CompletableFuture<Left> other =
                job(
                        SECOND,
                        MedleyJob.at(
                                2,
                                2,
                                () -> {
                                    inTheMiddle.countDown();
                                    await(taken);
                                }));
        await(inTheMiddle);

        MasterSession young = group.master(FIRST + 1, MedleyJob.ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        taken.countDown();
        wakes.countDown();

        assertThat(MedleyJob.tasksFrom(young, 1, true)).isEqualTo(expected);
        young.endJob();
        assertThat(other.join()).isEqualTo(expected);
        assertThatThrownBy(lost::join).hasCauseInstanceOf(JobCancelledException.class);
        assertNothingLeft();
    }

    @Test
    void refusesWhatComesForAJobThatHasEnded() {
        MasterSession session = begun(FIRST);
        session.beginTask(0);
        session.endJob();

        assertThatThrownBy(() -> session.beginTask(1))
                .isInstanceOf(JobCancelledException.class)
                .hasMessage("job 7 has ended");
        assertNothingLeft();
    }

    /** It may be on its way for longer than the job has anything on that slave. */
    @Test
    void beginsNoJobWithAStopThatComesLate() {
        begun(FIRST).beginTask(0);
        Network network = group.node(-1).network();

        for (int slave : group.members().get()) {
            network.request(slave, new LeaveJob(FIRST)).join();
            network.request(slave, new StopRun(Attempt.of(FIRST, 1))).join();
        }

        assertThat(group.jobs()).isZero();
    }

    @Test
    void letsGoOfAJobWhoseEndNobodyHasTold() {
        MasterSession session = begun(FIRST);
        session.beginTask(0);
        MedleyJob.task(session, 0, true, MedleyJob.edges());
        MedleyJob.task(session, 1, true, MedleyJob.edges());
        assertThat(group.jobs()).isEqualTo(1);

        group.endUnheardOf();

        assertThat(group.jobs()).isZero();
        assertThatThrownBy(() -> session.run("g", Medley.NAME, MedleyJob.medley(true, false)))
                .hasMessage("job 7 has ended");
        MasterSession next = group.master(SECOND, job -> job == 7, MedleyJob.ALWAYS);
        TestGroup.begun(next, JobListener.SILENT).endJob();
        assertNothingLeft();
    }

    @Test
    void removesGraphsOfJobsThatHaveEndedButNotOfOthers() {
        MasterSession ended = begun(FIRST);
        ended.beginTask(0);
        MedleyJob.task(ended, 0, true, MedleyJob.edges());
        long chunks = group.chunks();
        MasterSession other = begun(SECOND);
        other.beginTask(0);
        MedleyJob.task(other, 0, true, MedleyJob.edges());

        MasterSession third = group.master(Attempt.term(9, 1), job -> job == 7, MedleyJob.ALWAYS);
        third.begin(JobListener.SILENT, _ -> true);
        third.resume(new byte[0], -1, 0);

        assertThat(group.chunks()).isEqualTo(chunks);
        assertThat(other.run("g", Medley.NAME, MedleyJob.medley(true, false)).supersteps())
                .isPositive();
        other.endJob();
        third.endJob();
        assertNothingLeft();
    }

    @Test
    void removesGraphsOfEndedJobsAlsoFromPeersOfOtherGroups() {
        MasterSession ended = begun(FIRST);
        ended.beginTask(0);
        MedleyJob.task(ended, 0, true, MedleyJob.edges());

        MasterSession other = group.masterOver(Attempt.term(9, 1), 0, job -> job == 7);
        other.begin(JobListener.SILENT, _ -> true);
        other.resume(new byte[0], -1, 0);
        other.endJob();

        assertNothingLeft();
    }

    @Test
    void removesNoNewGraphWhoseChunksHaveIdsOfOneThatAnotherJobHasRemovedMeanwhile() {
        MasterSession ended = begun(FIRST);
        ended.beginTask(0);
        buildMany(ended);
        List<MasterSession> others = new ArrayList<>();
        LongPredicate over =
                job -> {
                    if (job == 7 && others.isEmpty()) {
                        others.add(group.master(SECOND, one -> one == 7, MedleyJob.ALWAYS));
                        others.getFirst().begin(JobListener.SILENT, _ -> true);
                        others.getFirst().resume(new byte[0], -1, 0);
                        others.getFirst().beginTask(0);
                        buildMany(others.getFirst());
                    }
                    return job == 7;
                };

        MasterSession third = group.master(Attempt.term(9, 1), over, MedleyJob.ALWAYS);
        third.begin(JobListener.SILENT, _ -> true);
        third.resume(new byte[0], -1, 0);

        MasterSession other = others.getFirst();
        assertThat(MedleyJob.task(other, 1, true, MedleyJob.edges()).supersteps()).isPositive();
        other.endJob();
        third.endJob();
        assertNothingLeft();
    }

    @Test
    void keepsWhatARunWasPromisedUntilItsEndForColumnsAreWrittenAsItGoes() {
        List<String> events = new CopyOnWriteArrayList<>();
        Admission noting =
                new Admission() {
                    @Override
                    public <N extends Need> Admitted<N> await(
                            Supplier<N> look, Runnable checkCancelled) {
                        events.add("promised");
                        return Admission.ALONE.await(look, checkCancelled);
                    }

                    @Override
                    public void release() {
                        events.add("released");
                    }
                };
        MasterSession session = group.masterAdmittedBy(FIRST, noting);
        session.begin(MedleyJob.at(1, 4, () -> events.add("in the run")), _ -> true);
        session.resume(new byte[0], -1, 0);
        session.beginTask(0);
        MedleyJob.task(session, 0, true, MedleyJob.edges());
        MedleyJob.task(session, 1, true, MedleyJob.edges());
        session.endJob();

        assertThat(events)
                .containsExactly("promised", "released", "promised", "in the run", "released");
    }

    /** So many vertices that ids are searched for free ones afterwards. */
    private static void buildMany(MasterSession session) {
        TestEdges edges = TestEdges.random(12, 30_000, 30_000);
        session.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
    }

    private CompletableFuture<Left> job(long term, JobListener listener) {
        return CompletableFuture.supplyAsync(
                () -> {
                    MasterSession session = group.master(term, MedleyJob.ALWAYS);
                    session.begin(listener, _ -> true);
                    session.resume(new byte[0], -1, 0);
                    Left left = MedleyJob.tasksFrom(session, 0, true);
                    session.endJob();
                    return left;
                },
                threads);
    }

    private MasterSession begun(long term) {
        MasterSession session = group.master(term, MedleyJob.ALWAYS);
        session.begin(JobListener.SILENT, _ -> true);
        session.resume(new byte[0], -1, 0);
        return session;
    }

    /** What the slaves still know is the embedded job 0, of {@link MedleyJob#undisturbed}. */
    private void assertNothingLeft() {
        assertThat(group.chunks()).isZero();
        assertThat(group.checkpointChunks()).isZero();
        assertThat(group.jobs()).isLessThanOrEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing came");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
