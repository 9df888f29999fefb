package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
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

    @Test
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

    /** A peer that does not compute has taken their zones over. */
    @Test
    void areRemovedFromPeersThatDoNotCompute() {
        try (TestGroup group = TestGroup.durable(3)) {
            for (int i = 0; i < 3; i++) {
                group.joinStorage();
            }
            group.awaitMembers(6);
            long term = Attempt.term(7, 1);
            StoreNode maker = group.node(0);
            long first = maker.chunks().with(Durability.POWER).createRange(10, 8);
            MadeRecords records = new MadeRecords(group.node(-1).names());
            List<MadeRecord.Range> range = List.of(new MadeRecord.Range(first, 10));
            records.note(
                    MadeRecord.of(7, Kind.CHECKPOINT, Attempt.of(term, 1), maker.nodeId(), range));
            for (int i = 0; i < 3; i++) {
                group.kill(i);
                group.awaitMembers(5 - i);
                TestGroup.await(() ->
                        group.chunksOfLiving() == 10 && group.node(-1).status().allReplicated());
            }

            TestGroup.await(() -> {
                group.orphans(term).removeCheckpoints(_ -> true);
                return records.list(7, Kind.CHECKPOINT).isEmpty();
            });

            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    /** Its zone was empty when it had another owner, and was dropped. */
    @Test
    void areForgottenWhenTheirZoneIsGone() {
        try (TestGroup group = TestGroup.durable(3)) {
            long term = Attempt.term(7, 1);
            MadeRecords records = new MadeRecords(group.node(-1).names());
            MadeRecord.Range range =
                    new MadeRecord.Range(
                            ChunkId.ofZone(ChunkId.zoneOf(group.nodeId(0), 999), 5), 7);
            long attempt = Attempt.of(term, 1);
            records.note(
                    MadeRecord.of(7, Kind.CHECKPOINT, attempt, group.nodeId(0), List.of(range)));

            group.orphans(term).removeCheckpoints(_ -> true);

            assertThat(records.list(7, Kind.CHECKPOINT)).isEmpty();
        }
    }

    /**
     * The directory knows the last 1,024 commands when they come again, and each record that is
     * claimed has one under way.
     */
    @Test
    void keepNoMoreThan256CommandsOfTheDirectoryBusyAtOnce() throws Exception {
        try (TestGroup group = TestGroup.durable(3)) {
            long term = Attempt.term(7, 1);
            StoreNode maker = group.node(0);
            long first = maker.chunks().with(Durability.PROCESS).createRange(2_000, 8);
            MadeRecords records = new MadeRecords(group.node(-1).names());
            List<MadeRecord> all = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                List<MadeRecord.Range> range = List.of(new MadeRecord.Range(first + i, 1));
                all.addAll(
                        MadeRecord.of(
                                7, Kind.CHECKPOINT, Attempt.of(term, 1), maker.nodeId(), range));
            }
            records.note(all);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> most =
                    CompletableFuture.supplyAsync(() -> {
                        long claimed = 0;
                        while (!isOver.get()) {
                            long now =
                                    group.node(-1).names().list("job/7/").values().stream()
                                            .filter(id -> !ChunkId.isReplicated(id))
                                            .count();
                            claimed = Math.max(claimed, now);
                        }
                        return claimed;
                    });

            group.orphans(term).removeCheckpoints(_ -> true);
            isOver.set(true);

            assertThat(records.list(7, Kind.CHECKPOINT)).isEmpty();
            assertThat(most.join()).isLessThanOrEqualTo(256);
        }
    }

    /**
     * An earlier version has noted ranges of several zones in one record, and these have got
     * different owners.
     */
    @Test
    void areRemovedThoughARecordLeadsToZonesOfDifferentOwners() {
        try (TestGroup group = TestGroup.durable(3)) {
            long term = Attempt.term(7, 1);
            MadeRecords records = new MadeRecords(group.node(-1).names());
            List<MadeRecord.Range> ranges = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                ChunkService chunks = group.node(i).chunks().with(Durability.PROCESS);
                ranges.add(new MadeRecord.Range(chunks.createRange(10, 8), 10));
            }
            records.note(
                    List.of(
                            new MadeRecord(
                                    7,
                                    Kind.CHECKPOINT,
                                    Attempt.of(term, 1),
                                    group.nodeId(0),
                                    ranges)));

            runAnother(group, Attempt.term(9, 1));

            assertThat(records.list(7, Kind.CHECKPOINT)).isEmpty();
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
