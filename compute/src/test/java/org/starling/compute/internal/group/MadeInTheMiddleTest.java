package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.MovedShard;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.compute.internal.protocol.RecoveryMessage.LeaveJob;
import org.starling.compute.internal.protocol.RecoveryMessage.MoveShards;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveManifest;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.graph.BuildOptions;
import org.starling.graph.JobFailedException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreNode;

/** Slaves that are still at work on what their master has given up, or have given it up. */
@Timeout(120)
final class MadeInTheMiddleTest {
    private static final long TERM = Attempt.term(7, 1);
    private static final int VICTIM = 2;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(3);
    }

    @AfterEach
    void close() {
        threads.close();
        group.close();
    }

    /** A job is cancelled while a slave notes what it has made, and what it has noted is pinned. */
    @Test
    void leavesNothingOfACheckpointThatIsCancelledWhileItIsMade() throws Exception {
        CountDownLatch noted = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        long before = group.chunks();
        Consumer<Runnable> slow =
                register -> {
                    register.run();
                    noted.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                };
        try (WorkerTeam team = new WorkerTeam("team", 1);
                ZeroedMemory memory = new ZeroedMemory()) {
            SlaveGraphs graphs = new SlaveGraphs(group.context(0, team, memory, slow));
            SaveManifest save = new SaveManifest(Attempt.of(TERM, 1), true, new long[] {1, 2, 3});
            CompletableFuture<?> saved =
                    CompletableFuture.supplyAsync(() -> graphs.saveManifest(save), threads);
            noted.await();
            CompletableFuture<?> ended =
                    CompletableFuture.supplyAsync(
                                    () -> graphs.keep(new KeepCheckpoints(TERM, new long[0])),
                                    threads)
                            .thenRun(() -> group.orphans(TERM).removeCheckpoints(_ -> true));
            boolean early = isDoneSoon(ended);
            goOn.countDown();
            saved.join();
            ended.join();

            assertThat(group.chunks()).isEqualTo(before);
            assertThat(early).as("nothing is said of what is not over").isFalse();
        }
    }

    /** It could not copy all shards that it was to have, so it gets none, and goes. */
    @Test
    void leavesNothingOfShardsOnAPeerThatCouldNotCopyAll() {
        MasterSession master =
                TestGroup.begun(group.master(TERM, CheckpointOptions.NONE), JobListener.SILENT);
        master.beginTask(0);
        master.build("g", TestEdges.NAME, MedleyJob.edges().named(), BuildOptions.UNDIRECTED);
        StoreNode store = group.node(-1);
        long chunk = group.graphOf(7);
        GraphDescriptor graph = DescriptorChunk.read(store.chunks(), chunk);
        long gone = store.chunks().with(Durability.PROCESS).createOn(group.nodeId(0), new int[1]);
        store.chunks().remove(gone);
        MovedShard incomplete =
                new MovedShard(0, Attempt.of(TERM, 99), graph.outRanges()[0], 0, gone, 0);
        MoveShards move =
                new MoveShards(
                        TERM,
                        "g",
                        chunk,
                        List.of(incomplete),
                        new int[] {0},
                        new long[] {Attempt.of(TERM, 100)});
        long before = group.chunksOf(VICTIM);

        assertThatThrownBy(() -> store.network().request(group.nodeId(VICTIM), move).join())
                .hasMessageContaining("chunk");
        assertThat(group.chunksOf(VICTIM)).isGreaterThan(before);
        store.network().request(group.nodeId(VICTIM), new LeaveJob(TERM)).join();

        assertThat(group.chunksOf(VICTIM)).isEqualTo(before);
    }

    /**
     * The directory does not answer for a while, so a checkpoint fails; perhaps it has noted the
     * chunks.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesNothingOfWhatTheDirectoryMayNotHaveNoted(boolean noted) {
        long before = group.chunks();
        AtomicBoolean silent = new AtomicBoolean(true);
        Consumer<Runnable> deaf =
                register -> {
                    if (noted || !silent.get()) {
                        register.run();
                    }
                    if (silent.get()) {
                        throw new IndeterminateException("nobody leads the directory", null);
                    }
                };
        try (WorkerTeam team = new WorkerTeam("team", 1);
                ZeroedMemory memory = new ZeroedMemory()) {
            SlaveGraphs graphs = new SlaveGraphs(group.context(0, team, memory, deaf));
            SaveManifest save = new SaveManifest(Attempt.of(TERM, 1), true, new long[] {1, 2, 3});

            assertThatThrownBy(() -> graphs.saveManifest(save))
                    .isInstanceOf(IndeterminateException.class);
            graphs.keep(new KeepCheckpoints(TERM, new long[0]));
            group.orphans(TERM).removeCheckpoints(_ -> true);
            assertThat(group.chunks()).as("its id is nobody else's").isEqualTo(before + 1);
            silent.set(false);

            TestGroup.await(() -> {
                group.orphans(TERM).removeCheckpoints(_ -> true);
                return group.chunks() == before;
            });
        }
    }

    /**
     * The directory has taken the last checkpoint, and nobody heard of it before the master was
     * lost: the next one goes on from there.
     */
    @Test
    void keepsACheckpointOfWhichNobodyKnowsWhetherItIsCommitted() {
        MedleyJob.Left expected = MedleyJob.undisturbed(group, Attempt.term(6, 1));
        List<byte[]> committed = new ArrayList<>();
        AtomicBoolean deaf = new AtomicBoolean();
        MasterSession old = group.master(TERM, MedleyJob.ALWAYS);
        old.begin(
                new JobListener() {
                    @Override
                    public void progress(String what, long done, long total) {}

                    @Override
                    public void superstep(int now, long active, long messages) {
                        deaf.set(now >= 2);
                        if (now == 4) {
                            throw new JobFailedException("in the middle");
                        }
                    }
                },
                bytes -> {
                    committed.add(bytes);
                    if (deaf.get()) {
                        throw new IndeterminateException("nobody leads the directory", null);
                    }
                    return true;
                });
        old.resume(new byte[0], -1, 0);
        assertThatThrownBy(() -> MedleyJob.tasksFrom(old, 0, true))
                .isInstanceOf(JobFailedException.class);
        assertThat(deaf).isTrue();

        MasterSession young = group.master(TERM + 1, MedleyJob.ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), -1, 0);
        MedleyJob.Left left = MedleyJob.tasksFrom(young, 1, true);
        young.endJob();

        assertThat(left).isEqualTo(expected);
        assertThat(group.chunks()).isZero();
    }

    private static boolean isDoneSoon(CompletableFuture<?> work) {
        return CompletableFuture.anyOf(
                        work.thenApply(_ -> true),
                        new CompletableFuture<Boolean>()
                                .completeOnTimeout(false, 500, TimeUnit.MILLISECONDS))
                .join()
                .equals(true);
    }
}
