package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.PageMap;
import org.starling.net.NativeMemory;

/**
 * Values that vertices broadcast in one superstep: a bit per broadcaster and, unless the value is
 * the broadcaster itself, a column.
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
    private final long bitsBytes;
    final long values;
    final long bits;

    Published(ValueOp op, long vertices, ZeroedMemory memory) {
        this.memory = memory;
        this.vertex = op.isVertex();
        this.width = op.width();
        this.valuesBytes = vertex ? 0 : Math.max(1, vertices) * width;
        this.bitsBytes = Math.max(1, Bitmap.words(vertices)) * Long.BYTES;
        this.values = vertex ? 0 : memory.take(valuesBytes);
        this.bits = memory.take(bitsBytes);
    }

    /** Sets an ordinal's value; true if it had none. */
    boolean set(long ordinal, long value) {
        if (!vertex) {
            ColumnType.store(values + ordinal * width, width, value);
        }
        long at = bits + (ordinal >>> Bitmap.WORD_SHIFT << 3);
        long old = NativeMemory.getLong(at);
        long bit = 1L << ordinal;
        NativeMemory.putLong(at, old | bit);
        return (old & bit) == 0;
    }

    /** Bits of an ordinal's value. */
    long value(long ordinal) {
        return vertex ? ordinal : ColumnType.load(values + ordinal * width, width);
    }

    /** Word of bits. */
    long word(long wordIndex) {
        return NativeMemory.getLong(bits + (wordIndex << 3));
    }

    /** Replaces a word of bits. */
    void setWord(long wordIndex, long word) {
        NativeMemory.putLong(bits + (wordIndex << 3), word);
    }

    /** Forgets all broadcasts of these words; values need no clearing. */
    void clear(long firstWord, long endWord) {
        if (endWord > firstWord) {
            NativeMemory.fill(bits + (firstWord << 3), (endWord - firstWord) << 3, (byte) 0);
        }
    }

    /** Bytes of the pages that have been written. */
    long takenBytes() {
        long ofValues = vertex ? 0 : PageMap.takenBytes(values, valuesBytes);
        return ofValues + PageMap.takenBytes(bits, bitsBytes);
    }

    @Override
    public void close() {
        if (!vertex) {
            memory.giveBack(values, valuesBytes);
        }
        memory.giveBack(bits, bitsBytes);
    }
}
