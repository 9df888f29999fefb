package org.starling.store.internal.chunk;

import java.util.Arrays;
import java.util.BitSet;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * Blocks of native memory for the chunks of one node. The heap is cut in segments. New blocks are
 * placed one after the other in an open region of free segments, so a range of any length lies
 * together; a block may cross segments. Each segment knows how many of its bytes are live. Freed
 * blocks are used again for blocks of the same size ({@link FreeBlocks}); what that leaves over is
 * collected by the {@link HeapCompactor}, which empties the segments with the fewest live bytes.
 *
 * <p>Twice as many addresses as the limit are reserved, so that long runs of free segments can be
 * found when free segments lie scattered; never more segments than the limit (and {@link
 * #RESERVE_SEGMENTS} while compacting) hold memory. Free segments that hold memory are used before
 * fresh ones; of those that nobody has needed for some time the memory goes back to the operating
 * system ({@link #idleSegments}), but for {@link #KEPT_PERCENT} of the live bytes.
 *
 * <p>Owned by {@link ChunkSpace} and guarded by its lock. Costs per block: nothing beyond its
 * bytes.
 */
final class BlockHeap implements AutoCloseable {
    /**
     * Set in the result of {@link #append(long)} when the block holds old bytes: its user has to
     * clear it.
     */
    static final long USED_BEFORE = Long.MIN_VALUE;

    /** The answer when there is no room. */
    static final long NO_ROOM = 0;

    /** Segments beyond the limit that only the compactor may use, and gives back. */
    static final int RESERVE_SEGMENTS = 4;

    private static final int MIN_SEGMENT_SHIFT = 16;
    private static final int MAX_SEGMENT_SHIFT = 20;

    /** A heap has at least so many segments, if segments of the least size allow it. */
    private static final int WANTED_SEGMENTS = 64;

    private static final int ADDRESS_SPACE_FACTOR = 2;

    /** So much memory of free segments is kept for new blocks, in percent of the live bytes. */
    static final int KEPT_PERCENT = 3;

    private static final int PERCENT = 100;

    /** Bytes before the first segment, so that the bytes before the first block are readable. */
    private static final int GUARD_BYTES = 4096;

    private final int segmentShift;
    private final int limitSegments;
    private final int segments;
    private final long reserved;
    private final long reservedBytes;
    private final long base;

    private final FreeBlocks freed = new FreeBlocks();

    /** Live bytes of each segment. */
    private final int[] live;

    /** Segments that belong to nobody. */
    private final BitSet free;

    /**
     * Segments that have held blocks since their memory was last all zero and are used again or
     * free.
     */
    private final BitSet touched;

    private int usedSegments;
    private int touchedFreeSegments;

    /** The fewest of them since {@link #idleSegments} was last asked. */
    private int leastTouchedFree;

    private long liveBytes;

    /**
     * The open region: new blocks start at {@code cursor}, up to {@code regionEnd}. Both 0 before
     * the first.
     */
    private long cursor;

    private long regionEnd;

    BlockHeap(long limitBytes) {
        long wantedSegment = Long.highestOneBit(Math.max(1, limitBytes / WANTED_SEGMENTS));
        segmentShift =
                Math.clamp(
                        Long.numberOfTrailingZeros(wantedSegment),
                        MIN_SEGMENT_SHIFT,
                        MAX_SEGMENT_SHIFT);
        limitSegments = Math.toIntExact(Math.max(1, limitBytes >>> segmentShift));
        segments =
                Math.addExact(
                        Math.multiplyExact(limitSegments, ADDRESS_SPACE_FACTOR), RESERVE_SEGMENTS);
        reservedBytes = ((long) segments << segmentShift) + GUARD_BYTES;
        reserved = NativeMemory.reserve(reservedBytes);
        base = reserved + GUARD_BYTES;
        if (base + reservedBytes > ChunkEntryLayout.ADDRESS_MASK) {
            NativeMemory.release(reserved, reservedBytes);
            throw new IllegalStateException("heap addresses do not fit in 48 bits");
        }
        live = new int[segments];
        free = new BitSet(segments);
        free.set(0, segments);
        touched = new BitSet(segments);
    }

    // main operations

    /**
     * Takes a freed block of this size.
     *
     * @return its address with {@link #USED_BEFORE}, or {@link #NO_ROOM}
     */
    long reuse(long bytes) {
        long again = freed.take(bytes);
        if (again == 0) {
            return NO_ROOM;
        }
        addLive(again, bytes, 1);
        return again | USED_BEFORE;
    }

    /**
     * Whether {@link #append} of this size takes another segment.
     *
     * @return true if it does not fit in the open region
     */
    boolean needsSegment(long bytes) {
        return regionEnd - cursor < bytes;
    }

    /**
     * Allocates a block behind the last one.
     *
     * @return its address, with {@link #USED_BEFORE} set if it holds old bytes; {@link #NO_ROOM} if
     *     there is none
     */
    long append(long bytes) {
        return append(bytes, limitSegments);
    }

    /**
     * As {@link #append(long)}, with the reserve; for moving a chunk to.
     *
     * @return as {@link #append(long)}
     */
    long appendForMove(long bytes) {
        return append(bytes, limitSegments + RESERVE_SEGMENTS);
    }

    /** Frees a block, or several blocks that lie together. */
    void free(long address, long bytes) {
        addLive(address, bytes, -1);
        if (bytes <= FreeBlocks.MAX_BLOCK_BYTES) {
            freed.put(address, bytes);
        }
        // Segments wholly inside hold nothing else, not even freed blocks, so they need no
        // collection.
        int from = segmentOf(address + segmentBytes() - 1);
        int to = segmentOf(address + bytes);
        for (int segment = from; segment < to; segment++) {
            freeSegment(segment);
        }
    }

    /**
     * Takes a block that has been moved away out of the live bytes, without offering it for use.
     */
    void leave(long address, long bytes) {
        addLive(address, bytes, -1);
    }

    // for the compactor

    /**
     * The segments whose collection gives most, emptiest first.
     *
     * @param deadGoal stop when the rest has no more dead bytes than this
     * @param liveLimit stop when so many bytes would have to be moved
     */
    int[] victims(long deadGoal, long liveLimit) {
        int[] closed = new int[usedSegments];
        int count = 0;
        for (int segment = free.nextClearBit(0);
                segment < segments;
                segment = free.nextClearBit(segment + 1)) {
            if (!isOpen(segment) && live[segment] < segmentBytes()) {
                closed[count++] = segment;
            }
        }
        long[] byLive = new long[count];
        for (int i = 0; i < count; i++) {
            byLive[i] = (long) live[closed[i]] << Integer.SIZE | closed[i];
        }
        Arrays.sort(byLive);
        long dead = deadBytes();
        long moved = 0;
        int chosen = 0;
        while (chosen < count && dead > deadGoal && moved < liveLimit) {
            int segment = (int) byLive[chosen];
            moved += live[segment];
            dead -= segmentBytes() - live[segment];
            closed[chosen++] = segment;
        }
        return Arrays.copyOf(closed, chosen);
    }

    /**
     * Forgets the freed blocks that start or end in certain segments.
     *
     * @param isVictim by segment
     */
    void forgetFreed(BitSet isVictim) {
        freed.forgetIf((address, bytes) ->
                isVictim.get(segmentOf(address)) || isVictim.get(segmentOf(address + bytes - 1)));
    }

    /**
     * Makes a segment free if nothing in it is live.
     *
     * @param segment a segment that is not part of the open region and has no freed blocks on offer
     */
    boolean freeIfEmpty(int segment) {
        if (live[segment] != 0 || free.get(segment) || isOpen(segment)) {
            return false;
        }
        freeSegment(segment);
        return true;
    }

    /**
     * How many free segments are to give their memory back now: half of those that nobody has
     * needed since the last call, so that a heap that is in use keeps what it uses and one that has
     * become smaller is small soon.
     *
     * @return segments, to be handed to {@link #discardFree}
     */
    int idleSegments() {
        int kept = (int) ((liveBytes * KEPT_PERCENT / PERCENT) >>> segmentShift);
        int idle = leastTouchedFree - kept;
        leastTouchedFree = touchedFreeSegments;
        return Math.max(0, idle + 1) / 2;
    }

    /** Gives the memory of free segments back to the operating system, those at the end first. */
    void discardFree(int count) {
        int segment = segments;
        for (int i = 0; i < count && touchedFreeSegments > 0; i++) {
            segment = lastTouchedFree(segment - 1);
            discard(segment);
        }
    }

    // accessors

    int segmentOf(long address) {
        return (int) ((address - base) >>> segmentShift);
    }

    int segments() {
        return segments;
    }

    long segmentBytes() {
        return 1L << segmentShift;
    }

    long limitBytes() {
        return (long) limitSegments << segmentShift;
    }

    long usedBytes() {
        return (long) usedSegments << segmentShift;
    }

    long liveBytes() {
        return liveBytes;
    }

    /** Bytes of used segments that neither hold a live block nor belong to the open region. */
    long deadBytes() {
        return usedBytes() - liveBytes - (regionEnd - cursor);
    }

    /** Releases the memory. Nobody may use a block any more. */
    @Override
    public void close() {
        NativeMemory.release(reserved, reservedBytes);
    }

    // private

    private long append(long bytes, int limit) {
        if (regionEnd - cursor < bytes && !openRegion(bytes, limit)) {
            return NO_ROOM;
        }
        long address = cursor;
        cursor += bytes;
        addLive(address, bytes, 1);
        int firstTouched = touched.nextSetBit(segmentOf(address));
        boolean usedBefore = firstTouched >= 0 && firstTouched <= segmentOf(cursor - 1);
        return usedBefore ? address | USED_BEFORE : address;
    }

    /**
     * Makes the open region long enough, by free segments behind it or by a new run of free
     * segments.
     */
    private boolean openRegion(long bytes, int limit) {
        int more = segmentsFor(bytes - (regionEnd - cursor));
        int next = segmentOf(regionEnd);
        if (regionEnd != 0
                && usedSegments + more <= limit
                && isFreeRun(next, more)
                && (touchedFreeSegments == 0 || touched.get(next))) {
            take(next, more);
            regionEnd += (long) more << segmentShift;
            return true;
        }
        int run = segmentsFor(bytes);
        int start = usedSegments + run <= limit ? findFreeRun(run) : -1;
        if (start >= 0 && run == 1 && touchedFreeSegments > 0) {
            start = firstTouchedFree();
        }
        if (start < 0) {
            return false;
        }
        take(start, run);
        cursor = base + ((long) start << segmentShift);
        regionEnd = cursor + ((long) run << segmentShift);
        return true;
    }

    private int segmentsFor(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE / 2, (bytes + segmentBytes() - 1) >>> segmentShift);
    }

    private boolean isFreeRun(int start, int count) {
        int end = start + count;
        return end <= segments && free.nextClearBit(start) >= end;
    }

    private int findFreeRun(int count) {
        int start = free.nextSetBit(0);
        while (start >= 0 && start + count <= segments) {
            int end = free.nextClearBit(start);
            if (end - start >= count) {
                return start;
            }
            start = free.nextSetBit(end);
        }
        return -1;
    }

    private void take(int start, int count) {
        free.clear(start, start + count);
        usedSegments += count;
        for (int i = touched.nextSetBit(start);
                i >= 0 && i < start + count;
                i = touched.nextSetBit(i + 1)) {
            touchedFreeSegments--;
        }
        discardFree(usedSegments + touchedFreeSegments - limitSegments);
        leastTouchedFree = Math.min(leastTouchedFree, touchedFreeSegments);
    }

    private void discard(int segment) {
        NativeMemory.discard(base + ((long) segment << segmentShift), segmentBytes());
        touched.clear(segment);
        touchedFreeSegments--;
    }

    /** If there is one. */
    private int firstTouchedFree() {
        int segment = touched.nextSetBit(0);
        while (!free.get(segment)) {
            segment = touched.nextSetBit(segment + 1);
        }
        return segment;
    }

    /** The last up to a segment, if there is one. */
    private int lastTouchedFree(int from) {
        int segment = touched.previousSetBit(from);
        while (!free.get(segment)) {
            segment = touched.previousSetBit(segment - 1);
        }
        return segment;
    }

    private void freeSegment(int segment) {
        free.set(segment);
        touched.set(segment);
        usedSegments--;
        touchedFreeSegments++;
    }

    private boolean isOpen(int segment) {
        return cursor < regionEnd && segment >= segmentOf(cursor) && segment < segmentOf(regionEnd);
    }

    private void addLive(long address, long bytes, int sign) {
        liveBytes += sign * bytes;
        int segment = segmentOf(address);
        long left = bytes;
        long here = Math.min(left, segmentEnd(segment) - address);
        while (left > 0) {
            int liveNow = live[segment] + (int) (sign * here);
            if (liveNow < 0 || liveNow > segmentBytes()) {
                throw new IllegalStateException(
                        "a block of "
                                + bytes
                                + " bytes was "
                                + (sign < 0 ? "freed" : "allocated")
                                + " twice: segment "
                                + segment
                                + " would have "
                                + liveNow
                                + " live bytes");
            }
            live[segment++] = liveNow;
            left -= here;
            here = Math.min(left, segmentBytes());
        }
    }

    private long segmentEnd(int segment) {
        return base + ((long) (segment + 1) << segmentShift);
    }
}
