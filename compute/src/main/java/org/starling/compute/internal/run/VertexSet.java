package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.PageMap;
import org.starling.net.NativeMemory;

/**
 * A set of vertices in native memory: a bit for each, and above these a bit (a mark) for each word
 * of 64 that is not empty. Whoever goes through the set or empties it reads 64 words of marks for
 * each 262 144 vertices and then only the words that are marked, so that a superstep costs what its
 * frontier costs, not what the graph costs.
 *
 * <p>Shards begin at multiples of 64, so a word of bits belongs to one shard; a word of marks may
 * belong to two, so marks are always changed atomically. {@link #add} and {@link #addWord} are for
 * the thread that works on the shard, {@link #addAtomically} is for many at once. Marks are to be
 * read in a later phase than the one in which vertices are added: between the two stands a barrier.
 */
final class VertexSet implements AutoCloseable {
    private final ZeroedMemory memory;
    private final long wordsBytes;
    private final long marksBytes;

    /** Address of the first word of bits. */
    final long words;

    /** Address of the first word of marks. */
    final long marks;

    /** An empty set, for ordinals below {@code vertices}. */
    VertexSet(long vertices, ZeroedMemory memory) {
        this.memory = memory;
        this.wordsBytes = Math.max(1, Bitmap.words(vertices)) * Long.BYTES;
        this.marksBytes = markBytes(vertices);
        this.words = memory.take(wordsBytes);
        this.marks = memory.take(marksBytes);
    }

    /** Bytes of the marks of a set for so many vertices. */
    static long markBytes(long vertices) {
        return Math.max(1, Bitmap.words(Bitmap.words(vertices))) * Long.BYTES;
    }

    /** True if an ordinal is in the set. */
    boolean has(long ordinal) {
        return (word(ordinal >>> Bitmap.WORD_SHIFT) >>> ordinal & 1) != 0;
    }

    /** Word of bits. */
    long word(long wordIndex) {
        return NativeMemory.getLong(words + (wordIndex << 3));
    }

    /** Adds an ordinal; true if it was not there. */
    boolean add(long ordinal) {
        long wordIndex = ordinal >>> Bitmap.WORD_SHIFT;
        long at = words + (wordIndex << 3);
        long old = NativeMemory.getLong(at);
        long bit = 1L << ordinal;
        NativeMemory.putLong(at, old | bit);
        if (old == 0) {
            mark(marks, wordIndex);
        }
        return (old & bit) == 0;
    }

    /** Adds the ordinals of a word whose bits are set. */
    void addWord(long wordIndex, long bits) {
        long at = words + (wordIndex << 3);
        long old = NativeMemory.getLong(at);
        NativeMemory.putLong(at, old | bits);
        if (old == 0 && bits != 0) {
            mark(marks, wordIndex);
        }
    }

    /** Adds an ordinal while other threads add others: whoever finds the word empty marks it. */
    static void addAtomically(long words, long marks, long ordinal) {
        long wordIndex = ordinal >>> Bitmap.WORD_SHIFT;
        if (NativeMemory.getAndBitwiseOrLong(words + (wordIndex << 3), 1L << ordinal) == 0) {
            mark(marks, wordIndex);
        }
    }

    /** Marks what is not empty among words that were written without the set knowing. */
    void markWords(long firstWord, long endWord) {
        for (long word = firstWord; word < endWord; word++) {
            if (word(word) != 0) {
                mark(marks, word);
            }
        }
    }

    /**
     * Index of the first word from {@code from} on and below {@code end} that is not empty; {@code
     * end} if all are.
     */
    long nextWord(long from, long end) {
        return nextWord(marks, from, end);
    }

    /** The same for kernels, which keep the address. */
    static long nextWord(long marks, long from, long end) {
        if (from >= end) {
            return end;
        }
        long at = from >>> Bitmap.WORD_SHIFT;
        long last = (end - 1) >>> Bitmap.WORD_SHIFT;
        long marked = NativeMemory.getLong(marks + (at << 3)) & (-1L << from);
        while (marked == 0) {
            if (at == last) {
                return end;
            }
            at++;
            marked = NativeMemory.getLong(marks + (at << 3));
        }
        return Math.min(end, (at << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(marked));
    }

    /** Smallest ordinal from {@code from} on and below {@code end} that is in the set, or -1. */
    long next(long from, long end) {
        long endWord = Bitmap.words(end);
        long mask = -1L << from;
        long wordIndex = from >>> Bitmap.WORD_SHIFT;
        while ((wordIndex = nextWord(wordIndex, endWord)) < endWord) {
            boolean begins = wordIndex == from >>> Bitmap.WORD_SHIFT;
            long word = begins ? word(wordIndex) & mask : word(wordIndex);
            if (word != 0) {
                long ordinal = (wordIndex << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(word);
                return ordinal < end ? ordinal : -1;
            }
            wordIndex++;
        }
        return -1;
    }

    /** Removes the ordinals of all words from {@code firstWord} on and below {@code endWord}. */
    void clear(long firstWord, long endWord) {
        for (long word = nextWord(firstWord, endWord);
                word < endWord;
                word = nextWord(word + 1, endWord)) {
            NativeMemory.putLong(words + (word << 3), 0);
        }
        clearMarks(firstWord, endWord);
    }

    /** Bytes of the pages that have been written. */
    long takenBytes() {
        return PageMap.takenBytes(words, wordsBytes) + PageMap.takenBytes(marks, marksBytes);
    }

    @Override
    public void close() {
        memory.giveBack(words, wordsBytes);
        memory.giveBack(marks, marksBytes);
    }

    private void clearMarks(long firstWord, long endWord) {
        long end = Bitmap.words(endWord);
        for (long at = firstWord >>> Bitmap.WORD_SHIFT; at < end; at++) {
            long ours = Bitmap.maskBelow(at, endWord) & ~Bitmap.maskBelow(at, firstWord);
            long address = marks + (at << 3);
            if ((NativeMemory.getLong(address) & ours) != 0) {
                NativeMemory.getAndBitwiseAndLong(address, ~ours);
            }
        }
    }

    private static void mark(long marks, long wordIndex) {
        long at = marks + (wordIndex >>> Bitmap.WORD_SHIFT << 3);
        NativeMemory.getAndBitwiseOrLong(at, 1L << wordIndex);
    }
}
