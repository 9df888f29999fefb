package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.PageMap;
import org.starling.net.NativeMemory;

/**
 * Combined messages of one channel for one superstep: a bit per vertex that received something, and
 * a value.
 *
 * <p>A value is stored as its bits XOR the identity's, so that fresh zero pages mean "nothing yet"
 * for every combiner and clearing is writing zeros. Many threads deliver at once by
 * compare-and-set; a shard's words are consumed and cleared by the thread that computes the shard,
 * in another phase. Owned by a {@link Channel}.
 */
final class Inbox implements AutoCloseable {
    private final ValueOp op;
    private final int width;
    private final long identity;
    private final long valuesBytes;
    private final long bitsBytes;
    private final ZeroedMemory memory;
    final long values;
    final long bits;

    Inbox(ValueOp op, long vertices, ZeroedMemory memory) {
        this.op = op;
        this.width = op.width();
        this.identity = op.identity();
        this.memory = memory;
        this.valuesBytes = Math.max(1, vertices) * width;
        this.bitsBytes = Math.max(1, Bitmap.words(vertices)) * Long.BYTES;
        this.values = memory.take(valuesBytes);
        this.bits = memory.take(bitsBytes);
    }

    /** Combines a message into an ordinal's value; any thread. */
    void deliver(long ordinal, long value) {
        deliver(op, values, bits, ordinal, value);
    }

    /** The same for kernels, which know {@code op} as a constant. */
    static void deliver(ValueOp op, long values, long bits, long ordinal, long value) {
        long word = bits + (ordinal >>> Bitmap.WORD_SHIFT << 3);
        long bit = 1L << ordinal;
        boolean first = (NativeMemory.getLongVolatile(word) & bit) == 0;
        if (!first && op.isSatisfiedByFirst() && !op.isVertex()) {
            return;
        }
        combine(op, values + ordinal * op.width(), value);
        if (first) {
            NativeMemory.getAndBitwiseOrLong(word, bit);
        }
    }

    /** Bits of what an ordinal received; the identity if nothing. */
    long value(long ordinal) {
        return ColumnType.load(values + ordinal * width, width) ^ identity;
    }

    /** True if an ordinal received something. */
    boolean has(long ordinal) {
        return (NativeMemory.getLong(bits + (ordinal >>> Bitmap.WORD_SHIFT << 3)) >>> ordinal & 1)
                != 0;
    }

    /** Smallest ordinal from {@code from} on and below {@code end} that received; -1 if none. */
    long next(long from, long end) {
        long wordIndex = from >>> Bitmap.WORD_SHIFT;
        long mask = -1L << from;
        for (; wordIndex < Bitmap.words(end); wordIndex++) {
            long word = word(wordIndex) & mask;
            if (word != 0) {
                long ordinal = (wordIndex << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(word);
                return ordinal < end ? ordinal : -1;
            }
            mask = -1L;
        }
        return -1;
    }

    /** Word of bits. */
    long word(long wordIndex) {
        return NativeMemory.getLong(bits + (wordIndex << 3));
    }

    /** Forgets what the ordinals of a word received. */
    void clearWord(long wordIndex) {
        long word = word(wordIndex);
        if (word == 0) {
            return;
        }
        long firstValue = values + (wordIndex << Bitmap.WORD_SHIFT) * width;
        for (long rest = word; rest != 0; rest &= rest - 1) {
            ColumnType.store(
                    firstValue + (long) Long.numberOfTrailingZeros(rest) * width, width, 0);
        }
        NativeMemory.putLong(bits + (wordIndex << 3), 0);
    }

    /** Bytes of the pages that have been written. */
    long takenBytes() {
        return PageMap.takenBytes(values, valuesBytes) + PageMap.takenBytes(bits, bitsBytes);
    }

    @Override
    public void close() {
        memory.giveBack(values, valuesBytes);
        memory.giveBack(bits, bitsBytes);
    }

    private static void combine(ValueOp op, long address, long value) {
        long identity = op.identity();
        if (op.width() == Integer.BYTES) {
            while (true) {
                int stored = NativeMemory.getIntVolatile(address);
                int wanted = (int) (op.combine(stored ^ (int) identity, value) ^ identity);
                if (wanted == stored || NativeMemory.compareAndSetInt(address, stored, wanted)) {
                    return;
                }
            }
        }
        while (true) {
            long stored = NativeMemory.getLongVolatile(address);
            long wanted = op.combine(stored ^ identity, value) ^ identity;
            if (wanted == stored || NativeMemory.compareAndSetLong(address, stored, wanted)) {
                return;
            }
        }
    }
}
