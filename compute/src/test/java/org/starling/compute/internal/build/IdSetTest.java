package org.starling.compute.internal.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of ids as bits and in hash tables, beside an ordered set of the library. */
final class IdSetTest {
    private static final int SETS = 3;
    private static final int IDS = 60_000;

    private final Random random = new Random(5);

    /** Where ids come from. */
    enum Range {
        DENSE,
        BEYOND_THE_FIRST_BITS,
        SPARSE,
        UNSIGNED,
        MIXED
    }

    @ParameterizedTest
    @EnumSource
    void hasEachIdOnceWhateverItsSizeAndWhoeverHasReadIt(Range range) {
        IdSet[] sets = new IdSet[SETS];
        TreeSet<Long> expected = new TreeSet<>();
        LongSupplier next = ids(range);
        for (int i = 0; i < SETS; i++) {
            sets[i] = new IdSet();
            for (int j = 0; j < IDS; j++) {
                long ordered = IdRanges.ordered(next.getAsLong());
                sets[i].add(ordered);
                expected.add(ordered);
            }
        }

        assertThat(IdSet.union(sets))
                .isEqualTo(expected.stream().mapToLong(Long::longValue).toArray());
    }

    @Test
    void startsWithoutIds() {
        assertThat(IdSet.union(new IdSet[] {new IdSet(), new IdSet()})).isEmpty();
    }

    /** Steps about the number of bits for each id that there may be. */
    @ParameterizedTest
    @ValueSource(longs = {1, 32, 63, 64, 65, 127, 128, 129, 1L << 40})
    void takesNoMoreMemoryThanAHashTableWhateverTheStep(long step) {
        long before = allocatedBytes();

        IdSet set = new IdSet();
        for (int i = 0; i < IDS; i++) {
            set.add(IdRanges.ordered(Math.max(i, (i - 2) * step)));
        }

        assertThat(allocatedBytes() - before).isLessThan(64L * IDS + (1 << 20));
        assertThat(IdSet.union(new IdSet[] {set})).hasSize(IDS);
    }

    /** All threads meet nearly all vertices of most graphs. */
    @Test
    void unitesSetsOfTheSameIdsInAsMuchMemoryAsOneTakes() {
        IdSet[] sets = new IdSet[16];
        for (int i = 0; i < sets.length; i++) {
            sets[i] = new IdSet();
            for (long id = 0; id < IDS; id++) {
                sets[i].add(IdRanges.ordered(id));
            }
        }
        long before = allocatedBytes();

        long[] union = IdSet.union(sets);

        assertThat(allocatedBytes() - before).isLessThan(2L * Long.BYTES * IDS);
        assertThat(union).hasSize(IDS);
    }

    @Test
    void findsTheRanksOfDenseAndOfSparseIds() {
        for (long step : new long[] {1, 2, 1L << 40}) {
            long[] ids = new long[1_000];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = IdRanges.ordered(i * step);
            }
            IdRanges ranges = new IdRanges(ids, 2);
            for (int i = 0; i < ids.length; i++) {
                ranges.ranked(i < 400 ? 0 : 1).add(7L + i);
            }
            for (int i = 0; i < ids.length; i++) {
                assertThat(ranges.rankOf().applyAsLong(ids[i])).isEqualTo(7 + i);
            }
        }
    }

    private static long allocatedBytes() {
        return ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                .getCurrentThreadAllocatedBytes();
    }

    private LongSupplier ids(Range range) {
        return switch (range) {
            case DENSE -> () -> random.nextInt(40_000);
            case BEYOND_THE_FIRST_BITS -> () -> random.nextInt(1 << 22);
            case SPARSE -> () -> random.nextLong(1L << 45);
            case UNSIGNED -> random::nextLong;
            case MIXED ->
                    () -> random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(1 << 24);
        };
    }
}
