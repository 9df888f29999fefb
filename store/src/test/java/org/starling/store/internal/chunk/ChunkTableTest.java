package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;

/** Entries at the borders of pages and slabs, and ids that were never handed out. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ChunkTableTest {
    private static final int SLAB_PAGES = 8;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final ChunkTable table = new ChunkTable();

    @AfterEach
    void leavesNoMemoryBehind() {
        table.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void hasNoEntryBeyondItsEndWhateverTheId() {
        table.growTo(1);

        for (long local :
                new long[] {
                    (long) SLAB_PAGES * PAGE_ENTRIES,
                    1L << 32,
                    (1L << 48) - 1,
                    ChunkId.MAX_LOCAL,
                    -1,
                    Long.MIN_VALUE
                }) {
            assertThat(table.entry(local)).as("local id %d", local).isZero();
        }
    }

    @Test
    void hasNoEntryAtAllBeforeItGrows() {
        assertThat(table.entry(0)).isZero();
        assertThat(table.pageCount()).isZero();

        table.growTo(0);

        assertThat(table.pageCount()).isZero();
    }

    @Test
    void startsEveryEntryAsEmpty() {
        table.growTo(2L * PAGE_ENTRIES);

        for (long local = 0; local < 2L * PAGE_ENTRIES; local += 97) {
            assertThat(NativeMemory.getLong(table.entry(local)) == 0).isTrue();
        }
    }

    @Test
    void keepsNeighboursOnBothSidesOfEveryBorderApart() {
        int pages = 2 * SLAB_PAGES + 1;
        table.growTo((long) pages * PAGE_ENTRIES);
        Set<Long> addresses = new HashSet<>();

        for (int page = 0; page < pages; page++) {
            long first = (long) page * PAGE_ENTRIES;
            for (long local : new long[] {first, first + 1, first + PAGE_ENTRIES - 1}) {
                assertThat(addresses.add(table.entry(local))).as("id %d", local).isTrue();
                NativeMemory.putLong(table.entry(local), local + 1);
            }
            assertThat(table.entry(first)).isEqualTo(table.page(page));
            assertThat(table.entry(first + PAGE_ENTRIES - 1) - table.entry(first))
                    .isEqualTo(8L * (PAGE_ENTRIES - 1));
        }

        for (int page = 0; page < pages; page++) {
            long first = (long) page * PAGE_ENTRIES;
            assertThat(NativeMemory.getLong(table.entry(first))).isEqualTo(first + 1);
            assertThat(NativeMemory.getLong(table.entry(first + PAGE_ENTRIES - 1)))
                    .isEqualTo(first + PAGE_ENTRIES);
        }
    }

    @Test
    void keepsEntriesWhereTheyAreWhenItGrows() {
        table.growTo(1);
        long before = table.entry(0);
        NativeMemory.putLong(before, 42);

        table.growTo((long) SLAB_PAGES * PAGE_ENTRIES);
        assertThat(table.pageCount()).as("a slab at a time").isEqualTo(SLAB_PAGES);
        table.growTo((long) SLAB_PAGES * PAGE_ENTRIES + 1);

        assertThat(table.pageCount()).isEqualTo(2 * SLAB_PAGES);
        assertThat(table.entry(0)).isEqualTo(before);
        assertThat(NativeMemory.getLong(table.entry(0))).isEqualTo(42);
    }

    @Test
    void emptiesADiscardedPageAndNoOther() {
        table.growTo(3L * PAGE_ENTRIES);
        for (int page = 0; page < 3; page++) {
            NativeMemory.putLong(table.page(page), 7);
            NativeMemory.putLong(table.entry((page + 1L) * PAGE_ENTRIES - 1), 8);
        }

        table.discard(1);

        assertThat(NativeMemory.getLong(table.entry(PAGE_ENTRIES))).isZero();
        assertThat(NativeMemory.getLong(table.entry(2L * PAGE_ENTRIES - 1))).isZero();
        assertThat(NativeMemory.getLong(table.entry(PAGE_ENTRIES - 1L))).isEqualTo(8);
        assertThat(NativeMemory.getLong(table.entry(2L * PAGE_ENTRIES))).isEqualTo(7);
    }

    @Test
    void refusesToGrowPastItsBoundAndReservesNothing() {
        long before = NativeMemory.reservedBytes();

        assertThatThrownBy(() -> table.growTo((1L << 44) + 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("limit");

        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void findsNothingAfterClose() {
        table.growTo(1);

        table.close();
        table.close();

        assertThat(table.entry(0)).isZero();
    }
}
