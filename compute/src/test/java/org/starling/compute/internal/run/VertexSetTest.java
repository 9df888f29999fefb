package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.net.NativeMemory;

/** Sets of vertices beside {@link BitSet}; many threads at once, with twins that lose marks. */
final class VertexSetTest {
    private static final int VERTICES = 3 * 4096 + 130;
    private static final long WORDS = Bitmap.words(VERTICES);
    private static final int THREADS = 4;
    private static final int ROUNDS = 2_000;
    private static final long SEED = 20_261_122;

    private long before;
    private ZeroedMemory memory;
    private VertexSet set;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        memory = new ZeroedMemory();
        set = new VertexSet(VERTICES, memory);
    }

    @AfterEach
    void close() {
        set.close();
        memory.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    /** The set as one finds it by its marks. */
    private static BitSet members(VertexSet set, long firstWord, long endWord) {
        BitSet found = new BitSet();
        for (long word = set.nextWord(firstWord, endWord);
                word < endWord;
                word = set.nextWord(word + 1, endWord)) {
            assertThat(set.word(word)).as("word %d, which is marked", word).isNotZero();
            for (long rest = set.word(word); rest != 0; rest &= rest - 1) {
                found.set((int) (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest));
            }
        }
        return found;
    }

    @Test
    void holdsWhatWasAddedAndNotRemoved() {
        Random random = new Random(SEED);
        BitSet expected = new BitSet();
        for (int step = 0; step < 3_000; step++) {
            int ordinal = random.nextInt(VERTICES);
            switch (random.nextInt(8)) {
                case 0 -> {
                    long bits = random.nextInt(4) << random.nextInt(30) & 0xFFFF_FFFFL;
                    long word = random.nextLong(WORDS - 1);
                    set.addWord(word, bits);
                    expected.or(shifted(bits, word));
                }
                case 1 -> {
                    long first = random.nextLong(WORDS);
                    long end = first + random.nextLong(WORDS - first + 1);
                    set.clear(first, end);
                    expected.clear((int) first * 64, (int) end * 64);
                }
                case 2, 3 -> {
                    VertexSet.addAtomically(set.words, set.marks, ordinal);
                    expected.set(ordinal);
                }
                default -> {
                    assertThat(set.add(ordinal)).isEqualTo(!expected.get(ordinal));
                    expected.set(ordinal);
                }
            }
            assertThat(members(set, 0, WORDS)).as("step %d", step).isEqualTo(expected);
            int from = random.nextInt(VERTICES);
            int end = from + random.nextInt(VERTICES - from + 1);
            int next = expected.nextSetBit(from);
            assertThat(set.next(from, end)).isEqualTo(next >= 0 && next < end ? next : -1);
            assertThat(set.has(ordinal)).isEqualTo(expected.get(ordinal));
        }
    }

    private static BitSet shifted(long bits, long word) {
        BitSet set = new BitSet();
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            set.set((int) word * 64 + Long.numberOfTrailingZeros(rest));
        }
        return set;
    }

    @Test
    void findsNothingInNoWords() {
        set.add(64);

        assertThat(set.nextWord(1, 1)).isEqualTo(1);
        assertThat(set.nextWord(5, 3)).isEqualTo(3);
        assertThat(set.nextWord(0, 1)).isEqualTo(1);
        assertThat(set.next(64, 64)).isEqualTo(-1);
    }

    @Test
    void marksWhatWasWrittenWithoutIt() {
        NativeMemory.putLong(set.words + 8, 5);
        NativeMemory.putLong(set.words + 70 * 8, 1);
        set.markWords(1, 71);

        assertThat(members(set, 0, WORDS)).isEqualTo(BitSet.valueOf(words(70 * 64L, 64, 66)));
    }

    private static long[] words(long... ordinals) {
        long[] words = new long[(int) WORDS];
        for (long ordinal : ordinals) {
            words[(int) (ordinal / 64)] |= 1L << ordinal;
        }
        return words;
    }

    /** Adds an ordinal to a set. */
    private interface Adding {
        void add(VertexSet set, long ordinal);
    }

    /** In rounds, all threads add to few words; true if all that was added was found each time. */
    private boolean findsAll(Adding adding) throws InterruptedException, ExecutionException {
        BitSet added = new BitSet();
        Random random = new Random(SEED);
        boolean[] complete = {true};
        CyclicBarrier ends =
                new CyclicBarrier(
                        THREADS,
                        () -> {
                            complete[0] &= members(set, 0, WORDS).equals(added);
                            set.clear(0, WORDS);
                            added.clear();
                        });
        CyclicBarrier begins = new CyclicBarrier(THREADS);
        List<Future<?>> adders = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int thread = 0; thread < THREADS; thread++) {
                Random own = new Random(random.nextLong());
                adders.add(
                        threads.submit(() -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                int ordinal = own.nextInt(256);
                                synchronized (added) {
                                    added.set(ordinal);
                                }
                                begins.await();
                                adding.add(set, ordinal);
                                ends.await();
                            }
                            return null;
                        }));
            }
            for (Future<?> adder : adders) {
                adder.get();
            }
        }
        return complete[0];
    }

    @Test
    void losesNothingWhenManyThreadsAdd() throws InterruptedException, ExecutionException {
        assertThat(findsAll((s, ordinal) -> VertexSet.addAtomically(s.words, s.marks, ordinal)))
                .as("seed %d", SEED)
                .isTrue();
    }

    @Test
    void findsTheTwinWhoseMarksAreNotAtomic() throws InterruptedException, ExecutionException {
        Gap gap = new Gap(THREADS);
        Adding careless =
                (s, ordinal) -> {
                    long word = ordinal >>> Bitmap.WORD_SHIFT;
                    long marked = NativeMemory.getLongVolatile(s.marks);
                    gap.meet();
                    if (NativeMemory.getAndBitwiseOrLong(s.words + word * 8, 1L << ordinal) == 0) {
                        NativeMemory.putLongRelease(s.marks, marked | 1L << word);
                    }
                };

        assertThat(findsAll(careless)).isFalse();
    }

    @Test
    void findsTheTwinThatNobodyMarksFor() throws InterruptedException, ExecutionException {
        Gap gap = new Gap(THREADS);
        Adding careless =
                (s, ordinal) -> {
                    long word = ordinal >>> Bitmap.WORD_SHIFT;
                    NativeMemory.getAndBitwiseOrLong(s.words + word * 8, 1L << ordinal);
                    gap.meet();
                    if (NativeMemory.getLongVolatile(s.words + word * 8) == 1L << ordinal) {
                        NativeMemory.getAndBitwiseOrLong(s.marks, 1L << word);
                    }
                };

        assertThat(findsAll(careless)).isFalse();
    }
}
