package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;

/**
 * One primitive value per vertex in native memory, indexed by ordinal.
 *
 * <p>Address space is reserved for all vertices of the graph, but memory is only taken where values
 * are written: on a peer, in its own shards. So an ordinal is an index everywhere, whichever shards
 * live here. Owned by the graph (states) or the run (scratch). Values of a shard are written by the
 * one thread that computes the shard; barriers publish them.
 */
public final class Column implements AutoCloseable {
    private final String name;
    private final ColumnType type;
    private final long address;
    private final long bytes;
    private boolean closed;

    /** Reserves a column for so many vertices; all values are 0. */
    public Column(String name, ColumnType type, long vertices) {
        this.name = name;
        this.type = type;
        this.bytes = Math.max(1, vertices) * type.width();
        this.address = NativeMemory.reserve(bytes);
    }

    /** Sets all values from {@code first} (inclusive) to {@code end} (exclusive). */
    public void fill(long first, long end, long bits) {
        byte low = (byte) bits;
        boolean sameBytes =
                type.width() == Integer.BYTES
                        ? (int) bits == (low & 0xFF) * 0x01010101
                        : bits == (low & 0xFFL) * 0x0101010101010101L;
        if (sameBytes && end > first) {
            NativeMemory.fill(address + first * type.width(), (end - first) * type.width(), low);
            return;
        }
        for (long ordinal = first; ordinal < end; ordinal++) {
            set(ordinal, bits);
        }
    }

    /** Bits of one value. */
    public long get(long ordinal) {
        return ColumnType.load(address + ordinal * type.width(), type.width());
    }

    /** Sets one value. */
    public void set(long ordinal, long bits) {
        ColumnType.store(address + ordinal * type.width(), type.width(), bits);
    }

    /** Name of the column. */
    public String name() {
        return name;
    }

    /** Type of its values. */
    public ColumnType type() {
        return type;
    }

    /** Address of ordinal 0's value. */
    public long address() {
        return address;
    }

    /** Bytes of the pages that have been written. */
    public long takenBytes() {
        return PageMap.takenBytes(address, bytes);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            NativeMemory.release(address, bytes);
        }
    }
}
