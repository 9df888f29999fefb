package org.starling.store.internal.replica;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.Network;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.log.BackupLogs;
import org.starling.store.internal.log.LogFailedException;
import org.starling.store.internal.log.MalformedEntryException;
import org.starling.store.internal.log.PositionGapException;
import org.starling.store.internal.log.StaleEpochException;
import org.starling.store.internal.log.TailUnavailableException;
import org.starling.store.internal.log.ZoneLog;
import org.starling.store.internal.replica.ReplicaMessage.Backup;
import org.starling.store.internal.replica.ReplicaMessage.Status;

/**
 * The backup's side: takes streams, copies and fences into the zone logs of this node. Owned by the
 * node. Messages of one zone are taken one at a time, those of one connection in their order; they
 * may wait for the disk, so they run on workers. Whatever comes late, twice or from an owner that
 * has been replaced is refused by epoch and position (docs/design/reliability.md, "fencing").
 */
public final class BackupService implements AutoCloseable {
    private static final Logger LOGGER = LogManager.getLogger(BackupService.class);

    /** A log that was used so recently is not deleted, whatever the directory says. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Zones that the directory is asked about at once. */
    static final int MAX_ASKED = 1 << 16;

    /** Entries are handed to the logs in buffers of so many bytes, or of their length. */
    private static final int BUFFER_BYTES = 256 << 10;

    /** What is kept of a zone beside its log. Guarded by its lock. */
    private static final class Slot {
        private final ReentrantLock lock = new ReentrantLock();

        /** The log that a full copy comes into, beside the zone's, until it is whole. */
        private @Nullable ZoneLog copy;

        private int copySource = -1;
        private long copyNumber;
        private long fence;
        private long touchedNanos;
        private boolean isTouched;
    }

    private final int nodeId;
    private final ZoneLogs logs;
    private final ZoneDirectory directory;
    private final LongSupplier nanoClock;
    private final PiecePool buffers = new PiecePool(BUFFER_BYTES);
    private final Map<Long, Slot> slots = new ConcurrentHashMap<>();

    /** Dumps that this node waits for, by number. */
    private final Map<Long, DumpTaker> dumps = new ConcurrentHashMap<>();

    private final AtomicLong lastDump = new AtomicLong();

    /** The last zone of which the directory has been asked whether it was dropped. */
    private volatile long lastAsked = -1;

    /** Zones of this node whose old log is not needed; set by {@link #ownedBy}. */
    private volatile LongPredicate isConfirmed = zone -> false;

    /** Set by {@link #preparedBy}. */
    private volatile LongFunction<CompletableFuture<Boolean>> preparer =
            zone -> CompletableFuture.completedFuture(false);

    /**
     * Over the logs of a disk.
     *
     * @param nodeId this node
     * @param logs of its data directory
     * @param directory told when a log gives up
     * @param nanoClock for the age of logs
     */
    public BackupService(
            int nodeId, BackupLogs logs, ZoneDirectory directory, LongSupplier nanoClock) {
        this(nodeId, ZoneLogs.on(logs), directory, nanoClock);
    }

    BackupService(int nodeId, ZoneLogs logs, ZoneDirectory directory, LongSupplier nanoClock) {
        this.nodeId = nodeId;
        this.logs = logs;
        this.directory = directory;
        this.nanoClock = nanoClock;
        logs.onFailure(this::gaveUp);
    }

    /**
     * Registers the handlers, before others know the node.
     *
     * @param network of this node
     */
    public void register(Network network) {
        serve(network, ReplicaMessage.APPEND);
        serve(network, ReplicaMessage.FORCE);
        serve(network, ReplicaMessage.FENCE);
        serve(network, ReplicaMessage.COPY_START);
        serve(network, ReplicaMessage.COPY_PART);
        serve(network, ReplicaMessage.COPY_END);
        serve(network, ReplicaMessage.PREPARE);
        network.serve(ReplicaMessage.TAIL, Execution.WORKER, (source, question) -> tail(question));
        Duration timeout = network.config().requestTimeout();
        BackupWire wire = BackupWire.over(network, timeout, timeout);
        network.<Backup, ReplicaMessage.Dump>serve(
                ReplicaMessage.DUMP,
                Execution.WORKER,
                (source, question) -> dump(wire, source, question));
        network.<Backup, ReplicaMessage.DumpPart>serve(
                ReplicaMessage.DUMP_PART, Execution.WORKER, (source, part) -> take(part));
    }

    private <Q extends ReplicaMessage.Ask> void serve(Network network, MessageType<Q> type) {
        network.<Backup, Q>serveAsync(
                type,
                Execution.ORDERED,
                (source, question, responder) -> {
                    CompletableFuture<?> _ =
                            take(source, question)
                                    .whenComplete((answer, failure) -> {
                                        if (failure == null) {
                                            responder.respond(answer);
                                        } else {
                                            responder.fail(failure);
                                        }
                                    });
                });
    }

    /**
     * Deletes the logs of zones that this node does not hold, says the directory, and forgets those
     * that have been dropped; call it every few seconds.
     *
     * @param executor of threads that may wait
     * @return completes when that is done
     */
    public CompletableFuture<Void> collectGarbage(Executor executor) {
        long asked = nanoClock.getAsLong();
        Set<Long> present = logs.zones();
        NavigableSet<Long> known = new TreeSet<>(slots.keySet());
        known.addAll(present);
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return directory
                .zonesOf(nodeId)
                .thenComposeAsync(
                        infos -> {
                            for (ZoneInfo info : infos) {
                                if (isNeeded(info)) {
                                    present.remove(info.zone());
                                }
                                known.remove(info.zone());
                            }
                            present.forEach(zone -> deleteIfIdle(zone, asked));
                            return known.isEmpty()
                                    ? CompletableFuture.completedFuture(null)
                                    : forgetDropped(known, executor);
                        },
                        executor);
    }

    /** Each round goes on behind the zones that the one before has asked about. */
    private CompletableFuture<Void> forgetDropped(NavigableSet<Long> known, Executor executor) {
        long[] zones =
                Stream.concat(
                                known.tailSet(lastAsked, false).stream(),
                                known.headSet(lastAsked, true).stream())
                        .limit(MAX_ASKED)
                        .mapToLong(Long::longValue)
                        .toArray();
        lastAsked = zones[zones.length - 1];
        return directory
                .dropped(zones)
                .thenAcceptAsync(dropped -> LongStream.of(dropped).forEach(this::forget), executor);
    }

    /** The zone is gone for good, so neither its log nor its fence is of use to anyone. */
    private void forget(long zone) {
        Slot slot = lockedSlot(zone);
        try {
            slot.copy = null;
            if (delete(zone)) {
                slots.remove(zone, slot);
            }
        } finally {
            slot.lock.unlock();
        }
    }

    /** Tells which of this node's own zones have so many confirmed backups that its log may go. */
    void ownedBy(LongPredicate confirmed) {
        isConfirmed = confirmed;
    }

    /** Brings zones into memory that this node is to take over. */
    void preparedBy(LongFunction<CompletableFuture<Boolean>> how) {
        preparer = how;
    }

    /** Gives its memory back; the logs are closed by who opened them. */
    @Override
    public void close() {
        buffers.close();
    }

    // messages

    /** Takes one message. */
    CompletableFuture<Backup> take(int source, ReplicaMessage.Ask question) {
        Slot slot = lockedSlot(question.zone());
        try {
            slot.touchedNanos = nanoClock.getAsLong();
            slot.isTouched = true;
            return switch (question) {
                case ReplicaMessage.Append append -> append(slot, append);
                case ReplicaMessage.Force force -> force(slot, force);
                case ReplicaMessage.Fence fence -> fence(slot, fence);
                case ReplicaMessage.CopyStart start -> startCopy(slot, source, start);
                case ReplicaMessage.CopyPart part -> copy(slot, source, part);
                case ReplicaMessage.CopyEnd end -> endCopy(slot, source, end);
                case ReplicaMessage.Prepare prepare -> prepare(prepare);
            };
        } catch (StaleEpochException e) {
            return answer(Status.STALE, present(slot, question.zone()));
        } catch (PositionGapException e) {
            return answer(Status.GAP, present(slot, question.zone()));
        } catch (LogFailedException | MalformedEntryException e) {
            LOGGER.warn(
                    "node {} cannot keep its copy of zone {}: {}",
                    nodeId,
                    Long.toHexString(question.zone()),
                    e.getMessage());
            boolean isUnknown =
                    question instanceof ReplicaMessage.Fence
                            && e instanceof LogFailedException failed
                            && failed.isHang();
            boolean isOfDisk = e instanceof LogFailedException failed && failed.isOfDisk();
            return isUnknown
                    ? CompletableFuture.failedFuture(e)
                    : answer(isOfDisk ? Status.FAILED : Status.REFUSED, null);
        } finally {
            slot.lock.unlock();
        }
    }

    /** What the stream goes into: the copy that is under way, or the log. */
    private @Nullable ZoneLog present(Slot slot, long zone) {
        return slot.copy != null ? slot.copy : logs.get(zone);
    }

    private CompletableFuture<Backup> append(Slot slot, ReplicaMessage.Append append) {
        ZoneLog log = present(slot, append.zone());
        if (log == null) {
            if (append.epoch() < slot.fence) {
                return answer(Status.STALE, null);
            }
            if (append.first() != 1) {
                return answer(Status.ABSENT, null);
            }
            log = logs.create(append.zone(), append.epoch());
        }
        ZoneLog target = log;
        withNative(
                append.entries(),
                address ->
                        target.append(
                                append.epoch(),
                                append.first(),
                                address,
                                append.entries().length,
                                append.count()));
        return answer(Status.OK, log);
    }

    private CompletableFuture<Backup> force(Slot slot, ReplicaMessage.Force force) {
        ZoneLog log = present(slot, force.zone());
        if (log == null) {
            return answer(Status.ABSENT, null);
        }
        if (force.epoch() < log.epoch()) {
            return answer(Status.STALE, log);
        }
        if (force.position() > log.end()) {
            return answer(Status.GAP, log);
        }
        return log.force(force.position())
                .handle((end, failure) -> backup(failure == null ? Status.OK : Status.FAILED, log));
    }

    /**
     * Without a log there is nothing to tell, and none is made up: it would pass for all of the
     * zone. The fence holds all the same, as long as this node has its id. A copy that is under way
     * comes from an owner that has been replaced, and ends.
     */
    private CompletableFuture<Backup> fence(Slot slot, ReplicaMessage.Fence fence) {
        ZoneLog log = logs.get(fence.zone());
        long least = Math.max(slot.fence, log == null ? 0 : log.epoch());
        if (fence.epoch() < least) {
            return CompletableFuture.completedFuture(new Backup(Status.STALE, least, 0, 0));
        }
        slot.fence = fence.epoch();
        if (slot.copy != null) {
            slot.copy = null;
            try {
                logs.dropCopy(fence.zone());
            } catch (LogFailedException e) { // the log beside it is as it was
                LOGGER.warn("node {}: {}", nodeId, e.getMessage());
            }
        }
        if (log == null) {
            return answer(Status.ABSENT, null);
        }
        try {
            log.fence(fence.epoch());
        } catch (LogFailedException e) {
            if (e.isHang()) {
                throw e;
            }
            LOGGER.warn("the log of zone {} is fenced in memory alone", fence.zone(), e);
        }
        return answer(Status.OK, log);
    }

    private CompletableFuture<Backup> prepare(ReplicaMessage.Prepare prepare) {
        ZoneLog log = logs.get(prepare.zone());
        if (log == null || prepare.epoch() < log.epoch()) {
            return answer(log == null ? Status.ABSENT : Status.STALE, log);
        }
        return preparer.apply(prepare.zone())
                .handle((isReady, failure) ->
                        backup(failure == null && isReady ? Status.OK : Status.FAILED, log));
    }

    private CompletableFuture<Backup> startCopy(
            Slot slot, int source, ReplicaMessage.CopyStart start) {
        ZoneLog old = readable(start.zone());
        boolean isLate = slot.copySource == source && start.number() <= slot.copyNumber;
        if (isLate || start.epoch() < slot.fence || (old != null && start.epoch() < old.epoch())) {
            return answer(Status.STALE, old);
        }
        ZoneLog copy = logs.createCopy(start.zone(), start.epoch(), start.base());
        slot.copy = copy;
        slot.copySource = source;
        slot.copyNumber = start.number();
        return answer(Status.OK, copy);
    }

    /** The log, if there is one that can be read: a full copy takes the place of any. */
    private @Nullable ZoneLog readable(long zone) {
        try {
            return logs.get(zone);
        } catch (LogFailedException e) {
            LOGGER.warn("node {}: {}", nodeId, e.getMessage());
            return null;
        }
    }

    private CompletableFuture<Backup> copy(Slot slot, int source, ReplicaMessage.CopyPart part) {
        ZoneLog log = slot.copy;
        if (log == null || !isOfCopy(slot, source, part.number(), part.epoch())) {
            return answer(Status.ABSENT, null);
        }
        withNative(
                part.entries(),
                address -> log.appendCopy(address, part.entries().length, part.count()));
        return answer(Status.OK, log);
    }

    private CompletableFuture<Backup> endCopy(Slot slot, int source, ReplicaMessage.CopyEnd end) {
        if (slot.copy == null || !isOfCopy(slot, source, end.number(), end.epoch())) {
            return answer(Status.ABSENT, null);
        }
        slot.copy = null;
        return answer(Status.OK, logs.adoptCopy(end.zone()));
    }

    private static boolean isOfCopy(Slot slot, int source, long number, long epoch) {
        return slot.copySource == source && slot.copyNumber == number && epoch >= slot.fence;
    }

    /** A part of the end of a stream. */
    ReplicaMessage.TailPart tail(ReplicaMessage.Tail question) {
        ZoneLog log = readable(question.zone());
        if (log == null) {
            return new ReplicaMessage.TailPart(question.from(), 0, new byte[0]);
        }
        try {
            return TailBatchReader.read(log, question.from(), question.limitBytes());
        } catch (TailUnavailableException e) {
            return new ReplicaMessage.TailPart(question.from(), 0, new byte[0]);
        }
    }

    /** Sends the content of a log to a node whose own is damaged. */
    Backup dump(BackupWire wire, int source, ReplicaMessage.Dump dump) {
        ZoneLog log = readable(dump.zone());
        boolean isWhole = log != null && DumpSender.send(log, wire, source, dump, BUFFER_BYTES);
        return backup(isWhole ? Status.OK : Status.ABSENT, log);
    }

    /** Takes a part of a dump that this node has asked for. */
    Backup take(ReplicaMessage.DumpPart part) {
        DumpTaker taker = dumps.get(part.run());
        if (taker == null) {
            return backup(Status.ABSENT, null);
        }
        taker.take(part.entries());
        return backup(Status.OK, null);
    }

    /** Begins to take the parts of a dump; returns its number. */
    long openDump(DumpTaker taker) {
        long run = lastDump.incrementAndGet();
        dumps.put(run, taker);
        return run;
    }

    void closeDump(long run) {
        dumps.remove(run);
    }

    /**
     * Has the directory rely no more on nodes without a good copy, one after the other, as each
     * begins a new epoch; ends when somebody else has begun one.
     */
    void retire(long zone, long epoch, List<Integer> nodes) {
        if (nodes.isEmpty()) {
            return;
        }
        CompletableFuture<?> _ =
                directory
                        .apply(new Command.RetireBackup(zone, epoch, nodes.getFirst(), false))
                        .thenAccept(result -> {
                            if (result instanceof Result.Zone now && now.changed()) {
                                retire(zone, now.info().epoch(), nodes.subList(1, nodes.size()));
                            }
                        });
    }

    /** Whether anything is kept of a zone. */
    boolean knows(long zone) {
        return slots.containsKey(zone);
    }

    /** This node's log of a zone, or null if it has none that can be read. */
    @Nullable ZoneLog log(long zone) {
        return readable(zone);
    }

    // private

    /** What is kept of a zone, its lock held. */
    @SuppressWarnings("LockNotBeforeTry") // the caller releases it
    private Slot lockedSlot(long zone) {
        while (true) {
            Slot slot = slots.computeIfAbsent(zone, id -> new Slot());
            slot.lock.lock();
            if (slots.get(zone) == slot) {
                return slot;
            }
            slot.lock.unlock(); // it was forgotten meanwhile
        }
    }

    private static CompletableFuture<Backup> answer(Status status, @Nullable ZoneLog log) {
        return CompletableFuture.completedFuture(backup(status, log));
    }

    private static Backup backup(Status status, @Nullable ZoneLog log) {
        return log == null
                ? new Backup(status, 0, 0, 0)
                : new Backup(
                        status,
                        log.epoch(),
                        log.end(),
                        log.forcedEnd(),
                        log.safeEnd(),
                        log.claimedEnd(),
                        log.isDamaged());
    }

    @FunctionalInterface
    private interface AddressUser {
        void use(long address);
    }

    private void withNative(byte[] bytes, AddressUser user) {
        StreamPiece buffer = buffers.take(0, Math.max(1, bytes.length));
        try {
            NativeMemory.copyFromArray(bytes, 0, buffer.address, bytes.length);
            user.use(buffer.address);
        } finally {
            buffers.give(buffer);
        }
    }

    /**
     * Whether a log may still be somebody's copy: of a zone that this node owns, until others are.
     */
    private boolean isNeeded(ZoneInfo info) {
        return info.owner() != nodeId || !isConfirmed.test(info.zone());
    }

    private void deleteIfIdle(long zone, long askedNanos) {
        Slot slot = lockedSlot(zone);
        try {
            if (slot.isTouched && askedNanos - slot.touchedNanos < GRACE_NANOS) {
                return;
            }
            LOGGER.info(
                    "node {} deletes its log of zone {}, which others hold",
                    nodeId,
                    Long.toHexString(zone));
            delete(zone);
        } finally {
            slot.lock.unlock();
        }
    }

    /** Deletes a log; false if the disk refuses, to be tried again in the next round. */
    private boolean delete(long zone) {
        try {
            logs.delete(zone);
            return true;
        } catch (LogFailedException e) {
            LOGGER.warn("node {}: {}", nodeId, e.getMessage());
            return false;
        }
    }

    private void gaveUp(ZoneLog log) {
        LOGGER.warn(
                "node {} gives its copy of zone {} up: its log cannot be written",
                nodeId,
                Long.toHexString(log.zone()));
        leave(log.zone());
    }

    /**
     * Is a backup no more. A log that can be read but not written is better than none, so the last
     * one stays, and so does each of a zone without an owner; the owner, who asks it from time to
     * time, looks for another. If the backups have changed meanwhile, it is looked at again who the
     * last one is.
     */
    private void leave(long zone) {
        CompletableFuture<?> _ =
                directory
                        .zone(zone)
                        .thenAccept(info -> {
                            boolean isLast = info.backups().equals(List.of(nodeId));
                            if (info.backups().contains(nodeId) && !isLast) {
                                leave(info);
                            }
                        });
    }

    private void leave(ZoneInfo info) {
        CompletableFuture<?> _ =
                directory
                        .apply(new Command.RetireBackup(info.zone(), info.epoch(), nodeId, true))
                        .thenAccept(result -> {
                            if (result instanceof Result.Zone now
                                    && !now.changed()
                                    && now.info().epoch() != info.epoch()) {
                                leave(info.zone());
                            }
                        });
    }
}
