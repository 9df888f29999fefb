package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks on the disk byte by byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class BlockLayoutTest {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private static byte[] blockOf(Records records) throws IOException {
        FakeDisk disk = new FakeDisk();
        try (BackupLogs logs = BackupLogs.open(disk, ZoneLogTest.SMALL)) {
            ZoneLog log = logs.createCopy(0x3_0000_8001L, 2, 16);
            records.appendTo(log, 3, 17);
            log.force(18).join();
            List<FakeDisk.Written> writes =
                    disk.deeds().stream()
                            .filter(FakeDisk.Written.class::isInstance)
                            .map(FakeDisk.Written.class::cast)
                            .filter(write -> write.at() > 0) // not the marks
                            .toList();
            assertThat(writes).hasSize(2);
            assertThat(writes.get(1).at()).isEqualTo(8192);
            return writes.get(1).bytes();
        }
    }

    @Test
    void hasTheseBytes() throws IOException {
        try (Records records = new Records(4096)) {
            records.put(5, new byte[] {(byte) 0xAA, (byte) 0xBB}).remove(1, 2);
            byte[] block = blockOf(records);

            assertThat(block).hasSize(4096);
            assertThat(HEX.formatHex(block, 0, 4)).isEqualTo("31 53 4c 42");
            // Checksum and log id differ from log to log.
            assertThat(HEX.formatHex(block, 16, 128))
                    .isEqualTo(
                            "01 80 00 00 03 00 00 00 " // zone
                                    + "01 00 00 00 00 00 00 00 " // ordinal
                                    + "03 00 00 00 00 00 00 00 " // epoch
                                    + "03 00 00 00 00 00 00 00 " // epoch of the last change
                                    + "03 00 00 00 00 00 00 00 " // fence
                                    + "11 00 00 00 00 00 00 00 " // first
                                    + "12 00 00 00 00 00 00 00 " // end
                                    + "01 00 00 00 00 00 00 00 " // forced
                                    + "10 00 00 00 00 00 00 00 " // base
                                    + "01 00 00 00 " // segment
                                    + "01 00 00 00 " // head
                                    + "02 00 00 00 " // count
                                    + "08 00 00 00 " // bytes of entries
                                    + "00 10 00 00 " // bytes of the block
                                    + "2b 92 05 19 " // checksum of the body
                                    + "01 01 01 00 00 00 00 00 00 00 00 00 00 00 00 00"); // kind,
            // version, copy
            assertThat(HEX.formatHex(block, 128, 136)).isEqualTo("01 05 02 aa bb 02 01 02");
            assertThat(Arrays.copyOfRange(block, 136, 4088)).containsOnly(0);
            assertThat(HEX.formatHex(block, 4088, 4096)).isEqualTo("f7 19 92 dd 80 e3 ee 81");
        }
    }

    @Test
    void hasSlotsOfTheseLengths() {
        assertThat(BlockLayout.blockBytes(BlockLayout.STREAM, 0, 0)).isEqualTo(4096);
        assertThat(BlockLayout.blockBytes(BlockLayout.STREAM, 4096 - 128 - 4, 1)).isEqualTo(4096);
        assertThat(BlockLayout.blockBytes(BlockLayout.STREAM, 4096 - 128 - 3, 1)).isEqualTo(8192);
        assertThat(BlockLayout.blockBytes(BlockLayout.MOVED, 4096 - 128 - 12, 1)).isEqualTo(4096);
        assertThat(BlockLayout.slotAt(BlockLayout.COPY, 4096, 0)).isEqualTo(4092);
        assertThat(BlockLayout.slotAt(BlockLayout.MOVED, 4096, 2)).isEqualTo(4096 - 36);
    }
}
