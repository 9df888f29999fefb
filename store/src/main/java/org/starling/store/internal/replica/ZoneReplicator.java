package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.internal.chunk.ChangeLog;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.EntryWriter;

/**
 * One zone at its owner: takes its changes into a stream, sends the stream to each backup, and tells
 * waiting operations what is safe. Owned by {@link OwnedZones}. Any thread; all state is guarded by
 * one lock, which is held for the copy of an entry and never while anything is sent or waited for
 * (docs/design/reliability.md, "write path").
 *
 * <p>Safe means: {@code settled}, every listed backup has it in memory; {@code processEnd}, that
 * and there were two of them; {@code powerEnd}, that and two have it on disk.
 */
final class ZoneReplicator implements ChangeLog {
    private static final Logger LOGGER = LogManager.getLogger(ZoneReplicator.class);
    private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Surroundings around;
    private final long zone;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Consumer<ZoneInfo> news;
    private final TagTable tags;
    private final PendingFilter pending;
    private final Set<Long> lost;

    // guarded by lock
    private final Map<Integer, BackupChannel> channels = new TreeMap<>();
    private final ZoneStream stream;
    private final Waiters readers = new Waiters();
    private final Waiters process = new Waiters();
    private final Waiters power = new Waiters();
    private long epoch;
    private long confirmedEpoch;
    private long confirmPosition;
    private boolean isConfirming;
    private long confirmAskedNanos;
    private boolean isPumpQueued;

    // written under lock, read anywhere
    private volatile long end;
    private volatile long settled;
    private volatile long processEnd;
    private volatile long powerEnd;
    private volatile boolean isDirty;
    private volatile boolean isClosed;

    /** Published copy of the channels' values. */
    private volatile List<BackupChannel> targets = List.of();

    /**
     * A zone with everything up to {@code end} on all its backups.
     *
     * @param around what zones share
     * @param news takes what the directory tells about the zone
     * @param info the zone; this node is its owner
     * @param end position of its last change
     * @param tags executed operations
     * @param lost ids of chunks of which no good copy was found
     * @param left backups that do not have everything and are to be retired
     */
    ZoneReplicator(
            Surroundings around,
            Consumer<ZoneInfo> news,
            ZoneInfo info,
            long end,
            TagTable tags,
            List<Long> lost,
            Collection<Integer> left) {
        this.around = around;
        this.news = news;
        this.zone = info.zone();
        this.tags = tags;
        this.lost = Set.copyOf(lost);
        this.end = end;
        settled = end;
        processEnd = end;
        powerEnd = end;
        epoch = info.epoch();
        confirmedEpoch = info.epoch();
        stream = new ZoneStream(around.pool(), end);
        pending = new PendingFilter(end);
        for (int node : info.backups()) {
            BackupChannel channel = new BackupChannel(node, end);
            channel.isListed = true;
            channel.isRequired = true;
            channel.isBroken = left.contains(node);
            channels.put(node, channel);
        }
        targets = List.copyOf(channels.values());
    }

    // the change log

    @Override
    public long written(long id, long payloadAddress, int bytes, WriteTag tag) {
        int index = ChunkId.index(id);
        int length = EntryLayout.putBytes(index, bytes, tag.isPresent());
        lock.lock();
        try {
            StreamPiece tail = tailFor(length);
            EntryWriter.put(
                    tail.address + tail.usedBytes,
                    index,
                    payloadAddress,
                    bytes,
                    tag.client(),
                    tag.sequence());
            pending.add(id);
            return logged(tail, length, id, 1, tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long removed(long first, int count, WriteTag tag) {
        int index = ChunkId.index(first);
        int length = EntryLayout.removeBytes(index, count, tag.isPresent());
        lock.lock();
        try {
            StreamPiece tail = tailFor(length);
            EntryWriter.remove(
                    tail.address + tail.usedBytes, index, count, tag.client(), tag.sequence());
            pending.addRun(first, count);
            return logged(tail, length, first, count, tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long created(long first, Sizes sizes, WriteTag tag) {
        int index = ChunkId.index(first);
        int count = sizes.count();
        boolean isUniform = sizes instanceof Sizes.Uniform || count == 1;
        int length =
                isUniform
                        ? EntryLayout.createBytes(index, count, tag.isPresent())
                        : EntryLayout.createListedBytes(index, count, tag.isPresent());
        lock.lock();
        try {
            StreamPiece tail = tailFor(length);
            long to = tail.address + tail.usedBytes;
            if (isUniform) {
                EntryWriter.create(
                        to, index, count, sizes.bytes(0), tag.client(), tag.sequence());
            } else {
                long body = to + length - (long) count * Integer.BYTES;
                for (int i = 0; i < count; i++) {
                    NativeMemory.putInt(body + (long) i * Integer.BYTES, sizes.bytes(i));
                }
                EntryWriter.createListed(to, index, count, body, tag.client(), tag.sequence());
            }
            pending.addRun(first, count);
            return logged(tail, length, first, count, tag);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isPending(long id) {
        if (settled == end || !pending.mayHold(id)) {
            return false;
        }
        lock.lock();
        try {
            return pending.holds(id);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long position() {
        return end;
    }

    // operations

    /** See {@link OwnedZones#admit}. */
    WriteGuard admit(WriteTag tag, Durability durability) {
        awaitRoom(durability);
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
        int least = durability == Durability.MEMORY ? 1 : ReplicaConfig.MIN_BACKUPS;
        long patience = around.config().requestTimeout().toNanos();
        lock.lock();
        try {
            while (true) {
                checkOpen();
                boolean hasRoom = stream.heldBytes() < around.config().unacknowledgedBytes();
                if (hasRoom && goodBackups() >= least) {
                    return;
                }
                if (patience <= 0) {
                    throw new UnderReplicatedException(durability, Durability.MEMORY);
                }
                queuePump();
                patience = changed.awaitNanos(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for the backups of a zone", e);
        } finally {
            lock.unlock();
        }
    }

    /** Completes when a position is safe; sends what is not sent yet. */
    CompletableFuture<Void> await(long position, Durability durability) {
        long reached =
                switch (durability) {
                    case MEMORY -> Long.MAX_VALUE;
                    case PROCESS -> processEnd;
                    case POWER -> powerEnd;
                };
        if (position <= reached) {
            return CompletableFuture.completedFuture(null);
        }
        return enqueue(durability == Durability.POWER ? power : process, position);
    }

    /** Completes when everything that a reader of a chunk can have seen is settled. */
    CompletableFuture<Void> settled(long id) {
        return isPending(id)
                ? enqueue(readers, end)
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> enqueue(Waiters waiters, long position) {
        CompletableFuture<Void> future;
        List<CompletableFuture<Void>> due = new ArrayList<>();
        lock.lock();
        try {
            if (isClosed) {
                return CompletableFuture.failedFuture(new ZoneMovedException(zone, around.self()));
            }
            long deadline =
                    around.nanoClock().getAsLong() + around.config().requestTimeout().toNanos();
            future = waiters.add(position, deadline);
            if (waiters == power) {
                channels.values().forEach(channel -> channel.want(position));
            }
            collectDue(due);
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        pump();
        return future;
    }

    // events

    /** The directory has told the zone's state; older news are ignored. */
    void zoneChanged(ZoneInfo info) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        lock.lock();
        try {
            if (isClosed || info.epoch() <= epoch || info.owner() != around.self()) {
                return;
            }
            epoch = info.epoch();
            confirmPosition = end;
            for (int node : info.backups()) {
                BackupChannel channel = channels.get(node);
                if (channel == null) { // nothing is known of what it has
                    channel = new BackupChannel(node, 0);
                    channel.isBroken = true;
                    channels.put(node, channel);
                }
                channel.isListed = true;
                channel.isRequired = true;
                channel.want(confirmPosition);
                channel.unblock();
            }
            channels.values()
                    .removeIf(each -> each.isListed && !info.backups().contains(each.node));
            targets = List.copyOf(channels.values());
            advance(due);
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        pump();
    }

    /** Time-outs, retries and what else is due. */
    void doWork(long nowNanos) {
        List<CompletableFuture<Void>> late;
        List<CompletableFuture<Void>> lateReaders;
        lock.lock();
        try {
            late = process.expired(nowNanos);
            late.addAll(power.expired(nowNanos));
            lateReaders = readers.expired(nowNanos);
            channels.values().forEach(channel -> channel.unblock(nowNanos));
            boolean isWorkLeft =
                    isDirty
                            || settled < end
                            || !power.isEmpty()
                            || confirmedEpoch < epoch
                            || channels.size() > goodBackups();
            if (isWorkLeft) {
                queuePump();
            }
            isDirty = false;
        } finally {
            lock.unlock();
        }
        String text = "the backups of zone " + Long.toHexString(zone) + " did not answer in time";
        late.forEach(each -> each.completeExceptionally(new IndeterminateException(text, null)));
        lateReaders.forEach(each -> each.completeExceptionally(new StoreException(text)));
        confirmIfDue(nowNanos);
        retireBroken(nowNanos);
    }

    /** This node does not own the zone any more: all who wait are told, nothing is sent any more. */
    void close() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            all.addAll(readers.all());
            all.addAll(process.all());
            all.addAll(power.all());
            channels.clear();
            targets = List.of();
            stream.release(Long.MAX_VALUE);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        all.forEach(
                each -> each.completeExceptionally(new ZoneMovedException(zone, around.self())));
    }

    // new backups, called by ZoneCopier

    /** Begins to keep the stream for a node that is to become a backup; null if that cannot be. */
    @Nullable BackupChannel join(int node) {
        lock.lock();
        try {
            if (isClosed || channels.containsKey(node)) {
                return null;
            }
            BackupChannel channel = new BackupChannel(node, end);
            channel.hold();
            channels.put(node, channel);
            targets = List.copyOf(channels.values());
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
        pump();
    }

    /**
     * The copy is complete: acknowledgements wait for the node from now on.
     *
     * @return the position that it must have before it may be listed
     */
    long require(BackupChannel channel) {
        lock.lock();
        try {
            channel.isRequired = true;
            channel.want(end);
            return end;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a node has everything up to a position, on its disk. */
    boolean hasForced(BackupChannel channel, long position) {
        lock.lock();
        try {
            return channel.forced() >= position;
        } finally {
            lock.unlock();
        }
    }

    /** The node does not become a backup, and the directory does not take it for one. */
    void leave(BackupChannel channel) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        lock.lock();
        try {
            if (!channel.isListed && channels.remove(channel.node, channel)) {
                targets = List.copyOf(channels.values());
                advance(due);
            }
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
    }

    /** A node is lost: if it is on its way to become a backup, that ends. */
    void nodeLost(int node) {
        lock.lock();
        try {
            BackupChannel channel = channels.get(node);
            if (channel != null && !channel.isListed) {
                channel.isBroken = true; // its copier sees that
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a node is still on its way to become a backup, or has become one. */
    boolean hasChannel(BackupChannel channel) {
        lock.lock();
        try {
            return channels.get(channel.node) == channel && !channel.isBroken;
        } finally {
            lock.unlock();
        }
    }

    boolean isListed(BackupChannel channel) {
        lock.lock();
        try {
            return channel.isListed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the directory counts on the present backups alone, and they are enough. */
    boolean isConfirmed() {
        lock.lock();
        try {
            return confirmedEpoch == epoch && goodBackups() >= ReplicaConfig.MIN_BACKUPS;
        } finally {
            lock.unlock();
        }
    }

    // accessors

    long zone() {
        return zone;
    }

    TagTable tags() {
        return tags;
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean isLost(long id) {
        return !lost.isEmpty() && lost.contains(id);
    }

    long epoch() {
        lock.lock();
        try {
            return epoch;
        } finally {
            lock.unlock();
        }
    }

    /** Listed backups that have not failed. */
    int backups() {
        lock.lock();
        try {
            return goodBackups();
        } finally {
            lock.unlock();
        }
    }

    // private: the stream

    private StreamPiece tailFor(int bytes) {
        checkOpen();
        return stream.pieceFor(bytes);
    }

    private long logged(StreamPiece tail, int bytes, long first, int count, WriteTag tag) {
        long position = stream.appended(tail, bytes);
        end = position;
        isDirty = true;
        if (tag.isPresent()) {
            tags.executed(tag.client(), tag.sequence(), new Executed(position, first, count));
        }
        if (stream.isTailFull()) {
            queuePump();
        }
        return position;
    }

    private void checkOpen() {
        if (isClosed) {
            throw new ZoneMovedException(zone, around.self());
        }
    }

    private int goodBackups() {
        int good = 0;
        for (BackupChannel channel : channels.values()) {
            good += channel.isListed && !channel.isBroken ? 1 : 0;
        }
        return good;
    }

    /** Lets another thread send what there is to send. */
    private void queuePump() {
        if (!isPumpQueued) {
            isPumpQueued = true;
            around.executor().execute(this::runPump);
        }
    }

    private void runPump() {
        lock.lock();
        try {
            isPumpQueued = false;
        } finally {
            lock.unlock();
        }
        pump();
    }

    // private: sending

    private void pump() {
        for (BackupChannel channel : targets) {
            pump(channel);
        }
    }

    private void pump(BackupChannel channel) {
        BackupChannel.Slice slice = nextSlice(channel);
        while (slice != null) {
            ship(channel, slice);
            slice = nextSlice(channel);
        }
        long force = -1;
        long forceEpoch;
        int generation;
        lock.lock();
        try {
            forceEpoch = epoch;
            generation = channel.generation();
            force = isClosed ? -1 : channel.nextForce();
        } finally {
            lock.unlock();
        }
        if (force >= 0) {
            ask(channel.node, new ReplicaMessage.Force(zone, forceEpoch, force))
                    .whenComplete(
                            (answer, failure) ->
                                    answered(channel, generation, true, answer, failure));
        }
    }

    private BackupChannel.@Nullable Slice nextSlice(BackupChannel channel) {
        lock.lock();
        try {
            return isClosed ? null : channel.nextSlice(stream, around.config().window());
        } finally {
            lock.unlock();
        }
    }

    private void ship(BackupChannel channel, BackupChannel.Slice slice) {
        byte[] entries = new byte[slice.bytes()];
        NativeMemory.copyToArray(
                slice.piece().address + slice.offset(), entries, 0, slice.bytes());
        CompletableFuture<ReplicaMessage.Backup> answer =
                ask(
                        channel.node,
                        new ReplicaMessage.Append(
                                zone, epoch(), slice.first(), slice.count(), entries));
        lock.lock();
        try {
            channel.sent();
            stream.leave(slice.piece());
        } finally {
            lock.unlock();
        }
        answer.whenComplete(
                (backup, failure) ->
                        answered(channel, slice.generation(), false, backup, failure));
    }

    private CompletableFuture<ReplicaMessage.Backup> ask(int node, ReplicaMessage.Ask question) {
        try {
            return around.wire().ask(node, question);
        } catch (RuntimeException e) { // a network that is closed or full
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A backup has answered, or has not; perhaps on the receiving thread. */
    private void answered(
            BackupChannel channel,
            int generation,
            boolean isForce,
            ReplicaMessage.@Nullable Backup answer,
            @Nullable Throwable failure) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        boolean isStale = false;
        lock.lock();
        try {
            if (isClosed || channels.get(channel.node) != channel) {
                return;
            }
            boolean isCurrent = channel.generation() == generation;
            if (answer == null || failure != null) {
                if (isCurrent) {
                    channel.failed(around.nanoClock().getAsLong());
                }
                return;
            }
            switch (answer.status()) {
                case OK -> {
                    channel.learned(Math.min(answer.end(), end), answer.forcedEnd());
                    if (isCurrent && isForce) {
                        channel.forceEnded();
                    } else if (isCurrent) {
                        channel.taken();
                    }
                }
                case GAP -> {
                    channel.learned(Math.min(answer.end(), end), answer.forcedEnd());
                    if (isCurrent) {
                        channel.rewind();
                    }
                }
                case STALE -> {
                    isStale = true;
                    if (isCurrent) {
                        channel.failed(around.nanoClock().getAsLong());
                    }
                }
                case ABSENT, FAILED -> channel.isBroken = true;
            }
            advance(due);
        } finally {
            lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        if (isStale) {
            around.directory().zone(zone).thenAccept(news);
        } else {
            pump(channel);
        }
    }

    // private: progress

    /** Works out anew what is safe; collects who has waited for it. */
    private void advance(List<CompletableFuture<Void>> due) {
        long least = Long.MAX_VALUE;
        long kept = end;
        for (BackupChannel channel : channels.values()) {
            if (channel.isRequired) {
                least = Math.min(least, channel.isBroken ? settled : channel.acked());
            }
            if (!channel.isBroken) {
                kept = Math.min(kept, channel.acked());
            }
        }
        if (least != Long.MAX_VALUE && least > settled) {
            settled = least;
            pending.acknowledged(least);
        }
        if (goodBackups() >= ReplicaConfig.MIN_BACKUPS) {
            processEnd = Math.max(processEnd, settled);
            powerEnd = Math.max(powerEnd, Math.min(processEnd, secondForced()));
        }
        stream.release(kept);
        collectDue(due);
        changed.signalAll();
    }

    private void collectDue(List<CompletableFuture<Void>> due) {
        readers.reached(settled, due);
        process.reached(processEnd, due);
        power.reached(powerEnd, due);
    }

    /** The position that at least two listed backups have on disk. */
    private long secondForced() {
        long highest = 0;
        long second = 0;
        for (BackupChannel channel : channels.values()) {
            if (channel.isListed && !channel.isBroken) {
                if (channel.forced() >= highest) {
                    second = highest;
                    highest = channel.forced();
                } else {
                    second = Math.max(second, channel.forced());
                }
            }
        }
        return second;
    }

    // private: the directory

    /**
     * Tells the directory that the zone works under its epoch, once all its backups have on disk
     * what others, no longer backups, had before: after that the directory forgets those.
     */
    private void confirmIfDue(long nowNanos) {
        long confirmed;
        lock.lock();
        try {
            boolean isDue =
                    !isClosed
                            && confirmedEpoch < epoch
                            && (!isConfirming || nowNanos - confirmAskedNanos > ASK_AGAIN_NANOS)
                            && goodBackups() > 0;
            for (BackupChannel channel : channels.values()) {
                isDue &= !channel.isListed
                        || (!channel.isBroken && channel.forced() >= confirmPosition);
            }
            if (!isDue) {
                return;
            }
            isConfirming = true;
            confirmAskedNanos = nowNanos;
            confirmed = epoch;
        } finally {
            lock.unlock();
        }
        around.directory()
                .apply(new Command.ConfirmZone(zone, confirmed, around.self()))
                .whenComplete((result, failure) -> confirmed(confirmed, result, failure));
    }

    private void confirmed(long confirmed, @Nullable Result result, @Nullable Throwable failure) {
        lock.lock();
        try {
            isConfirming = false;
            if (failure == null) {
                confirmedEpoch = Math.max(confirmedEpoch, confirmed);
            }
        } finally {
            lock.unlock();
        }
        if (result != null) {
            told(result);
        }
    }

    private void told(Result result) {
        if (result instanceof Result.Zone now) {
            news.accept(now.info());
        }
    }

    private void retireBroken(long nowNanos) {
        List<Integer> broken = new ArrayList<>();
        lock.lock();
        try {
            for (BackupChannel channel : channels.values()) {
                if (channel.isBroken
                        && channel.isListed
                        && (channel.retireAskedNanos == 0
                                || nowNanos - channel.retireAskedNanos > ASK_AGAIN_NANOS)) {
                    channel.retireAskedNanos = nowNanos;
                    broken.add(channel.node);
                }
            }
        } finally {
            lock.unlock();
        }
        for (int node : broken) {
            LOGGER.warn(
                    "node {} has lost its copy of zone {}; another backup takes its place",
                    node,
                    Long.toHexString(zone));
            around.directory()
                    .apply(new Command.RetireBackup(zone, node))
                    .thenAccept(this::told);
        }
    }
}
