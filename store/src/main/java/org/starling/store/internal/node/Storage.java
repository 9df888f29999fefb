package org.starling.store.internal.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.store.StorageStatistics;
import org.starling.store.StoreConfig;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.log.BackupLogs;
import org.starling.store.internal.log.LogConfig;
import org.starling.store.internal.log.LogFigures;
import org.starling.store.internal.node.NodeMessage.Gone;
import org.starling.store.internal.node.NodeMessage.HandOver;
import org.starling.store.internal.node.NodeMessage.RecoverZone;
import org.starling.store.internal.node.NodeMessage.Recovered;
import org.starling.store.internal.replica.BackupService;
import org.starling.store.internal.replica.OwnedZones;
import org.starling.store.internal.replica.RecoveryFigures;
import org.starling.store.internal.replica.ReplicaConfig;
import org.starling.store.internal.replica.ZoneDirectory;
import org.starling.store.internal.replica.ZoneRecovery;

/**
 * What a peer with a data directory has besides: the zones it owns, the logs it keeps for others,
 * and the recovery of zones whose owner was lost. Owned by the node, which starts and ends it.
 */
final class Storage implements AutoCloseable {
    /** How often zones and logs are looked for that nobody needs any more. */
    static final Duration GARBAGE_INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = LogManager.getLogger(Storage.class);

    private final BackupLogs logs;
    private final OwnedZones zones;
    private final BackupService backups;
    private final ZoneRecovery recovery;
    private final LongSupplier nanoClock;
    private final IntPredicate isMember;
    private final ExecutorService waiters;
    private final DiskNews news;

    /**
     * Puts the parts together.
     *
     * @param nodeId this node
     * @param logs its logs, closed together with this
     * @param local its chunks
     * @param network of the node
     * @param directory the way to the directory
     * @param config sizes and times
     * @param isMember whether a node belongs to the cluster
     * @param nanoClock monotonic
     */
    Storage(
            int nodeId,
            BackupLogs logs,
            LocalChunks local,
            Network network,
            ZoneDirectory directory,
            StoreConfig config,
            IntPredicate isMember,
            LongSupplier nanoClock) {
        this.logs = logs;
        this.isMember = isMember;
        this.nanoClock = nanoClock;
        ReplicaConfig replica = replicaConfig(config);
        waiters =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("store-" + nodeId + "-waiter-", 0).factory());
        zones = new OwnedZones(nodeId, local, network, directory, replica, waiters, nanoClock);
        backups = new BackupService(nodeId, logs, directory, nanoClock);
        recovery =
                new ZoneRecovery(
                        nodeId,
                        backups,
                        zones,
                        local,
                        network,
                        replica,
                        waiters,
                        Runtime.getRuntime().availableProcessors());
        backups.register(network);
        news = new DiskNews(nodeId, directory);
        logs.onHang(news::tell);
        network.serveAsync(
                NodeMessage.RECOVER_ZONE,
                Execution.WORKER,
                (source, request, responder) -> recover(request, responder));
        network.serveAsync(
                NodeMessage.HAND_OVER,
                Execution.WORKER,
                (source, request, responder) -> handOver(request, responder));
    }

    private static ReplicaConfig replicaConfig(StoreConfig config) {
        return ReplicaConfig.defaults()
                .with(config.replicationFactor(), config.zoneBytes(), ownerPatience(config))
                .withBackupPatience(config.backupPatience());
    }

    /** The disk is given up before the patience with a backup is over. */
    static LogConfig logConfig(StoreConfig config) {
        return LogConfig.defaults()
                .withDiskPatience(config.backupPatience().multipliedBy(4).dividedBy(5));
    }

    /** How long an owner waits for backups before it says that it does not know. */
    static Duration ownerPatience(StoreConfig config) {
        return Retries.ownerPatience(config.requestTimeout());
    }

    void start(int firstZone) {
        zones.start(firstZone);
    }

    OwnedZones zones() {
        return zones;
    }

    /** What the logs and recoveries have done; never waits. */
    StorageStatistics statistics() {
        LogFigures log = logs.figures();
        RecoveryFigures recovered = recovery.figures();
        return new StorageStatistics(
                log.logs(),
                log.logBytes(),
                log.writtenBytes(),
                log.cleanedBytes(),
                log.forces(),
                log.forceNanos(),
                log.hangs(),
                recovered.zones(),
                recovered.damaged(),
                recovered.failed(),
                recovered.bytes());
    }

    /**
     * Drops zones without chunks, and deletes logs that nobody needs; never waits.
     *
     * @param isMember whether a node belongs to the cluster
     */
    void collectGarbage(IntPredicate isMember) {
        zones.collectGarbage(isMember);
        recovery.forgetPrepared(nanoClock.getAsLong());
        CompletableFuture<Void> _ =
                backups.collectGarbage(waiters)
                        .exceptionally(failure -> {
                            LOG.debug("no garbage was collected: {}", failure.getMessage());
                            return null;
                        });
    }

    /** After the network has been closed. */
    @Override
    public void close() {
        end(logs::close);
    }

    /** The same at the end of a node that is to look as if its process had been killed. */
    void crash() {
        end(logs::drop);
    }

    private void end(Runnable endLogs) {
        zones.close();
        backups.close();
        news.close();
        endLogs.run();
        waiters.shutdownNow();
    }

    private void handOver(HandOver request, Responder<Gone> responder) {
        int target = request.target();
        if (!isMember.test(target)) {
            responder.respond(new Gone("node " + target + " is no member", 0, 0));
            return;
        }
        var handedOver = zones.handOver(target, request.mostBytes());
        if (!isMember.test(target)) { // since then, so nobody would tell the handover
            zones.nodeLost(target);
        }
        var _ =
                handedOver.whenComplete((zone, failure) -> {
                    responder.respond(
                            failure == null
                                    ? new Gone("", zone.zone(), zone.bytes())
                                    : new Gone(
                                            String.valueOf(
                                                    RemoteChunks.unwrapped(failure).getMessage()),
                                            0,
                                            0));
                });
    }

    private void recover(RecoverZone request, Responder<Recovered> responder) {
        var _ =
                recovery.recover(request.zone(), request.epoch(), request.sources())
                        .whenComplete((report, failure) -> {
                            if (failure == null) {
                                responder.respond(
                                        new Recovered(
                                                "",
                                                report.chunks(),
                                                report.bytes(),
                                                report.lost().size(),
                                                report.isDamaged(),
                                                report.left()));
                                return;
                            }
                            Throwable cause = RemoteChunks.unwrapped(failure);
                            LOG.warn(
                                    "recovery of zone {} failed",
                                    Long.toHexString(request.zone()),
                                    cause);
                            responder.respond(
                                    new Recovered(
                                            String.valueOf(cause), 0, 0, 0, false, List.of()));
                        });
    }
}
