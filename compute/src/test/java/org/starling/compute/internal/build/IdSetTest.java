package org.starling.compute.internal.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
