package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class NativeMemoryTest {

    private static final long BYTES = 3 * NativeMemory.PAGE_BYTES;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final long address = NativeMemory.reserve(BYTES);

    @AfterEach
    void release() {
        NativeMemory.release(address, BYTES);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void readsBackEveryWidthAtAnyAddressInLittleEndian() {
        for (int offset = 0; offset < 16; offset++) {
            long at = address + offset;
            NativeMemory.putLong(at, 0x0807060504030201L);
            assertThat(NativeMemory.getByte(at)).isEqualTo((byte) 1);
            assertThat(NativeMemory.getShort(at)).isEqualTo((short) 0x0201);
            assertThat(NativeMemory.getInt(at + 4)).isEqualTo(0x08070605);
            NativeMemory.putDouble(at, -1.5);
            assertThat(NativeMemory.getDouble(at)).isEqualTo(-1.5);
            NativeMemory.putFloat(at, 2.5f);
            assertThat(NativeMemory.getFloat(at)).isEqualTo(2.5f);
        }
    }

    @Test
    void changesWordsAtomicallyAndRefusesToDoSoUnaligned() {
        assertThat(NativeMemory.compareAndSetLong(address, 0, 5)).isTrue();
        assertThat(NativeMemory.compareAndSetLong(address, 0, 6)).isFalse();
        assertThat(NativeMemory.getAndAddLong(address, 2)).isEqualTo(5);
        assertThat(NativeMemory.getAndBitwiseOrLong(address, 8)).isEqualTo(7);
        assertThat(NativeMemory.getAndBitwiseAndLong(address, ~1L)).isEqualTo(15);
        assertThat(NativeMemory.getLongVolatile(address)).isEqualTo(14);

        assertThatThrownBy(() -> NativeMemory.getLongVolatile(address + 4))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void givesZeroPagesAndMakesThemZeroAgain() {
        NativeMemory.fill(address, BYTES, (byte) 7);

        NativeMemory.discard(address + NativeMemory.PAGE_BYTES, NativeMemory.PAGE_BYTES);

        assertThat(NativeMemory.getByte(address + NativeMemory.PAGE_BYTES - 1)).isEqualTo((byte) 7);
        assertThat(NativeMemory.getLong(address + NativeMemory.PAGE_BYTES)).isZero();
        assertThat(NativeMemory.getByte(address + 2 * NativeMemory.PAGE_BYTES)).isEqualTo((byte) 7);
    }

    @Test
    void reservesFarMoreThanItTouches() {
        long bytes = 64L << 30;

        long far = NativeMemory.reserve(bytes);
        NativeMemory.putLong(far + bytes - 8, 42);

        assertThat(NativeMemory.getLong(far + bytes - 8)).isEqualTo(42);
        NativeMemory.release(far, bytes);
    }

    @Test
    void copiesBetweenArraysAndMemoryAndOverItself() {
        int[] ints = {1, -2, 3, -4};
        NativeMemory.copyFromArray(ints, 1, address + 3, 3);
        int[] back = new int[3];
        NativeMemory.copyToArray(address + 3, back, 0, 3);
        assertThat(back).containsExactly(-2, 3, -4);

        NativeMemory.copyFromArray(new long[] {1, 2, 3}, 0, address, 3);
        NativeMemory.copy(address, address + 8, 24);
        long[] moved = new long[3];
        NativeMemory.copyToArray(address + 8, moved, 0, 3);
        assertThat(moved).containsExactly(1, 2, 3);
    }
}
