package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.EndJob;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobFailedException;
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
                                while (group.chunksOf(VICTIM) < MADE) {
                                    Thread.onSpinWait();
                                }
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
                                while (group.checkpointChunksOf(VICTIM) < made) {
                                    Thread.onSpinWait();
                                }
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

    /** Two masters go one after the other: the second one when it has been told what is left. */
    @Test
    void areGoneThoughTheMasterThatWasToldOfThemIsLostBeforeItHasRemovedThem() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            assertThat(group.checkpointChunksOf(VICTIM)).isPositive();
            group.kill(VICTIM);
            long second = Attempt.term(7, 2);
            OrphanedChunks told = orphans(group, second);
            told.takeOver();
            told.ask(new KeepCheckpoints(second, new long[0]), PATIENCE, new ArrayList<>());

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
            OrphanedChunks told = orphans(group, second);
            told.takeOver();
            told.ask(new EndJob(second), PATIENCE, new ArrayList<>());

            runAnother(group, Attempt.term(9, 1));

            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    /** And when the master of the next job goes in the same way. */
    @Test
    void areGoneWhenTheMasterOfAnotherJobIsLostBeforeItHasRemovedThem() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            group.kill(VICTIM);
            OrphanedChunks told = orphans(group, Attempt.term(9, 1));
            told.takeOver();
            EndJob end = new EndJob(Attempt.term(7, Attempt.MAX_ATTEMPTS));
            told.ask(end, PATIENCE, new ArrayList<>());

            runAnother(group, Attempt.term(9, 2));

            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    /** It was paused, and another one has taken over: that one removes them, and only that. */
    @Test
    void areLeftAloneByAMasterThatAnotherOneHasTakenOverFrom() {
        try (TestGroup group = TestGroup.durable(4)) {
            failInTheMiddle(group.master(Attempt.term(7, 1), MedleyJob.ALWAYS));
            group.kill(VICTIM);
            OrphanedChunks paused = orphans(group, Attempt.term(7, 2));
            paused.takeOver();
            KeepCheckpoints keep = new KeepCheckpoints(Attempt.term(7, 2), new long[0]);
            paused.ask(keep, PATIENCE, new ArrayList<>());
            OrphanedChunks leading = orphans(group, Attempt.term(7, 3));
            leading.takeOver();
            KeepCheckpoints again = new KeepCheckpoints(Attempt.term(7, 3), new long[0]);
            leading.ask(again, PATIENCE, new ArrayList<>());

            paused.remove();
            long left = group.chunksOfLiving();
            leading.remove();

            assertThat(group.chunksOfLiving()).isLessThan(left);
        }
    }

    private static OrphanedChunks orphans(TestGroup group, long term) {
        StoreNode store = group.node(-1);
        Group slaves = new Group(store.network(), store.membership(), group.members().get());
        AtomicInteger last = new AtomicInteger();
        return new OrphanedChunks(
                store,
                slaves,
                new Recovery(store, slaves),
                term,
                () -> Attempt.of(term, last.incrementAndGet()));
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
