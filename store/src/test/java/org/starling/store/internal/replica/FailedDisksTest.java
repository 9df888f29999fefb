package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.replica.SimWorld.Fault;
import org.starling.store.internal.replica.SimWorld.SimNode;

/** Backups whose disks fail leave their zones, the last one excepted. */
@Timeout(20)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class FailedDisksTest {
    private static final long ZONE = ChunkId.zoneOf(1, 0);
    private static final long SEED = 1;
    private static final int MAX_STEPS = 40_000;

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

    @Test
    void theOnlyBackupWhoseDiskHangsWhileNobodyWritesIsReplaced() {
        try (SimWorld world = new SimWorld(SEED, 3, 1, Fault.NONE)) {
            SimNode hung = world.nodes.get(backupOfQuietZone(world));
            int other = 5 - hung.id;

            hung.logs.hang();
            hung.logs.giveUp();
            world.directory.now(new Command.NoteDisk(hung.id, true));

            stepUntil(world, () -> world.directory.zoneNow(ZONE).backups().equals(List.of(other)));
            assertThat(world.nodes.get(other).logs.get(ZONE).content(new NoTags())).hasSize(1);
        }
    }

    /** A full one, of which nobody has told the directory that it hangs. */
    @Test
    void aZoneGoesElsewhereThanToADiskThatRefusesIt() {
        try (SimWorld world = new SimWorld(SEED, 4, 2, Fault.NONE)) {
            List<Integer> backups = backupsOfQuietZone(world, 2);
            assertThat(backups).as("the first ones of equals").containsExactly(2, 3);
            SimNode full = world.nodes.get(2);

            full.logs.hang();
            full.logs.giveUp();

            stepUntil(world, () -> world.directory.zoneNow(ZONE).backups().equals(List.of(3, 4)));
        }
    }

    @Test
    void theOnlyNodeThatCanBackUpIsCopiedToAgainThoughNobodyWrites() {
        try (SimWorld world = new SimWorld(SEED, 2, 1, Fault.NONE)) {
            SimNode hung = world.nodes.get(backupOfQuietZone(world));

            hung.logs.hang();
            hung.logs.giveUp();
            hung.logs.answerAgain();

            stepUntil(world, () -> !hung.logs.get(ZONE).isFailed());
            stepUntil(world, () -> world.nodes.get(1).zones.backups(ZONE) == 1);
            assertThat(hung.logs.get(ZONE).content(new NoTags())).hasSize(1);
        }
    }

    /** A zone of node 1 with one chunk, which is on a disk, and nothing under way. */
    private static int backupOfQuietZone(SimWorld world) {
        return backupsOfQuietZone(world, 1).getFirst();
    }

    private static List<Integer> backupsOfQuietZone(SimWorld world, int count) {
        world.loss = 0;
        SimNode owner = world.nodes.get(1);
        Result opened = world.directory.now(new Command.OpenZone(ZONE, owner.id, count));
        owner.zones.open(((Result.Zone) opened).info());
        Created created = owner.chunks.create(ZONE, new Sizes.Uniform(1, 8), WriteTag.NONE);
        CompletableFuture<Void> safe =
                owner.zones.await(created.first(), created.position(), Durability.POWER);
        stepUntil(world, safe::isDone);
        return world.directory.zoneNow(ZONE).backups();
    }

    private static void stepUntil(SimWorld world, BooleanSupplier condition) {
        for (int step = 0; !condition.getAsBoolean(); step++) {
            assertThat(step).as(() -> world.nodes.get(1).zones.toString()).isLessThan(MAX_STEPS);
            world.step();
        }
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
