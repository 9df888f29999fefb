package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.graph.BuildOptions;

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
        try (TestGroup group = new TestGroup(4)) {
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
        try (TestGroup group = new TestGroup(4)) {
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
}
