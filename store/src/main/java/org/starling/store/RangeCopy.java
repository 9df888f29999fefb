package org.starling.store;

import java.util.Objects;
import org.starling.net.NativeMemory;

/**
 * A copy of the chunks of a consecutive range, payload after payload in native memory. Each chunk
 * is as it was at one moment; different chunks may be of different moments. Owned by the caller,
 * who closes it; not thread-safe to close.
 */
public final class RangeCopy implements AutoCloseable {
    /** The size of a chunk that does not exist. */
    public static final int ABSENT = -1;

    private final long first;
    private final int[] sizes;

    /** By index: where the payload starts; one element more than chunks. */
    private final long[] offsets;

    private final long address;
    private final long reservedBytes;
    private boolean closed;

    /**
     * Takes over the memory.
     *
     * @param first the first chunk id
     * @param sizes by index the payload length, or {@link #ABSENT}
     * @param address of the payloads, one after the other
     * @param reservedBytes what was reserved there
     */
    public RangeCopy(long first, int[] sizes, long address, long reservedBytes) {
        this.first = first;
        this.sizes = sizes.clone();
        this.address = address;
        this.reservedBytes = reservedBytes;
        offsets = new long[sizes.length + 1];
        for (int i = 0; i < sizes.length; i++) {
            offsets[i + 1] = offsets[i] + Math.max(0, sizes[i]);
        }
        if (offsets[sizes.length] > reservedBytes) {
            throw new IllegalArgumentException("sizes pass the reserved memory");
        }
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
     * How many ids.
     *
     * @return ids, those without a chunk included
     */
    public int count() {
        return sizes.length;
    }

    /**
     * Whether the chunk existed.
     *
     * @param index 0 to count − 1
     * @return true if it did
     */
    public boolean exists(int index) {
        return sizes[index] != ABSENT;
    }

    /**
     * Length of a payload.
     *
     * @param index 0 to count − 1
     * @return bytes, or {@link #ABSENT}
     */
    public int bytes(int index) {
        return sizes[index];
    }

    /**
     * Where a payload is. The payload of the next chunk that exists follows directly.
     *
     * @param index 0 to count − 1
     * @return address, valid until {@link #close}
     */
    public long address(int index) {
        return address + offsets[Objects.checkIndex(index, sizes.length)];
    }

    /**
     * All payloads together.
     *
     * @return bytes
     */
    public long payloadBytes() {
        return offsets[sizes.length];
    }

    /**
     * One payload as an array.
     *
     * @param index 0 to count − 1
     * @return a copy
     * @throws ChunkNotFoundException if the chunk did not exist
     */
    public byte[] get(int index) {
        if (!exists(index)) {
            throw new ChunkNotFoundException(first + index);
        }
        byte[] value = new byte[sizes[index]];
        NativeMemory.copyToArray(address(index), value, 0, value.length);
        return value;
    }

    /** Releases the memory. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            NativeMemory.release(address, reservedBytes);
        }
    }
}
