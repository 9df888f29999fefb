package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Wire records byte by byte. Seeds can be given with -Dstarling.seed=…. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EntryLayoutTest {
    private static final long SEED = Long.getLong("starling.seed", 20_261_121L);

    private final Records records = new Records(1 << 20);

    @AfterEach
    void release() {
        records.close();
    }

    private void isEncodedAs(String hex) {
        String found = HexFormat.ofDelimiter(" ").formatHex(records.toArray());
        assertThat(found).isEqualTo(hex);
        records.clear();
    }

    @Test
    void hasTheseBytes() {
        records.put(5, new byte[] {(byte) 0xAA, (byte) 0xBB});
        isEncodedAs("01 05 02 aa bb");
        records.put(0x0FFF_FFFE, new byte[0], 0xFFFE, 0x1122_3344_5566_7788L);
        isEncodedAs("39 fe ff ff 0f 00 fe ff 88 77 66 55 44 33 22 11");
        records.remove(0x0102, 0x0304);
        isEncodedAs("52 02 01 04 03");
        records.remove(0x010203, 0x040506, 1, 2);
        isEncodedAs("aa 03 02 01 06 05 04 01 00 02 00 00 00 00 00 00 00");
        records.create(1, 300, 64);
        isEncodedAs("43 01 2c 01 40 00 00 00");
        records.createListed(9, 1, 0, 258);
        isEncodedAs("04 09 03 01 00 00 00 00 00 00 00 02 01 00 00");
        records.skip(7, 1, 3, 4);
        isEncodedAs("0d 07 01 03 00 04 00 00 00 00 00 00 00");
    }

    @Test
    void readsWhatItWrites() {
        byte[] value = {1, 2, 3};
        records.put(70_000, value, 9, -1L).createListed(0xFFFF, 4, 0, 9).create(1, 70_000, 8);
        long limit = records.address() + records.bytes();
        EntryCursor entry = new EntryCursor();

        entry.read(records.address(), limit);
        assertThat(entry.kind()).isEqualTo(EntryLayout.PUT);
        assertThat(entry.index()).isEqualTo(70_000);
        assertThat(entry.count()).isEqualTo(1);
        assertThat(entry.size(0)).isEqualTo(3);
        assertThat(entry.client()).isEqualTo(9);
        assertThat(entry.sequence()).isEqualTo(-1L);
        assertThat(NativeMemory.getByte(entry.body() + 2)).isEqualTo((byte) 3);

        entry.read(entry.address() + entry.recordBytes(), limit);
        assertThat(entry.kind()).isEqualTo(EntryLayout.CREATE_LISTED);
        assertThat(entry.client()).isEqualTo(EntryLayout.NO_CLIENT);
        assertThat(entry.count()).isEqualTo(3);
        assertThat(entry.size(2)).isEqualTo(9);

        entry.read(entry.address() + entry.recordBytes(), limit);
        assertThat(entry.kind()).isEqualTo(EntryLayout.CREATE_UNIFORM);
        assertThat(entry.count()).isEqualTo(70_000);
        assertThat(entry.size(69_999)).isEqualTo(8);
        assertThat(entry.address() + entry.recordBytes()).isEqualTo(limit);
    }

    @Test
    void refusesWhatDoesNotFitItsLimits() {
        assertThatThrownBy(() -> EntryLayout.putBytes(0, EntryLayout.MAX_VALUE_BYTES + 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the largest has");
        assertThatThrownBy(() -> EntryLayout.putBytes(0, -1, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EntryLayout.removeBytes(EntryLayout.INDEXES - 1, 2, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> records.put(1, new byte[0], 0x1_0000, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(EntryLayout.putBytes(EntryLayout.INDEXES - 1, EntryLayout.MAX_VALUE_BYTES, true))
                .isLessThanOrEqualTo(EntryLayout.MAX_RECORD_BYTES);
        int bytes = BlockLayout.blockBytes(BlockLayout.MOVED, EntryLayout.MAX_RECORD_BYTES, 1);
        assertThat(bytes).isPositive();
    }

    @Test
    void refusesLengthsThatLeadOutOfTheBatch() {
        // A value of 2 GiB less one byte, of which 3 bytes follow.
        byte[] lying = HexFormat.of().parseHex("c105ffffff7f010203");
        NativeMemory.copyFromArray(lying, 0, records.address(), lying.length);
        long limit = records.address() + lying.length;

        assertThatThrownBy(() -> new EntryCursor().read(records.address(), limit))
                .isInstanceOf(MalformedEntryException.class);
    }

    @Test
    void neverReadsBehindTheLimitWhateverTheBytes() {
        Random random = new Random(SEED);
        EntryCursor entry = new EntryCursor();
        byte[] garbage = new byte[64];
        // The last byte of the region: whoever reads behind it ends the process.
        long region = NativeMemory.reserve(NativeMemory.PAGE_BYTES);
        long limit = region + NativeMemory.PAGE_BYTES;
        int taken = 0;
        for (int i = 0; i < 200_000; i++) {
            int bytes = random.nextInt(garbage.length);
            random.nextBytes(garbage);
            garbage[0] &= (byte) (random.nextBoolean() ? 0x3F : 0xFF);
            NativeMemory.copyFromArray(garbage, 0, limit - bytes, bytes);
            if (entry.tryRead(limit - bytes, limit) == null) {
                taken++;
                assertThat(entry.recordBytes()).as("seed %d", SEED).isBetween(3, bytes);
            }
        }
        NativeMemory.release(region, NativeMemory.PAGE_BYTES);
        assertThat(taken).isGreaterThan(100);
    }

    @Test
    void cutsRunsIntoTheWantedParts() {
        try (RunSplitter splitter = new RunSplitter()) {
            records.createListed(100, 1, 2, 3, 4, 5, 6, 7);
            EntryCursor entry = new EntryCursor();
            entry.read(records.address(), records.address() + records.bytes());
            splitter.wrap(entry);
            StringBuilder parts = new StringBuilder();
            while (splitter.next(index -> index != 102 && index != 103)) {
                EntryCursor part = new EntryCursor();
                int bytes = splitter.encode();
                part.read(splitter.record(), splitter.record() + bytes);
                parts.append(part.index()).append('+').append(part.count());
                parts.append('=').append(part.size(0)).append(' ');
            }

            assertThat(parts).hasToString("100+2=1 104+3=5 ");
        }
    }
}
