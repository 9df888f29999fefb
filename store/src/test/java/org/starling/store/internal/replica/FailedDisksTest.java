package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;

/** Backups whose disks fail leave their zones, the last one excepted. */
@Timeout(20)
class FailedDisksTest {
    private static final long ZONE = ChunkId.zoneOf(1, 0);

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final LocalDirectory directory = new LocalDirectory(3, tasks::add);
    private final MemoryLogs second = logs();
    private final MemoryLogs third = logs();
    private final List<BackupService> backups =
            List.of(
                    new BackupService(2, second, directory, () -> 0),
                    new BackupService(3, third, directory, () -> 0));

    FailedDisksTest() {
        assertThat(directory.now(new Command.OpenZone(ZONE, 1, 2))).isInstanceOf(Result.Zone.class);
        assertThat(directory.zoneNow(ZONE).backups()).containsExactly(2, 3);
    }

    @AfterEach
    void close() {
        backups.forEach(BackupService::close);
    }

    @Test
    void oneOfTwoDisksThatFailTogetherStaysWithTheZone() {
        second.giveUp();
        third.giveUp();

        runAll();

        assertThat(directory.zoneNow(ZONE).backups()).containsExactly(3);
    }

    @Test
    void aBackupWhoseDiskFailsStaysIfItHasBecomeTheLastMeanwhile() {
        second.giveUp();
        tasks.remove().run(); // it has been told the backups
        directory.now(new Command.RemoveNode(1));
        directory.now(new Command.SwitchZone(ZONE, 1, 3));
        assertThat(directory.zoneNow(ZONE).backups()).containsExactly(2);

        runAll();

        assertThat(directory.zoneNow(ZONE).backups()).as("it is the last now").containsExactly(2);
    }

    @Test
    void whatADiskHasThatFailedCountsWhenTheZoneIsLost() {
        second.giveUp();
        runAll();
        assertThat(directory.zoneNow(ZONE).backups()).containsExactly(3);

        directory.now(new Command.RemoveNode(3));
        directory.now(new Command.RemoveNode(1));

        assertThat(directory.zoneNow(ZONE).lost()).isTrue();
        assertThat(directory.zoneNow(ZONE).recoverable()).isTrue();
    }

    private static MemoryLogs logs() {
        MemoryLogs logs = new MemoryLogs(Runnable::run, what -> {});
        logs.create(ZONE, 1);
        return logs;
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }
}
