package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/** Ids taken and given back at random, beside a bit set of those in use. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class IdAllocatorTest {
    private static final long SEED = Long.getLong("starling.seed", 5L);

    private record Run(long first, int count) {}

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final ChunkTable table = new ChunkTable();
    private final IdAllocator ids = new IdAllocator(table, 1L << 47);
    private final BitSet used = new BitSet();

    @AfterEach
    void leavesNoMemoryBehind() {
        table.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void neverHandsOutAnIdTwice() {
        Random random = new Random(SEED);
        List<Run> runs = new ArrayList<>();
        for (int step = 0; step < 6_000; step++) {
            if (random.nextInt(100) < 52 || runs.isEmpty()) {
                int count =
                        random.nextInt(20) == 0
                                ? 1 + random.nextInt(70_000)
                                : 1 + random.nextInt(200);
                runs.add(new Run(take(count), count));
            } else {
                Run run = runs.remove(random.nextInt(runs.size()));
                free(run.first(), run.count());
            }
        }

        assertThat(ids.bound())
                .as("seed %d", SEED)
                .isLessThan((long) (used.length() * 1.01) + 70_000);
    }

    @Test
    void goesBackToFreedSinglesOnceTheyAreWorthASearch() {
        long first = take(ChunkEntryLayout.PAGE_ENTRIES);
        for (int i = 0; i < 2 * IdAllocator.MIN_FREE; i += 2) {
            free(first + i, 1);
        }
        long bound = ids.bound();

        for (int i = 0; i < IdAllocator.MIN_FREE; i++) {
            take(1);
        }

        assertThat(ids.bound()).isEqualTo(bound);
        assertThat(take(1)).isEqualTo(bound);
    }

    @Test
    void findsARunInAPageWithHoles() {
        long first = take(10_000);
        free(first + 1_000, 3_000);
        free(first + 5_000, 2_000);

        long again = take(2_500);

        assertThat(again).isEqualTo(first + 1_000);
    }

    @Test
    void givesEmptyPagesBackAndTakesThemWholeForRanges() {
        long first = take(5 * ChunkEntryLayout.PAGE_ENTRIES);
        free(first, 5 * ChunkEntryLayout.PAGE_ENTRIES);
        assertThat(ids.entries()).isZero();

        long again = take(3 * ChunkEntryLayout.PAGE_ENTRIES + 1);

        assertThat(again).isEqualTo(first);
        assertThat(ids.bound()).isEqualTo(5L * ChunkEntryLayout.PAGE_ENTRIES);
        assertThat(ids.entries()).isEqualTo(4L * ChunkEntryLayout.PAGE_ENTRIES);
    }

    /** Ids are freed and taken at random, some while they are withheld. */
    @Test
    void handsOutNothingThatWasFreedWhileItWasWithheld() {
        Random random = new Random(SEED);
        List<Run> runs = new ArrayList<>();
        List<Run> withheld = new ArrayList<>();
        BitSet freed = new BitSet();
        for (int step = 0; step < 3_000; step++) {
            int kind = random.nextInt(100);
            if (kind < 50 || runs.isEmpty()) {
                int count = 1 + random.nextInt(kind < 2 ? 70_000 : 200);
                long first = take(count);
                runs.add(new Run(first, count));
                int again = freed.nextSetBit((int) first);
                assertThat(again < 0 || again >= first + count).as("seed %d", SEED).isTrue();
            } else if (kind < 70) {
                Run run = runs.remove(random.nextInt(runs.size()));
                withheld.add(run);
                ids.withhold(run.first(), run.count());
                free(run.first(), run.count());
                freed.set((int) run.first(), (int) run.first() + run.count());
            } else if (kind < 90 && !withheld.isEmpty()) {
                Run run = withheld.remove(random.nextInt(withheld.size()));
                ids.release(run.first(), run.count());
                freed.clear((int) run.first(), (int) run.first() + run.count());
            } else {
                Run run = runs.remove(random.nextInt(runs.size()));
                free(run.first(), run.count());
            }
        }
    }

    @Test
    void givesEmptyPagesBackThatWereWithheld() {
        long first = take(2 * ChunkEntryLayout.PAGE_ENTRIES);
        ids.withhold(first + 10, 1);
        ids.withhold(first + 20, ChunkEntryLayout.PAGE_ENTRIES);
        free(first, 2 * ChunkEntryLayout.PAGE_ENTRIES);
        ids.release(first + 10, 1);
        assertThat(take(1)).isEqualTo(2L * ChunkEntryLayout.PAGE_ENTRIES);

        ids.release(first + 20, ChunkEntryLayout.PAGE_ENTRIES);

        assertThat(ids.entries()).isEqualTo(1);
        assertThat(take(2 * ChunkEntryLayout.PAGE_ENTRIES)).isEqualTo(first);
    }

    /** Runs of a page that was searched, and then went as a whole, are given out a second time. */
    @Test
    void handsOutNoRunOfASearchedPageThatWasTakenAsAWhole() {
        long first = take(2 * ChunkEntryLayout.PAGE_ENTRIES);
        free(first, 10_000);
        assertThat(take(1)).as("the page is searched").isEqualTo(first);
        free(first, 1);
        free(first + 10_000, ChunkEntryLayout.PAGE_ENTRIES - 10_000);
        assertThat(take(ChunkEntryLayout.PAGE_ENTRIES)).isEqualTo(first);

        take(1);
    }

    private long take(int count) {
        long first = ids.take(count);
        int taken = used.nextSetBit((int) first);
        assertThat(taken < 0 || taken >= first + count)
                .as("seed %d: ids from %d", SEED, first)
                .isTrue();
        used.set((int) first, (int) first + count);
        for (long id = first; id < first + count; id++) {
            assertThat(NativeMemory.getLong(table.entry(id)) == EntryLock.RESERVED).isTrue();
        }
        return first;
    }

    private void free(long first, int count) {
        used.clear((int) first, (int) first + count);
        for (long id = first; id < first + count; id++) {
            NativeMemory.putLong(table.entry(id), 0);
        }
        ids.free(first, count);
    }
}
