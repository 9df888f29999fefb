package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;

/** One log over the real file system. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ZoneLogTest {
    static final LogConfig SMALL =
            new LogConfig(
                    64 << 10,
                    16 << 10,
                    1 << 20,
                    Duration.ofMillis(20),
                    1000,
                    true,
                    Duration.ofHours(1));

    private static final long ZONE = History.ZONE;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final Records records = new Records(1 << 20);

    @TempDir Path directory;

    @AfterEach
    void leavesNoMemoryBehind() {
        records.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void tellsTheNewestValuesAlsoAfterReopening() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[] {1}).put(2, new byte[] {2}).create(5, 3, 7).appendTo(log);
            records.put(1, new byte[] {3}).remove(2, 1).createListed(10, 1, 2, 3).appendTo(log);
            records.put(6, new byte[] {6}).put(11, new byte[0], 9, 77).appendTo(log);

            check(log);
            log.force(log.end()).join();
            assertThat(log.forcedEnd()).isEqualTo(8);
            check(log);
        }
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            assertThat(logs.zones()).containsExactly(ZONE);
            ZoneLog log = History.reopened(logs);

            check(log);
        }
    }

    private static void check(ZoneLog log) {
        assertThat(log.end()).isEqualTo(8);
        Content content = Content.of(log);
        assertThat(content.twice).isEmpty();
        assertThat(content.damages).isEmpty();
        assertThat(content.values.keySet()).containsExactly(1, 5, 6, 7, 10, 11, 12);
        assertThat(content.values)
                .containsEntry(1, Content.text(new byte[] {3}))
                .containsEntry(5, Content.text(new byte[7]))
                .containsEntry(6, Content.text(new byte[] {6}))
                .containsEntry(11, Content.text(new byte[0]))
                .containsEntry(12, Content.text(new byte[3]));
        assertThat(content.tags).containsExactly("9/77 11+1@8");
    }

    @Test
    void skipsWhatItHasAndRefusesGaps() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]).put(2, new byte[2]).appendTo(log, 1, 1);

            records.put(1, new byte[9]).put(2, new byte[9]).put(3, new byte[3]).appendTo(log, 1, 1);
            assertThat(log.end()).isEqualTo(3);
            assertThat(Content.of(log).values).containsEntry(1, Content.text(new byte[1]));

            records.put(4, new byte[4]);
            assertThatThrownBy(() -> records.appendTo(log, 1, 5))
                    .isInstanceOf(PositionGapException.class)
                    .hasMessageContaining("send from 4");
            assertThat(log.end()).isEqualTo(3);
        }
    }

    @Test
    void refusesOlderEpochsAlsoAfterReopening() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]).appendTo(log, 1, 1);
            log.fence(3);

            records.put(1, new byte[2]);
            assertThatThrownBy(() -> records.appendTo(log, 2, 2))
                    .isInstanceOf(StaleEpochException.class);
            assertThat(log.end()).isEqualTo(1);
        }
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = History.reopened(logs);

            assertThat(log.epoch()).isEqualTo(3);
            assertThat(log.entryEpoch()).isEqualTo(1);
            assertThatThrownBy(() -> records.appendTo(log, 2, 2))
                    .isInstanceOf(StaleEpochException.class);
            records.appendTo(log, 3, 2);
            assertThat(log.entryEpoch()).isEqualTo(3);
        }
    }

    @Test
    void tellsTheTailInOrder() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 1; i <= 2000; i++) {
                records.put(i, new byte[i % 50]).appendTo(log, 1 + i / 500, i);
            }
            List<Long> epochs = new ArrayList<>();
            long[] next = {1234};
            log.readTail(
                    1234,
                    (epoch, first, address, bytes, count) -> {
                        assertThat(first).isEqualTo(next[0]);
                        EntryCursor entry = new EntryCursor();
                        long at = address;
                        for (int i = 0; i < count; i++) {
                            entry.read(at, address + bytes);
                            at += entry.recordBytes();
                            assertThat((long) entry.index()).isEqualTo(next[0]++);
                        }
                        assertThat(at).isEqualTo(address + bytes);
                        if (epochs.isEmpty() || epochs.getLast() != epoch) {
                            epochs.add(epoch);
                        }
                    });

            assertThat(next[0]).isEqualTo(2001);
            assertThat(epochs).containsExactly(3L, 4L, 5L);
        }
    }

    @Test
    void letsNoPartOfACopyOverrideLaterChanges() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.createCopy(ZONE, 4, 100);
            assertThat(log.end()).isEqualTo(100);
            records.put(1, new byte[11]).remove(2, 1).remove(6, 1).appendTo(log, 4, 101);

            records.put(1, new byte[1])
                    .put(2, new byte[2])
                    .put(3, new byte[3])
                    .create(5, 3, 8)
                    .skip(3, 1, 7, 70)
                    .copyTo(log);
            log.force(log.end()).join();

            Content content = Content.of(log);
            assertThat(content.values.keySet()).containsExactly(1, 3, 5, 7);
            assertThat(content.values).containsEntry(1, Content.text(new byte[11]));
            assertThat(content.tags).containsExactly("7/70 3+1@100");
            assertThatThrownBy(() -> log.readTail(100, (e, f, a, b, c) -> {}))
                    .isInstanceOf(TailUnavailableException.class);
        }
    }

    @Test
    void forcesACopyEvenWhenNoPositionMoved() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.createCopy(ZONE, 4, 100);
            records.put(1, new byte[1]).copyTo(log);
            long before = ((DiskZoneLog) log).state().forcedOrdinal();

            log.force(100).join();

            assertThat(((DiskZoneLog) log).state().forcedOrdinal()).isGreaterThan(before);
        }
    }

    @Test
    void keepsTheLogThatThereIsUntilACopyIsWhole() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]).put(2, new byte[2]).appendTo(log);
            log.force(2).join();
            records.put(1, new byte[9]).copyTo(logs.createCopy(ZONE, 4, 100));

            assertThat(Content.of(Objects.requireNonNull(logs.get(ZONE))).values).hasSize(2);
        }
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog again = Objects.requireNonNull(logs.get(ZONE));

            assertThat(again.end()).isEqualTo(2);
            assertThat(Content.of(again).values.keySet()).containsExactly(1, 2);
            assertThatThrownBy(() -> logs.adoptCopy(ZONE)).isInstanceOf(LogFailedException.class);
        }
    }

    @Test
    void putsAWholeCopyInThePlaceOfTheLog() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]).put(2, new byte[2]).appendTo(log);
            ZoneLog copy = logs.createCopy(ZONE, 4, 100);
            records.put(1, new byte[9]).put(3, new byte[3]).copyTo(copy);
            records.put(5, new byte[5]).appendTo(copy, 4, 101);

            ZoneLog adopted = logs.adoptCopy(ZONE);

            assertThat(adopted.forcedEnd()).isEqualTo(101);
            assertThat(adopted.epoch()).isEqualTo(4);
            records.put(6, new byte[6]).appendTo(adopted, 4, 102);
            adopted.force(102).join();
        }
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            Content content = Content.of(Objects.requireNonNull(logs.get(ZONE)));

            assertThat(content.values.keySet()).containsExactly(1, 3, 5, 6);
            assertThat(content.values).containsEntry(1, Content.text(new byte[9]));
        }
    }

    /**
     * Nothing behind the copy is left, and perhaps no mark: it passes for a torn end, and is none.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tellsThatPartsOfACopyAreGone(boolean alsoItsMark) throws IOException {
        int[] keys = {1, 3, 5, 7};
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog copy = logs.createCopy(ZONE, 4, 100);
            for (int key : keys) {
                records.put(key, new byte[2000]).copyTo(copy);
                copy.force(100).join(); // a block for each
                if (key == 3) { // comes while it is copied
                    records.put(6, new byte[6]).appendTo(copy, 4, 101);
                    copy.force(101).join();
                }
            }
            ZoneLog adopted = logs.adoptCopy(ZONE);
            records.put(6, new byte[6]).appendTo(adopted, 4, 102);
        }
        Path folder = directory.resolve("zones").resolve("%016x".formatted(ZONE));
        Path first = folder.resolve("00000001.log");
        byte[] whole = Files.readAllBytes(first);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> !file.equals(first)).toList()) {
                Files.delete(file);
            }
        }
        for (int from = MarkLayout.PAGE_BYTES; from < whole.length; from += 512) {
            byte[] spoilt = whole.clone();
            Arrays.fill(spoilt, from, spoilt.length, (byte) 0);
            Arrays.fill(spoilt, 0, alsoItsMark ? MarkLayout.PAGE_BYTES : 0, (byte) 0);
            Files.write(first, spoilt);
            try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
                ZoneLog log = logs.get(ZONE);
                if (log != null && !log.isDamaged()) {
                    assertThat(Content.of(log).values.keySet())
                            .as("without bytes %d of %d on", from, whole.length)
                            .contains(1, 3, 5, 7);
                }
            } catch (LogFailedException unreadable) {
                assertThat(unreadable).hasMessageContaining("no readable block");
            }
        }
    }

    /** What is left ends where its mark says that it was safe. */
    @Test
    void tellsThatLaterFilesOfACopyAreGone() throws IOException {
        int count = 34;
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog copy = logs.createCopy(ZONE, 4, 100);
            for (int key = 0; key < count; key++) {
                records.put(key, new byte[9000]).copyTo(copy);
                if (key < 4) { // the first file is full then
                    copy.force(100).join();
                }
            }
            ZoneLog _ = logs.adoptCopy(ZONE);
        }
        Path folder = directory.resolve("zones").resolve("%016x".formatted(ZONE));
        Path first = folder.resolve("00000001.log");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> !file.equals(first)).toList()) {
                Files.delete(file);
            }
        }

        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            assertThat(Objects.requireNonNull(logs.get(ZONE)).isDamaged()).isTrue();
        }
    }

    /** Of a zone all of whose chunks were removed. */
    @Test
    void takesACopyWithNothingInIt() throws IOException {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog _ = logs.createCopy(ZONE, 4, 100);
            ZoneLog adopted = logs.adoptCopy(ZONE);
            assertThat(adopted.isDamaged()).isFalse();
            records.put(6, new byte[6]).appendTo(adopted, 4, 101);
            assertThat(adopted.force(101).join()).isEqualTo(101);
        }
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = Objects.requireNonNull(logs.get(ZONE));
            assertThat(log.isDamaged()).isFalse();
            assertThat(Content.of(log).values.keySet()).containsExactly(6);
        }
    }

    @Test
    void bringsBackTheLogWhoseReplacementWasCutShort() throws IOException {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            records.put(1, new byte[1]).appendTo(logs.create(ZONE, 1));
        }
        Path zones = directory.resolve("zones");
        String folder = "%016x".formatted(ZONE);
        Files.move(zones.resolve(folder), zones.resolve(folder + ".replaced"));

        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            assertThat(Content.of(Objects.requireNonNull(logs.get(ZONE))).values).hasSize(1);
        }
    }

    @Test
    void takesACopyInThePlaceOfWhateverSomebodyHasPutThere() throws IOException {
        Path zones = Files.createDirectories(directory.resolve("zones"));
        Files.writeString(zones.resolve("%016x".formatted(ZONE)), "not a folder");
        Path folder = zones.resolve("%016x".formatted(ZONE + 1));
        Files.createDirectories(folder.resolve("00000001.log").resolve("not a file"));
        Path foreign = Files.createDirectories(zones.resolve("of somebody else"));

        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            assertThat(logs.get(ZONE)).isNull();
            assertThatThrownBy(() -> logs.get(ZONE + 1)).isInstanceOf(LogFailedException.class);
            for (long zone = ZONE; zone <= ZONE + 1; zone++) {
                logs.createCopy(zone, 1, 7);

                assertThat(logs.adoptCopy(zone).end()).isEqualTo(7);
            }
            assertThat(logs.create(ZONE, 2).end()).isZero();
        }
        assertThat(foreign).exists();
        assertThat(zones.toFile().list()).hasSize(3);
    }

    @Test
    void takesRecordsLargerThanASegment() {
        byte[] large = new byte[300_000];
        large[299_999] = 5;
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]).put(2, large).put(3, new byte[3]).appendTo(log);
            log.force(3).join();
        }
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            Content content = Content.of(History.reopened(logs));

            assertThat(content.values).hasSize(3).containsEntry(2, Content.text(large));
        }
    }

    @Test
    void beginsAnewAndDeletes() {
        try (BackupLogs logs = BackupLogs.open(directory, SMALL)) {
            records.put(1, new byte[1]).appendTo(logs.create(ZONE, 1));
            ZoneLog again = logs.create(ZONE, 2);
            assertThat(again.end()).isZero();
            assertThat(Content.of(again).values).isEmpty();

            logs.delete(ZONE);
            assertThat(logs.zones()).isEmpty();
            assertThat(logs.get(ZONE)).isNull();
            assertThatThrownBy(() -> again.append(2, 1, 0, 0, 0))
                    .isInstanceOf(LogFailedException.class);
        }
    }
}
