package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Disks that are full, fail, or lose bits under a log in use. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FailuresTest {
    private static final long ZONE = History.ZONE;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final Records records = new Records(1 << 20);
    private final FakeDisk disk = new FakeDisk();
    private final List<ZoneLog> gaveUp = new CopyOnWriteArrayList<>();

    @AfterEach
    void leavesNoMemoryBehind() {
        records.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    private BackupLogs open() throws IOException {
        BackupLogs logs = BackupLogs.open(disk, ZoneLogTest.SMALL);
        logs.onFailure(gaveUp::add);
        return logs;
    }

    private static void fails(CompletableFuture<Long> force) {
        assertThatThrownBy(force::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LogFailedException.class)
                .hasMessageContaining("gives the zone up");
    }

    @Test
    void saysAgainAndAgainThatALogCannotBeReadAndTakesACopyInItsPlace() throws IOException {
        FakeDisk disk = new FakeDisk();
        disk.makeFolder("%016x".formatted(ZONE));
        try (BackupLogs logs = BackupLogs.open(disk, ZoneLogTest.SMALL)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> logs.get(ZONE))
                        .isInstanceOf(LogFailedException.class)
                        .hasMessageContaining("no readable block");
            }
            ZoneLog copy = logs.createCopy(ZONE, 2, 10);

            assertThat(logs.adoptCopy(ZONE).basePosition()).isEqualTo(10);
            assertThat(copy.isFailed()).isTrue();
        }
    }

    @Test
    void givesUpAfterAFailedForceAndNeverWritesAgain() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]).appendTo(log);
            log.force(1).join();
            disk.failForcesAfter(0);

            records.put(2, new byte[2]).appendTo(log);
            fails(log.force(2));
            int written = disk.deeds().size();

            assertThat(log.isFailed()).isTrue();
            assertThat(log.forcedEnd()).isEqualTo(1);
            assertThatThrownBy(() -> records.put(3, new byte[3]).appendTo(log))
                    .isInstanceOf(LogFailedException.class);
            fails(log.force(2));
            assertThat(Content.of(log).values.keySet()).containsExactly(1, 2);
            log.fence(9);
            log.close();
            assertThat(gaveUp).containsExactly(log);
            assertThat(disk.deeds()).hasSize(written);
        }
        disk.failForcesAfter(Integer.MAX_VALUE);
        try (BackupLogs logs = open()) {
            assertThat(Content.of(History.reopened(logs)).values).containsKey(1);
        }
    }

    @Test
    void losesNothingAcknowledgedWhenTheDiskIsFull() throws IOException {
        long acknowledged = 0;
        try (BackupLogs logs = open()) {
            ZoneLog log = logs.create(ZONE, 1);
            disk.fillAllBut(300_000);
            try {
                for (int i = 0; i < 10_000; i++) {
                    records.put(i, new byte[400]).appendTo(log);
                    if (i % 10 == 9) {
                        acknowledged = log.force(log.end()).join();
                    }
                }
            } catch (CompletionException | LogFailedException e) {
                assertThat(e).hasMessageContaining("No space left on device");
            }
            records.clear();

            assertThat(log.isFailed()).isTrue();
            assertThat(acknowledged).isBetween(100L, 800L);
            assertThat(Content.of(log).values).hasSize((int) log.end());
            long[] told = {0};
            long from = log.end() - 25;
            log.readTail(from, (epoch, first, address, bytes, count) -> told[0] += count);
            assertThat(told[0]).isEqualTo(26);
        }
        disk.fillAllBut(Long.MAX_VALUE);
        try (BackupLogs logs = open()) {
            ZoneLog log = History.reopened(logs);
            assertThat(log.end()).isGreaterThanOrEqualTo(acknowledged);
            assertThat(Content.of(log).values).hasSize((int) log.end());
        }
        assertThat(gaveUp).hasSize(1);
    }

    @Test
    void oneFailedLogLeavesTheOthersAlone() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog bad = logs.create(ZONE, 1);
            ZoneLog good = logs.create(ZONE + 1, 1);
            records.put(1, new byte[1]).appendTo(bad);
            disk.failForcesAfter(0);
            fails(bad.force(1));
            disk.failForcesAfter(Integer.MAX_VALUE);

            records.put(1, new byte[1]).appendTo(good);

            assertThat(good.force(1).join()).isEqualTo(1);
            assertThat(gaveUp).containsExactly(bad);
        }
    }

    @Test
    void refusesToBeginOnAFullDisk() throws IOException {
        try (BackupLogs logs = open()) {
            disk.fillAllBut(100);

            assertThat(refusal(() -> logs.create(ZONE, 1)).isOfDisk()).isTrue();
            assertThat(refusal(() -> logs.createCopy(ZONE, 1, 10)).isOfDisk()).isTrue();
        }
    }

    @Test
    void tellsAFailedDiskFromWhatALogDoesNotTake() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog log = logs.create(ZONE, 1);
            records.put(1, new byte[1]);
            assertThat(refusal(() -> records.copyTo(log)).isOfDisk()).isFalse();
            assertThat(refusal(() -> logs.adoptCopy(ZONE)).isOfDisk()).isFalse();

            disk.failForcesAfter(0);
            records.appendTo(log);
            fails(log.force(1));

            records.put(2, new byte[1]);
            assertThat(refusal(() -> records.appendTo(log)).isOfDisk()).isTrue();
        }
    }

    private static LogFailedException refusal(ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(LogFailedException.class, call);
    }

    @Test
    void namesTheChunksThatRottedUnderALogInUse() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 0; i < 300; i++) {
                byte[] value = new byte[200];
                Arrays.fill(value, 0, 8, (byte) 77);
                records.put(i, value).appendTo(log);
            }
            log.force(300).join();
            // A later block says that these are safe, so that they cannot pass for a torn tail.
            log.fence(2);
            String path = disk.paths().getFirst();
            byte[] content = disk.content(path);
            byte[] marker = new byte[8];
            Arrays.fill(marker, (byte) 77);
            int at = MarkLayout.PAGE_BYTES + BlockLayout.ALIGNMENT;
            while (!Arrays.equals(content, at, at + 8, marker, 0, 8)) {
                at++;
            }
            content[at]++;

            Content told = Content.of(log);

            assertThat(told.lost).hasSize(1);
            assertThat(told.values).hasSize(299).doesNotContainKeys(told.lost.iterator().next());
            assertThatThrownBy(() -> log.readTail(1, (e, f, a, b, c) -> {}))
                    .isInstanceOf(TailUnavailableException.class);
        }
        try (BackupLogs logs = open()) {
            ZoneLog log = History.reopened(logs);
            Content told = Content.of(log);

            assertThat(told.damages).hasSize(1);
            assertThat(told.values).hasSize(299);
            records.put(1, new byte[1]);
            assertThatThrownBy(() -> records.appendTo(log)).isInstanceOf(LogFailedException.class);
        }
    }

    @Test
    void refusesAFolderWithoutAnyReadableBlock() throws IOException {
        try (BackupLogs logs = open()) {
            logs.create(ZONE, 1);
        }
        disk.content(disk.paths().getFirst())[MarkLayout.PAGE_BYTES + 20]++;
        try (BackupLogs logs = open()) {
            assertThat(logs.zones()).containsExactly(ZONE);
            assertThatThrownBy(() -> logs.get(ZONE))
                    .isInstanceOf(LogFailedException.class)
                    .hasMessageContaining("no readable block");
            logs.delete(ZONE);
            assertThat(logs.zones()).isEmpty();
        }
    }

    @Test
    void waitsForASlowDiskWithBoundedMemory() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog log = logs.create(ZONE, 1);
            for (int i = 0; i < 20_000; i++) {
                records.put(i, new byte[500]).appendTo(log);
            }
            assertThat(log.force(log.end()).join()).isEqualTo(20_000);
            assertThat(NativeMemory.reservedBytes() - reservedBefore).isLessThan(8 << 20);
            assertThat(Content.of(log).values).hasSize(20_000);
        }
    }
}
