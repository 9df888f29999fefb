package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobFailedException;

/**
 * Slaves that vanish while they make the rows of a graph, or a checkpoint: what they had made is
 * gone with the job, also what was under way to backups in that moment.
 */
@Timeout(120)
final class OrphanedChunksTest {
    private static final int VERTICES = 60_000;
    private static final int VICTIM = 1;

    /** The victim has so many when it vanishes. */
    private static final int MADE = VERTICES / 4;

    @RepeatedTest(5)
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
    @ValueSource(ints = {1, 2, 5, 9, 15, 17, 20})
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

    /**
     * The job has ended, and its master is lost together with a slave before anybody is told: what
     * that slave had made goes when the next job begins.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofAJobWhoseEndNobodyHasToldAreGoneWhenAnotherJobHasBegun(boolean noticed) {
        try (TestGroup group = TestGroup.durable(4)) {
            MasterSession lost = group.master(Attempt.term(7, 1), MedleyJob.ALWAYS);
            Runnable failure =
                    () -> {
                        throw new JobFailedException("in the middle");
                    };
            lost.begin(MedleyJob.at(1, 4, failure), _ -> true);
            lost.resume(new byte[0], -1, 0);
            assertThatThrownBy(() -> MedleyJob.tasksFrom(lost, 0, true))
                    .isInstanceOf(JobFailedException.class);
            assertThat(group.checkpointChunksOf(VICTIM)).isPositive();

            group.kill(VICTIM);
            if (noticed) {
                group.endUnheardOf();
            }
            MasterSession next =
                    group.master(Attempt.term(9, 1), job -> job == 7, CheckpointOptions.NONE);
            next.begin(JobListener.SILENT, _ -> true);
            next.resume(new byte[0], -1, 0);
            next.endJob();

            assertThat(group.chunksOfLiving()).isZero();
            assertThat(group.jobsOfLiving()).isZero();
        }
    }
}
