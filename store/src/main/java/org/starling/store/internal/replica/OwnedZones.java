package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Network;
import org.starling.net.RequestTimeoutException;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * The zones that this node owns. Owned by the node; any thread. A write on a replicated chunk goes
 * {@link #admit}, then into the chunk, whose change is logged, then {@link #await}; a read goes
 * into the chunk and then {@link #settled}. Whether this node may still answer after that is the
 * lease's question, not asked here.
 *
 * <p>Futures complete on a receiving thread, so their dependents must not wait. One thread, started
 * by {@link #start}, does what is due by time; {@link #doWork} is one round of it.
 */
public final class OwnedZones implements AutoCloseable {
    private static final Logger LOGGER = LogManager.getLogger(OwnedZones.class);

    /** {@link #replicate} logs about so many bytes before it waits for room again. */
    private static final long PART_BYTES = 1 << 20;

    /** In the beginning that is taken to be so many chunks. */
    private static final int FIRST_PART = 64;

    private static final int MAX_PART = 1 << 15;

    /** Of every zone. */
    static final long FIRST_EPOCH = 1;

    /** What is due by time for zones and copiers. */
    private final class RoundsOfThese implements ZoneRounds.Work {
        @Override
        public boolean isEmpty() {
            return zones.isEmpty() && copiers.isEmpty() && handovers.isEmpty();
        }

        @Override
        public boolean hasWork() {
            return !copiers.isEmpty()
                    || !handovers.isEmpty()
                    || zones.values().stream().anyMatch(ZoneReplicator::hasWork);
        }

        @Override
        public void doWork() {
            OwnedZones.this.doWork();
        }
    }

    /** What a handover does to them. */
    private final class HostOfHandovers implements ZoneHandovers.Host {
        @Override
        public boolean spare(ZoneReplicator zone) {
            boolean isFilling = chooser.mayChoose(zone.zone());
            boolean isSpared = chooser.leave(zone.zone());
            if (isSpared) {
                zone.takeNoneFresh();
            }
            return isSpared && !isFilling; // who has just chosen it goes on to create and to pin
        }

        @Override
        public void copyTo(ZoneReplicator zone, int node) {
            if (!copiers.containsKey(zone.zone())) {
                OwnedZones.this.copyTo(zone, node);
            }
        }

        @Override
        public CompletableFuture<ZoneHandovers.Preparation> prepare(ZoneReplicator zone, int node) {
            CompletableFuture<ReplicaMessage.Backup> answer;
            try {
                answer =
                        context.wire()
                                .ask(node, new ReplicaMessage.Prepare(zone.zone(), zone.epoch()));
            } catch (RuntimeException e) { // a network that is closed or full
                answer = CompletableFuture.failedFuture(e);
            }
            return answer.handle(HostOfHandovers::outcome);
        }

        private static ZoneHandovers.Preparation outcome(
                ReplicaMessage.@Nullable Backup answer, @Nullable Throwable failure) {
            if (answer != null) {
                return answer.status() == ReplicaMessage.Status.OK
                        ? ZoneHandovers.Preparation.READY
                        : ZoneHandovers.Preparation.IMPOSSIBLE;
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof RequestTimeoutException // it is still at it
                    ? ZoneHandovers.Preparation.NONE
                    : ZoneHandovers.Preparation.IMPOSSIBLE;
        }

        @Override
        public void hurry() {
            rounds.hurry();
        }

        @Override
        public void dismiss(ZoneReplicator zone, int node) {
            zone.dismiss(node);
        }

        @Override
        public boolean withdraw(ZoneReplicator zone) {
            synchronized (OwnedZones.this) {
                return zones.remove(zone.zone(), zone);
            }
        }

        @Override
        public void restore(ZoneReplicator zone, BooleanSupplier isUnderWay) {
            synchronized (OwnedZones.this) {
                if (isUnderWay.getAsBoolean()) {
                    zones.put(zone.zone(), zone);
                }
            }
        }

        @Override
        public void dropped(ZoneReplicator zone) {
            OwnedZones.this.dropped(zone);
        }

        @Override
        public void changed(ZoneInfo info) {
            zoneChanged(info);
        }
    }

    private final ReplicationContext context;
    private final CopyBudget budget;
    private final ZoneChooser chooser;
    private final Map<Long, ZoneReplicator> zones = new ConcurrentHashMap<>();
    private final Map<Long, RecoveredZone> recovered = new ConcurrentHashMap<>();
    private final Map<Long, ZoneCopier> copiers = new ConcurrentHashMap<>();

    private final SearchPauses searches = new SearchPauses();
    private final ZoneDropper dropper;
    private final ZoneHandovers handovers;
    private final GoneClients goneClients = new GoneClients();

    private final AtomicInteger asking = new AtomicInteger();

    /** So that a backup can tell a late message of an old copy from a new copy. */
    private final AtomicLong copyNumber = new AtomicLong();

    private final ZoneRounds rounds;
    private volatile boolean isClosed;

    /**
     * Without zones.
     *
     * @param nodeId this node
     * @param chunks of this node
     * @param network of this node
     * @param directory to ask
     * @param config sizes and times
     * @param executor of threads that may wait
     * @param nanoClock for time-outs
     */
    public OwnedZones(
            int nodeId,
            LocalChunks chunks,
            Network network,
            ZoneDirectory directory,
            ReplicaConfig config,
            Executor executor,
            LongSupplier nanoClock) {
        this(
                new ReplicationContext(
                        nodeId,
                        chunks,
                        BackupWire.over(network, config.requestTimeout(), config.answerPatience()),
                        directory,
                        config,
                        executor,
                        nanoClock,
                        new PiecePool(config.pieceBytes()),
                        new AvoidedNodes(nanoClock)));
    }

    OwnedZones(ReplicationContext context) {
        this.context = context;
        budget = new CopyBudget(context.config().copyBytesPerSecond(), context.nanoClock());
        chooser =
                new ZoneChooser(
                        context.self(),
                        context.chunks(),
                        context.directory(),
                        context.config(),
                        this::open);
        dropper = new ZoneDropper(context);
        handovers = new ZoneHandovers(context, new HostOfHandovers());
        rounds = new ZoneRounds(context.self(), context.nanoClock(), new RoundsOfThese());
    }

    // life cycle

    /**
     * Starts the thread that calls {@link #doWork}.
     *
     * @param firstZone number of the first zone that may be opened here
     */
    public void start(int firstZone) {
        chooser.startAt(firstZone);
        rounds.start();
    }

    /** Gives all zones up and ends the thread; the chunks stay as they are. */
    @Override
    public void close() {
        isClosed = true;
        rounds.close();
        handovers.close();
        zones.values().forEach(ZoneReplicator::close);
        zones.clear();
        context.pool().close();
    }

    // operations

    /**
     * Asks for a write, before it enters a chunk: waits while too much of the zone is
     * unacknowledged or it has too few backups, and tells a retry from a new operation.
     *
     * @param zone zone id
     * @param tag who asks
     * @param durability that the write is to have
     * @return fresh, or what the first execution did
     * @throws ZoneMovedException if this node does not own the zone
     * @throws org.starling.store.UnderReplicatedException if the backups do not come in time
     * @throws org.starling.store.IndeterminateException if the operation is too old to tell
     */
    public WriteGuard admit(long zone, WriteTag tag, Durability durability) {
        return replicator(zone).admit(tag, durability);
    }

    /**
     * As {@link #admit}, but never waits.
     *
     * @param zone zone id
     * @param tag who asks, or {@link WriteTag#NONE}
     * @param durability that the write is to have
     * @return null if the backups are to be waited for
     */
    public @Nullable WriteGuard tryAdmit(long zone, WriteTag tag, Durability durability) {
        return replicator(zone).tryAdmit(tag, durability);
    }

    /**
     * Waits for the backups after a write.
     *
     * @param id the chunk
     * @param position that the write got
     * @param durability that was asked for
     * @return completes when the write has it; fails as indeterminate after the time-out, or with
     *     {@link ZoneMovedException}
     */
    public CompletableFuture<Void> await(long id, long position, Durability durability) {
        ZoneReplicator replicator = zones.get(ChunkId.zone(id));
        return replicator == null
                ? CompletableFuture.failedFuture(
                        new ZoneMovedException(ChunkId.zone(id), context.self()))
                : replicator.await(position, durability);
    }

    /**
     * Waits after a read until everything that it can have seen is acknowledged.
     *
     * @param id the chunk
     * @return completes at once in most cases
     */
    public CompletableFuture<Void> settled(long id) {
        ZoneReplicator replicator = zones.get(ChunkId.zone(id));
        return replicator == null
                ? CompletableFuture.failedFuture(
                        new ZoneMovedException(ChunkId.zone(id), context.self()))
                : replicator.settled(id);
    }

    /**
     * Whether what was read of a chunk depends on nothing that is not acknowledged; false if this
     * node does not own it.
     *
     * @param id chunk id
     * @return whether {@link #settled} need not be asked
     */
    public boolean isSettled(long id) {
        ZoneReplicator replicator = zones.get(ChunkId.zone(id));
        return replicator != null && !replicator.isPending(id) && !replicator.isDamaged();
    }

    /**
     * Waits until everything written so far to some zones is on disk at two backups.
     *
     * @param which the zones
     * @return completes then
     */
    public CompletableFuture<Void> sync(LongPredicate which) {
        List<ZoneReplicator> withdrawn;
        List<ZoneReplicator> inUse;
        synchronized (this) { // so that none is missed that goes from one to the other
            withdrawn = meant(handovers.withdrawn(), which);
            inUse = meant(zones.values(), which);
        }
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (ZoneReplicator each : withdrawn) {
            // Who has taken it over has all of it on its disks.
            all.add(
                    each.await(each.position(), Durability.POWER)
                            .exceptionallyCompose(failure ->
                                    each.isClosed()
                                            ? CompletableFuture.completedFuture(null)
                                            : CompletableFuture.failedFuture(failure)));
        }
        for (ZoneReplicator each : inUse) {
            all.add(each.await(each.position(), Durability.POWER));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    private static List<ZoneReplicator> meant(
            Collection<ZoneReplicator> zones, LongPredicate which) {
        return zones.stream().filter(each -> which.test(each.zone())).toList();
    }

    /**
     * Logs the present values of a range whose chunks were written in place, a part at a time.
     *
     * @param first the first chunk id
     * @param count chunks
     * @return the last position, to be waited for
     */
    public long replicate(long first, int count) {
        ZoneReplicator replicator = replicator(ChunkId.zone(first));
        long position = 0;
        int part = FIRST_PART;
        for (int done = 0; done < count; ) {
            replicator.awaitRoom(Durability.PROCESS);
            int chunks = Math.min(part, count - done);
            long before = replicator.appendedBytes();
            position = context.chunks().logPresent(first + done, chunks);
            done += chunks;
            long bytes = replicator.appendedBytes() - before;
            if (bytes < PART_BYTES / 2) {
                part = Math.min(2 * part, MAX_PART);
            } else if (bytes > PART_BYTES) {
                part = Math.max(1, part / 2);
            }
        }
        return position;
    }

    /**
     * The zone that fresh chunks go to; may open one and wait for that.
     *
     * @param bytes of the chunks together
     * @param near a chunk to whose zone they are to go, or 0
     * @return zone id
     */
    public long zoneForCreate(long bytes, long near) {
        if (near != 0) {
            ZoneReplicator replicator = replicator(ChunkId.zone(near));
            if (replicator.knowsItsIds()) { // else a fresh id could be that of a lost chunk
                return replicator.zone();
            }
        }
        return chooser.choose(bytes, this::takesFresh);
    }

    // events

    /**
     * The directory has told how a zone is now; news of zones that this node has nothing to do with
     * are ignored.
     *
     * @param info the zone
     */
    public void zoneChanged(ZoneInfo info) {
        ZoneReplicator replicator = held(info.zone());
        boolean isOwner = info.owner() == context.self();
        if (replicator != null) {
            if (isOwner) {
                replicator.zoneChanged(info);
                handovers.ended(info);
                searches.end(info.zone());
                rounds.hurry();
            } else if (info.epoch() > replicator.epoch() && !isYieldedHere(info)) {
                depose(replicator, info);
            }
            return;
        }
        RecoveredZone ready = recovered.get(info.zone());
        if (ready != null && info.epoch() > ready.report().epoch()) {
            if (isOwner) {
                activate(info, ready);
            } else {
                letGo(info.zone(), ready);
            }
        }
    }

    /** There is another node, which may become a backup. */
    public void nodeJoined() {
        searches.endAll();
        rounds.hurry();
    }

    /**
     * A node is lost, so it will not become a backup.
     *
     * @param node node id
     */
    public void nodeLost(int node) {
        context.avoided().left(node);
        handovers.targetLost(node);
        zones.values().forEach(each -> each.nodeLost(node));
        handovers.withdrawn().forEach(each -> each.nodeLost(node));
        copiers.values().forEach(ZoneCopier::wake);
        rounds.hurry();
    }

    /** One round of what is due by time: retries, time-outs, confirmations, new backups. */
    public void doWork() {
        long now = context.nanoClock().getAsLong();
        zones.values().forEach(each -> each.doWork(now));
        handovers.withdrawn().forEach(each -> each.doWork(now));
        handovers.doWork(now);
        copiers.values().removeIf(ZoneCopier::isEnded);
        copiers.values().forEach(ZoneCopier::wake);
        zones.values().forEach(each -> seekBackup(each, now));
    }

    /**
     * Drops zones that have long been without chunks, and forgets what was done for clients that
     * are gone. Lets go of zones that were recovered here too late: when the directory told that
     * they are others' there was nothing to let go of yet; or for nothing: they were dropped
     * meanwhile, of which nobody tells. To be called every few seconds; never waits.
     *
     * @param isMember whether a node belongs to the cluster
     */
    public void collectGarbage(IntPredicate isMember) {
        goneClients.doWork(
                zones.values().stream().map(ZoneReplicator::tags).toList(),
                isMember,
                context.nanoClock().getAsLong());
        dropper.doWork(List.copyOf(zones.values()), chooser, this::dropped);
        recovered.keySet().forEach(this::refresh);
        letGoOfDropped();
    }

    // accessors

    /**
     * Whether this node owns a zone.
     *
     * @param zone zone id
     * @return true from the moment on in which it may be used
     */
    public boolean owns(long zone) {
        return zones.containsKey(zone);
    }

    /** Whether this node has a zone in its memory that it owns, in use or not. */
    boolean holds(long zone) {
        return held(zone) != null;
    }

    /**
     * Whether a chunk may be one of which no good copy was found when its zone was recovered: all
     * that are not there, as nobody can tell what else there was.
     *
     * @param id chunk id
     * @return whether to answer that it is lost
     */
    public boolean isLost(long id) {
        ZoneReplicator replicator = zones.get(ChunkId.zone(id));
        return replicator != null
                && replicator.isDamaged()
                && context.chunks().sizeOrAbsent(id) < 0;
    }

    /**
     * How many backups a zone has that have not failed.
     *
     * @param zone zone id
     * @return backups; 0 if this node does not own it
     */
    public int backups(long zone) {
        ZoneReplicator replicator = zones.get(zone);
        return replicator == null ? 0 : replicator.backups();
    }

    @Override
    public String toString() {
        return "zones of node "
                + context.self()
                + ", copies "
                + copiers.values()
                + ", asking "
                + asking
                + ", "
                + zones.values();
    }

    /** Whether the old log of a zone that this node owns now is nobody's copy any more. */
    boolean isConfirmed(long zone) {
        ZoneReplicator replicator = zones.get(zone);
        return replicator != null && replicator.isConfirmed();
    }

    /** A zone has been recovered here; it waits for the directory. */
    void recovered(RecoveredZone zone) {
        recovered.put(zone.report().zone(), zone);
    }

    /** Whether a zone that has been recovered here waits for the directory. */
    boolean isRecovered(long zone) {
        return recovered.containsKey(zone);
    }

    /** What was recovered of a zone is void; false if it is in use already. */
    synchronized boolean forgetRecovered(long zone) {
        recovered.remove(zone);
        return !holds(zone);
    }

    // private

    private ZoneReplicator replicator(long zone) {
        ZoneReplicator replicator = zones.get(zone);
        if (replicator == null) {
            throw new ZoneMovedException(zone, context.self());
        }
        return replicator;
    }

    /** Under the lock, so that none is missed that goes from one to the other. */
    private synchronized @Nullable ZoneReplicator held(long zone) {
        ZoneReplicator replicator = zones.get(zone);
        return replicator != null ? replicator : handovers.withdrawn(zone);
    }

    private boolean takesFresh(long zone) {
        ZoneReplicator replicator = zones.get(zone);
        return replicator != null
                && !replicator.takesNoneFresh()
                && (replicator.backups() >= context.config().leastBackups()
                        || context.chunks().zoneBytes(zone) == 0);
    }

    /** A fresh zone of this node. */
    void open(ZoneInfo info) {
        if (info.owner() != context.self() || zones.containsKey(info.zone())) {
            return;
        }
        ZoneReplicator replicator =
                new ZoneReplicator(
                        context,
                        this::zoneChanged,
                        rounds,
                        info,
                        ZoneState.NEVER,
                        0,
                        new TagTable(),
                        List.of());
        context.chunks().openZone(info.zone(), replicator);
        zones.put(info.zone(), replicator);
        refresh(info.zone());
        info.backups().forEach(backup -> openLog(info, backup));
        rounds.hurry();
    }

    /**
     * Lets a backup begin its log before there is anything to be written, so that the first entry
     * does not wait for that.
     */
    private void openLog(ZoneInfo info, int backup) {
        ReplicaMessage.Append nothing =
                new ReplicaMessage.Append(info.zone(), info.epoch(), 1, 0, new byte[0]);
        try {
            CompletableFuture<?> _ = context.wire().ask(backup, nothing);
        } catch (RuntimeException e) { // a network that is closed or full
            LOGGER.debug("node {} begins its log with the first entry", backup, e);
        }
    }

    private synchronized void activate(ZoneInfo info, RecoveredZone ready) {
        if (isClosed || !recovered.remove(info.zone(), ready)) {
            return;
        }
        List<Integer> left = new ArrayList<>(info.backups());
        left.removeAll(ready.aligned());
        ZoneReplicator replicator =
                new ZoneReplicator(
                        context,
                        this::zoneChanged,
                        rounds,
                        info,
                        ready.report().epoch() + 1, // news of a loss may be newer than the switch
                        ready.report().end(),
                        ready.tags(),
                        left);
        context.chunks().attachLog(info.zone(), replicator);
        zones.put(info.zone(), replicator);
        LOGGER.info(
                "node {} owns zone {} from position {} on",
                context.self(),
                Long.toHexString(info.zone()),
                ready.report().end());
        refresh(info.zone());
        rounds.hurry();
    }

    /** News that came while the zone was being taken into use. */
    private void refresh(long zone) {
        CompletableFuture<?> _ = context.directory().zone(zone).thenAccept(this::zoneChanged);
    }

    /** Its chunks stay here until another node has taken it. */
    private boolean isYieldedHere(ZoneInfo info) {
        return info.isYielded() && info.lastOwner() == context.self() && !owns(info.zone());
    }

    private void depose(ZoneReplicator replicator, ZoneInfo info) {
        boolean isHandedOver = !owns(info.zone());
        if (giveUp(replicator)) {
            LOGGER.log(
                    isHandedOver ? Level.INFO : Level.WARN,
                    "node {} does not own zone {} any more, node {} does",
                    context.self(),
                    Long.toHexString(info.zone()),
                    info.lastOwner());
        }
    }

    private void dropped(ZoneReplicator replicator) {
        if (giveUp(replicator)) {
            LOGGER.info(
                    "node {} has dropped zone {}, which had no chunks any more",
                    context.self(),
                    Long.toHexString(replicator.zone()));
        }
    }

    private boolean giveUp(ZoneReplicator replicator) {
        long zone = replicator.zone();
        synchronized (this) {
            boolean isInUse = zones.remove(zone, replicator);
            if (!handovers.gone(replicator) && !isInUse) {
                return false;
            }
        }
        searches.end(zone);
        replicator.close();
        // At once and this one alone: the zone may be recovered here anew before the executor comes
        // to it.
        context.chunks().leaveZone(zone, replicator);
        context.executor().execute(context.chunks()::freeClosedZones);
        return true;
    }

    private void letGoOfDropped() {
        long[] waiting =
                recovered.keySet().stream()
                        .limit(BackupService.MAX_ASKED)
                        .mapToLong(Long::longValue)
                        .toArray();
        if (waiting.length == 0) {
            return;
        }
        CompletableFuture<?> _ =
                context.directory()
                        .dropped(waiting)
                        .thenAccept(dropped -> LongStream.of(dropped).forEach(this::letGo));
    }

    private void letGo(long zone) {
        RecoveredZone ready = recovered.get(zone);
        if (ready != null) {
            letGo(zone, ready);
        }
    }

    private void letGo(long zone, RecoveredZone ready) {
        if (leave(zone, ready)) {
            context.executor().execute(context.chunks()::freeClosedZones);
        }
    }

    /** Under the same lock as {@link #forgetRecovered}, after which the next recovery begins. */
    private synchronized boolean leave(long zone, RecoveredZone ready) {
        return recovered.remove(zone, ready) && context.chunks().leaveZone(zone, null);
    }

    /**
     * Hands one of the zones over to another node.
     *
     * @param target a peer that stores
     * @param mostBytes of the payloads of its chunks
     * @return the zone and its bytes, when another node owns it, or 0 bytes if none is of that size
     *     and may go; fails if it stays after all
     */
    public CompletableFuture<HandedOver> handOver(int target, long mostBytes) {
        HandedOver largest = handovers.largest(zones.values(), mostBytes);
        ZoneReplicator zone = largest.bytes() == 0 ? null : zones.get(largest.zone());
        if (zone == null) {
            return CompletableFuture.completedFuture(new HandedOver(0, 0));
        }
        CompletableFuture<HandedOver> done =
                handovers.begin(zone, target).thenApply(gone -> largest);
        rounds.hurry();
        return done;
    }

    /**
     * Begins to hand its zones over, because this node leaves; to be called again and again. Empty
     * and damaged ones, and those that nobody could take, stay until it has left.
     *
     * @param stays whether a node stays when this one leaves
     * @return zones that have still to go
     */
    public int handOverAll(IntPredicate stays) {
        int left = handovers.beginAll(zones.values(), stays);
        rounds.hurry();
        return left;
    }

    /**
     * Zones that {@link #handOverAll} leaves here, though there is something in them.
     *
     * @return those that chunks of are lost, and those that nobody could take
     */
    public int staying() {
        return handovers.staying(zones.values());
    }

    /** Looks for another backup of a zone that has too few. */
    private void seekBackup(ZoneReplicator replicator, long now) {
        long zone = replicator.zone();
        if (isClosed
                || replicator.backups() >= context.config().backups()
                || copiers.containsKey(zone)
                || copiers.size() + asking.get() >= context.config().copies()
                || !searches.isOver(zone, now)) {
            return;
        }
        searches.begin(zone, now);
        asking.incrementAndGet();
        List<Integer> avoided = context.avoided().by(zone);
        CompletableFuture<?> _ =
                context.directory()
                        .chooseBackup(zone, avoided)
                        .whenCompleteAsync(
                                (node, failure) -> {
                                    asking.decrementAndGet();
                                    if (node != null && node >= 0) {
                                        copyTo(replicator, node);
                                    } else if (node != null) {
                                        int last = replicator.failedLast();
                                        searches.lengthen(zone, !avoided.isEmpty());
                                        copyTo(replicator, avoided.contains(last) ? -1 : last);
                                    }
                                },
                                context.executor());
    }

    /** To no node if that is −1. */
    private void copyTo(ZoneReplicator replicator, int node) {
        BackupChannel channel = node < 0 ? null : replicator.join(node);
        if (channel == null) {
            return;
        }
        ZoneCopier copier =
                new ZoneCopier(
                        context,
                        replicator,
                        budget,
                        channel,
                        copyNumber.incrementAndGet(),
                        this::zoneChanged);
        if (copiers.putIfAbsent(replicator.zone(), copier) == null) {
            copier.wake();
            rounds.stir();
        } else {
            replicator.leave(channel);
        }
    }
}
