package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.DescriptorChunk.Owned;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.StoreNode;

/** What is lost for good, and peers that are not up yet. */
@Timeout(60)
final class RecoveryTest {
    private static final int PEERS = 3;
    private static final TestEdges EDGES = TestEdges.random(3, 1_000, 3_000);

    private TestGroup group;

    @BeforeEach
    void open() {
        group = new TestGroup(PEERS);
    }

    @AfterEach
    void close() {
        group.close();
    }

    /** Of a job that has ended, or of an older master of the same one. */
    @ParameterizedTest
    @ValueSource(ints = {7, 8})
    void forgetsAGraphThatIsLostAndGoesOn(int job) {
        MasterSession _ = withGraph(group);
        assertThat(group.graphsOf(7)).hasSize(1);
        loseAll();

        MasterSession young =
                TestGroup.begun(
                        group.master(
                                Attempt.term(job, 2), other -> other == 7, CheckpointOptions.NONE),
                        JobListener.SILENT);

        assertThat(group.graphsOf(7)).isEmpty();
        young.beginTask(0);
        build(young);
        young.endTask();
        young.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    /** As if the master were lost: what it could not remove, others can still find. */
    @Test
    void leavesTheNameOfAGraphUntilAllOfItIsRemoved() {
        MasterSession old = withGraph(group);
        StoreNode node = group.node(1);
        long rows =
                Arrays.stream(DescriptorChunk.read(node.chunks(), group.graphOf(7)).outRanges())
                        .filter(node.chunks()::isLocal)
                        .findFirst()
                        .orElseThrow();
        try (PinnedRange _ = node.chunks().pin(rows, 1)) {
            old.endJob();
        }
        assertThat(group.chunks()).isPositive();

        runAnother();

        assertThat(group.graphsOf(7)).isEmpty();
        assertThat(group.chunks()).isZero();
    }

    /**
     * A master was lost behind the removal of a descriptor and before that of its name, and the id
     * of the descriptor is another chunk's.
     */
    @Test
    void endsWhatANameLeadsToThatIsAnotherChunkByNow() {
        StoreNode node = group.node(1);
        long other = node.chunks().create(8);
        node.names().register(new Owned(7, other).name(), other);

        runAnother();

        assertThat(group.graphsOf(7)).isEmpty();
        assertThat(node.chunks().exists(other)).isTrue();
    }

    /** In its first task, with a graph. */
    private static MasterSession withGraph(TestGroup of) {
        MasterSession session =
                of.begin(Attempt.term(7, 1), CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        build(session);
        return session;
    }

    private void runAnother() {
        MasterSession next =
                group.master(Attempt.term(9, 1), job -> job == 7, CheckpointOptions.NONE);
        TestGroup.begun(next, JobListener.SILENT).endJob();
    }

    @Test
    void endsATaskThatHasDroppedAGraphThatIsLost() {
        try (TestGroup small = TestGroup.withOneBackup(2)) {
            MasterSession session = withGraph(small);
            session.endTask();
            small.join();
            small.awaitMembers(3);
            session.beginTask(1);
            long chunk = small.graphOf(7);
            session.drop("g");
            small.kill(0);
            small.kill(1);
            small.awaitMembers(1);

            session.endTask();

            assertThatThrownBy(() -> small.node(-1).chunks().get(chunk))
                    .isInstanceOf(DataLostException.class);
            session.endJob();
        }
    }

    @Test
    void waitsForTheOthersWhenOneOfAllPeersThatWereLostIsBack() {
        MedleyJob.Left undisturbed = MedleyJob.undisturbed(group, Attempt.term(7, 1));
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(Attempt.term(8, 1), CheckpointOptions.NONE);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        MedleyJob.task(old, 0, true, MedleyJob.edges());
        old.endTask();
        List<StoreNode> lost = group.killAll();
        group.restart(lost.subList(0, 1));
        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS)
                .execute(() -> group.restart(lost.subList(1, PEERS)));

        MasterSession young = group.master(Attempt.term(8, 2), CheckpointOptions.NONE);
        young.begin(JobListener.SILENT, committed::add);
        young.resume(committed.getLast(), -1, System.nanoTime());

        assertThat(MedleyJob.tasksFrom(young, 1, true)).isEqualTo(undisturbed);
        young.endJob();
    }

    @Test
    void waitsForNobodyToTakeOverAChunkWithoutBackups() {
        StoreNode store = group.node(-1);
        Group peers = new Group(store.network(), store.membership(), group.members().get());
        long chunk = group.node(1).chunks().with(Durability.MEMORY).create(8);
        int lost = group.kill(1);
        group.awaitMembers(PEERS - 1);
        long start = System.nanoTime();

        assertThatThrownBy(() -> new Recovery(store, peers).awaitOwner(Recovery.named("g"), chunk))
                .isInstanceOf(JobFailedException.class)
                .hasMessage(
                        "a part of graph \"g\" is gone: chunk %s has no backups, and node %d, which held it, was lost"
                                .formatted(ChunkId.toString(chunk), lost));
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    /** Its zone is forgotten with its owner, as no backup has heard of anything in it. */
    @Test
    void waitsForNobodyToTakeOverAChunkThatIsGoneWithItsZone() {
        StoreNode store = group.node(-1);
        Group peers = new Group(store.network(), store.membership(), group.members().get());
        ChunkService owned = group.node(1).chunks().with(Durability.PROCESS);
        long chunk = owned.createUnreplicated(new int[] {8});
        group.kill(1);
        group.awaitMembers(PEERS - 1);
        Recovery recovery = new Recovery(store, peers);
        long start = System.nanoTime();

        assertThatThrownBy(() -> recovery.awaitOwner(Recovery.named("g"), chunk))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith(
                        "a part of graph \"g\" is gone: chunk %s does not exist"
                                .formatted(ChunkId.toString(chunk)));
        assertThatThrownBy(() -> recovery.awaitOwnerToRemove(Recovery.named("g"), chunk))
                .isInstanceOf(ChunkNotFoundException.class);
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void letsAPeerJoinLaterWhoseSlaveIsNotUpWhenATaskBegins() {
        MasterSession session = withGraph(group);
        session.endTask();
        int late = group.joinWithoutSlave();
        group.awaitMembers(PEERS + 1);

        session.beginTask(1);
        assertThat(session.slaves()).hasSize(PEERS).doesNotContain(late);
        session.endTask();
        group.startLastSlave();
        session.beginTask(2);

        assertThat(session.slaves()).hasSize(PEERS + 1).contains(late);
        assertThat(session.recoveryEvents()).isEmpty();
        session.endTask();
        session.endJob();
    }

    @Test
    void resumesWithoutAPeerWhoseSlaveIsNotUp() {
        int late = group.joinWithoutSlave();
        group.awaitMembers(PEERS + 1);

        MasterSession session =
                group.begin(Attempt.term(7, 2), CheckpointOptions.NONE, JobListener.SILENT);

        assertThat(session.slaves()).hasSize(PEERS).doesNotContain(late);
        session.beginTask(0);
        build(session);
        group.startLastSlave();
        session.endTask();
        session.beginTask(1);
        assertThat(session.slaves()).hasSize(PEERS + 1).contains(late);
        assertThat(session.recoveryEvents()).isEmpty();
        session.endTask();
        session.endJob();
    }

    @Test
    void waitsForTheFirstSlaveThatComesUp() {
        int late = group.joinWithoutSlave();
        group.awaitMembers(PEERS + 1);
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                .execute(group::startLastSlave);

        MasterSession session =
                TestGroup.begun(
                        group.masterOver(Attempt.term(7, 1), PEERS, _ -> false),
                        JobListener.SILENT);

        session.beginTask(0);
        assertThat(session.slaves()).containsExactly(late);
        session.endTask();
        session.endJob();
    }

    /** As one does that is started again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void goesOnWithoutAPeerThatEndsInOrder(boolean inRun) {
        MedleyJob.Left undisturbed = MedleyJob.undisturbed(group, Attempt.term(7, 1));
        MasterSession session =
                group.begin(
                        Attempt.term(8, 1),
                        CheckpointOptions.NONE,
                        inRun ? MedleyJob.at(1, 2, () -> group.end(1)) : JobListener.SILENT);
        session.beginTask(0);
        MedleyJob.task(session, 0, true, MedleyJob.edges());
        session.endTask();
        if (!inRun) {
            group.end(1);
        }

        MedleyJob.Left left = MedleyJob.tasksFrom(session, 1, true);

        assertThat(left).isEqualTo(undisturbed);
        assertThat(session.recoveryEvents()).hasSize(1);
        session.endJob();
    }

    private static void build(MasterSession session) {
        session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.DIRECTED);
    }

    /** Others come in place of all peers, with nothing of what they had. */
    private void loseAll() {
        for (int i = 0; i < PEERS; i++) {
            group.kill(i);
        }
        group.awaitMembers(0);
        for (int i = 0; i < PEERS; i++) {
            group.join();
        }
        group.awaitMembers(PEERS);
    }
}
