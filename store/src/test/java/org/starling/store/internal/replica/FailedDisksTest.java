package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
        directory.now(new Command.ConfirmZone(ZONE, 1, 1));
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
        directory.now(switchZone(ZONE, 1, 3));
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

    /** The copy itself has room; what is written behind it has none. */
    @Test
    void isNotCopiedToAgainAtOnceWhenItsLogFailsBehindTheCopy() {
        try (SimWorld world = new SimWorld(SEED, 3, 1, Fault.NONE)) {
            SimNode hung = world.nodes.get(backupOfQuietZone(world));
            SimNode full = world.nodes.get(5 - hung.id);
            hung.logs.hang();
            hung.logs.giveUp();
            world.directory.now(new Command.NoteDisk(hung.id, true));

            int copies = 0;
            MemoryZoneLog last = null;
            for (int step = 0; step < 4_000; step++) { // 4 s; a refusing node is avoided for 5 s
                world.step();
                MemoryZoneLog log = full.logs.get(ZONE);
                if (log != null && log != last) {
                    last = log;
                    copies++;
                    log.fail();
                }
            }

            assertThat(copies).isEqualTo(1);
        }
    }

    /** Another node is there, whose disk stays full. */
    @Test
    void theOnlyBackupIsCopiedToAgainThoughAnotherNodeRefusesAllTheTime() {
        try (SimWorld world = new SimWorld(SEED, 3, 1, Fault.NONE)) {
            SimNode hung = world.nodes.get(backupOfQuietZone(world));
            SimNode full = world.nodes.get(5 - hung.id);
            full.logs.hang();
            full.logs.giveUp();

            hung.logs.hang();
            hung.logs.giveUp();
            hung.logs.answerAgain();

            stepUntil(world, () -> !hung.logs.get(ZONE).isFailed());
        }
    }

    /** What one zone's copy is refused for may be in that zone alone. */
    @Test
    void anotherZoneIsCopiedToTheNodeThatRefusesTheFirst() {
        long other = ZONE + 2;
        try (SimWorld world = new SimWorld(SEED, 3, 1, Fault.NONE)) {
            SimNode owner = world.nodes.get(1);
            SimNode failing = world.nodes.get(backupOfQuietZone(world));
            SimNode refusing = world.nodes.get(5 - failing.id);
            openZone(world, ZONE + 1, 1); // at the other one
            assertThat(openZone(world, other, 1)).isEqualTo(failing.id);
            owner.chunks.create(other, new Sizes.Uniform(1, 8), WriteTag.NONE);
            stepUntil(world, () -> failing.logs.get(other) != null);
            refusing.logs.refuseCopies(ZONE);
            failing.logs.get(ZONE).fail();
            owner.chunks.put(ChunkId.ofZone(ZONE, 0), new byte[8]); // finds out
            stepUntil(world, () -> refusing.logs.refusals() > 0);

            failing.logs.get(other).fail();
            owner.chunks.put(ChunkId.ofZone(other, 0), new byte[8]);
            for (int step = 0; step < 2_000; step++) { // 2 s; what refuses is avoided for 5 s
                world.step();
            }

            assertThat(world.directory.zoneNow(other).backups()).containsExactly(refusing.id);
        }
    }

    /** Whenever that is: by the copy, or by the stream behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChunkComesToANewBackupThatIsLoggedDuringTheCopy(boolean isFirst) {
        for (int steps = 0; steps < 60; steps++) {
            try (SimWorld world = new SimWorld(SEED + steps, 3, 1, Fault.NONE)) {
                int lost = isFirst ? openZone(world, ZONE, 1) : backupOfQuietZone(world);
                SimNode owner = world.nodes.get(1);
                long fresh =
                        owner.chunks
                                .create(ZONE, new Sizes.Uniform(1, 8), WriteTag.NONE, false)
                                .first();
                world.kill(world.nodes.get(lost));
                stepUntil(world, () -> owner.zones.toString().contains("copying"));
                for (int step = 0; step < steps; step++) {
                    world.step();
                }

                long position = owner.chunks.logPresent(fresh, 1);

                stepUntil(world, owner.zones.await(fresh, position, Durability.POWER)::isDone);
                assertThat(world.nodes.get(5 - lost).logs.get(ZONE).content(new NoTags()))
                        .as("logged after %d steps", steps)
                        .containsKey(ChunkId.index(fresh));
            }
        }
    }

    /** A zone of node 1 with one chunk, which is on a disk, and nothing under way. */
    private static int backupOfQuietZone(SimWorld world) {
        return backupsOfQuietZone(world, 1).getFirst();
    }

    private static List<Integer> backupsOfQuietZone(SimWorld world, int count) {
        openZone(world, ZONE, count);
        SimNode owner = world.nodes.get(1);
        Created created = owner.chunks.create(ZONE, new Sizes.Uniform(1, 8), WriteTag.NONE);
        CompletableFuture<Void> safe =
                owner.zones.await(created.first(), created.position(), Durability.POWER);
        stepUntil(world, safe::isDone);
        return world.directory.zoneNow(ZONE).backups();
    }

    /** An empty zone of node 1; its first backup. */
    private static int openZone(SimWorld world, long zone, int count) {
        world.loss = 0;
        Result opened = world.directory.now(new Command.OpenZone(zone, 1, count));
        world.nodes.get(1).zones.open(((Result.Zone) opened).info());
        return world.directory.zoneNow(zone).backups().getFirst();
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
