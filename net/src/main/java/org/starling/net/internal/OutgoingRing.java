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
 * commit; positions are heap words and may be read at any time. Costs one compare-and-set per
 * claim, one release store per commit, and an eighth of the capacity for the marks. Finding short
 * frames reads marks alone: with many connections the frames themselves have left the cache by
 * then.
 *
 * <p>Fields: {@code words} holds tail (all producers, VarHandle), head (consumer writes, release),
 * and the consumer's own positions and counters (guarded by the drain lock, written opaque so that
 * statistics may read them).
 */
final class OutgoingRing {

    /** Result of {@link #claim}: no room now. */
    static final long FULL = 0;

    /** Result of {@link #claim}: the ring is closed. */
    static final long CLOSED = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long CLOSED_BIT = Long.MIN_VALUE;

    // Marks: none, the words of a short frame, or that its header tells how long it is and what.
    private static final byte UNCOMMITTED = 0;
    private static final byte SEE_HEADER = -1;
    private static final int MAX_SHORT_BYTES = Byte.MAX_VALUE * FrameLayout.ALIGNMENT_BYTES;

    private static final int LINE_BYTES = 64;

    /** Of a frame's position, the position of its mark. */
    private static final int MARK_SHIFT = 3;

    // Indices of words; 16 words (two cache lines) apart where different threads write.
    private static final int TAIL = 16;
    private static final int CACHED_HEAD = 17;
    private static final int HEAD = 32;
    private static final int SENT = 48;
    private static final int SCANNED = 49;
    private static final int SKIP_REST = 50;
    private static final int FRAMES = 51;
    private static final int WRITES = 52;
    private static final int WORDS = 64;

    private final long[] words = new long[WORDS];
    private final long base;

    /** Behind the ring; all zero but for those of frames committed and not scanned. */
    private final long marks;

    private final int capacity;
    private final int mask;
    private final int scanLimit;

    /** So that the compiler keeps the reads of {@link #approach}. */
    @SuppressWarnings("UnusedVariable") // nobody wants what was read
    private int approached;

    /** Guarded by the drain lock. */
    private boolean released;

    OutgoingRing(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 64) {
            throw new IllegalArgumentException(
                    "capacity must be a power of two of at least 64, found " + capacity);
        }
        this.capacity = capacity;
        this.mask = capacity - 1;
        this.scanLimit = capacity / 2;
        this.base = NativeMemory.reserve(nativeBytes(capacity));
        this.marks = base + capacity;
    }

    /** Native memory of a ring. */
    static long nativeBytes(int capacity) {
        return (long) capacity + (capacity >>> MARK_SHIFT);
    }

    // ---- producers
    // --------------------------------------------------------------------------------------------

    /**
     * Claims contiguous room.
     *
     * @param bytes a multiple of 8, at most {@link #maxClaimBytes()}
     * @return the address, or {@link #FULL} or {@link #CLOSED}
     */
    long claim(int bytes) {
        return claim(bytes, Long.MAX_VALUE, 0);
    }

    /**
     * Like {@link #claim(int)}, but full if so many bytes have been claimed since the ring was
     * made.
     */
    long claim(int bytes, long limit) {
        return claim(bytes, limit, 0);
    }

    /** Like {@link #claim(int)} for the very last frame: all later claims find the ring closed. */
    long claimLast(int bytes) {
        return claim(bytes, Long.MAX_VALUE, CLOSED_BIT);
    }

    /** Reads the tail once, as other producers take its cache line away. */
    private long claim(int bytes, long limit, long closing) {
        while (true) {
            long tail = (long) WORD.getVolatile(words, TAIL);
            if (tail < 0) {
                return CLOSED;
            }
            if (tail >= limit) {
                return FULL;
            }
            int index = (int) tail & mask;
            int toEnd = capacity - index;
            int skip = toEnd < bytes ? toEnd : 0;
            long newTail = tail + skip + bytes;
            if (newTail - (long) WORD.getOpaque(words, CACHED_HEAD) > capacity) {
                long head = (long) WORD.getAcquire(words, HEAD);
                if (newTail - head > capacity) {
                    return FULL;
                }
                WORD.setRelease(words, CACHED_HEAD, head);
            }
            if (WORD.compareAndSet(words, TAIL, tail, newTail | closing)) {
                VarHandle.acquireFence();
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
        WORD.getAndBitwiseOr(words, TAIL, CLOSED_BIT);
    }

    boolean isClosed() {
        return (long) WORD.getVolatile(words, TAIL) < 0;
    }

    /** Position after the last claim. */
    long claimedPosition() {
        return (long) WORD.getVolatile(words, TAIL) & ~CLOSED_BIT;
    }

    /** Position up to which room is free again. */
    long freePosition() {
        return (long) WORD.getAcquire(words, HEAD);
    }

    int maxClaimBytes() {
        return capacity / 4;
    }

    int capacity() {
        return capacity;
    }

    long address() {
        return base;
    }

    // ---- the consumer, under the drain lock
    // -------------------------------------------------------------------

    /**
     * Finds the next run of committed bytes that is contiguous in memory.
     *
     * @param limitBytes the run ends with the frame that reaches it; at most half the ring counts
     * @return its length; it starts at {@link #sendIndex()}
     */
    int scan(int limitBytes) {
        int limit = Math.min(limitBytes, scanLimit);
        long sent = words[SENT];
        long scanned = words[SCANNED];
        long skipRest = words[SKIP_REST];
        long frames = words[FRAMES];
        while (skipRest == 0
                && scanned - sent < limit
                && (scanned == sent || (scanned & mask) != 0)) {
            long index = scanned & mask;
            long markAddress = marks + (index >>> MARK_SHIFT);
            byte mark = NativeMemory.getByteAcquire(markAddress);
            if (mark == UNCOMMITTED) {
                break;
            }
            NativeMemory.putByte(markAddress, UNCOMMITTED);
            if (mark != SEE_HEADER) {
                scanned += (long) mark << MARK_SHIFT;
                frames++;
                continue;
            }
            long header = NativeMemory.getLong(base + index);
            int length = FrameLayout.length(header);
            if (FrameLayout.kind(header) == FrameLayout.SKIP) {
                skipRest = (long) length - FrameLayout.HEADER_BYTES;
                scanned += FrameLayout.HEADER_BYTES;
            } else {
                scanned += FrameLayout.aligned(length);
                frames++;
            }
        }
        words[SCANNED] = scanned;
        words[SKIP_REST] = skipRest;
        WORD.setOpaque(words, FRAMES, frames);
        return (int) (scanned - sent);
    }

    /** Offset in the ring of the next byte to leave. */
    int sendIndex() {
        return (int) words[SENT] & mask;
    }

    /** Tells that {@code bytes} bytes of the scanned run have left, and frees their room. */
    void sent(int bytes) {
        long sent = words[SENT] + bytes;
        if (sent == words[SCANNED] && words[SKIP_REST] > 0) {
            sent += words[SKIP_REST];
            words[SCANNED] = sent;
            words[SKIP_REST] = 0;
        }
        WORD.setOpaque(words, SENT, sent);
        WORD.setOpaque(words, WRITES, words[WRITES] + 1);
        long head = words[HEAD];
        long newHead = sent & -(long) FrameLayout.ALIGNMENT_BYTES;
        if (newHead != head) {
            WORD.setRelease(words, HEAD, newHead);
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
        if (words[SENT] != claimedPosition()) {
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
    // -------------------------------------------------------------------------------

    long sentFrames() {
        return (long) WORD.getOpaque(words, FRAMES);
    }

    long sentPosition() {
        return (long) WORD.getOpaque(words, SENT);
    }

    long writes() {
        return (long) WORD.getOpaque(words, WRITES);
    }
}
