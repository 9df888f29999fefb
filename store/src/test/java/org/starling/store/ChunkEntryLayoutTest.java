package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.net.NativeMemory;

/** The bytes of entries and blocks. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ChunkEntryLayoutTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1, 00",
        "1, 1, 01",
        "255, 1, ff",
        "256, 2, 0001",
        "65535, 2, ffff",
        "65536, 3, 000001",
        "16777215, 3, ffffff",
        "16777216, 4, 00000001",
        "2147483647, 4, ffffff7f",
    })
    void writesLengthsInTheFewestBytesAndNothingElse(int length, int headerBytes, String hex) {
        long memory = NativeMemory.reserve(4096);
        try {
            NativeMemory.fill(memory, 64, (byte) 0xAA);
            long block = memory + 17;

            long entry = ChunkEntryLayout.writeHeader(block, length);

            assertThat(ChunkEntryLayout.headerBytesFor(length)).isEqualTo(headerBytes);
            assertThat(ChunkEntryLayout.blockBytes(length)).isEqualTo((long) length + headerBytes);
            assertThat(entry).isEqualTo(block + headerBytes | (long) (headerBytes - 1) << 48);
            assertThat(ChunkEntryLayout.payloadAddress(entry)).isEqualTo(block + headerBytes);
            assertThat(ChunkEntryLayout.headerBytes(entry)).isEqualTo(headerBytes);
            assertThat(ChunkEntryLayout.payloadBytes(entry)).isEqualTo(length);
            StringBuilder written = new StringBuilder();
            for (int i = 0; i < headerBytes; i++) {
                written.append(String.format("%02x", NativeMemory.getByte(block + i)));
            }
            assertThat(written).hasToString(hex);
            assertThat(NativeMemory.getByte(block - 1)).isEqualTo((byte) 0xAA);
            assertThat(NativeMemory.getByte(block + headerBytes)).isEqualTo((byte) 0xAA);
        } finally {
            NativeMemory.release(memory, 4096);
        }
    }

    @Test
    void decodesALengthWhateverLiesBeforeTheHeader() {
        long memory = NativeMemory.reserve(4096);
        try {
            NativeMemory.fill(memory, 64, (byte) 0xFF);

            long entry = ChunkEntryLayout.writeHeader(memory + 8, 5);

            assertThat(ChunkEntryLayout.payloadBytes(entry)).isEqualTo(5);
        } finally {
            NativeMemory.release(memory, 4096);
        }
    }

    @Test
    void makesIdsOfCreatorAndLocalId() {
        long id = ChunkId.of(0xFFFE, ChunkId.MAX_LOCAL);

        assertThat(ChunkId.creator(id)).isEqualTo(0xFFFE);
        assertThat(ChunkId.local(id)).isEqualTo(ChunkId.MAX_LOCAL);
        assertThat(ChunkId.toString(ChunkId.of(2, 31))).isEqualTo("0x0002:1f");
        assertThat(ChunkId.creator(ChunkId.NONE)).isGreaterThan(ChunkId.MAX_CREATOR);
        assertThat(ChunkId.toString(ChunkId.NONE)).isEqualTo("none");
    }
}
