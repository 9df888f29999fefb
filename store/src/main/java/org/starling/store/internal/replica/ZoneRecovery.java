package org.starling.store.internal.replica;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.starling.net.Network;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.ZoneSources;

/**
 * Recovers zones of lost owners on this node, which is one of their backups and will own them.
 * Owned by the node; any thread. One recovery of a zone runs at a time; one under a newer epoch
 * begins when the one before has stopped. See {@link RecoveryRun} for the steps.
 */
public final class ZoneRecovery {
    /** An owner that has a zone prepared hands it over soon. */
    private static final long PREPARED_NANOS = Duration.ofSeconds(30).toNanos();

    private final int nodeId;
    private final BackupService backups;
    private final OwnedZones owned;
    private final LocalChunks chunks;
    private final BackupWire wire;
    private final Executor executor;
    private final int threads;
    private final LongAdder zones = new LongAdder();
    private final LongAdder damaged = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    /**
     * The last recovery of each zone, until it is known what became of the zone; guarded by itself.
     */
    private final Map<Long, RecoveryRun> runs = new HashMap<>();

    /** Zones that owners are about to hand over to this node. Likewise. */
    private final Map<Long, PreparedZone> prepared = new HashMap<>();

    /**
     * For one node.
     *
     * @param nodeId this node
     * @param backups its logs
     * @param owned takes what has been recovered
     * @param chunks of this node
     * @param network of this node
     * @param config sizes and times
     * @param executor of threads that may wait
     * @param threads that replay one zone
     */
    public ZoneRecovery(
            int nodeId,
            BackupService backups,
            OwnedZones owned,
            LocalChunks chunks,
            Network network,
            ReplicaConfig config,
            Executor executor,
            int threads) {
        this(
                nodeId,
                backups,
                owned,
                chunks,
                BackupWire.over(network, config.requestTimeout(), config.answerPatience()),
                executor,
                threads);
    }

    ZoneRecovery(
            int nodeId,
            BackupService backups,
            OwnedZones owned,
            LocalChunks chunks,
            BackupWire wire,
            Executor executor,
            int threads) {
        this.nodeId = nodeId;
        this.backups = backups;
        this.owned = owned;
        this.chunks = chunks;
        this.wire = wire;
        this.executor = executor;
        this.threads = threads;
        backups.ownedBy(owned::isConfirmed);
        backups.preparedBy(this::prepare);
    }

    /**
     * Recovers a zone. Asked again under the same epoch it gives the same answer, unless that was a
     * failure.
     *
     * @param zone zone id
     * @param epoch of the zone in the directory now: what the switch will name as its guard. The
     *     sources are fenced at the epoch after it.
     * @param sources who may have it, this node among them or not
     * @return completes when the zone is in memory here and all sources that are not reported as
     *     left have the same stream on their disks; {@link OwnedZones#zoneChanged} takes it into
     *     use
     */
    public CompletableFuture<RecoveryReport> recover(long zone, long epoch, ZoneSources sources) {
        RecoveryRun run;
        PreparedZone ready;
        CompletableFuture<?> before;
        synchronized (runs) {
            forgetEnded();
            RecoveryRun last = runs.get(zone);
            if (last != null && last.epoch() > epoch) {
                return CompletableFuture.failedFuture(
                        new StoreException(
                                "zone "
                                        + Long.toHexString(zone)
                                        + " is being recovered under epoch "
                                        + last.epoch()
                                        + " already"));
            }
            if (last != null && last.epoch() == epoch && !last.hasFailed()) {
                return last.report();
            }
            if (owned.holds(zone)) {
                return CompletableFuture.failedFuture(
                        new StoreException("node " + nodeId + " owns the zone already"));
            }
            ready = prepared.remove(zone);
            run =
                    new RecoveryRun(
                            nodeId, zone, epoch, sources, ready, backups, owned, chunks, wire,
                            executor, threads);
            runs.put(zone, run);
            before = last == null ? CompletableFuture.completedFuture(null) : last.stop();
            if (ready != null) {
                before = CompletableFuture.allOf(before.handle((_, _) -> true), ready.atRest());
            }
        }
        CompletableFuture<?> _ = run.report().whenComplete(this::count);
        CompletableFuture<?> _ =
                before.whenCompleteAsync((report, failure) -> run.start(), executor);
        return run.report();
    }

    /**
     * Brings a zone of another owner, of which this node is a backup, into memory, or up to date.
     *
     * @return completes with whether it is there
     */
    private CompletableFuture<Boolean> prepare(long zone) {
        synchronized (runs) {
            forgetEnded();
            if (runs.containsKey(zone) || owned.holds(zone)) {
                return CompletableFuture.completedFuture(false);
            }
            PreparedZone before = prepared.get(zone);
            PreparedZone now =
                    before == null || before.isVain()
                            ? new PreparedZone(zone, backups, chunks)
                            : before;
            prepared.put(zone, now);
            return now.bring(executor);
        }
    }

    /**
     * Lets go of zones that were to be handed over to this node, and have not been; to be called
     * from time to time.
     *
     * @param nowNanos monotonic
     */
    public void forgetPrepared(long nowNanos) {
        synchronized (runs) {
            List<PreparedZone> forgotten =
                    prepared.values().stream()
                            .filter(each -> each.isForgotten(nowNanos, PREPARED_NANOS))
                            .toList();
            prepared.values().removeAll(forgotten);
            forgotten.forEach(PreparedZone::discard); // before a recovery can begin
        }
    }

    private void count(@Nullable RecoveryReport report, @Nullable Throwable failure) {
        if (report == null || failure != null) {
            failed.increment();
            return;
        }
        zones.increment();
        bytes.add(report.bytes());
        if (report.isDamaged()) {
            damaged.increment();
        }
    }

    /** Recoveries that have ended here. */
    public RecoveryFigures figures() {
        return new RecoveryFigures(zones.sum(), damaged.sum(), failed.sum(), bytes.sum());
    }

    /** How many recoveries are remembered. */
    int remembered() {
        synchronized (runs) {
            forgetEnded();
            return runs.size();
        }
    }

    /** An older one is refused without them, too: its fence is stale. */
    private void forgetEnded() {
        runs.entrySet()
                .removeIf(each ->
                        each.getValue().report().isDone() && !owned.isRecovered(each.getKey()));
    }
}
