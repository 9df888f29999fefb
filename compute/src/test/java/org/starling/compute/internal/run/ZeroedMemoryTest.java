package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.starling.net.NativeMemory;

final class ZeroedMemoryTest {
    private static final long PAGE = NativeMemory.PAGE_BYTES;

    @Test
    void givesRegionsOutAgainWithZerosAndKnowsWhatTheyHold() {
        long before = NativeMemory.reservedBytes();
        try (ZeroedMemory memory = new ZeroedMemory()) {
            long region = memory.take(100 * PAGE);
            NativeMemory.fill(region + 10 * PAGE, 5 * PAGE, (byte) -1);

            memory.giveBack(region, 100 * PAGE);

            assertThat(memory.takenBytes()).isEqualTo(5 * PAGE);
            assertThat(memory.take(100 * PAGE)).isEqualTo(region);
            assertThat(memory.takenBytes()).isZero();
            for (long at = 0; at < 100 * PAGE; at += Long.BYTES) {
                assertThat(NativeMemory.getLong(region + at)).isZero();
            }
            memory.giveBack(region, 100 * PAGE);
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }
}
