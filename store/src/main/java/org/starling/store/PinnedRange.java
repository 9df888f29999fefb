package org.starling.store;

import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.starling.net.NativeMemory;

/**
 * Direct access to a range of local chunks: until it is closed, none of them is moved, resized or
 * removed, so addresses stay valid. It does not lock: whoever writes through an address while
 * others read or write the same chunk has to order that himself. Any thread may read addresses;
 * closing twice is allowed. Costs nothing per chunk.
 */
public final class PinnedRange implements AutoCloseable {
    private final long first;
    private final int count;
    private final LongUnaryOperator entryOfLocal;
    private final Runnable unpin;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Made by the store.
     *
     * @param first the first chunk id
     * @param count chunks
     * @param entryOfLocal local id to address of the table entry
     * @param unpin called once, by {@link #close}
     */
    public PinnedRange(long first, int count, LongUnaryOperator entryOfLocal, Runnable unpin) {
        this.first = first;
        this.count = count;
        this.entryOfLocal = entryOfLocal;
        this.unpin = unpin;
    }

    /**
     * The first chunk.
     *
     * @return chunk id
     */
    public long first() {
        return first;
    }

    /**
     * How many chunks.
     *
     * @return chunks
     */
    public int count() {
        return count;
    }

    /**
     * Where the payload of a chunk is.
     *
     * @param index 0 to count − 1
     * @return address, valid until {@link #close}
     */
    public long address(int index) {
        return ChunkEntryLayout.payloadAddress(entry(index));
    }

    /**
     * Length of the payload of a chunk.
     *
     * @param index 0 to count − 1
     * @return bytes
     */
    public int bytes(int index) {
        return ChunkEntryLayout.payloadBytes(entry(index));
    }

    /**
     * Where the table entry of a chunk is (see {@link ChunkEntryLayout}); the next chunk's entry
     * follows 8 bytes later as long as {@link #pageEnd} is not reached. Entries are to be read
     * only; their lock bits change all the time.
     *
     * @param index 0 to count − 1
     * @return address, valid until {@link #close}
     */
    public long entryAddress(int index) {
        return entryOfLocal.applyAsLong(ChunkId.local(first) + Objects.checkIndex(index, count));
    }

    /**
     * Where the page of the chunk table ends that a chunk's entry is in.
     *
     * @param index 0 to count − 1
     * @return the index behind the last chunk of this range whose entry is in the same page
     */
    public int pageEnd(int index) {
        Objects.checkIndex(index, count);
        long inPage = ChunkId.local(first) + index & PAGE_ENTRIES - 1;
        return (int) Math.min(count, index + (PAGE_ENTRIES - inPage));
    }

    /** Unpins the range. Addresses must not be used any more. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            unpin.run();
        }
    }

    private long entry(int index) {
        return NativeMemory.getLong(entryAddress(index));
    }
}
