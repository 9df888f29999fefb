package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starling.net.NativeMemory;

final class PageMapTest {
    private static final long PAGE = NativeMemory.PAGE_BYTES;
    private static final long BYTES = 700 * PAGE + 1;

    private final long before = NativeMemory.reservedBytes();
    private long region;

    @BeforeEach
    void reserve() {
        region = NativeMemory.reserve(BYTES);
    }

    @AfterEach
    void release() {
        NativeMemory.release(region, BYTES);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void countsThePagesThatWereWritten() {
        assertThat(PageMap.takenBytes(region, BYTES)).isZero();

        NativeMemory.putByte(region + 3 * PAGE - 1, (byte) 1);
        NativeMemory.putLong(region + 5 * PAGE - 4, -1);
        NativeMemory.putByte(region + 700 * PAGE, (byte) 1);

        assertThat(PageMap.takenBytes(region, BYTES)).isEqualTo(4 * PAGE);
        assertThat(PageMap.takenBytes(region + 3 * PAGE, 2 * PAGE)).isEqualTo(PAGE);
    }

    @Test
    void clearsWhatWasWrittenAndTakesNothingElse() {
        NativeMemory.fill(region + PAGE, 2 * PAGE, (byte) 7);
        NativeMemory.putByte(region + BYTES - 1, (byte) 7);

        assertThat(PageMap.clear(region, BYTES)).isEqualTo(3 * PAGE);

        assertThat(PageMap.takenBytes(region, BYTES)).isEqualTo(3 * PAGE);
        for (long at = 0; at < BYTES; at += 64) {
            assertThat(NativeMemory.getByte(region + at)).isZero();
        }
        assertThat(NativeMemory.getByte(region + BYTES - 1)).isZero();
    }

    @Test
    void looksAtRegionsOfAnyLength() {
        long bytes = 3 * (8192L << 12) + PAGE;
        long large = NativeMemory.reserve(bytes);
        try {
            NativeMemory.putByte(large + bytes - 1, (byte) 1);

            assertThat(PageMap.takenBytes(large, bytes)).isBetween(PAGE, 2L << 20);
            PageMap.clear(large, bytes);
            assertThat(NativeMemory.getByte(large + bytes - 1)).isZero();
        } finally {
            NativeMemory.release(large, bytes);
        }
    }
}
