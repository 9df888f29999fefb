package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.group.MedleyJob.Left;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.Durability;
import org.starling.store.StoreNode;

/**
 * All peers are lost together in the middle of a job, and started again on their folders: what the
 * job had made for nothing goes, and nothing else does.
 */
@Timeout(180)
final class PowerLossTest {
    private static final long FIRST = Attempt.term(7, 1);
    private static final long SECOND = Attempt.term(7, 2);
    private static final long OTHER = Attempt.term(9, 1);
    private static final int PEERS = 4;

    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(PEERS, Durability.POWER);
    }

    @AfterEach
    void close() {
        group.close();
    }

    /** The rows have backups, and no descriptor leads to them yet, or one that nobody needs. */
    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(booleans = true)
    void leavesNothingOfABuild(boolean resumed) {
        MasterSession lost =
                TestGroup.begun(
                        group.masterOn(0, FIRST, CheckpointOptions.NONE), JobListener.SILENT);
        TestEdges edges = TestEdges.random(3, 60_000, 200_000);
        CompletableFuture<?> building =
                CompletableFuture.runAsync(
                        () -> lost.build("g", TestEdges.NAME, edges.named(), BuildOptions.DIRECTED),
                        task -> Thread.ofPlatform().daemon().start(task));
        TestGroup.await(() -> group.made(Kind.BUILD, _ -> true) >= 60_000);

        group.sync();
        group.losePower();
        assertThat(building).isNotCompleted();
        assertThat(group.chunksOfLiving()).as("of 60 000, as many as backups have").isPositive();
        goOn(resumed);

        assertNothingIsLeft(0);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = false)
    void leavesNothingOfABuildInMoreCases(boolean resumed) {
        leavesNothingOfABuild(resumed);
    }

    @ParameterizedTest
    @ValueSource(booleans = false)
    void leavesNothingOfCheckpoints(boolean resumed) {
        failInTheMiddle(group.masterOn(0, FIRST, MedleyJob.ALWAYS), _ -> true);

        group.losePower();
        assertThat(group.chunksOfLiving()).isGreaterThan(MedleyJob.VERTICES);
        goOn(resumed);

        assertNothingIsLeft(0);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = true)
    void leavesNothingOfCheckpointsInMoreCases(boolean resumed) {
        leavesNothingOfCheckpoints(resumed);
    }

    /** Beside them, a graph that is kept, with a column. */
    @Test
    void leavesWhatIsKept() {
        MasterSession maker =
                TestGroup.begun(group.master(OTHER, MedleyJob.ALWAYS), JobListener.SILENT);
        maker.beginTask(0);
        maker.build("kept", TestEdges.NAME, MedleyJob.edges().named(), BuildOptions.DIRECTED);
        maker.keep("kept");
        maker.endTask();
        maker.endJob();
        long kept = group.chunks();
        failInTheMiddle(group.masterOn(0, FIRST, MedleyJob.ALWAYS), _ -> true);

        group.losePower();
        goOn(false);

        assertNothingIsLeft(kept);
        MasterSession reader =
                TestGroup.begun(
                        group.master(Attempt.term(10, 1), MedleyJob.ALWAYS), JobListener.SILENT);
        reader.beginTask(0);
        assertThat(reader.info("kept").vertices()).isEqualTo(MedleyJob.VERTICES);
        assertThat(reader.shares("kept").stream().mapToLong(share -> share.vertices()).sum())
                .isEqualTo(MedleyJob.VERTICES);
        reader.endTask();
        reader.endJob();
        assertNothingIsLeft(kept);
    }

    /** The job goes on from the checkpoint that was committed, and this goes with it. */
    @Test
    void goesOnFromACheckpointThatStands() {
        Left expected = MedleyJob.undisturbed(group, 1);
        List<byte[]> committed = new ArrayList<>();
        failInTheMiddle(group.masterOn(0, FIRST, MedleyJob.ALWAYS), committed::add);

        group.losePower();
        MasterSession next = group.master(SECOND, MedleyJob.ALWAYS);
        next.begin(JobListener.SILENT, _ -> true);
        next.resume(committed.getLast(), -1, 0);
        Left left = MedleyJob.tasksFrom(next, 1, true);
        next.endJob();

        assertThat(left).isEqualTo(expected);
        assertNothingIsLeft(0);
    }

    /** What a progress leads to is on disks in the moment in which it is committed. */
    @ParameterizedTest
    @ValueSource(ints = 3)
    void goesOnFromWhateverHasBeenCommitted(int commits) {
        BuildOptions options = new BuildOptions(false, true);
        Left expected = MedleyJob.undisturbed(group, 1, options);
        List<byte[]> committed = new ArrayList<>();
        List<StoreNode> lost = new ArrayList<>();
        MasterSession first = group.masterOn(0, FIRST, MedleyJob.ALWAYS);
        first.begin(
                JobListener.SILENT,
                progress -> {
                    committed.add(progress);
                    if (committed.size() == commits) {
                        lost.addAll(group.killAll());
                    }
                    return lost.isEmpty();
                });
        first.resume(new byte[0], -1, 0);
        assertThatThrownBy(() -> MedleyJob.tasksFrom(first, 0, true, options))
                .isInstanceOf(JobCancelledException.class);

        group.restartAll(lost);
        MasterSession next = group.master(SECOND, MedleyJob.ALWAYS);
        next.begin(JobListener.SILENT, _ -> true);
        next.resume(committed.getLast(), -1, 0);
        Left left = MedleyJob.tasksFrom(next, 1, true);
        next.endJob();

        assertThat(left).isEqualTo(expected);
        assertNothingIsLeft(0);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 9})
    void goesOnFromWhateverHasBeenCommittedInMoreCases(int commits) {
        goesOnFromWhateverHasBeenCommitted(commits);
    }

    /** The next master goes on, and all are lost once more. */
    @Test
    @Tag("slow")
    void leavesNothingWhenAllAreLostAgainAndAgain() {
        List<byte[]> committed = new ArrayList<>();
        failInTheMiddle(group.masterOn(0, FIRST, MedleyJob.ALWAYS), committed::add);
        for (int attempt = 2; attempt < 5; attempt++) {
            group.losePower();
            MasterSession next = group.master(Attempt.term(7, attempt), MedleyJob.ALWAYS);
            next.begin(MedleyJob.at(1, 7, PowerLossTest::fail), committed::add);
            next.resume(committed.getLast(), -1, 0);
            assertThatThrownBy(() -> MedleyJob.tasksFrom(next, 1, true))
                    .isInstanceOf(JobFailedException.class);
        }
        group.losePower();
        goOn(false);

        assertNothingIsLeft(0);
    }

    private void goOn(boolean resumed) {
        MasterSession next =
                resumed
                        ? group.master(SECOND, CheckpointOptions.NONE)
                        : group.master(Attempt.term(8, 1), job -> job == 7, CheckpointOptions.NONE);
        TestGroup.begun(next, JobListener.SILENT).endJob();
    }

    private void assertNothingIsLeft(long kept) {
        assertThat(group.chunksOfLiving()).isEqualTo(kept);
        assertThat(group.node(-1).names().list().keySet())
                .allMatch(name -> kept > 0 && name.equals(CatalogueChunk.NAME));
    }

    private static void failInTheMiddle(MasterSession master, CheckpointSink sink) {
        master.begin(MedleyJob.at(1, 4, PowerLossTest::fail), sink);
        master.resume(new byte[0], -1, 0);
        assertThatThrownBy(() -> MedleyJob.tasksFrom(master, 0, true))
                .isInstanceOf(JobFailedException.class);
    }

    private static void fail() {
        throw new JobFailedException("in the middle");
    }
}
