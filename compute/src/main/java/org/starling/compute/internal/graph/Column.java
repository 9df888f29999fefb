package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;

/**
 * One primitive value per vertex in native memory, or a vector of them, indexed by ordinal.
 *
 * <p>Address space is reserved for all vertices of the graph, but memory is only taken where values
 * are written: on a peer, in its own shards. So an ordinal is an index everywhere, whichever shards
 * live here. Owned by the graph (states) or the run (scratch). Values of a shard are written by the
 * one thread that computes the shard; barriers publish them.
 */
public final class Column implements AutoCloseable {
    private final String name;
    private final StateType type;
    private final long address;
    private final long bytes;
    private boolean closed;

    /** Reserves a column for so many vertices; all values are 0. */
    public Column(String name, ColumnType type, long vertices) {
        this(name, StateType.of(type), vertices);
    }

    /** The same for vectors. */
    public Column(String name, StateType type, long vertices) {
        this.name = name;
        this.type = type;
        this.bytes = Math.max(1, vertices) * type.width();
        this.address = NativeMemory.reserve(bytes);
    }

    /** Sets all values from {@code first} (inclusive) to {@code end} (exclusive); vectors to 0. */
    public void fill(long first, long end, long bits) {
        byte low = (byte) bits;
        boolean sameBytes =
                type.element().width() == Integer.BYTES
                        ? (int) bits == (low & 0xFF) * 0x01010101
                        : bits == (low & 0xFFL) * 0x0101010101010101L;
        if (sameBytes && end > first) {
            NativeMemory.fill(address + first * type.width(), (end - first) * type.width(), low);
            return;
        }
        if (type.length() > 1) {
            throw new IllegalArgumentException("vectors can be filled with 0 only");
        }
        for (long ordinal = first; ordinal < end; ordinal++) {
            set(ordinal, bits);
        }
    }

    /** Bits of one value; not of a vector. */
    public long get(long ordinal) {
        return type.element().read(address + ordinal * type.width());
    }

    /** Sets one value; not of a vector. */
    public void set(long ordinal, long bits) {
        type.element().write(address + ordinal * type.width(), bits);
    }

    /** Name of the column. */
    public String name() {
        return name;
    }

    /** Type of its values. */
    public StateType type() {
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
