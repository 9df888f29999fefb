package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;

/**
 * One bit per vertex in native memory, 64 to a word.
 *
 * <p>Shards begin at multiples of 64, so that no two shards share a word: only the thread that
 * computes a shard writes its words. Kernels work on {@link #wordAddress} directly.
 */
public final class Bitmap implements AutoCloseable {
    /** Ordinals per word, as a power of two. */
    public static final int WORD_SHIFT = 6;

    private final long address;
    private final long bytes;
    private boolean closed;

    /** Reserves a bitmap for so many vertices; all bits are 0. */
    public Bitmap(long vertices) {
        this.bytes = words(Math.max(1, vertices)) * Long.BYTES;
        this.address = NativeMemory.reserve(bytes);
    }

    /** Number of words for so many vertices. */
    public static long words(long vertices) {
        return (vertices + 63) >>> WORD_SHIFT;
    }

    /** Bits of the word at {@code wordIndex} that belong to ordinals below {@code end}. */
    public static long maskBelow(long wordIndex, long end) {
        long remaining = end - (wordIndex << WORD_SHIFT);
        return remaining >= Long.SIZE ? -1L : remaining <= 0 ? 0 : (1L << remaining) - 1;
    }

    /** Address of a word. */
    public long wordAddress(long wordIndex) {
        return address + (wordIndex << 3);
    }

    /** A word. */
    public long word(long wordIndex) {
        return NativeMemory.getLong(wordAddress(wordIndex));
    }

    /** Replaces a word. */
    public void setWord(long wordIndex, long word) {
        NativeMemory.putLong(wordAddress(wordIndex), word);
    }

    /** True if the bit is set. */
    public boolean get(long ordinal) {
        return (word(ordinal >>> WORD_SHIFT) >>> ordinal & 1) != 0;
    }

    /** Sets a bit of a word that only this thread writes; true if it was not set before. */
    public boolean set(long ordinal) {
        long at = wordAddress(ordinal >>> WORD_SHIFT);
        long old = NativeMemory.getLong(at);
        long bit = 1L << ordinal;
        NativeMemory.putLong(at, old | bit);
        return (old & bit) == 0;
    }

    /** Clears all words from {@code firstWord} (inclusive) to {@code endWord} (exclusive). */
    public void clear(long firstWord, long endWord) {
        if (endWord > firstWord) {
            NativeMemory.fill(wordAddress(firstWord), (endWord - firstWord) * Long.BYTES, (byte) 0);
        }
    }

    /** Address of the first word. */
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
