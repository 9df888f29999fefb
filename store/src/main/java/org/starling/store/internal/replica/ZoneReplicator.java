package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.internal.chunk.ChangeLog;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * One zone at its owner: takes its changes into a stream, and tells waiting operations what is safe
 * (docs/design/reliability.md, "write path"). Owned by {@link OwnedZones}; any thread. A change
 * costs one lock, held for the copy of its entry.
 */
final class ZoneReplicator implements ChangeLog {
    /** What is left of the patience with a node of which other zones know that it is silent. */
    private static final int KNOWN_SILENT_SHARE = 10;

    private final ReplicationContext context;
    private final ZoneState state;
    private final ReentrantLock lock;
    private final StreamSender sender;
    private final ZoneHousekeeping housekeeping;
    private final TagTable tags;

    /** Chunks of it are lost, and nobody knows all of them. */
    private final boolean isDamaged;

    /** Another node has handed out ids of it, and nobody knows all of them. */
    private final boolean isTakenOver;

    /** Chunks that are created anywhere go to other zones: this one is on its way out. */
    private volatile boolean takesNoneFresh;

    /** When it was last looked whether there is only one backup. Guarded by the lock. */
    private long doubtedNanos;

    /**
     * A zone with everything up to {@code end} on all its backups.
     *
     * @param context what zones share
     * @param news takes what the directory tells about the zone
     * @param rounds that call {@link #doWork}; also told of work under this zone's lock
     * @param info the zone; this node is its owner
     * @param confirmed the epoch under which this node became its owner, or {@link ZoneState#NEVER}
     *     if it has just opened it
     * @param end position of its last change
     * @param tags executed operations
     * @param left backups that do not have everything and are to be retired
     */
    ZoneReplicator(
            ReplicationContext context,
            Consumer<ZoneInfo> news,
            ZoneRounds rounds,
            ZoneInfo info,
            long confirmed,
            long end,
            TagTable tags,
            Collection<Integer> left) {
        this.context = context;
        this.tags = tags;
        doubtedNanos = context.nanoClock().getAsLong();
        isDamaged = info.damaged();
        isTakenOver = confirmed > OwnedZones.FIRST_EPOCH;
        state =
                new ZoneState(
                        context.self(),
                        context.config().leastBackups(),
                        context.pool(),
                        rounds,
                        info,
                        confirmed,
                        end,
                        left);
        lock = state.lock;
        sender = new StreamSender(context, state, news);
        housekeeping = new ZoneHousekeeping(context, state, news);
    }

    // the change log

    @Override
    public long written(long id, long payloadAddress, int bytes, WriteTag tag) {
        lock.lock();
        try {
            state.checkOpen();
            long position = state.stream.put(id, payloadAddress, bytes, tag);
            state.pending.add(id);
            return logged(position, id, 1, tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long removed(long first, int count, WriteTag tag) {
        lock.lock();
        try {
            state.checkOpen();
            long position = state.stream.remove(first, count, tag);
            state.pending.addRun(first, count);
            return logged(position, first, count, tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long created(long first, Sizes sizes, WriteTag tag) {
        lock.lock();
        try {
            state.checkOpen();
            long position = state.stream.create(first, sizes, tag);
            state.pending.addRun(first, sizes.count());
            return logged(position, first, sizes.count(), tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isPending(long id) {
        if (state.settled == state.end || !state.pending.mayHold(id)) {
            return false;
        }
        lock.lock();
        try {
            return state.pending.holds(id);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long position() {
        return state.end;
    }

    // operations

    /** See {@link OwnedZones#admit}. */
    WriteGuard admit(WriteTag tag, Durability durability) {
        awaitRoom(durability);
        return admitted(tag);
    }

    /** See {@link OwnedZones#tryAdmit}. */
    @Nullable WriteGuard tryAdmit(WriteTag tag, Durability durability) {
        return locked(() -> hasRoom(leastBackups(durability))) ? admitted(tag) : null;
    }

    private WriteGuard admitted(WriteTag tag) {
        WriteGuard guard = tags.admit(tag);
        if (guard == null) {
            throw new IndeterminateException(
                    "operation "
                            + tag.sequence()
                            + " of node "
                            + tag.client()
                            + " is too old to tell whether it has taken effect",
                    null);
        }
        return guard;
    }

    /** Waits until a write of some durability may begin. Never inside a chunk. */
    void awaitRoom(Durability durability) {
        int least = leastBackups(durability);
        long patience = context.config().requestTimeout().toNanos();
        lock.lock();
        try {
            while (!hasRoom(least)) {
                if (patience <= 0) {
                    throw refused(least, durability);
                }
                sender.queue();
                patience = state.changed.awaitNanos(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for the backups of a zone", e);
        } finally {
            lock.unlock();
        }
    }

    private int leastBackups(Durability durability) {
        return durability == Durability.MEMORY ? 1 : context.config().leastBackups();
    }

    private StoreException refused(int leastBackups, Durability durability) {
        return state.liveBackups() < leastBackups
                ? new UnderReplicatedException(durability, leastBackups, state.liveBackups())
                : new StoreException(
                        "zone "
                                + Long.toHexString(state.zone)
                                + " has "
                                + state.stream.heldBytes()
                                + " bytes that its backups have not taken in time; nothing was"
                                + " written, try again later");
    }

    private boolean hasRoom(int leastBackups) {
        state.checkOpen();
        return state.stream.heldBytes() < context.config().unacknowledgedBytes()
                && state.liveBackups() >= leastBackups;
    }

    /** Completes when a position is safe; sends what is not sent yet. */
    CompletableFuture<Void> await(long position, Durability durability) {
        long reached =
                switch (durability) {
                    case MEMORY -> Long.MAX_VALUE;
                    case PROCESS -> state.processEnd;
                    case POWER -> state.powerEnd;
                };
        if (position <= reached) {
            return CompletableFuture.completedFuture(null);
        }
        return enqueue(durability == Durability.POWER ? state.power : state.process, position);
    }

    /** Completes when everything that a reader of a chunk can have seen is settled. */
    CompletableFuture<Void> settled(long id) {
        return isPending(id)
                ? enqueue(state.readers, state.end)
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> enqueue(Waiters waiters, long position) {
        CompletableFuture<Void> future;
        List<CompletableFuture<Void>> due = new ArrayList<>();
        lock.lock();
        try {
            if (state.isClosed) {
                return CompletableFuture.failedFuture(
                        new ZoneMovedException(state.zone, context.self()));
            }
            long patience = context.config().requestTimeout().toNanos();
            future = waiters.add(position, context.nanoClock().getAsLong() + patience);
            if (waiters == state.power) {
                state.channels.values().forEach(channel -> channel.want(position));
            }
            state.collectDue(due);
            state.rounds.stir();
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        sender.send();
        return future;
    }

    // events

    /** The directory has told the zone's state; older news are ignored. */
    void zoneChanged(ZoneInfo info) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        lock.lock();
        try {
            if (state.isClosed || info.epoch() <= state.epoch || info.owner() != context.self()) {
                return;
            }
            state.changeTo(info, due);
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        sender.send();
    }

    /** Time-outs, retries and what else is due. */
    void doWork(long nowNanos) {
        List<CompletableFuture<Void>> late;
        List<CompletableFuture<Void>> lateReaders;
        List<Integer> silent;
        lock.lock();
        try {
            late = state.process.expired(nowNanos);
            late.addAll(state.power.expired(nowNanos));
            lateReaders = state.readers.expired(nowNanos);
            state.channels.values().forEach(channel -> channel.unblock(nowNanos));
            silent = lookForSilent(nowNanos);
            boolean asks = doubtOnlyOne(nowNanos);
            if (asks || state.hasWork()) {
                sender.queue();
            }
            state.isDirty = false;
        } finally {
            lock.unlock();
        }
        fail(late, text -> new IndeterminateException(text, null));
        fail(lateReaders, StoreException::new);
        housekeeping.doWork(nowNanos);
        for (int node : silent) {
            if (context.avoided().addSilent(node)) {
                context.wire().giveUp(node);
            }
        }
    }

    /**
     * On another thread: who is told so sends an answer, and may wait for a connection, but rounds
     * must go on.
     */
    private void fail(
            List<CompletableFuture<Void>> waiters, Function<String, StoreException> saying) {
        if (!waiters.isEmpty()) {
            StoreException failure =
                    saying.apply(
                            "the backups of zone "
                                    + Long.toHexString(state.zone)
                                    + " did not answer in time");
            context.executor()
                    .execute(() -> waiters.forEach(each -> each.completeExceptionally(failure)));
        }
    }

    /**
     * Under the lock: one of several backups whose log fails leaves, of which the directory tells.
     * The only one stays, and while nobody writes it has no answer to give: it is asked from time
     * to time. Whether that is due.
     */
    private boolean doubtOnlyOne(long nowNanos) {
        if (nowNanos - doubtedNanos < context.config().backupPatience().toNanos()) {
            return false;
        }
        doubtedNanos = nowNanos;
        BackupChannel only = state.onlyListed();
        if (only == null || !only.isGood()) {
            return false;
        }
        only.doubt();
        return true;
    }

    /** Under the lock: those that have just become silent. One that joins ends with that. */
    private List<Integer> lookForSilent(long nowNanos) {
        List<Integer> silent = new ArrayList<>();
        for (BackupChannel channel : state.channels.values()) {
            boolean wasSilent = channel.isSilent;
            int share = context.avoided().isSilent(channel.node) ? KNOWN_SILENT_SHARE : 1;
            channel.look(
                    nowNanos,
                    state.end,
                    context.config().answerPatience().toNanos() / share,
                    context.config().backupPatience().toNanos());
            if (channel.isSilent && !wasSilent) {
                silent.add(channel.node);
                channel.isBroken |= !channel.isListed; // its copier sees that
            }
        }
        return silent;
    }

    /**
     * This node does not own the zone any more: all who wait are told, nothing is sent any more.
     */
    void close() {
        List<CompletableFuture<Void>> all;
        lock.lock();
        try {
            all = state.isClosed ? List.of() : state.close();
        } finally {
            lock.unlock();
        }
        ZoneMovedException moved = new ZoneMovedException(state.zone, context.self());
        all.forEach(each -> each.completeExceptionally(moved));
    }

    /** A node is lost: if it is on its way to become a backup, that ends. */
    void nodeLost(int node) {
        lock.lock();
        try {
            BackupChannel channel = state.channels.get(node);
            if (channel != null && !channel.isListed) {
                channel.isBroken = true; // its copier sees that
            }
        } finally {
            lock.unlock();
        }
    }

    // new backups, called by ZoneCopier

    /**
     * The only backup that is listed, if its log has failed, or -1: where nobody else can take its
     * place, it is copied to again.
     */
    int failedLast() {
        return locked(() -> {
            BackupChannel only = state.onlyListed();
            return only != null && only.isBroken ? only.node : -1;
        });
    }

    /** Begins to keep the stream for a node that is to become a backup; null if that cannot be. */
    @Nullable BackupChannel join(int node) {
        lock.lock();
        try {
            boolean isAgain = failedLast() == node;
            if (state.isClosed || (state.channels.containsKey(node) && !isAgain)) {
                return null;
            }
            BackupChannel channel = new BackupChannel(node, state.end);
            channel.isListed = isAgain; // until the copy is whole, its log stays the last one
            channel.isRequired = isAgain;
            channel.isCopying = true;
            channel.hold();
            state.channels.put(node, channel);
            state.targets = List.copyOf(state.channels.values());
            return channel;
        } finally {
            lock.unlock();
        }
    }

    /** The copy has begun at the node: the stream may follow. */
    void begun(BackupChannel channel) {
        lock.lock();
        try {
            channel.unhold();
        } finally {
            lock.unlock();
        }
        sender.send();
    }

    /**
     * The copy is complete: acknowledgements wait for the node from now on.
     *
     * @return the position that it must have on disk before it may be listed
     */
    long require(BackupChannel channel) {
        lock.lock();
        try {
            channel.isRequired = true;
            channel.isCopying = false;
            channel.want(state.end);
            return state.end;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The node does not become a backup, and the directory does not take it for one, unless by its
     * earlier log.
     */
    void leave(BackupChannel channel) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        lock.lock();
        try {
            if (channel.isListed) {
                channel.isBroken |= channel.isCopying;
            } else if (state.channels.remove(channel.node, channel)) {
                state.targets = List.copyOf(state.channels.values());
            }
            state.advance(due);
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
    }

    /** Whether a node has everything up to a position, on its disk. */
    boolean hasForced(BackupChannel channel, long position) {
        return locked(() -> channel.forced() >= position);
    }

    /** Whether a node is still on its way to become a backup, or has become one. */
    boolean hasChannel(BackupChannel channel) {
        return locked(() -> state.channels.get(channel.node) == channel && !channel.isBroken);
    }

    /** Whether the directory has a node among the backups. */
    boolean isListed(BackupChannel channel) {
        return locked(() -> channel.isListed);
    }

    // accessors

    long zone() {
        return state.zone;
    }

    TagTable tags() {
        return tags;
    }

    boolean isClosed() {
        return state.isClosed;
    }

    /**
     * Whether nothing stands against dropping the zone but the time: it has no chunks, nobody waits
     * for anything, nothing is under way, and none of its chunks was lost, which has to be told for
     * as long as anybody asks.
     */
    boolean isDroppable() {
        return !isDamaged
                && context.chunks().hasZone(state.zone)
                && context.chunks().zoneBytes(state.zone) == 0
                && locked(() -> !state.isClosed && !state.hasWork() && state.readers.isEmpty());
    }

    boolean isDamaged() {
        return isDamaged;
    }

    /** Whether a node is a listed backup that answers. */
    boolean isBackedBy(int node) {
        return locked(() -> {
            BackupChannel channel = state.channels.get(node);
            return channel != null && channel.isListed && channel.isGood() && !channel.isSilent;
        });
    }

    /**
     * One of the backups that answer for which something holds, or -1; another one for the next
     * zone.
     */
    int backedBy(IntPredicate which) {
        int[] some =
                locked(() ->
                        state.channels.values().stream()
                                .filter(channel -> channel.isGood() && !channel.isSilent)
                                .mapToInt(channel -> channel.node)
                                .filter(which)
                                .toArray());
        return some.length == 0 ? -1 : some[Math.floorMod(zone(), some.length)];
    }

    /** A node that was to have the zone: it does not become a backup, or is one too many. */
    void dismiss(int node) {
        lock.lock();
        try {
            BackupChannel channel = state.channels.get(node);
            if (channel != null) {
                channel.isBroken |= !channel.isListed && !channel.isRequired;
                channel.isSurplus = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether an id that is free here is no other chunk's. */
    boolean knowsItsIds() {
        return !isDamaged && !isTakenOver;
    }

    void takeNoneFresh() {
        takesNoneFresh = true;
    }

    boolean takesNoneFresh() {
        return takesNoneFresh;
    }

    /** Bytes of all entries so far. */
    long appendedBytes() {
        return locked(state.stream::appendedBytes);
    }

    long epoch() {
        return locked(() -> state.epoch);
    }

    boolean hasWork() {
        return locked(state::hasWork);
    }

    /** Listed backups that have not failed and answer. */
    int backups() {
        return locked(state::liveBackups);
    }

    /** Whether the directory counts on the present backups alone, and they are enough. */
    boolean isConfirmed() {
        return locked(() -> state.confirmedEpoch == state.epoch && state.hasEnough());
    }

    @Override
    public String toString() {
        return locked(state::toString);
    }

    // private

    private long logged(long position, long first, int count, WriteTag tag) {
        state.end = position;
        state.isDirty = true;
        state.rounds.stir();
        if (tag.isPresent()) {
            tags.executed(tag.client(), tag.sequence(), new Executed(position, first, count));
        }
        if (state.stream.isTailFull()) {
            sender.queue();
        }
        return position;
    }

    private <T> T locked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }
}
