package org.starling.store.internal.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a log is at a moment, shared by the thread that appends, the logs' thread, and readers. All
 * fields are guarded by {@link #lock}; those that are volatile are written under it and may be read
 * without it. Methods that change something are called with the lock.
 *
 * <p>Blocks go one way: {@code open} (being filled) → {@code sealed} (waiting) → written → forced.
 * Ordinals are given when a block is sealed, so the file holds them in order.
 */
final class LogState {
    /** Who waits for a force: blocks below this ordinal must be safe. */
    private record Waiter(long ordinal, CompletableFuture<Long> future) {}

    /** How far the end of a log's life has come. */
    enum Closing {
        /** In use. */
        OPEN,
        /** To be flushed and let go. */
        FLUSH,
        /** To be let go as it is. */
        DROP,
        /** Files and memory are gone. */
        CLOSED
    }

    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    final VersionTable versions = new VersionTable();
    final TagWindow tags;
    final ArrayDeque<Segment> segments = new ArrayDeque<>();

    /** In the order in which they are written; after a failure, what only memory holds. */
    final ArrayDeque<Block> sealed = new ArrayDeque<>();

    private final LogContext context;
    private final long zone;
    private final long logId;
    private final long basePosition;
    private final List<Waiter> waiters = new ArrayList<>();
    private List<Damage> damages = List.of();

    /** See {@link LogScan.Found}; 0 in a log that has grown since. */
    private long foundSafeEnd;

    private long foundClaimedEnd;
    private @Nullable Block open;
    private int headSegment = 1;
    private int readers;

    /** Segments with a smaller number were found on the disk; they are not written again. */
    private int firstNewSegment;

    /** The least ordinal that has to be forced before a copy is safe. */
    private long copyOrdinal;

    /** What blocks say of the full copy: 0, or one of those of {@link BlockLayout}. */
    private int copy;

    private long nextOrdinal;

    /** Behind the last block with entries. */
    private long contentOrdinal;

    /** The forced ordinal that the last sealed block carries. */
    private long notedOrdinal;

    private long tailStart;
    private volatile long writtenOrdinal;
    private volatile long forcedOrdinal;
    private volatile long epoch;
    private volatile long entryEpoch;
    private volatile long end;
    private volatile long forcedEnd;
    private volatile long logBytes;
    private volatile @Nullable LogFailedException failure;
    private volatile Closing closing = Closing.OPEN;

    LogState(LogContext context, long zone, long logId, long basePosition, long epoch) {
        this.context = context;
        this.zone = zone;
        this.logId = logId;
        this.basePosition = basePosition;
        this.epoch = epoch;
        entryEpoch = epoch;
        end = basePosition;
        forcedEnd = basePosition;
        tailStart = basePosition + 1;
        copy = basePosition > 0 ? BlockLayout.PARTIAL : 0;
        tags = new TagWindow(context.config().tagWindow());
    }

    // ---- filling

    /**
     * The block for the next record, with room for it.
     *
     * @return null when there is no memory for a new one, or the log has to be cleaned first
     */
    @Nullable Block blockFor(int kind, long blockEpoch, int recordBytes) {
        Block block = open;
        if (block != null && block.takes(kind, blockEpoch) && block.fits(recordBytes)) {
            return block;
        }
        if (kind != BlockLayout.MOVED && isFull()) {
            return null;
        }
        Block fresh = context.pool().tryTake(BlockLayout.blockBytes(kind, recordBytes, 1));
        if (fresh == null) {
            return null;
        }
        seal();
        long first = kind == BlockLayout.COPY ? basePosition : end + 1;
        Segment segment = segmentFor(fresh.capacity());
        fresh.start(kind, blockEpoch, segment, first, context.nanoClock().getAsLong());
        open = fresh;
        context.wake().run();
        return fresh;
    }

    /** Ends the block that is being filled, if there is one. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void seal() {
        Block block = open;
        if (block == null) {
            return;
        }
        open = null;
        block.seal(nextOrdinal++, this);
        logBytes += block.blockBytes();
        notedOrdinal = forcedOrdinal;
        if (block.count() > 0) {
            contentOrdinal = nextOrdinal;
        }
        if (block.kind() == BlockLayout.STREAM) {
            block.segment().streamed(end);
        } else if (block.kind() == BlockLayout.COPY) {
            copyOrdinal = nextOrdinal;
        }
        sealed.addLast(block);
        context.wake().run();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private Segment segmentFor(int capacity) {
        Segment tail = segments.peekLast();
        if (tail != null
                && tail.number() >= firstNewSegment
                && tail.allocatedBytes() + capacity <= context.config().segmentBytes()) {
            return tail;
        }
        Segment next = new Segment(tail == null ? headSegment : tail.number() + 1);
        segments.addLast(next);
        logBytes += next.allocatedBytes(); // its first page
        return next;
    }

    /** Notes that the change behind the end has been taken. */
    void took(long changeEpoch, long position) {
        entryEpoch = changeEpoch;
        end = position;
        foundClaimedEnd = 0;
    }

    /** Refuses older epochs from now on. */
    void raise(long newEpoch) {
        epoch = Math.max(epoch, newEpoch);
    }

    // ---- waiting

    /** A future for the force of all that has been taken up to now. */
    CompletableFuture<Long> awaitForce(long position) {
        LogFailedException failed = failure;
        if (failed != null) {
            return CompletableFuture.failedFuture(failed);
        }
        long ordinal = nextOrdinal + (open == null ? 0 : 1);
        boolean copySafe = copyOrdinal <= forcedOrdinal;
        if (open != null && open.kind() == BlockLayout.COPY) {
            copySafe = false;
        }
        if (ordinal <= forcedOrdinal || (position <= forcedEnd && copySafe)) {
            return CompletableFuture.completedFuture(forcedEnd);
        }
        CompletableFuture<Long> future = new CompletableFuture<>();
        waiters.add(new Waiter(ordinal, future));
        context.wake().run();
        return future;
    }

    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** Whether a force of all blocks below an ordinal would help somebody. */
    boolean hasWaiters(long ordinal) {
        for (Waiter waiter : waiters) {
            if (waiter.ordinal() <= ordinal) {
                return true;
            }
        }
        return false;
    }

    /** Whether all is safe, but no block says so: damage could pass for a torn tail. */
    boolean wantsNote() {
        return open == null
                && sealed.isEmpty()
                && failure == null
                && contentOrdinal <= forcedOrdinal
                && notedOrdinal < contentOrdinal;
    }

    /** Notes that the first sealed block is in its file. */
    void wrote(Block block) {
        sealed.removeFirst();
        block.segment().written(block.fileOffset() + block.blockBytes());
        writtenOrdinal = block.ordinal() + 1;
        changed.signalAll();
    }

    /**
     * Notes that all blocks below an ordinal are safe.
     *
     * @return the futures to complete, without the lock
     */
    List<CompletableFuture<Long>> forced(long ordinal, long endForced) {
        forcedOrdinal = ordinal;
        forcedEnd = Math.max(forcedEnd, endForced);
        List<CompletableFuture<Long>> done = new ArrayList<>();
        for (Iterator<Waiter> i = waiters.iterator(); i.hasNext(); ) {
            Waiter waiter = i.next();
            if (waiter.ordinal() <= ordinal) {
                done.add(waiter.future());
                i.remove();
            }
        }
        return done;
    }

    /**
     * Gives up: nothing is written from now on, and what has not been written stays in memory to be
     * read.
     *
     * @return the futures to fail, without the lock
     */
    List<CompletableFuture<Long>> fail(LogFailedException cause) {
        if (failure != null) {
            return List.of();
        }
        seal();
        failure = cause;
        sealed.forEach(context.pool()::disown);
        List<CompletableFuture<Long>> failed = new ArrayList<>();
        waiters.forEach(waiter -> failed.add(waiter.future()));
        waiters.clear();
        changed.signalAll();
        return failed;
    }

    // ---- reading

    /** Keeps the cleaner away and memory in place until {@link #leaveReader}. */
    void enterReader() {
        if (closing != Closing.OPEN) {
            throw new LogFailedException("the log of zone 0x%x is closed".formatted(zone), null);
        }
        readers++;
    }

    void leaveReader() {
        readers--;
        changed.signalAll();
        context.wake().run();
    }

    boolean hasReaders() {
        return readers > 0;
    }

    /** Waits until all that was taken up to now is in files, or the log has failed. */
    void awaitWritten(long patienceNanos) {
        seal();
        long target = nextOrdinal;
        long left = patienceNanos;
        while (writtenOrdinal < target && failure == null) {
            if (left <= 0) {
                throw new LogFailedException(
                        "zone 0x%x: the disk did not take %d blocks in %d s"
                                .formatted(
                                        zone,
                                        target - writtenOrdinal,
                                        TimeUnit.NANOSECONDS.toSeconds(patienceNanos)),
                        null);
            }
            try {
                left = changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LogFailedException("interrupted while waiting for the disk", e);
            }
        }
    }

    // ---- cleaning and opening

    /** Whether there is too much in the log that nobody needs. */
    boolean wantsCleaning() {
        long live = versions.liveBytes();
        return failure == null
                && readers == 0
                && closing == Closing.OPEN
                && segments.size() > 1
                && logBytes > live + live / 2 + context.config().segmentBytes();
    }

    /** Whether the stream has to wait for the cleaner; never while that waits for a reader. */
    private boolean isFull() {
        LogConfig config = context.config();
        long limit = 2 * versions.liveBytes() + 2L * config.segmentBytes();
        return logBytes + config.flushBytes() > limit && wantsCleaning();
    }

    /**
     * From now on blocks say that the first segment is needed no more, nor those behind it that a
     * crash has left without a block: the first that is needed has one.
     */
    void advanceHead() {
        int last = segments.getLast().number();
        headSegment =
                segments.stream()
                        .skip(1)
                        .filter(each -> each.isBegun() || each.number() == last)
                        .findFirst()
                        .orElseThrow()
                        .number();
    }

    /**
     * Forgets the segments that are needed no more.
     *
     * @return those whose files are to be deleted, in this order
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    List<Segment> dropHead() {
        List<Segment> dropped = new ArrayList<>();
        while (segments.getFirst().number() < headSegment) {
            Segment head = segments.removeFirst();
            logBytes -= head.allocatedBytes();
            tailStart = Math.max(tailStart, head.streamEnd() + 1);
            dropped.add(head);
        }
        return dropped;
    }

    /** Takes over what a scan found. */
    void reopened(LogScan.Found found) {
        segments.addAll(found.segments());
        headSegment = found.head();
        firstNewSegment = segments.isEmpty() ? headSegment : segments.getLast().number() + 1;
        nextOrdinal = found.nextOrdinal();
        writtenOrdinal = nextOrdinal;
        forcedOrdinal = nextOrdinal;
        copyOrdinal = nextOrdinal;
        copyIsWhole();
        entryEpoch = found.entryEpoch();
        end = found.end();
        forcedEnd = end;
        tailStart = found.tailStart();
        damages = found.damages();
        foundSafeEnd = found.safeEnd();
        foundClaimedEnd = found.claimedEnd();
        if (!damages.isEmpty()) {
            failure =
                    new LogFailedException(
                            "zone 0x%x: its log is damaged: %s".formatted(zone, damages), null);
        }
        logBytes = segments.stream().mapToLong(Segment::allocatedBytes).sum();
    }

    /** Whether parts of a full copy may still come. */
    boolean takesCopy() {
        return copy == BlockLayout.PARTIAL;
    }

    /** All of the copy is safe, and blocks say so from now on. */
    void copyIsWhole() {
        copy = basePosition > 0 ? BlockLayout.WHOLE : 0;
    }

    int copy() {
        return copy;
    }

    /** Notes how far closing has come. */
    void closing(Closing now) {
        closing = now;
        changed.signalAll();
        context.wake().run();
    }

    // ---- accessors

    @Nullable Block open() {
        return open;
    }

    List<Damage> damages() {
        return damages;
    }

    int headSegment() {
        return headSegment;
    }

    long tailStart() {
        return tailStart;
    }

    long zone() {
        return zone;
    }

    long logId() {
        return logId;
    }

    long basePosition() {
        return basePosition;
    }

    long epoch() {
        return epoch;
    }

    long entryEpoch() {
        return entryEpoch;
    }

    long end() {
        return end;
    }

    long forcedEnd() {
        return forcedEnd;
    }

    long safeEnd() {
        return Math.max(forcedEnd, foundSafeEnd);
    }

    long claimedEnd() {
        return Math.max(safeEnd(), foundClaimedEnd);
    }

    long forcedOrdinal() {
        return forcedOrdinal;
    }

    long writtenOrdinal() {
        return writtenOrdinal;
    }

    long logBytes() {
        return logBytes;
    }

    @Nullable LogFailedException failure() {
        return failure;
    }

    Closing closing() {
        return closing;
    }
}
