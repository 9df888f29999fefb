package org.starling.compute.internal.group;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.internal.graph.DescriptorChunk.Owned;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.net.RawSender;
import org.starling.store.Durability;
import org.starling.store.NameService;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** A superpeer and slaves in this process, with data directories, so that one can be lost. */
final class TestGroup implements AutoCloseable {
    private static final long HEAP_BYTES = 64 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private final LoopbackHub hub = new LoopbackHub();
    private final Path folder;
    private final LocalGroup group;
    private final StoreNode superpeer;
    private final List<StoreNode> killed = new CopyOnWriteArrayList<>();

    TestGroup(int count) {
        this(count, StoreConfig.defaults().withHeapBytes(HEAP_BYTES));
    }

    /** Peers with one backup for each of their zones. */
    static TestGroup withOneBackup(int count) {
        return new TestGroup(
                count, StoreConfig.defaults().withHeapBytes(HEAP_BYTES).withReplicationFactor(1));
    }

    /** Peers by whose removals backups are told before these are done, as those of clusters are. */
    static TestGroup durable(int count) {
        return durable(count, Durability.PROCESS);
    }

    /** The same with a durability of writes that ask for none. */
    static TestGroup durable(int count, Durability durability) {
        return new TestGroup(
                count,
                StoreConfig.defaults().withHeapBytes(HEAP_BYTES).withDefaultDurability(durability));
    }

    /** Peers that wait for others no longer than this. */
    static TestGroup impatient(int count, Duration timeout) {
        return new TestGroup(
                count,
                StoreConfig.defaults().withHeapBytes(HEAP_BYTES).withRequestTimeout(timeout));
    }

    private TestGroup(int count, StoreConfig config) {
        try {
            folder = Files.createTempDirectory("starling-group");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        group = new LocalGroup(hub, config, 2, folder);
        superpeer = group.superpeer();
        for (int i = 0; i < count; i++) {
            join();
        }
        long start = System.nanoTime();
        while (superpeer.promised().compareTo(Durability.PROCESS) < 0) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("no replication: " + superpeer.promise());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /**
     * Breaks the connection of two peers, which can't make another one meanwhile; whoever has one
     * with them goes on.
     */
    void part(int one, int other, Runnable meanwhile) {
        hub.part(nodeId(one), nodeId(other), true);
        node(one).network().disconnect(nodeId(other));
        meanwhile.run();
        hub.part(nodeId(one), nodeId(other), false);
    }

    /** Starts another peer. */
    StoreNode join() {
        return group.join();
    }

    /** A master of a term over all peers that live. */
    MasterSession master(long term, CheckpointOptions options) {
        return master(term, _ -> false, options);
    }

    /** The same, which knows that other jobs are over. */
    MasterSession master(long term, LongPredicate over, CheckpointOptions options) {
        return group.master(term, over, options);
    }

    /** A master that has begun, with nothing from older ones. */
    MasterSession begin(long term, CheckpointOptions options, JobListener listener) {
        return begun(master(term, options), listener);
    }

    /** The same with a session that has been made. */
    static MasterSession begun(MasterSession session, JobListener listener) {
        session.begin(listener, _ -> true);
        session.resume(new byte[0], -1, 0);
        return session;
    }

    /** A master whose compute group is one peer, which knows that other jobs are over. */
    MasterSession masterOver(long term, int peer, LongPredicate over) {
        int[] slaves = {nodeId(peer)};
        return master(term, () -> slaves, over, Admission.ALONE);
    }

    /** A master that asks somebody for memory. */
    MasterSession masterAdmittedBy(long term, Admission admission) {
        return master(term, members(), _ -> false, admission);
    }

    /** A master on a peer, which goes with it. */
    MasterSession masterOn(int peer, long term, CheckpointOptions options) {
        return MasterSession.over(
                node(peer), Leadership.alone(term, members(), HEAP_BYTES), options);
    }

    private MasterSession master(
            long term, Supplier<int[]> slaves, LongPredicate over, Admission admission) {
        return MasterSession.over(
                superpeer,
                new Leadership(term, 1, slaves, over, new Semaphore(1), HEAP_BYTES, admission),
                CheckpointOptions.NONE);
    }

    /** What a master of a term removes that attempts have left. */
    OrphanedChunks orphans(long term) {
        Group all = new Group(superpeer.network(), superpeer.membership(), members().get());
        return new OrphanedChunks(superpeer, all, new Recovery(superpeer, all), term);
    }

    /** What a slave lends, where chunks that are made are noted in another way. */
    NodeContext context(int peer, WorkerTeam team, ZeroedMemory memory, Consumer<Runnable> note) {
        NodeContext own = NodeContext.of(node(peer), team, memory, group.slaves().get(peer).made());
        NameService names = ForwardingNames.noting(node(peer).names(), note);
        return new NodeContext(
                own.node(),
                own.network(),
                own.chunks(),
                team,
                memory,
                new MadeRecords(names),
                own.removal());
    }

    /** Jobs that the slave with the most of them has something of. */
    int jobs() {
        return group.slaves().stream().mapToInt(SlaveService::jobs).max().orElse(0);
    }

    /** The same of slaves whose nodes were not killed. */
    int jobsOfLiving() {
        return living().mapToInt(SlaveService::jobs).max().orElse(0);
    }

    private Stream<SlaveService> living() {
        return group.slaves().stream()
                .filter(slave -> killed.stream().noneMatch(n -> n.nodeId() == slave.nodeId()));
    }

    /** Lets slaves that live look whether jobs have ended unheard; the directory knows of none. */
    void endUnheardOf() {
        living().forEach(slave -> slave.endUnheardOf(Duration.ofNanos(1)));
    }

    Supplier<int[]> members() {
        return group.members();
    }

    /** A node of the group: the superpeer, or a peer by its index. */
    StoreNode node(int index) {
        return index < 0 ? group.superpeer() : group.peers().get(index);
    }

    /** Sends the first peer messages of an attempt, for vertices of its own, in a superstep. */
    void sendMessage(long attempt, int superstep) {
        int channel = 1;
        int bytes = BlockLayout.HEADER_BYTES + 2 * Integer.BYTES;
        RawSender sender = superpeer.network().raw(nodeId(0));
        long at = sender.claim(BlockLayout.RUN_BLOCK, bytes);
        BlockLayout.writeHeader(at, attempt, superstep, BlockLayout.MESSAGES, channel, 1);
        NativeMemory.putInt(at + BlockLayout.HEADER_BYTES, 0);
        NativeMemory.putInt(at + BlockLayout.HEADER_BYTES + Integer.BYTES, 1_000_000);
        sender.commit();
        sender.flush();
    }

    /** Asks a peer to leave; the master knows of it when this returns. */
    int letLeave(int index) {
        int node = nodeId(index);
        superpeer.letLeave(node);
        awaitLoss(node);
        return node;
    }

    /** Waits until masters don't count a node as a member any more. */
    void awaitLoss(int node) {
        await(() -> Arrays.stream(members().get()).noneMatch(member -> member == node));
    }

    /** Ends a peer in order, which must have nothing to do any more. */
    void close(int index) {
        int node = nodeId(index);
        killed.add(group.peers().get(index));
        group.slaves().get(index).close();
        group.peers().get(index).close();
        await(() -> superpeer.membership().node(node).isEmpty());
    }

    /** Ends a peer in order that has something to do; its node lives a moment longer. */
    void end(int index) {
        killed.add(group.peers().get(index));
        group.slaves().get(index).close();
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                .execute(group.peers().get(index)::close);
    }

    /** Starts a peer that serves nothing yet. */
    int joinWithoutSlave() {
        return group.joinWithoutSlave().nodeId();
    }

    /** Starts a peer that stores and does not compute. */
    void joinStorage() {
        group.joinStorage();
    }

    /** Starts the slave of the last peer. */
    void startLastSlave() {
        group.startSlave(group.peers().getLast());
    }

    /** Waits until there are so many peers. */
    void awaitMembers(int count) {
        await(() -> members().get().length == count);
    }

    /** Jobs that one slave has something of. */
    int jobsOf(int index) {
        return group.slaves().get(index).jobs();
    }

    /** Waits, not for ever. */
    static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("nobody knows of it");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Lets a peer vanish without a word. */
    int kill(int index) {
        killed.add(group.peers().get(index));
        return group.crash(index).nodeId();
    }

    /** Waits until all that peers have written is on disks. */
    void sync() {
        group.peers().forEach(peer -> peer.chunks().sync());
    }

    /** Lets all peers vanish at once, whatever of what they have written is on disks. */
    List<StoreNode> killAll() {
        List<StoreNode> lost =
                group.peers().stream().filter(peer -> !killed.contains(peer)).toList();
        killed.addAll(lost);
        lost.getFirst().crash(); // the master's, so that it does not see the others go
        CompletableFuture.allOf(
                        lost.stream()
                                .skip(1)
                                .map(peer ->
                                        CompletableFuture.runAsync(
                                                peer::crash,
                                                task -> Thread.ofPlatform().start(task)))
                                .toArray(CompletableFuture<?>[]::new))
                .join();
        awaitMembers(0);
        return lost;
    }

    /** Starts peers on what those that were lost have left in their folders. */
    void restart(List<StoreNode> lost) {
        group.restart(lost);
    }

    /**
     * Lets all peers vanish at once, and starts as many on their folders; returns when these have
     * everything again.
     */
    void losePower() {
        restartAll(killAll());
    }

    /** Starts all that were lost; returns when they have everything again. */
    void restartAll(List<StoreNode> lost) {
        restart(lost);
        await(() -> members().get().length == lost.size() && superpeer.status().allReplicated());
    }

    /** Descriptor of the first graph that a job has made and not kept. */
    long graphOf(long job) {
        return graphsOf(job).getFirst();
    }

    /** Those of all of them. */
    List<Long> graphsOf(long job) {
        return node(-1).names().list(Owned.PREFIX).keySet().stream()
                .map(Owned::of)
                .flatMap(Optional::stream)
                .filter(owned -> owned.job() == job)
                .map(Owned::chunk)
                .toList();
    }

    /** Chunks on all peers. */
    long chunks() {
        return group.peers().stream().mapToLong(peer -> peer.chunks().statistics().chunks()).sum();
    }

    /** Chunks on one peer. */
    long chunksOf(int index) {
        return group.peers().get(index).chunks().statistics().chunks();
    }

    /** Chunks on all peers that were not killed. */
    long chunksOfLiving() {
        return group.peers().stream()
                .filter(peer -> !killed.contains(peer))
                .mapToLong(peer -> peer.chunks().statistics().chunks())
                .sum();
    }

    /** Chunks of checkpoints that the directory knows of. */
    int checkpointChunks() {
        return made(Kind.CHECKPOINT, _ -> true);
    }

    /** Likewise of those that one peer has made. */
    int checkpointChunksOf(int index) {
        return made(Kind.CHECKPOINT, maker -> maker == nodeId(index));
    }

    /** Chunks of a kind that the directory knows of, by who has made them. */
    int made(Kind kind, IntPredicate maker) {
        return superpeer.names().list().keySet().stream()
                .flatMap(name -> MadeRecord.of(name).stream())
                .filter(record -> record.kind() == kind && maker.test(record.maker()))
                .flatMap(record -> record.ranges().stream())
                .mapToInt(MadeRecord.Range::count)
                .sum();
    }

    int nodeId(int index) {
        return group.peers().get(index).nodeId();
    }

    @Override
    public void close() {
        group.close();
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(TestGroup::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return Arrays.toString(members().get());
    }
}
