package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.NativeMemory;

/** Logs that would grow for ever. Seeds can be given with -Dstarling.seed=…. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LogCleanerTest {
    private static final long SEED = Long.getLong("starling.seed", 20_261_121L);
    private static final long ZONE = History.ZONE;
    private static final LogConfig CONFIG =
            new LogConfig(
                    256 << 10,
                    32 << 10,
                    2 << 20,
                    Duration.ofMillis(20),
                    5000,
                    true,
                    Duration.ofHours(1));

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final Records records = new Records(1 << 20);

    @TempDir Path directory;

    @AfterEach
    void leavesNoMemoryBehind() {
        records.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    private long bytesOnDisk() {
        return files(directory.toFile()).mapToLong(File::length).sum();
    }

    private long segmentFiles() {
        return files(directory.toFile())
                .filter(file -> Segment.numberOf(file.getName()) >= 0)
                .count();
    }

    /** Those that are there, while some of them may be deleted. */
    private static Stream<File> files(File folder) {
        File[] inside = folder.listFiles();
        return inside == null
                ? Stream.of(folder).filter(File::isFile)
                : Arrays.stream(inside).flatMap(LogCleanerTest::files);
    }

    /** What the log may have on the disk: twice the live data and two segments. */
    private static long limit(ZoneLog log) {
        return 2 * log.liveBytes() + 2L * CONFIG.segmentBytes();
    }

    /** Waits until the cleaner has nothing to do and the files of dropped segments are deleted. */
    private void settle(ZoneLog log) {
        log.force(log.end()).join();
        LogState state = ((DiskZoneLog) log).state();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        boolean isSettled = false;
        while (!isSettled && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
            boolean wants;
            int segments;
            state.lock.lock();
            try {
                wants = state.wantsCleaning();
                segments = state.segments.size();
            } finally {
                state.lock.unlock();
            }
            // A segment leaves the log first and the disk a moment later.
            isSettled = !wants && segmentFiles() <= segments;
        }
        assertThat(isSettled).isTrue();
    }

    /** A cleaning that had begun before there was nothing more to clean may still be copying. */
    private void awaitFewBytesOnDisk(ZoneLog log) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (bytesOnDisk() >= limit(log)) {
            assertThat(System.nanoTime())
                    .as("%d bytes on disk, limit %d", bytesOnDisk(), limit(log))
                    .isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void keepsTheLogShortUnderOverwritesAndRemoves() throws IOException {
        Random random = new Random(SEED);
        SortedMap<Integer, String> model = new TreeMap<>();
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 0; i < 200_000; i += 50) {
                for (int k = 0; k < 50; k++) {
                    change(random, model);
                }
                records.appendTo(log);
                if (i % 5000 == 0) {
                    log.force(log.end()).join();
                    // The stream waits for the cleaner; while that copies, both segments are there.
                    assertThat(log.logBytes())
                            .as("seed %d", SEED)
                            .isLessThan(limit(log) + CONFIG.segmentBytes());
                    settle(log);
                    assertThat(log.logBytes()).as("seed %d", SEED).isLessThan(limit(log));
                }
            }
            settle(log);

            assertThat(Content.of(log).differences(model)).isEmpty();
            awaitFewBytesOnDisk(log);
            LogState state = ((DiskZoneLog) log).state();
            assertThat(log.logBytes())
                    .isEqualTo(state.segments.stream().mapToLong(Segment::allocatedBytes).sum());
        }
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            ZoneLog log = History.reopened(logs);
            assertThat(log.end()).isEqualTo(200_000);
            Content content = Content.of(log);
            assertThat(content.differences(model)).isEmpty();
            assertThat(content.twice).isEmpty();
        }
    }

    private void change(Random random, SortedMap<Integer, String> model) {
        // Some chunks are hot, most are cold: the oldest segments are full of live entries.
        int index = random.nextInt(random.nextInt(4) > 0 ? 300 : 6000);
        int kind = random.nextInt(20);
        if (kind == 0) {
            int count = 1 + random.nextInt(40);
            records.remove(index, count);
            for (int i = 0; i < count; i++) {
                model.remove(index + i);
            }
        } else if (kind == 1) {
            int count = 1 + random.nextInt(20);
            records.create(index, count, 40);
            for (int i = 0; i < count; i++) {
                model.put(index + i, Content.text(new byte[40]));
            }
        } else if (kind == 2) {
            records.createListed(index, 5, 0, 17);
            model.put(index, Content.text(new byte[5]));
            model.put(index + 1, Content.text(new byte[0]));
            model.put(index + 2, Content.text(new byte[17]));
        } else {
            byte[] value = new byte[random.nextInt(200)];
            random.nextBytes(value);
            records.put(index, value);
            model.put(index, Content.text(value));
        }
    }

    @Test
    void compactsBlocksThatHoldOneChangeEach() {
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 0; i < 2000; i++) {
                records.put(i % 400, new byte[64]).appendTo(log);
                log.force(log.end()).join();
            }

            assertThat(log.logBytes()).isLessThan(limit(log));
            assertThat(Content.of(log).values).hasSize(400);
        }
    }

    @Test
    void removedStaysRemovedAfterCleaningAndReopening() throws IOException {
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int round = 0; round < 30; round++) {
                for (int i = 0; i < 1000; i++) {
                    records.put(i, new byte[100]);
                }
                records.appendTo(log);
                if (round % 5 == 4) {
                    records.remove(0, 1000).appendTo(log);
                    log.force(log.end()).join();
                    assertThat(Content.of(log).values).isEmpty();
                }
            }
            settle(log);
            assertThat(log.liveBytes()).isZero();
            assertThat(log.logBytes()).isLessThan(2L * CONFIG.segmentBytes());
        }
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            assertThat(Content.of(History.reopened(logs)).values).isEmpty();
        }
    }

    @Test
    void keepsTagsOfRecentRequestsAlthoughTheirValuesWereOverwritten() throws IOException {
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 1; i <= 20_000; i++) {
                records.put(i % 3, new byte[150], 7, i);
                if (i % 50 == 0) {
                    records.appendTo(log);
                }
            }
            settle(log);

            assertThat(log.logBytes()).isLessThan(limit(log));
            for (Content content : new Content[] {Content.of(log, 1), Content.of(log, 3)}) {
                for (int i = 15_001; i <= 20_000; i++) {
                    assertThat(content.tags.contains("7/" + i + " " + i % 3 + "+1@" + i)).isTrue();
                }
                assertThat(content.tags).hasSizeLessThan(12_000);
            }
        }
    }

    @Test
    void readersMayComeWhileItCleans() {
        Random random = new Random(SEED);
        SortedMap<Integer, String> model = new TreeMap<>();
        try (BackupLogs logs = BackupLogs.open(directory, CONFIG)) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 0; i < 100; i++) {
                for (int k = 0; k < 200; k++) {
                    change(random, model);
                }
                records.appendTo(log);
                if (i % 5 == 0) {
                    Content content = Content.of(log, 1 + i % 3);
                    assertThat(content.differences(model))
                            .as("seed %d, round %d", SEED, i)
                            .isEmpty();
                    assertThat(content.twice).isEmpty();
                }
            }
        }
    }
}
