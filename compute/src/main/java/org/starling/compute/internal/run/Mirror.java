package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.PageMap;

/**
 * A published column that stays: values that everybody reads, and staged ones that take their place
 * at the next superstep.
 *
 * <p>A shard's staged words are written by the thread that computes it and applied by the thread
 * that delivers it; other nodes' values are written by the receiving thread in the exchange. Owned
 * by the run.
 */
final class Mirror implements AutoCloseable {
    private final String name;
    private final int index;
    private final int width;
    private final long valuesBytes;
    private final ZeroedMemory memory;
    private final long initial;
    private final long values;
    private final long staged;

    /** Vertices with a staged value. */
    final VertexSet stagers;

    Mirror(
            String name,
            int index,
            ColumnType type,
            long initial,
            long vertices,
            ZeroedMemory memory) {
        this.name = name;
        this.index = index;
        this.width = type.width();
        this.initial = initial;
        this.memory = memory;
        this.valuesBytes = Math.max(1, vertices) * width;
        this.values = memory.take(valuesBytes);
        this.staged = memory.take(valuesBytes);
        this.stagers = new VertexSet(vertices, memory);
    }

    /** Value that everybody sees. */
    long read(long ordinal) {
        return ColumnType.load(values + ordinal * width, width) ^ initial;
    }

    /** Stages a value; true if none was staged for this ordinal. */
    boolean stage(long ordinal, long value) {
        ColumnType.store(staged + ordinal * width, width, value);
        return stagers.add(ordinal);
    }

    /** Address of the staged value of ordinal 0. */
    long stagedAddress() {
        return staged;
    }

    /** Address of ordinal 0's value that everybody sees, XOR the initial value. */
    long valuesAddress() {
        return values;
    }

    /** Staged value of an ordinal that has one. */
    long staged(long ordinal) {
        return ColumnType.load(staged + ordinal * width, width);
    }

    /** Lets everybody see the staged values of a word; they stay staged. */
    void applyWord(long wordIndex) {
        for (long rest = stagers.word(wordIndex); rest != 0; rest &= rest - 1) {
            long ordinal = (wordIndex << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
            apply(ordinal, staged(ordinal));
        }
    }

    /** Lets everybody see a value. */
    void apply(long ordinal, long value) {
        ColumnType.store(values + ordinal * width, width, value ^ initial);
    }

    /** Name in the program. */
    String name() {
        return name;
    }

    /** Number in the order of declaration, which is the same on every node. */
    int index() {
        return index;
    }

    /** Bytes per value. */
    int width() {
        return width;
    }

    /** Bytes of the pages that have been written. */
    long takenBytes() {
        return PageMap.takenBytes(values, valuesBytes)
                + PageMap.takenBytes(staged, valuesBytes)
                + stagers.takenBytes();
    }

    @Override
    public void close() {
        memory.giveBack(values, valuesBytes);
        memory.giveBack(staged, valuesBytes);
        stagers.close();
    }
}
