package org.starling.benchmarks.studies;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.starling.net.NativeMemory;

/**
 * A ring of many producers and one consumer that shows what it is worth that a fast producer
 * returns before slower ones that claimed room earlier: the same ring with two ways to commit, and
 * nothing around it. The ring of room {@code net} returns early and has no other way, so this one
 * is measured beside it.
 *
 * <p>{@link Commit#EARLY_RETURN} works as that ring does: a commit stores the frame's header, and
 * the consumer stops at the first header that is missing and zeroes what it has read, for the next
 * lap. {@link Commit#CLAIM_ORDER} moves a published position: a commit waits until all earlier
 * claims are published (spinning first, then yielding), and nothing needs to be zeroed. So each way
 * pays its own price.
 *
 * <p>Positions count bytes and never go back. A frame is a header word, its length, and content;
 * the end of the ring that is too short for a frame becomes a frame with a negative length. Memory
 * is given back by {@link #close}, when nobody uses the ring any more. Not final, so that a broken
 * twin can override a step.
 */
@SuppressWarnings("ThreadPriorityCheck") // as senders that wait for room do it
class LabRing implements AutoCloseable {

    /** When a commit returns. */
    enum Commit {
        EARLY_RETURN,
        CLAIM_ORDER
    }

    static final int HEADER_BYTES = Long.BYTES;

    /** Result of {@link #claim}: no room now. */
    static final long FULL = -1;

    private static final int MIN_CAPACITY = 64;
    private static final int SPINS = 100;

    private final Commit commit;
    private final int capacity;
    private final int mask;
    private final long base;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong head = new AtomicLong();

    /**
     * An empty ring.
     *
     * @param capacity bytes, a power of two of at least 64
     */
    LabRing(int capacity, Commit commit) {
        if (Integer.bitCount(capacity) != 1 || capacity < MIN_CAPACITY) {
            throw new IllegalArgumentException(
                    "capacity must be a power of two of at least 64, found " + capacity);
        }
        this.capacity = capacity;
        this.mask = capacity - 1;
        this.commit = commit;
        this.base = NativeMemory.reserve(capacity);
    }

    /**
     * Claims contiguous room.
     *
     * @param bytes of the content, at most a quarter of the ring
     * @return the position for {@link #content} and {@link #commit}, or {@link #FULL}
     */
    final long claim(int bytes) {
        int frame = frameBytes(bytes);
        while (true) {
            long from = tail.get();
            long to = from + skip(from, frame) + frame;
            if (to - head.getAcquire() > capacity) {
                return FULL;
            }
            if (moveTail(tail, from, to)) {
                return from;
            }
        }
    }

    /** Address of a claim's content, as long as it is not committed. */
    long content(long position, int bytes) {
        return base + (start(position, bytes) & mask) + HEADER_BYTES;
    }

    /** Sends a claim's content. */
    void commit(long position, int bytes) {
        int frame = frameBytes(bytes);
        long start = start(position, bytes);
        if (start != position) {
            NativeMemory.putLongRelease(base + (position & mask), position - start);
        }
        NativeMemory.putLongRelease(base + (start & mask), frame);
        if (commit == Commit.CLAIM_ORDER) {
            awaitTurn(published, position);
            published.setRelease(start + frame);
        }
    }

    /**
     * Hands all frames that are ready to the consumer, and frees their room. By one thread at a
     * time.
     *
     * @param consumer takes the address of each frame's header
     * @return bytes freed
     */
    int drain(LongConsumer consumer) {
        long from = head.getPlain();
        long limit = commit == Commit.CLAIM_ORDER ? published.getAcquire() : from + capacity;
        long position = from;
        while (position < limit) {
            long address = base + (position & mask);
            long frame = NativeMemory.getLongAcquire(address);
            if (frame == 0) {
                break;
            }
            if (frame > 0) {
                consumer.accept(address);
            }
            if (commit == Commit.EARLY_RETURN) {
                clear(address, Math.abs(frame));
            }
            position += Math.abs(frame);
        }
        head.setRelease(position);
        return (int) (position - from);
    }

    /** Claims what lies between two positions, unless somebody else was faster. */
    boolean moveTail(AtomicLong position, long from, long to) {
        return position.compareAndSet(from, to);
    }

    /** Waits until all claims before a position are published. */
    void awaitTurn(AtomicLong publishedPosition, long position) {
        for (int spins = 0; publishedPosition.getAcquire() != position; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** Makes the headers of the next lap read as missing. */
    void clear(long address, long bytes) {
        NativeMemory.fill(address, bytes, (byte) 0);
    }

    /** Bytes of a frame with its header and what rounds it up. */
    static int frameBytes(int bytes) {
        return (HEADER_BYTES + bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    private long start(long position, int bytes) {
        return position + skip(position, frameBytes(bytes));
    }

    private int skip(long position, int frame) {
        int toEnd = capacity - ((int) position & mask);
        return toEnd < frame ? toEnd : 0;
    }

    @Override
    public void close() {
        NativeMemory.release(base, capacity);
    }
}
