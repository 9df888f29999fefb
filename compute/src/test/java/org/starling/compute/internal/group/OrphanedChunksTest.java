package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.EndJob;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobFailedException;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.StoreNode;

/**
 * Slaves that vanish while they make the rows of a graph, or a checkpoint: what they had made is
 * gone with the job, also what was under way to backups in that moment.
 */
@Timeout(120)
final class OrphanedChunksTest {
    private static final int VERTICES = 60_000;
    private static final int VICTIM = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The victim has so many when it vanishes. */
    private static final int MADE = VERTICES / 4;

    @RepeatedTest(2)
    void areGoneWhenTheJobHasEnded() throws InterruptedException {
        try (TestGroup group = TestGroup.durable(4)) {
            MasterSession master = group.master(1, CheckpointOptions.NONE);
            master.begin(JobListener.SILENT, _ -> true);
            master.resume(new byte[0], -1, 0);
            TestEdges edges = TestEdges.random(3, VERTICES, 200_000);
            Thread killer =
                    Thread.ofPlatform()
                            .start(() -> {
                                TestGroup.await(() -> group.chunksOf(VICTIM) >= MADE);
                                group.kill(VICTIM);
                            });

            master.build("g", TestEdges.NAME, edges.named(), BuildOptions.DIRECTED);
            killer.join();
            assertThat(master.recoveryEvents()).hasSize(1);
            master.endJob();

            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    /** In the middle of its first checkpoint, or of a later one. */
    @ParameterizedTest
    @ValueSource(ints = 5)
    void ofCheckpointsAreGoneWhenTheJobHasEnded(int made) throws InterruptedException {
        try (TestGroup group = TestGroup.durable(4)) {
            MasterSession master = group.master(1, MedleyJob.ALWAYS);
            master.begin(JobListener.SILENT, _ -> true);
            master.resume(new byte[0], -1, 0);
            Thread killer =
                    Thread.ofPlatform()
                            .start(() -> {
                                TestGroup.await(() -> group.checkpointChunksOf(VICTIM) >= made);
                                group.kill(VICTIM);
                            });

            MedleyJob.tasksFrom(master, 0, true);
            killer.join();
            master.endJob();

            assertThat(master.recoveryEvents()).hasSize(1);
            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 15, 17, 20})
    void ofCheckpointsAreGoneWhenTheJobHasEndedInMoreCases(int made) throws InterruptedException {
        ofCheckpointsAreGoneWhenTheJobHasEnded(made);
    }

    /**
     * The job has ended, and its master is lost together with a slave before anybody is told: what
     * that slave had made goes when the next job begins.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofAJobWhoseEndNobodyHasToldAreGoneWhenAnotherJobHasBegun(boolean noticed) {
        try (TestGroup group = TestGroup.durable(4)) {
            MasterSession lost = group.master(Attempt.term(7, 1), MedleyJob.ALWAYS);
            failInTheMiddle(lost);
            assertThat(group.checkpointChunksOf(VICTIM)).isPositive();

            group.kill(VICTIM);
            if (noticed) {
                group.endUnheardOf();
            }
            runAnother(group, Attempt.term(9, 1));

            assertThat(group.chunksOfLiving()).isZero();
            assertThat(group.jobsOfLiving()).isZero();
        }
    }

    /** Two masters go one after the other: the second one when it has let slaves end all. */
    @Test
    void areGoneThoughTheMasterThatWasToRemoveThemIsLostBeforeItHas() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            assertThat(group.checkpointChunksOf(VICTIM)).isPositive();
            group.kill(VICTIM);
            long second = Attempt.term(7, 2);
            KeepCheckpoints none = new KeepCheckpoints(second, new long[0]);
            group.orphans(second).end(none, PATIENCE, new ArrayList<>());

            MasterSession third = group.master(Attempt.term(7, 3), CheckpointOptions.NONE);
            third.begin(JobListener.SILENT, _ -> true);
            third.resume(new byte[0], -1, 0);
            third.endJob();

            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    /** The same when the job has ended with the second one. */
    @Test
    void areGoneWhenTheMasterThatEndedTheJobIsLostBeforeItHasRemovedThem() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            group.kill(VICTIM);
            long second = Attempt.term(7, 2);
            group.orphans(second).end(new EndJob(second), PATIENCE, new ArrayList<>());

            runAnother(group, Attempt.term(9, 1));

            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    /** It was paused, and another one has taken over; others have got ids of what that removed. */
    @Test
    void areRemovedOnceWhenTwoMastersWouldRemoveThem() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            OrphanedChunks paused = group.orphans(Attempt.term(7, 2));
            OrphanedChunks leading = group.orphans(Attempt.term(7, 3));
            int made = group.checkpointChunks();
            long before = group.chunks();

            leading.removeCheckpoints(_ -> true);
            long after = group.chunks();
            MasterSession other =
                    TestGroup.begun(
                            group.master(Attempt.term(9, 1), CheckpointOptions.NONE),
                            JobListener.SILENT);
            other.build("h", TestEdges.NAME, MedleyJob.edges().named(), BuildOptions.DIRECTED);
            long built = group.chunks();
            paused.removeCheckpoints(_ -> true);

            assertThat(after).isEqualTo(before - made);
            assertThat(built).isGreaterThan(after);
            assertThat(group.chunks()).isEqualTo(built);
        }
    }

    /** A slave that has not heard of the end may go on to make them. */
    @Test
    void areLeftAsLongAsTheirMakerDoesNotAnswer() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            long second = Attempt.term(7, 2);
            OrphanedChunks orphans = group.orphans(second);
            int made = group.checkpointChunksOf(VICTIM);

            orphans.end(
                    new KeepCheckpoints(Attempt.term(7, 0), new long[0]),
                    PATIENCE,
                    new ArrayList<>());
            orphans.removeCheckpoints(_ -> true);
            int refused = group.checkpointChunksOf(VICTIM);
            orphans.end(new KeepCheckpoints(second, new long[0]), PATIENCE, new ArrayList<>());
            orphans.removeCheckpoints(_ -> true);

            assertThat(refused).as("an older master is refused").isEqualTo(made).isPositive();
            assertThat(group.checkpointChunks()).isZero();
        }
    }

    /**
     * The directory does what it is asked, or does not, and the answer is lost. Meanwhile others
     * get ids of what was removed.
     */
    @ParameterizedTest
    @EnumSource
    void areRemovedOnceThoughAnswersOfTheDirectoryAreLost(Loss loss) {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            int made = group.checkpointChunks();
            long before = group.chunks();
            NameService names = group.node(-1).names();
            OrphanedChunks orphans = group.orphans(Attempt.term(7, 2), loss.of(names));

            orphans.removeCheckpoints(_ -> true);
            long first = group.chunks();
            MasterSession other =
                    TestGroup.begun(
                            group.master(Attempt.term(9, 1), CheckpointOptions.NONE),
                            JobListener.SILENT);
            other.build("h", TestEdges.NAME, MedleyJob.edges().named(), BuildOptions.DIRECTED);
            long built = group.chunks() - first;
            TestGroup.await(() -> { // a few at once
                orphans.removeCheckpoints(_ -> true);
                return new MadeRecords(names, 9).list(7, Kind.CHECKPOINT).isEmpty();
            });

            assertThat(made).isPositive();
            assertThat(built).isPositive();
            assertThat(group.chunks()).isEqualTo(before - made + built);
        }
    }

    /** What answer of the directory is lost, the first time that it is asked for a name. */
    enum Loss {
        CLAIM(true, true),
        CLAIM_REFUSED(true, false),
        DROP(false, true),
        DROP_REFUSED(false, false);

        private final boolean ofClaim;
        private final boolean isDone;

        Loss(boolean ofClaim, boolean isDone) {
            this.ofClaim = ofClaim;
            this.isDone = isDone;
        }

        private NameService of(NameService names) {
            Set<String> lost = ConcurrentHashMap.newKeySet();
            return new ForwardingNames(names) {
                @Override
                public boolean compareAndSet(String name, long expected, long id) {
                    boolean loses = ofClaim && lost.add(name);
                    return loses
                            ? lose(() -> super.compareAndSet(name, expected, id))
                            : super.compareAndSet(name, expected, id);
                }

                @Override
                public boolean remove(String name) {
                    boolean loses = !ofClaim && lost.add(name);
                    return loses ? lose(() -> super.remove(name)) : super.remove(name);
                }
            };
        }

        private boolean lose(BooleanSupplier change) {
            if (isDone) {
                boolean done = change.getAsBoolean();
                assertThat(done).isTrue();
            }
            throw new IndeterminateException("the superpeer does not answer", null);
        }
    }

    /** An older master, which was paused, meets what the leading one has claimed and not heard. */
    @Test
    void areLeftToWhoHasClaimedThem() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            NameService names = group.node(-1).names();
            OrphanedChunks paused = group.orphans(Attempt.term(7, 2));
            OrphanedChunks leading = group.orphans(Attempt.term(7, 3), Loss.CLAIM.of(names));
            long made = group.chunks();
            List<MadeRecord> before = new MadeRecords(names, 9).list(7, Kind.CHECKPOINT);

            leading.removeCheckpoints(_ -> true); // a few at once
            paused.removeCheckpoints(_ -> true);
            List<MadeRecord> left = new MadeRecords(names, 9).list(7, Kind.CHECKPOINT);
            leading.removeCheckpoints(_ -> true);

            assertThat(left).hasSizeBetween(1, before.size() - 1);
            assertThat(group.checkpointChunks()).isZero();
            assertThat(group.chunks()).isEqualTo(made - chunksOf(before));
        }
    }

    private static int chunksOf(List<MadeRecord> records) {
        return records.stream()
                .flatMap(record -> record.ranges().stream())
                .mapToInt(MadeRecord.Range::count)
                .sum();
    }

    /** The job is over with a master that has not heard that they are its own. */
    @Test
    void areGoneWhenAnotherJobOfTheSameNodeHasBegun() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            StoreNode store = group.node(-1);
            MadeRecords records = new MadeRecords(Loss.CLAIM.of(store.names()), store.nodeId());
            group.orphans(Attempt.term(7, 2), records).removeCheckpoints(_ -> true);
            int left = group.checkpointChunks();

            group.orphans(Attempt.term(9, 1), records).removeOf(7);

            assertThat(left).isPositive();
            assertThat(group.checkpointChunks()).isZero();
        }
    }

    /** Begins and ends another job, whose master knows that this one is over. */
    private static void runAnother(TestGroup group, long term) {
        MasterSession next = group.master(term, job -> job == 7, CheckpointOptions.NONE);
        TestGroup.begun(next, JobListener.SILENT).endJob();
    }

    private static void failInTheMiddle(MasterSession master) {
        Runnable failure =
                () -> {
                    throw new JobFailedException("in the middle");
                };
        master.begin(MedleyJob.at(1, 4, failure), _ -> true);
        master.resume(new byte[0], -1, 0);
        assertThatThrownBy(() -> MedleyJob.tasksFrom(master, 0, true))
                .isInstanceOf(JobFailedException.class);
    }
}
