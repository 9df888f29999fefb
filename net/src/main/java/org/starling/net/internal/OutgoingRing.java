package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.starling.net.NativeMemory;

/**
 * The outgoing ring of one connection: frames in native memory, many producers, one consumer at a
 * time, no locks.
 *
 * <p>A producer claims room by moving the tail (compare-and-set), writes header and payload, and
 * commits by setting the <em>mark</em> of the frame: a byte beside the ring, one for each word in
 * which a frame may start, that also tells the length of a short frame. It never waits for
 * producers before it: frames leave in claim order, and the consumer stops at the first frame
 * without a mark. A claim is contiguous; the end of the ring that is too short for it becomes a
 * skip frame. Positions count bytes since the ring was made and never go back; the address is
 * position modulo capacity.
 *
 * <p>The consumer takes the marks away as it finds them, before it moves the head, so that a claim
 * always begins without marks wherever its frames will start, whatever was there a lap ago. What
 * has left stays in the ring and is written over: were commits told by the headers themselves, all
 * of it would have to be zeroed, as any word of a payload may be where a frame starts a lap later.
 *
 * <p>Owned by an {@link OutgoingLink}, whose drain lock makes the consumer unique. Memory is
 * released by {@link #releaseIfQuiet} after {@link #close}, when no producer is between claim and
 * commit; positions are fields of the heap and may be read at any time. Costs one compare-and-set
 * per claim, one release store per commit, and an eighth of the capacity for the marks. Finding
 * short frames reads marks alone: with many connections the frames themselves have left the cache
 * by then.
 *
 * <p>Whether there is room in ring and window and before the end of the lap is asked once for many
 * claims: {@code until} is the position up to which the answer is yes, and stays yes, since head
 * and window only move on. It is written after the claim that asked has moved the tail, so who
 * finds it beyond the end of a lap while holding a tail from before that end fails to move that;
 * and who uses it moves the tail later than who wrote it, which orders their writes to the same
 * room.
 *
 * <p>Fields: see {@link RingFields}; the consumer's own are guarded by the drain lock, those that
 * statistics read are written opaque.
 */
final class OutgoingRing extends RingFields.Behind {

    /** Result of {@link #claim}: no room now. */
    static final long FULL = 0;

    /** Result of {@link #claim}: the ring is closed. */
    static final long CLOSED = -1;

    /** As a limit: the window does not count. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final VarHandle TAIL = field(RingFields.Producers.class, "tail");
    private static final VarHandle UNTIL = field(RingFields.Producers.class, "until");
    private static final VarHandle DEFERRED =
            field(RingFields.Producers.class, "deferred", boolean.class);
    private static final VarHandle HEAD = field(RingFields.Consumer.class, "head");
    private static final VarHandle SENT = field(OutgoingRing.class, "sent");
    private static final VarHandle FRAMES = field(OutgoingRing.class, "frames");
    private static final VarHandle WRITES = field(OutgoingRing.class, "writes");

    /** In the tail; above every position, so that no claim ends where it may any more. */
    private static final long CLOSED_BIT = 1L << 62;

    // Marks: none, the words of a short frame, or that its header tells how long it is and what.
    private static final byte UNCOMMITTED = 0;
    private static final byte SEE_HEADER = -1;
    private static final int MAX_SHORT_BYTES = Byte.MAX_VALUE * FrameLayout.ALIGNMENT_BYTES;

    private static final int LINE_BYTES = 64;

    /** Of a frame's position, the position of its mark. */
    private static final int MARK_SHIFT = 3;

    // The consumer's: base and mask once more, since theirs lie where producers write, and its own.
    private final long runBase;
    private final int runMask;
    private final int scanLimit;
    private long sent;
    private long scanned;
    private long skipRest;
    private long frames;
    private long writes;

    /** So that the compiler keeps the reads of {@link #approach}. */
    @SuppressWarnings("UnusedVariable") // nobody wants what was read
    private int approached;

    /** Guarded by the drain lock. */
    private boolean released;

    OutgoingRing(int capacity) {
        super(reserve(capacity), capacity);
        this.runBase = base;
        this.runMask = mask;
        this.scanLimit = capacity / 2;
    }

    private static long reserve(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 64) {
            throw new IllegalArgumentException(
                    "capacity must be a power of two of at least 64, found " + capacity);
        }
        return NativeMemory.reserve(nativeBytes(capacity));
    }

    private static VarHandle field(Class<?> owner, String name) {
        return field(owner, name, long.class);
    }

    private static VarHandle field(Class<?> owner, String name, Class<?> type) {
        return Fields.handle(MethodHandles.lookup(), owner, name, type);
    }

    /** Native memory of a ring. */
    static long nativeBytes(int capacity) {
        return (long) capacity + (capacity >>> MARK_SHIFT);
    }

    // ---- producers

    /** The tail as it is, for {@link #tryClaim}; of a closed ring no position. */
    long tail() {
        return tail;
    }

    /**
     * Claims room right behind {@code seen}, if that is still the tail and nothing needs a closer
     * look.
     *
     * @param bytes a multiple of 8, at most half the capacity
     * @return the address, or {@link #FULL} when {@link #claim(int, long)} has to find out
     */
    long tryClaim(long seen, int bytes) {
        long newTail = seen + bytes;
        return newTail <= (long) UNTIL.getOpaque(this) && TAIL.compareAndSet(this, seen, newTail)
                ? base + (seen & mask)
                : FULL;
    }

    /**
     * Claims contiguous room.
     *
     * @param bytes a multiple of 8, at most half the capacity
     * @return the address, or {@link #FULL} or {@link #CLOSED}
     */
    long claim(int bytes) {
        return claim(bytes, UNLIMITED, 0);
    }

    /**
     * Like {@link #claim(int)}, but full if so many bytes have been claimed since the ring was
     * made.
     *
     * @param limit never less than in an earlier call, but for {@link #UNLIMITED}
     */
    long claim(int bytes, long limit) {
        return claim(bytes, limit, 0);
    }

    /** Like {@link #claim(int)} for the very last frame: all later claims find the ring closed. */
    long claimLast(int bytes) {
        return claim(bytes, UNLIMITED, CLOSED_BIT);
    }

    /** Reads the tail once, as other producers take its cache line away. */
    private long claim(int bytes, long limit, long closing) {
        while (true) {
            long seen = tail;
            if (seen >= CLOSED_BIT) {
                return CLOSED;
            }
            if (seen >= limit) {
                return FULL;
            }
            int index = (int) seen & mask;
            int toEnd = capacity - index;
            int skip = toEnd < bytes ? toEnd : 0;
            long newTail = seen + skip + bytes;
            long free = freePosition() + capacity;
            if (newTail > free) {
                return FULL;
            }
            if (TAIL.compareAndSet(this, seen, newTail | closing)) {
                if (limit != UNLIMITED) {
                    long lapEnd = (newTail | mask) + 1;
                    UNTIL.setOpaque(this, Math.min(Math.min(limit, free), lapEnd));
                }
                if (skip == 0) {
                    return base + index;
                }
                commit(base + index, FrameLayout.header(FrameLayout.SKIP, 0, skip));
                return base;
            }
        }
    }

    /**
     * Makes a claimed frame visible to the consumer; nothing of it may be touched afterwards. A
     * frame that is not in the ring, as it waits in the overflow, only gets its header.
     */
    void commit(long address, long header) {
        NativeMemory.putLong(address, header);
        long index = address - base;
        if (Long.compareUnsigned(index, capacity) < 0) {
            NativeMemory.putByteRelease(marks + (index >>> MARK_SHIFT), mark(header));
        }
    }

    private static byte mark(long header) {
        int bytes = FrameLayout.aligned(FrameLayout.length(header));
        return bytes <= MAX_SHORT_BYTES && FrameLayout.kind(header) != FrameLayout.SKIP
                ? (byte) (bytes >>> MARK_SHIFT)
                : SEE_HEADER;
    }

    /**
     * Brings the ring's next {@code bytes} bytes, and their marks, into the cache, all at once: who
     * writes to many rings in turn finds each one's next line gone, and the compare-and-set of a
     * claim waits for every store before it. To be called between claim and commit, while the
     * memory can't be released.
     */
    void approach(long address, int bytes) {
        if (Long.compareUnsigned(address - base, capacity) >= 0) {
            return; // behind the last frame of a lap, or of the overflow
        }
        long end = Math.min(address + bytes, base + capacity);
        int sum = 0;
        for (long line = address; line < end; line += LINE_BYTES) {
            sum += NativeMemory.getByte(line);
        }
        long lastMark = marks + ((end - base) >>> MARK_SHIFT);
        for (long line = marks + ((address - base) >>> MARK_SHIFT);
                line < lastMark;
                line += LINE_BYTES) {
            sum += NativeMemory.getByte(line);
        }
        approached = sum;
    }

    /** Refuses all claims from now on. Claims made before must still be committed. */
    void close() {
        TAIL.getAndBitwiseOr(this, CLOSED_BIT);
    }

    boolean isClosed() {
        return tail >= CLOSED_BIT;
    }

    /** Position after the last claim. */
    long claimedPosition() {
        return tail & ~CLOSED_BIT;
    }

    /** Position up to which room is free again. */
    long freePosition() {
        return (long) HEAD.getAcquire(this);
    }

    int capacity() {
        return capacity;
    }

    long address() {
        return base;
    }

    // ---- what its link tells its producers

    /** Whether the receiving thread looks after this ring, so that commits need tell nobody. */
    boolean isDeferred() {
        return deferred;
    }

    /** False when it is deferred already. */
    boolean defer() {
        return DEFERRED.compareAndSet(this, false, true);
    }

    void endDeferral() {
        deferred = false;
    }

    /** Whether frames of the receiving thread wait for room behind those in the ring. */
    boolean isOverflowing() {
        return overflowing;
    }

    void setOverflowing(boolean value) {
        overflowing = value;
    }

    // ---- the consumer, under the drain lock

    /**
     * Finds the next run of committed bytes that is contiguous in memory.
     *
     * @param limitBytes the run ends with the frame that reaches it; at most half the ring counts
     * @return its length; it starts at {@link #sendIndex()}
     */
    int scan(int limitBytes) {
        int limit = Math.min(limitBytes, scanLimit);
        long start = sent;
        long end = scanned;
        long skip = skipRest;
        long count = frames;
        while (skip == 0 && end - start < limit && (end == start || (end & runMask) != 0)) {
            long index = end & runMask;
            long markAddress = runBase + runMask + 1 + (index >>> MARK_SHIFT);
            byte mark = NativeMemory.getByteAcquire(markAddress);
            if (mark == UNCOMMITTED) {
                break;
            }
            NativeMemory.putByte(markAddress, UNCOMMITTED);
            if (mark != SEE_HEADER) {
                end += (long) mark << MARK_SHIFT;
                count++;
                continue;
            }
            long header = NativeMemory.getLong(runBase + index);
            int length = FrameLayout.length(header);
            if (FrameLayout.kind(header) == FrameLayout.SKIP) {
                skip = (long) length - FrameLayout.HEADER_BYTES;
                end += FrameLayout.HEADER_BYTES;
            } else {
                end += FrameLayout.aligned(length);
                count++;
            }
        }
        scanned = end;
        skipRest = skip;
        FRAMES.setOpaque(this, count);
        return (int) (end - start);
    }

    /** Offset in the ring of the next byte to leave. */
    int sendIndex() {
        return (int) sent & runMask;
    }

    /** Tells that {@code bytes} bytes of the scanned run have left, and frees their room. */
    void sent(int bytes) {
        long end = sent + bytes;
        if (end == scanned && skipRest > 0) {
            end += skipRest;
            scanned = end;
            skipRest = 0;
        }
        SENT.setOpaque(this, end);
        WRITES.setOpaque(this, writes + 1);
        long newHead = end & -(long) FrameLayout.ALIGNMENT_BYTES;
        if (newHead != head) {
            HEAD.setRelease(this, newHead);
        }
    }

    /**
     * After {@link #close}: drops what is committed and releases the memory, unless a producer is
     * still writing.
     */
    boolean releaseIfQuiet() {
        if (released) {
            return true;
        }
        if (!isClosed()) {
            throw new IllegalStateException("ring is not closed");
        }
        for (int bytes = scan(scanLimit); bytes > 0; bytes = scan(scanLimit)) {
            sent(bytes);
        }
        if (sent != claimedPosition()) {
            return false;
        }
        released = true;
        NativeMemory.release(base, nativeBytes(capacity));
        return true;
    }

    boolean isReleased() {
        return released;
    }

    // ---- statistics, any thread

    long sentFrames() {
        return (long) FRAMES.getOpaque(this);
    }

    long sentPosition() {
        return (long) SENT.getOpaque(this);
    }

    long writes() {
        return (long) WRITES.getOpaque(this);
    }
}
