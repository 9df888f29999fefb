package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.starling.net.NativeMemory;

/** A copy of {@link OutgoingRing} with seeded bugs: the checkers of the ring must find them. */
final class BuggyRing implements TestRing {

    /** Result of {@link #claim}: no room now. */
    static final long FULL = 0;

    /** Result of {@link #claim}: the ring is closed. */
    static final long CLOSED = -1;

    private static final VarHandle TAIL = field("tail");
    private static final VarHandle UNTIL = field("until");
    private static final VarHandle HEAD = field("head");

    private static final long CLOSED_BIT = 1L << 62;

    // Marks: none, the words of a short frame, or that its header tells how long it is and what.
    private static final byte UNCOMMITTED = 0;
    private static final byte SEE_HEADER = -1;
    private static final int MAX_SHORT_BYTES = Byte.MAX_VALUE * FrameLayout.ALIGNMENT_BYTES;

    /** Of a frame's position, the position of its mark. */
    private static final int MARK_SHIFT = 3;

    /** What is broken. */
    enum Bug {
        /** Two producers may claim the same room. */
        CLAIM_WITHOUT_COMPARE_AND_SET,
        /** Who has an older tail may claim across the end of the ring. */
        UNTIL_BEFORE_THE_CLAIM,
        /** A claim without a look may go across the end of the ring. */
        UNTIL_BEYOND_THE_LAP,
        /** Frames of the last lap look committed. */
        MARKS_ARE_KEPT,
        /** A frame looks committed as soon as it is claimed. */
        MARK_AT_CLAIM,
        /**
         * A frame's length is told as soon as it is claimed, so that nobody looks at its header.
         */
        LENGTH_AT_CLAIM,
        /** The mark of a frame tells the length of the one that was there a lap ago. */
        LENGTH_OF_THE_LAST_LAP,
        /** Marks are taken away after the head has moved. */
        MARKS_ARE_TAKEN_TOO_LATE,
        /** The end of the ring that is skipped has no mark of its own. */
        SKIP_WITHOUT_MARK
    }

    private final Bug bug;
    private final long base;

    /** Behind the ring; all zero but for those of frames committed and not scanned. */
    private final long marks;

    /** What was committed there last; each element is written by who has claimed its word. */
    private final byte[] lastMarks;

    private final int capacity;
    private final int mask;
    private final int scanLimit;

    private volatile long tail;

    @SuppressWarnings("UnusedVariable") // through its VarHandle
    private long until;

    private long head;
    private long sent;
    private long scanned;
    private long skipRest;

    /** Guarded by the drain lock. */
    private boolean released;

    BuggyRing(int capacity, Bug bug) {
        this.bug = bug;
        if (Integer.bitCount(capacity) != 1 || capacity < 64) {
            throw new IllegalArgumentException(
                    "capacity must be a power of two of at least 64, found " + capacity);
        }
        this.capacity = capacity;
        this.mask = capacity - 1;
        this.scanLimit = capacity / 2;
        this.base = NativeMemory.reserve(nativeBytes(capacity));
        this.marks = base + capacity;
        this.lastMarks = new byte[capacity >>> MARK_SHIFT];
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(BuggyRing.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
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
     * @param bytes a multiple of 8, at most a quarter of the ring
     * @return the address, or {@link #FULL} or {@link #CLOSED}
     */
    @Override
    public long claim(int bytes) {
        long address = tryClaim(tail, bytes);
        return address == FULL ? claimLooking(bytes) : address;
    }

    private long tryClaim(long seen, int bytes) {
        long newTail = seen + bytes;
        return newTail <= (long) UNTIL.getOpaque(this) && move(seen, newTail)
                ? claimed(base + (seen & mask), bytes)
                : FULL;
    }

    private long claimLooking(int bytes) {
        while (true) {
            long seen = tail;
            if (seen >= CLOSED_BIT) {
                return CLOSED;
            }
            int index = (int) seen & mask;
            int toEnd = capacity - index;
            int skip = toEnd < bytes ? toEnd : 0;
            long newTail = seen + skip + bytes;
            long free = (long) HEAD.getAcquire(this) + capacity;
            if (newTail > free) {
                return FULL;
            }
            long lapEnd = (newTail | mask) + 1;
            long end = bug == Bug.UNTIL_BEYOND_THE_LAP ? free : Math.min(free, lapEnd);
            if (bug == Bug.UNTIL_BEFORE_THE_CLAIM) {
                UNTIL.setOpaque(this, end);
            }
            if (move(seen, newTail)) {
                if (bug != Bug.UNTIL_BEFORE_THE_CLAIM) {
                    UNTIL.setOpaque(this, end);
                }
                if (skip == 0) {
                    return claimed(base + index, bytes);
                }
                if (bug == Bug.SKIP_WITHOUT_MARK) {
                    NativeMemory.putLong(
                            base + index, FrameLayout.header(FrameLayout.SKIP, 0, skip));
                } else {
                    commit(base + index, FrameLayout.header(FrameLayout.SKIP, 0, skip));
                }
                return claimed(base, bytes);
            }
        }
    }

    private long claimed(long address, int bytes) {
        if (bug == Bug.MARK_AT_CLAIM || bug == Bug.LENGTH_AT_CLAIM) {
            byte mark = bug == Bug.MARK_AT_CLAIM ? SEE_HEADER : (byte) (bytes >>> MARK_SHIFT);
            NativeMemory.putByteRelease(marks + ((address - base) >>> MARK_SHIFT), mark);
        }
        return address;
    }

    private boolean move(long seen, long newTail) {
        if (bug == Bug.CLAIM_WITHOUT_COMPARE_AND_SET) {
            TAIL.setVolatile(this, newTail);
            return true;
        }
        return TAIL.compareAndSet(this, seen, newTail);
    }

    /** Makes a claimed frame visible to the consumer; nothing of it may be touched afterwards. */
    @Override
    public void commit(long address, long header) {
        long index = (address - base) >>> MARK_SHIFT;
        NativeMemory.putLong(address, header);
        NativeMemory.putByteRelease(marks + index, markOf((int) index, header));
    }

    private byte markOf(int index, long header) {
        byte mark = mark(header);
        if (bug == Bug.LENGTH_OF_THE_LAST_LAP) {
            byte last = lastMarks[index];
            lastMarks[index] = mark;
            return last == UNCOMMITTED ? mark : last;
        }
        return mark;
    }

    private static byte mark(long header) {
        int bytes = FrameLayout.aligned(FrameLayout.length(header));
        return bytes <= MAX_SHORT_BYTES && FrameLayout.kind(header) != FrameLayout.SKIP
                ? (byte) (bytes >>> MARK_SHIFT)
                : SEE_HEADER;
    }

    /** Refuses all claims from now on. Claims made before must still be committed. */
    @Override
    public void close() {
        TAIL.getAndBitwiseOr(this, CLOSED_BIT);
    }

    boolean isClosed() {
        return tail >= CLOSED_BIT;
    }

    /** Position after the last claim. */
    long claimedPosition() {
        return tail & ~CLOSED_BIT;
    }

    @Override
    public long address() {
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
    @Override
    public int scan(int limitBytes) {
        int limit = Math.min(limitBytes, scanLimit);
        long end = scanned;
        long skip = skipRest;
        while (skip == 0 && end - sent < limit && (end == sent || (end & mask) != 0)) {
            long index = end & mask;
            long markAddress = marks + (index >>> MARK_SHIFT);
            byte mark = NativeMemory.getByteAcquire(markAddress);
            if (mark == UNCOMMITTED) {
                break;
            }
            if (bug != Bug.MARKS_ARE_KEPT && bug != Bug.MARKS_ARE_TAKEN_TOO_LATE) {
                NativeMemory.putByte(markAddress, UNCOMMITTED);
            }
            if (mark != SEE_HEADER) {
                end += (long) mark << MARK_SHIFT;
                continue;
            }
            long header = NativeMemory.getLong(base + index);
            int length = FrameLayout.length(header);
            if (length < FrameLayout.HEADER_BYTES) { // torn: scanning on would never end
                throw new IllegalStateException("a frame has " + length + " bytes");
            }
            if (FrameLayout.kind(header) == FrameLayout.SKIP) {
                skip = (long) length - FrameLayout.HEADER_BYTES;
                end += FrameLayout.HEADER_BYTES;
            } else {
                end += FrameLayout.aligned(length);
            }
        }
        scanned = end;
        skipRest = skip;
        return (int) (end - sent);
    }

    /** Offset in the ring of the next byte to leave. */
    @Override
    public int sendIndex() {
        return (int) sent & mask;
    }

    /** Tells that {@code bytes} bytes of the scanned run have left, and frees their room. */
    @Override
    public void sent(int bytes) {
        long end = sent + bytes;
        if (end == scanned && skipRest > 0) {
            end += skipRest;
            scanned = end;
            skipRest = 0;
        }
        sent = end;
        long oldHead = head;
        long newHead = end & -(long) FrameLayout.ALIGNMENT_BYTES;
        if (newHead != oldHead) {
            HEAD.setRelease(this, newHead);
        }
        if (bug == Bug.MARKS_ARE_TAKEN_TOO_LATE) {
            for (long at = oldHead; at < newHead; at += FrameLayout.ALIGNMENT_BYTES) {
                NativeMemory.putByte(marks + ((at & mask) >>> MARK_SHIFT), UNCOMMITTED);
            }
        }
    }

    /**
     * After {@link #close}: drops what is committed and releases the memory, unless a producer is
     * still writing.
     */
    @Override
    public boolean releaseIfQuiet() {
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
}
