package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.PageMap;

/**
 * Values that vertices broadcast in one superstep: the set of broadcasters and, unless the value is
 * the broadcaster itself, a column. Values of vertices that are not in the set mean nothing.
 *
 * <p>A shard's words are written by the thread that computes the shard; other nodes' words by the
 * receiving thread while values are exchanged; everybody reads in the phase after that. Owned by a
 * {@link Channel}.
 */
final class Published implements AutoCloseable {
    private final ZeroedMemory memory;
    private final boolean vertex;
    private final int width;
    private final long valuesBytes;
    final long values;
    final VertexSet broadcasters;

    Published(ValueOp op, long vertices, ZeroedMemory memory) {
        this.memory = memory;
        this.vertex = op.isVertex();
        this.width = op.width();
        this.valuesBytes = vertex ? 0 : Math.max(1, vertices) * width;
        this.values = vertex ? 0 : memory.take(valuesBytes);
        this.broadcasters = new VertexSet(vertices, memory);
    }

    /**
     * Sets an ordinal's value; true if it had none.
     *
     * @param valueBytes bytes of a value, which callers know, so that nothing is asked for each
     *     value; 0 if the ordinal is the value
     */
    boolean set(long ordinal, long value, int valueBytes) {
        if (valueBytes > 0) {
            ColumnType.store(values + ordinal * valueBytes, valueBytes, value);
        }
        return broadcasters.add(ordinal);
    }

    /** Bits of an ordinal's value. */
    long value(long ordinal) {
        return vertex ? ordinal : ColumnType.load(values + ordinal * width, width);
    }

    /** Bytes of the pages that have been written. */
    long takenBytes() {
        long ofValues = vertex ? 0 : PageMap.takenBytes(values, valuesBytes);
        return ofValues + broadcasters.takenBytes();
    }

    @Override
    public void close() {
        if (!vertex) {
            memory.giveBack(values, valuesBytes);
        }
        broadcasters.close();
    }
}
