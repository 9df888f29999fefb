package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Disks that hang, and errors that would end the logs' thread. The watch is stepped by hand. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DiskWatchTest {
    private static final long ZONE = History.ZONE;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final Records records = new Records(1 << 20);
    private final FakeDisk disk = new FakeDisk();
    private final List<ZoneLog> gaveUp = new CopyOnWriteArrayList<>();
    private final List<Boolean> hangs = new CopyOnWriteArrayList<>();

    @AfterEach
    void leavesNoMemoryBehind() {
        records.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    private BackupLogs open() throws IOException {
        BackupLogs logs = BackupLogs.open(disk, ZoneLogTest.SMALL);
        logs.onFailure(gaveUp::add);
        logs.onHang(hangs::add);
        return logs;
    }

    private static void look(BackupLogs logs, int times) {
        for (int i = 0; i < times; i++) {
            logs.watch().doWork();
        }
    }

    private ZoneLog withOneForced(BackupLogs logs, long zone) {
        ZoneLog log = logs.create(zone, 1);
        records.put(1, new byte[1]).appendTo(log);
        log.force(1).join();
        return log;
    }

    private CompletableFuture<Long> hung(ZoneLog log) {
        disk.hang();
        records.put(2, new byte[2]).appendTo(log);
        return log.force(2);
    }

    @Test
    void givesAllLogsUpWhenAForceDoesNotReturn() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog other = withOneForced(logs, ZONE + 1);
            ZoneLog log = withOneForced(logs, ZONE);
            CompletableFuture<Long> force = hung(log);
            untilWritten(log);

            look(logs, DiskWatch.LOOKS - 1);
            assertThat(force).isNotDone();
            assertThat(hangs).isEmpty();
            look(logs, 1);

            assertThatThrownBy(force::join)
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("a force of")
                    .hasMessageContaining("does not return");
            assertThat(hangs).containsExactly(true);
            assertThat(gaveUp).containsExactlyInAnyOrder(log, other);
            assertThatThrownBy(() -> records.put(2, new byte[2]).appendTo(other))
                    .isInstanceOf(LogFailedException.class);
            records.clear();
            assertThatThrownBy(() -> logs.create(ZONE + 2, 1))
                    .isInstanceOf(LogFailedException.class)
                    .hasMessageContaining("the disk hangs");
            disk.goOn();
            awaitAnswering(logs);
        }
    }

    @Test
    void takesNewCopiesWhenTheDiskAnswersAgainAndNeverWritesTheOldLogs() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog log = withOneForced(logs, ZONE);
            CompletableFuture<?> _ = hung(log);
            untilWritten(log);
            look(logs, DiskWatch.LOOKS);
            int deeds = disk.deeds().size();

            disk.goOn();
            awaitAnswering(logs);

            assertThat(hangs).containsExactly(true, false);
            assertThat(log.isFailed()).isTrue();
            assertThat(log.forcedEnd()).as("what came too late does not count").isEqualTo(1);
            assertThatThrownBy(() -> records.put(3, new byte[3]).appendTo(log))
                    .isInstanceOf(LogFailedException.class);
            records.clear();
            assertThat(disk.deeds().size() - deeds).as("the late force alone").isLessThan(2);
            assertThat(Content.of(log).values.keySet()).containsExactly(1, 2);
            assertThat(withOneForced(logs, ZONE + 1).forcedEnd()).isEqualTo(1);
        }
    }

    @Test
    void closesAtOnceThoughTheDiskHangs() throws Exception {
        BackupLogs logs = open();
        ZoneLog log = withOneForced(logs, ZONE);
        CompletableFuture<?> _ = hung(log);
        untilWritten(log);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(logs::close);

        look(logs, DiskWatch.LOOKS);
        closed.get(5, TimeUnit.SECONDS);

        disk.goOn();
        while (NativeMemory.reservedBytes() != reservedBefore + (2 << 20)) {
            Thread.onSpinWait(); // the logs' thread lets go of the rest
        }
    }

    @Test
    void aDiskThatIsSlowIsNotTakenForHung() throws IOException {
        try (BackupLogs logs = open()) {
            for (int i = 0; i < 3 * DiskWatch.LOOKS; i++) {
                look(logs, DiskWatch.LOOKS - 1);
                withOneForced(logs, ZONE + i);
            }

            assertThat(hangs).isEmpty();
        }
    }

    @Test
    void anErrorEndsItsLogAndNotTheThreadOfAll() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog other = withOneForced(logs, ZONE + 1);
            ZoneLog log = withOneForced(logs, ZONE);
            disk.failForceWith(new InternalError("a fault in the middle of a write"));
            records.put(2, new byte[2]).appendTo(log);

            assertThatThrownBy(log.force(2)::join)
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("a fault in the middle of a write");

            records.put(2, new byte[2]).appendTo(other);
            assertThat(other.force(2).join()).isEqualTo(2);
            assertThat(gaveUp).containsExactly(log);
        }
    }

    @Test
    void aHungFolderLetsItsCallerGo() throws Exception {
        List<IOException> news = new ArrayList<>();
        disk.hang();
        try (DiskWatch watch = new DiskWatch(disk, ZoneLogTest.SMALL.diskPatience(), news::add)) {
            CompletableFuture<Void> made =
                    CompletableFuture.runAsync(() -> {
                        try {
                            watch.makeFolder("a");
                        } catch (IOException e) {
                            throw new CompletionException(e);
                        }
                    });
            while (!made.isDone()) {
                watch.doWork();
            }

            assertThatThrownBy(made::join).hasMessageContaining("making a");
            assertThat(news).hasSize(1);
            disk.goOn();
        }
    }

    @Test
    void aLogThatWasAskedForWhileTheDiskHungIsReadWhenItAnswersAgain() throws IOException {
        try (BackupLogs logs = open()) {
            withOneForced(logs, ZONE);
        }
        try (BackupLogs logs = open()) {
            disk.hang();
            CompletableFuture<?> asked = CompletableFuture.supplyAsync(() -> logs.get(ZONE));
            while (!asked.isDone()) {
                look(logs, 1);
            }
            assertThatThrownBy(asked::join).hasMessageContaining("listing");
            assertThatThrownBy(() -> logs.get(ZONE))
                    .isInstanceOfSatisfying(
                            LogFailedException.class,
                            failure -> assertThat(failure.isHang()).isTrue());

            disk.goOn();
            awaitAnswering(logs);

            assertThat(History.reopened(logs).end()).isEqualTo(1);
        }
    }

    @Test
    void tellsOfAHangAlsoWhoAsksLater() throws IOException {
        try (BackupLogs logs = BackupLogs.open(disk, ZoneLogTest.SMALL)) {
            ZoneLog log = withOneForced(logs, ZONE);
            var _ = hung(log);
            untilWritten(log);
            look(logs, DiskWatch.LOOKS);

            logs.onHang(hangs::add);

            assertThat(hangs).containsExactly(true);
            disk.goOn();
            awaitAnswering(logs);
            assertThat(hangs).containsExactly(true, false);
        }
    }

    @Test
    void aBlockThatIsBeingWrittenWhenItsLogIsGivenUpStaysInMemory() throws IOException {
        try (BackupLogs logs = open()) {
            ZoneLog log = withOneForced(logs, ZONE);
            LogState state = ((DiskZoneLog) log).state();
            CompletableFuture<?> given = new CompletableFuture<>();
            disk.beforeNextWrite(() -> {
                state.lock.lock();
                try {
                    var _ = state.fail(new LogFailedException("given up elsewhere", null));
                } finally {
                    state.lock.unlock();
                }
                given.complete(null);
            });
            records.put(2, new byte[2]).appendTo(log);
            var _ = log.force(2);
            given.join();

            logs.delete(ZONE);

            assertThat(logs.pool().usedBytes()).isZero();
        }
    }

    /** Until the logs' thread is inside of the force. */
    private static void untilWritten(ZoneLog log) {
        DiskZoneLog onDisk = (DiskZoneLog) log;
        while (onDisk.state().writtenOrdinal() <= onDisk.state().forcedOrdinal()) {
            Thread.onSpinWait();
        }
        awaitForce();
    }

    private static void awaitForce() {
        boolean isInside = false;
        while (!isInside) {
            isInside =
                    Thread.getAllStackTraces().entrySet().stream()
                            .filter(each -> each.getKey().getName().equals("starling-log-writer"))
                            .flatMap(each -> List.of(each.getValue()).stream())
                            .anyMatch(frame ->
                                    frame.getMethodName().equals("force")
                                            && frame.getClassName().contains("FakeDisk"));
        }
    }

    private void awaitAnswering(BackupLogs logs) {
        while (logs.watch().hang() != null) {
            logs.watch().doWork();
        }
    }
}
