package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.log.BackupLogs;
import org.starling.store.internal.log.LogConfig;

/**
 * Some peers over the loopback transport, with logs in the heap and a directory in this process.
 */
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
final class ClusterInProcess implements AutoCloseable {
    /** One peer. */
    static final class Peer implements AutoCloseable {
        final int id;
        final LocalChunks chunks;
        final MemoryLogs logs;
        final @Nullable BackupLogs disk;
        final Network network;
        final BackupService backups;
        final CutWire wire;
        final OwnedZones zones;
        final ZoneRecovery recovery;
        boolean isClosed;

        Peer(int id, ClusterInProcess cluster, ReplicaConfig config, MemoryLogs logs) {
            this.id = id;
            this.logs = logs;
            chunks = new LocalChunks(id, 1L << 30);
            network = Network.open(id, Transports.loopback(cluster.hub), NetConfig.defaults());
            disk =
                    cluster.folder == null
                            ? null
                            : BackupLogs.open(
                                    cluster.folder.resolve("node-" + id), LogConfig.defaults());
            backups =
                    disk == null
                            ? new BackupService(id, logs, cluster.directory, System::nanoTime)
                            : new BackupService(id, disk, cluster.directory, System::nanoTime);
            backups.register(network);
            wire =
                    new CutWire(
                            BackupWire.over(
                                    network, config.requestTimeout(), config.answerPatience()));
            zones =
                    new OwnedZones(
                            new ReplicationContext(
                                    id,
                                    chunks,
                                    wire,
                                    cluster.directory,
                                    config,
                                    cluster.executor,
                                    System::nanoTime,
                                    new PiecePool(config.pieceBytes()),
                                    new AvoidedNodes(cluster.silenceClock)));
            recovery =
                    new ZoneRecovery(
                            id, backups, zones, chunks, network, config, cluster.executor, 2);
            zones.start(0);
        }

        /** Creates chunks in a zone of this peer, as its node would. */
        Created create(int count, int bytes) {
            long zone = zones.zoneForCreate((long) count * bytes, 0);
            WriteGuard guard = zones.admit(zone, WriteTag.NONE, Durability.PROCESS);
            Created created = chunks.create(zone, new Sizes.Uniform(count, bytes), WriteTag.NONE);
            guard.done(new Executed(created.position(), created.first(), count));
            return created;
        }

        CompletableFuture<Void> put(long id, byte[] value, Durability durability) {
            return put(id, value, durability, WriteTag.NONE);
        }

        CompletableFuture<Void> put(long id, byte[] value, Durability durability, WriteTag tag) {
            WriteGuard guard = zones.admit(ChunkId.zone(id), tag, durability);
            if (!guard.isFresh()) {
                return zones.await(id, guard.first().join().position(), durability);
            }
            long position = chunks.put(id, value, tag);
            guard.done(new Executed(position, id, 1));
            return zones.await(id, position, durability);
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                zones.close();
                network.close();
                backups.close();
                chunks.close();
                if (disk != null) {
                    disk.close();
                }
            }
        }
    }

    final LoopbackHub hub = new LoopbackHub();
    final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    final List<String> wrong = new CopyOnWriteArrayList<>();
    final LocalDirectory directory;
    final Map<Integer, Peer> peers = new TreeMap<>();

    /** Where logs are, or null for the heap. */
    private final @Nullable Path folder;

    private final ReplicaConfig config;

    /** By which silent nodes are forgotten. */
    private final LongSupplier silenceClock;

    ClusterInProcess(int count, ReplicaConfig config) {
        this(count, config, null);
    }

    ClusterInProcess(int count, ReplicaConfig config, @Nullable Path folder) {
        this(count, config, folder, System::nanoTime);
    }

    ClusterInProcess(
            int count, ReplicaConfig config, @Nullable Path folder, LongSupplier silenceClock) {
        this.folder = folder;
        this.config = config;
        this.silenceClock = silenceClock;
        directory = new LocalDirectory(count, executor);
        for (int i = 1; i <= count; i++) {
            peers.put(i, new Peer(i, this, config, new MemoryLogs(executor, wrong::add)));
        }
    }

    static ReplicaConfig config() {
        return ReplicaConfig.defaults().with(3, 8 << 20, Duration.ofSeconds(5));
    }

    Peer peer(int id) {
        return peers.get(id);
    }

    /** The node is gone, and the directory knows. */
    void kill(int id) {
        peers.get(id).close();
        remove(id);
    }

    /** The directory takes the node for dead and tells everybody. */
    void remove(int id) {
        long before = directory.version();
        directory.now(new Command.RemoveNode(id));
        tellAfter(before);
        peers.values().stream()
                .filter(peer -> !peer.isClosed)
                .forEach(peer -> peer.zones.nodeLost(id));
    }

    void tellAfter(long version) {
        for (ZoneInfo info : directory.changedAfter(version)) {
            peers.values().stream()
                    .filter(peer -> !peer.isClosed)
                    .forEach(peer -> peer.zones.zoneChanged(info));
        }
    }

    /** Lets the first listed backup recover an orphan and switches it over. */
    RecoveryReport recover(long zone) throws Exception {
        ZoneInfo info = directory.zoneNow(zone);
        int target = info.backups().getFirst();
        RecoveryReport report =
                peer(target)
                        .recovery
                        .recover(zone, info.epoch(), directory.sourcesNow(zone))
                        .get(10, TimeUnit.SECONDS);
        switchTo(zone, info.epoch(), target, report);
        return report;
    }

    /** Lets a returned holder recover a lost zone and switches it over. */
    void recover(long zone, int target) throws Exception {
        ZoneInfo info = directory.zoneNow(zone);
        RecoveryReport report =
                peer(target)
                        .recovery
                        .recover(zone, info.epoch(), directory.sourcesNow(zone))
                        .get(10, TimeUnit.SECONDS);
        switchTo(zone, info.epoch(), target, report);
    }

    /** A node that was killed begins anew with what its disk has; gives its new id. */
    int comeBack(int previous) {
        int id = directory.join(previous);
        peers.put(id, new Peer(id, this, config, peers.get(previous).logs.afterCrash(executor)));
        return id;
    }

    void switchTo(long zone, long epoch, int target) {
        apply(switchZone(zone, epoch, target));
    }

    private void switchTo(long zone, long epoch, int target, RecoveryReport report) {
        apply(new Command.SwitchZone(zone, epoch, target, report.left(), report.isDamaged()));
    }

    private void apply(Command command) {
        long before = directory.version();
        directory.now(command);
        tellAfter(before);
    }

    void awaitBackups(long zone, int count) {
        await(() -> directory.zoneNow(zone).backups().size() == count);
    }

    void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(condition.toString()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Values of all chunks of a zone, open or being restored, by id. */
    static SortedMap<Long, byte[]> content(LocalChunks chunks, long zone) {
        SortedMap<Long, byte[]> content = new TreeMap<>();
        chunks.forEach(
                zone,
                0,
                (id, address, bytes) -> {
                    byte[] value = new byte[bytes];
                    NativeMemory.copyToArray(address, value, 0, bytes);
                    content.put(id, value);
                    return true;
                });
        return content;
    }

    List<MemoryZoneLog> listedLogs(long zone) {
        List<MemoryZoneLog> logs = new ArrayList<>();
        for (int node : directory.zoneNow(zone).backups()) {
            logs.add(peer(node).logs.get(zone));
        }
        return logs;
    }

    @Override
    public void close() {
        peers.values().forEach(Peer::close);
        executor.close();
        assertThat(wrong).isEmpty();
    }
}
