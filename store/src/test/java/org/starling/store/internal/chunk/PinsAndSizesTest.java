package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** The small parts of the chunk store by themselves: which ids are pinned, lengths added up. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class PinsAndSizesTest {
    private final Pins pins = new Pins();

    @Test
    void tellsPinnedIdsFromTheirNeighboursInTheSamePage() {
        pins.add(100, 10);

        assertThat(pins.isPinned(99)).isFalse();
        assertThat(pins.isPinned(100)).isTrue();
        assertThat(pins.isPinned(109)).isTrue();
        assertThat(pins.isPinned(110)).isFalse();
        assertThat(pins.isPinned(100L + PAGE_ENTRIES)).isFalse();
    }

    @Test
    void countsARangeInEveryPageItReachesInto() {
        long first = PAGE_ENTRIES - 1L;
        pins.add(first, PAGE_ENTRIES + 2);

        for (long id : new long[] {first, first + 1, 2L * PAGE_ENTRIES - 1, 2L * PAGE_ENTRIES}) {
            assertThat(pins.isPinned(id)).as("id %d", id).isTrue();
        }
        assertThat(pins.isPinned(2L * PAGE_ENTRIES + 1)).isFalse();

        pins.remove(first, PAGE_ENTRIES + 2);
        assertThat(pins.isPinned(PAGE_ENTRIES)).isFalse();
        assertThat(pins.size()).isZero();
    }

    @Test
    void keepsTheFirstPinsWhenItsPagesGrow() {
        pins.add(5, 1);
        pins.add(40L * PAGE_ENTRIES, 1);

        assertThat(pins.isPinned(5)).isTrue();
        assertThat(pins.isPinned(40L * PAGE_ENTRIES)).isTrue();
        assertThat(pins.isPinned(39L * PAGE_ENTRIES)).isFalse();
    }

    @Test
    void removesOneOfTwoEqualPins() {
        pins.add(7, 3);
        pins.add(7, 3);

        pins.remove(7, 3);

        assertThat(pins.isPinned(8)).isTrue();
        pins.remove(7, 3);
        assertThat(pins.isPinned(8)).isFalse();
    }

    @Test
    void refusesToRemoveWhatIsNotPinnedExactlySo() {
        pins.add(7, 3);

        assertThatThrownBy(() -> pins.remove(7, 2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pins.remove(8, 3)).isInstanceOf(IllegalStateException.class);

        assertThat(pins.size()).isEqualTo(1);
        assertThat(pins.isPinned(9)).isTrue();
    }

    @Test
    void boundsPinnedRanges() {
        for (int i = 0; i < Pins.MAX_RANGES; i++) {
            pins.add(i, 1);
        }

        assertThatThrownBy(() -> pins.add(1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("65536");

        assertThat(pins.size()).isEqualTo(Pins.MAX_RANGES);
        pins.remove(0, 1);
        pins.add(1L << 20, 1);
        assertThat(pins.isPinned(1L << 20)).isTrue();
    }

    @Test
    void addsLengthsAndHeadersUpAtTheirBorders() {
        int[] sizes = {0, 1, 255, 256, 65_535, 65_536, (1 << 24) - 1, 1 << 24, Integer.MAX_VALUE};
        long payload = 0;
        for (int bytes : sizes) {
            payload += bytes;
        }

        Sizes.Totals totals = new Sizes.InArray(sizes, 0, sizes.length).totals();

        assertThat(totals.payloadBytes()).isEqualTo(payload);
        assertThat(totals.headerBytes()).isEqualTo(1 + 1 + 1 + 2 + 2 + 3 + 3 + 4 + 4);
        assertThat(totals.blockBytes()).isEqualTo(payload + totals.headerBytes());
    }

    @Test
    void addsMoreThanAnIntegerHolds() {
        assertThat(new Sizes.Uniform(1000, Integer.MAX_VALUE).totals().payloadBytes())
                .isEqualTo(1000L * Integer.MAX_VALUE);
    }

    @Test
    void readsLengthsFromAPartOfAnArrayAndFromMemory() {
        int[] sizes = {-1, 5, 6, -1};
        Sizes part = new Sizes.InArray(sizes, 1, 2);
        long memory = NativeMemory.reserve(4096);
        try {
            NativeMemory.copyFromArray(sizes, 0, memory, sizes.length);
            Sizes inMemory = new Sizes.InMemory(memory + Integer.BYTES, 2);
            Sizes wrong = new Sizes.InMemory(memory, 2);

            assertThat(part.totals()).isEqualTo(new Sizes.Totals(11, 2));
            assertThat(inMemory.totals()).isEqualTo(part.totals());
            assertThatThrownBy(wrong::totals).hasMessageContaining("size -1 of chunk 0");
        } finally {
            NativeMemory.release(memory, 4096);
        }
    }

    @Test
    void refusesEmptyRangesAndPartsOutsideOfTheirArray() {
        int[] sizes = new int[4];

        assertThatThrownBy(() -> new Sizes.Uniform(0, 1)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new Sizes.Uniform(-1, 1)).hasMessageContaining("not -1");
        assertThatThrownBy(() -> new Sizes.InMemory(4096, 0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new Sizes.InArray(sizes, 0, 0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new Sizes.InArray(sizes, 1, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new Sizes.InArray(sizes, -1, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new Sizes.InArray(sizes, Integer.MAX_VALUE, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
