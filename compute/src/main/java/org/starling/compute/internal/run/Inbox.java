package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.PageMap;
import org.starling.net.NativeMemory;

/**
 * Combined messages of one channel for one superstep: the set of vertices that received something,
 * and a value for each.
 *
 * <p>A value is stored as its bits XOR the identity's, so that fresh zero pages mean "nothing yet"
 * for every combiner and clearing is writing zeros. Many threads deliver at once by
 * compare-and-set; a shard's part is consumed and cleared by the thread that computes the shard, in
 * another phase. Owned by a {@link Channel}.
 */
final class Inbox implements AutoCloseable {
    private final ValueOp op;
    private final int width;
    private final long identity;
    private final long valuesBytes;
    private final ZeroedMemory memory;
    final long values;
    final VertexSet receivers;

    Inbox(ValueOp op, long vertices, ZeroedMemory memory) {
        this.op = op;
        this.width = op.width();
        this.identity = op.identity();
        this.memory = memory;
        this.valuesBytes = Math.max(1, vertices) * width;
        this.values = memory.take(valuesBytes);
        this.receivers = new VertexSet(vertices, memory);
    }

    /** Combines a message into an ordinal's value; any thread. */
    void deliver(long ordinal, long value) {
        deliver(op, values, receivers.words, receivers.marks, ordinal, value);
    }

    /** The same for kernels, which know {@code op} as a constant and keep the addresses. */
    static void deliver(ValueOp op, long values, long words, long marks, long ordinal, long value) {
        long word = NativeMemory.getLongVolatile(words + (ordinal >>> Bitmap.WORD_SHIFT << 3));
        boolean first = (word >>> ordinal & 1) == 0;
        if (!first && op.isSatisfiedByFirst() && !op.isVertex()) {
            return;
        }
        combine(op, values + ordinal * op.width(), value);
        if (first) {
            VertexSet.addAtomically(words, marks, ordinal);
        }
    }

    /** Bits of what an ordinal received; the identity if nothing. */
    long value(long ordinal) {
        return value(ordinal, width);
    }

    /** The same for callers who know how many bytes a value has. */
    long value(long ordinal, int valueBytes) {
        return ColumnType.load(values + ordinal * valueBytes, valueBytes) ^ identity;
    }

    /** True if an ordinal received something. */
    boolean has(long ordinal) {
        return receivers.has(ordinal);
    }

    /**
     * Forgets what the ordinals of all words from {@code firstWord} to {@code endWord} received.
     */
    void clear(long firstWord, long endWord) {
        for (long word = receivers.nextWord(firstWord, endWord);
                word < endWord;
                word = receivers.nextWord(word + 1, endWord)) {
            long firstValue = values + (word << Bitmap.WORD_SHIFT) * width;
            for (long rest = receivers.word(word); rest != 0; rest &= rest - 1) {
                ColumnType.store(
                        firstValue + (long) Long.numberOfTrailingZeros(rest) * width, width, 0);
            }
        }
        receivers.clear(firstWord, endWord);
    }

    /** Bytes of the pages that have been written. */
    long takenBytes() {
        return PageMap.takenBytes(values, valuesBytes) + receivers.takenBytes();
    }

    @Override
    public void close() {
        memory.giveBack(values, valuesBytes);
        receivers.close();
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
