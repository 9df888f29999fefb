package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.log.ZoneLog;
import org.starling.store.internal.replica.ClusterInProcess.Peer;
import org.starling.store.internal.replica.ReplicaMessage.Status;

@Timeout(30)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class ReplicaFailuresTest {
    @Test
    void refusesWritesThatTooFewBackupsWouldTake() throws Exception {
        ReplicaConfig impatient = ReplicaConfig.defaults().with(2, 8 << 20, Duration.ofMillis(300));
        try (ClusterInProcess cluster = new ClusterInProcess(3, impatient)) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(2, 8);
            owner.put(created.first(), new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);

            cluster.kill(3);

            assertThatThrownBy(() ->
                            owner.zones.admit(
                                    ChunkId.zone(created.first()),
                                    WriteTag.NONE,
                                    Durability.PROCESS))
                    .isInstanceOf(UnderReplicatedException.class);
            WriteGuard guard =
                    owner.zones.admit(
                            ChunkId.zone(created.first()), WriteTag.NONE, Durability.MEMORY);
            assertThat(guard.isFresh()).isTrue();
        }
    }

    @Test
    void aWriteThatWasWaitingWhenTheSecondBackupWentIsNotAcknowledged() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(2, 8);
            owner.put(created.first(), new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);
            cluster.peer(3).close();

            CompletableFuture<Void> write =
                    owner.put(created.first(), new byte[9], Durability.PROCESS);
            cluster.remove(3);
            owner.put(created.first(), new byte[10], Durability.MEMORY).get(5, TimeUnit.SECONDS);

            assertThatThrownBy(() -> write.get(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            owner.zones.settled(created.first()).get(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void sendsAgainWhatABrokenConnectionTookWithIt() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(2000, 64);
            long zone = ChunkId.zone(created.first());
            List<CompletableFuture<Void>> all = new ArrayList<>();

            for (int i = 0; i < 20_000; i++) {
                byte[] value = new byte[64];
                value[0] = (byte) i;
                all.add(
                        owner.put(
                                created.first() + i % 2000,
                                value,
                                i % 100 == 0 ? Durability.PROCESS : Durability.MEMORY));
                if (i % 2000 == 1000) {
                    cluster.hub.cut(2 + i / 2000 % 3);
                }
            }
            all.add(owner.zones.sync(_ -> true));
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                    .get(20, TimeUnit.SECONDS);

            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                assertThat(log.end()).isEqualTo(20_001);
                assertThat(log.content(new NoTags()).get(1999).bytes()[0]).isEqualTo((byte) 19_999);
            }
        }
    }

    @Test
    void writersWaitBeforeTheyEnterWhenTooMuchIsUnacknowledged() throws Exception {
        ReplicaConfig tight =
                new ReplicaConfig(
                        3,
                        8 << 20,
                        4096,
                        2,
                        16 << 10,
                        1,
                        1 << 30,
                        Duration.ofMillis(500),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5));
        try (ClusterInProcess cluster = new ClusterInProcess(4, tight)) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(1, 8);
            cluster.peer(2).close();

            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 1000; i++) {
                                    owner.put(created.first(), new byte[1000], Durability.MEMORY);
                                }
                            })
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("have not taken in time");
            assertThat(owner.chunks.get(created.first())).hasSize(1000);
        }
    }

    @Test
    void makesUnacknowledgedTailsEqualEverywhere() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(10, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first(), new byte[] {1}, Durability.PROCESS).get(5, TimeUnit.SECONDS);
            ZoneInfo info = cluster.directory.zoneNow(zone);
            int longest = info.backups().get(2);
            ReplicaMessage.TailPart last =
                    cluster.peer(longest).backups.tail(new ReplicaMessage.Tail(zone, 2, 100));
            cluster.peer(longest)
                    .backups
                    .take(1, new ReplicaMessage.Append(zone, 1, 3, last.count(), last.entries()))
                    .get();

            cluster.kill(1);
            RecoveryReport report = cluster.recover(zone);

            assertThat(report.end()).isEqualTo(3);
            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                assertThat(log.end()).isGreaterThanOrEqualTo(3);
                assertThat(log.forcedEnd()).isGreaterThanOrEqualTo(3);
            }
        }
    }

    @Test
    void goesOnWithTheNextBackupWhenTheFirstIsLostInTheMiddleOfRecovery() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(50, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first() + 3, new byte[] {3}, Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);
            cluster.kill(1);
            ZoneInfo info = cluster.directory.zoneNow(zone);
            Peer first = cluster.peer(info.backups().getFirst());
            first.recovery
                    .recover(zone, info.epoch(), ZoneSources.of(info.backups(), info.lost(), false))
                    .get(5, TimeUnit.SECONDS);

            cluster.kill(first.id);
            RecoveryReport report = cluster.recover(zone);

            assertThat(report.chunks()).isEqualTo(50);
            Peer successor = cluster.peer(cluster.directory.zoneNow(zone).owner());
            assertThat(successor.chunks.get(created.first() + 3)).containsExactly(3);
            successor
                    .put(created.first(), new byte[] {4}, Durability.POWER)
                    .get(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void takesTheContentFromAnotherSourceWhenItsOwnIsDamaged() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(50, 8);
            long zone = ChunkId.zone(created.first());
            WriteTag tag = new WriteTag(9, 5);
            owner.put(created.first() + 3, new byte[] {3}, Durability.PROCESS, tag)
                    .get(5, TimeUnit.SECONDS);
            int target = cluster.directory.zoneNow(zone).backups().getFirst();
            cluster.peer(target).logs.get(zone).damage(2);

            cluster.kill(1);
            RecoveryReport report = cluster.recover(zone);

            assertThat(report.lost()).isEmpty();
            assertThat(report.chunks()).isEqualTo(50);
            assertThat(cluster.peer(target).chunks.get(created.first() + 3)).containsExactly(3);
            assertThat(cluster.peer(target).zones.admit(zone, tag, Durability.PROCESS).isFresh())
                    .isFalse();
        }
    }

    @Test
    void believesAWholeLogAndNotALongerOneThatIsDamaged() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            ZoneInfo orphan = lastBackupIsAheadAndDamaged(cluster);
            int damaged = orphan.backups().getLast();

            assertThatThrownBy(() -> recover(cluster, damaged, orphan, false, false))
                    .hasMessageContaining("another node has a whole one");
            assertComesBackWhole(cluster, orphan, false, false);
        }
    }

    @Test
    void believesAWholeLogThatCameBackOnlyIfNothingBehindItsEndWasSafe() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            ZoneInfo orphan = lastBackupIsAheadAndDamaged(cluster);
            int damaged = orphan.backups().getLast();
            MemoryZoneLog log = cluster.peer(damaged).logs.get(orphan.zone());
            log.wasSafeTo(3);

            assertThatThrownBy(() ->
                            recover(cluster, orphan.backups().getFirst(), orphan, true, false))
                    .hasMessageContaining("node " + damaged + " can't tell the content");
            ZoneSources waiting =
                    new ZoneSources(orphan.backups(), true, false, List.of(), List.of(99));
            assertThatThrownBy(() -> recover(cluster, damaged, orphan, waiting))
                    .hasMessageContaining("nodes [99] may have one");

            log.wasSafeTo(2);
            assertThatThrownBy(() -> recover(cluster, damaged, orphan, true, false))
                    .hasMessageContaining("another node has a whole one");
            assertComesBackWhole(cluster, orphan, true, false);
        }
    }

    @Test
    void believesWholeLogsWithoutADamagedOneIfAllHoldersCameBack() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            ZoneInfo orphan = lastBackupIsAheadAndDamaged(cluster);
            cluster.peer(orphan.backups().getLast()).logs.get(orphan.zone()).wasSafeTo(3);

            assertComesBackWhole(cluster, orphan, true, true);
        }
    }

    /** Ten chunks of a lost owner; the last backup has one more change, and can't tell any. */
    private static ZoneInfo lastBackupIsAheadAndDamaged(ClusterInProcess cluster) throws Exception {
        Peer owner = cluster.peer(1);
        Created created = owner.create(10, 8);
        long zone = ChunkId.zone(created.first());
        owner.put(created.first(), new byte[] {1}, Durability.PROCESS).get(5, TimeUnit.SECONDS);
        Peer ahead = cluster.peer(cluster.directory.zoneNow(zone).backups().getLast());
        ReplicaMessage.TailPart last = ahead.backups.tail(new ReplicaMessage.Tail(zone, 2, 100));
        ahead.backups
                .take(1, new ReplicaMessage.Append(zone, 1, 3, last.count(), last.entries()))
                .get();
        ahead.logs.get(zone).damage(3);
        cluster.kill(1);
        return cluster.directory.zoneNow(zone);
    }

    private static RecoveryReport recover(
            ClusterInProcess cluster, int target, ZoneInfo zone, boolean isLost, boolean isComplete)
            throws Exception {
        return recover(cluster, target, zone, ZoneSources.of(zone.backups(), isLost, isComplete));
    }

    private static RecoveryReport recover(
            ClusterInProcess cluster, int target, ZoneInfo zone, ZoneSources sources)
            throws Exception {
        return cluster.peer(target)
                .recovery
                .recover(zone.zone(), zone.epoch(), sources)
                .get(10, TimeUnit.SECONDS);
    }

    private static void assertComesBackWhole(
            ClusterInProcess cluster, ZoneInfo zone, boolean isLost, boolean isComplete)
            throws Exception {
        int target = zone.backups().getFirst();

        RecoveryReport report = recover(cluster, target, zone, isLost, isComplete);

        assertThat(report.isDamaged()).isFalse();
        assertThat(report.chunks()).isEqualTo(10);
        assertThat(report.end()).isEqualTo(2);
        assertThat(report.left()).containsExactly(zone.backups().getLast());
        assertThat(
                        ClusterInProcess.content(cluster.peer(target).chunks, zone.zone())
                                .firstEntry()
                                .getValue())
                .containsExactly(1);
    }

    @Test
    void goesOnWithoutASourceWhoseLogIsGone() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(50, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first() + 3, new byte[] {3}, Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);
            int without = cluster.directory.zoneNow(zone).backups().getLast();
            cluster.peer(without).logs.delete(zone);

            cluster.kill(1);
            ZoneInfo orphan = cluster.directory.zoneNow(zone);
            int target = orphan.backups().getFirst();
            RecoveryReport report = // before its owner copies to who has no log
                    cluster.peer(target)
                            .recovery
                            .recover(
                                    zone,
                                    orphan.epoch(),
                                    ZoneSources.of(orphan.backups(), orphan.lost(), false))
                            .get(10, TimeUnit.SECONDS);

            assertThat(report.chunks()).isEqualTo(50);
            assertThat(report.left()).containsExactly(without);
            assertThat(cluster.peer(without).logs.get(zone)).as("nothing made up").isNull();
        }
    }

    @Test
    void refusesToRecoverOnANodeWhoseLogIsGone() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(50, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first() + 3, new byte[] {3}, Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);
            int target = cluster.directory.zoneNow(zone).backups().getFirst();
            cluster.peer(target).logs.delete(zone);

            cluster.kill(1);

            assertThatThrownBy(() -> cluster.recover(zone))
                    .hasMessageContaining("has no readable log of the zone");
        }
    }

    /** One of them is gone, and nobody knows. */
    @Test
    void confirmsNothingBeforeAllBackupsHaveBegun() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            List<ZoneInfo> confirmed = confirmedIn(cluster);
            long zone = owner.zones.zoneForCreate(8, 0);
            List<Integer> backups = cluster.directory.zoneNow(zone).backups();
            int gone = backups.getFirst();
            cluster.peer(gone).close();
            Created created = owner.create(1, 8);
            CompletableFuture<Void> write =
                    owner.put(created.first(), new byte[] {3}, Durability.PROCESS);
            CompletableFuture<Void> read = owner.zones.settled(created.first());
            for (int node : backups.subList(1, backups.size())) {
                cluster.await(() -> endAt(cluster, node, zone) == 2);
            }
            for (int round = 0; round < 50; round++) {
                owner.zones.doWork();
                LockSupport.parkNanos(1_000_000);
            }

            assertThat(confirmed).isEmpty();
            assertThat(write).isNotDone();
            assertThat(read).isNotDone();

            cluster.remove(gone);
            write.get(10, TimeUnit.SECONDS);
            read.get(10, TimeUnit.SECONDS);
            cluster.kill(1);
            assertThat(cluster.recover(zone).chunks()).isEqualTo(1);
        }
    }

    private static List<ZoneInfo> confirmedIn(ClusterInProcess cluster) {
        List<ZoneInfo> confirmed = new CopyOnWriteArrayList<>();
        cluster.directory.onApplied((command, result) -> {
            if (command instanceof Command.ConfirmZone && result instanceof Result.Zone now) {
                confirmed.add(now.info());
            }
        });
        return confirmed;
    }

    private static long endAt(ClusterInProcess cluster, int node, long zone) {
        MemoryZoneLog log = cluster.peer(node).logs.get(zone);
        return log == null ? 0 : log.end();
    }

    /** Its owner had handed it over, and was lost before the directory knew of its new one. */
    @Test
    void letsGoOfWhatItHasRecoveredOfAZoneThatIsForgotten() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            long zone = cluster.peer(1).zones.zoneForCreate(8, 0);
            cluster.await(() ->
                    cluster.directory.zoneNow(zone).backups().stream()
                            .allMatch(node -> cluster.peer(node).logs.get(zone) != null));
            cluster.directory.now(new Command.YieldZone(zone, 1, 1));
            cluster.directory.now(new Command.BeginRecovery(zone, 2));
            ZoneInfo yielded = cluster.directory.zoneNow(zone);
            Peer target = cluster.peer(yielded.backups().getFirst());
            recover(cluster, target.id, yielded, false, false);
            assertThat(target.zones.isRecovered(zone)).isTrue();

            cluster.kill(1);
            assertThat(cluster.directory.isDropped(zone)).isTrue();
            target.zones.collectGarbage(node -> true);

            cluster.await(() -> !target.zones.isRecovered(zone) && !target.chunks.hasZone(zone));
        }
    }

    @Test
    void forgetsAZoneToWhoseBackupsNothingHasComeWithItsOwner() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            long zone = cluster.peer(1).zones.zoneForCreate(8, 0);
            Created created = cluster.peer(2).create(5, 8);
            cluster.peer(2)
                    .put(created.first(), new byte[] {3}, Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);

            cluster.kill(1);
            cluster.kill(2);

            assertThat(cluster.directory.isDropped(zone)).isTrue();
            assertThat(cluster.recover(ChunkId.zone(created.first())).chunks()).isEqualTo(5);
        }
    }

    @Test
    void saysWhichChunksAreLostWhenNobodyHasAGoodCopy() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(5, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first() + 3, new byte[] {3}, Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);
            cluster.listedLogs(zone).forEach(log -> log.damage(1));

            cluster.kill(1);
            RecoveryReport report = cluster.recover(zone);

            Peer successor = cluster.peer(cluster.directory.zoneNow(zone).owner());
            assertThat(report.lost()).hasSize(4);
            assertThat(successor.zones.isLost(created.first())).isTrue();
            assertThat(successor.zones.isLost(created.first() + 3)).isFalse();
            assertThat(successor.chunks.get(created.first() + 3)).containsExactly(3);
            assertThat(successor.zones.isLost(created.first() + 5))
                    .as("nobody knows what else there was")
                    .isTrue();
            assertThat(ChunkId.zone(successor.zones.zoneForCreate(8, created.first() + 3)))
                    .as("an id that is free may be a lost one")
                    .isNotEqualTo(zone);
        }
    }

    @Test
    void whatIsLostStaysLostForTheNextOwner() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(6, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(5, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first() + 3, new byte[] {3}, Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);
            cluster.listedLogs(zone)
                    .forEach(log -> {
                        log.damage(1);
                        log.fail();
                    });
            cluster.kill(1);
            cluster.recover(zone);
            int second = cluster.directory.zoneNow(zone).owner();
            cluster.awaitBackups(zone, 3);

            cluster.kill(second);
            cluster.recover(zone);

            Peer third = cluster.peer(cluster.directory.zoneNow(zone).owner());
            assertThat(third.chunks.get(created.first() + 3)).containsExactly(3);
            assertThat(third.zones.isLost(created.first())).isTrue();
            assertThat(third.chunks.getOrNull(created.first())).isNull();
        }
    }

    @Test
    void aStreamThatEndsBeforeWhatWasSafeIsLostAndItsSourcesAreRetired() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(5, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first(), new byte[] {3}, Durability.POWER).get(5, TimeUnit.SECONDS);
            cluster.listedLogs(zone).forEach(log -> log.wasSafeTo(7));
            cluster.kill(1);

            assertThatThrownBy(() -> cluster.recover(zone))
                    .hasMessageContaining("DATA LOST: changes 3 to 7");

            cluster.await(() -> cluster.directory.zoneNow(zone).lost());
            assertThat(cluster.directory.zoneNow(zone).recoverable()).isFalse();
        }
    }

    @Test
    void oneSourceThatHasEverythingIsEnough() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(5, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first(), new byte[] {3}, Durability.POWER).get(5, TimeUnit.SECONDS);
            List<MemoryZoneLog> logs = cluster.listedLogs(zone);
            logs.getLast().wasSafeTo(2);
            logs.getLast().mayBeSafeTo(3);
            cluster.kill(1);

            RecoveryReport report = cluster.recover(zone);

            assertThat(report.isDamaged()).isFalse();
            assertThat(report.end()).isEqualTo(2);
        }
    }

    @Test
    void aReturnedHolderWhoseDiskHangsIsWaitedForAndNotRetired() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(5, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first(), new byte[] {3}, Durability.POWER).get(5, TimeUnit.SECONDS);
            for (int node = 1; node <= 4; node++) {
                cluster.kill(node);
            }
            int first = cluster.comeBack(2);
            int second = cluster.comeBack(3);
            cluster.peer(second).logs.hangReads(true);
            ZoneInfo lost = cluster.directory.zoneNow(zone);
            assertThat(lost.recoverable()).isTrue();

            assertThatThrownBy(() -> cluster.recover(zone, first))
                    .hasMessageContaining("do not answer");
            cluster.directory.zone(zone).join(); // behind whatever the recovery has asked for
            assertThat(cluster.directory.zoneNow(zone)).isEqualTo(lost);

            cluster.peer(second).logs.hangReads(false);
            cluster.recover(zone, first);
            assertThat(cluster.peer(first).chunks.get(created.first())).containsExactly(3);
        }
    }

    @Test
    void aBackupThatIsLostBeforeTheNewOwnerHearsOfTheSwitchIsNoHolder() throws Exception {
        ReplicaConfig one = ReplicaConfig.defaults().with(1, 8 << 20, Duration.ofSeconds(5));
        try (ClusterInProcess cluster = new ClusterInProcess(4, one)) {
            Peer owner = cluster.peer(1);
            long zone = ChunkId.zoneOf(1, 0);
            cluster.directory.now(new Command.OpenZone(zone, 1, 3));
            owner.zones.open(cluster.directory.zoneNow(zone));
            Created created = owner.chunks.create(zone, new Sizes.Uniform(1, 8), WriteTag.NONE);
            owner.zones
                    .await(created.first(), created.position(), Durability.POWER)
                    .get(5, TimeUnit.SECONDS);
            cluster.kill(1);
            ZoneInfo orphan = cluster.directory.zoneNow(zone);
            int target = orphan.backups().getFirst();
            int lost = orphan.backups().getLast();
            cluster.peer(target)
                    .recovery
                    .recover(zone, orphan.epoch(), ZoneSources.of(orphan.backups(), false, false))
                    .get(5, TimeUnit.SECONDS);

            cluster.directory.now(
                    new Command.SwitchZone(zone, orphan.epoch(), target, List.of(), false));
            cluster.kill(lost);
            cluster.tellAfter(0);
            cluster.peer(target)
                    .put(created.first(), new byte[] {9}, Durability.POWER)
                    .get(5, TimeUnit.SECONDS);

            assertThat(cluster.directory.zonesOf(lost).join())
                    .as("what the lost node may pass for the holder of")
                    .isEmpty();
        }
    }

    @Test
    void aBackupWhoseLogHasFailedIsReplaced() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(5, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first(), new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);
            int failing = cluster.directory.zoneNow(zone).backups().getFirst();
            cluster.peer(failing).logs.get(zone).fail();

            owner.put(created.first(), new byte[9], Durability.PROCESS).get(10, TimeUnit.SECONDS);

            assertThat(cluster.directory.zoneNow(zone).backups()).doesNotContain(failing);
            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                assertThat(log.content(new NoTags()).get(0).bytes()).hasSize(9);
            }
        }
    }

    @Test
    void refusesWhatComesLateFromAnOldCopyOrOldOwner() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(2, ClusterInProcess.config())) {
            BackupService backup = cluster.peer(2).backups;
            long zone = ChunkId.zoneOf(1, 7);

            assertThat(status(backup, 1, new ReplicaMessage.CopyStart(zone, 3, 10, 2)))
                    .isEqualTo(Status.OK);
            assertThat(status(backup, 1, new ReplicaMessage.CopyStart(zone, 3, 9, 1)))
                    .isEqualTo(Status.STALE);
            assertThat(status(backup, 1, new ReplicaMessage.CopyPart(zone, 3, 1, 0, new byte[0])))
                    .isEqualTo(Status.ABSENT);
            assertThat(status(backup, 1, new ReplicaMessage.Append(zone, 3, 13, 0, new byte[0])))
                    .isEqualTo(Status.GAP);
            assertThat(status(backup, 1, new ReplicaMessage.Fence(zone, 5)))
                    .isEqualTo(Status.ABSENT);
            assertThat(status(backup, 1, new ReplicaMessage.Append(zone, 4, 11, 0, new byte[0])))
                    .isEqualTo(Status.STALE);
            assertThat(status(backup, 1, new ReplicaMessage.CopyEnd(zone, 4, 2)))
                    .isEqualTo(Status.ABSENT);
            assertThat(status(backup, 3, new ReplicaMessage.CopyStart(zone, 4, 12, 9)))
                    .isEqualTo(Status.STALE);
        }
    }

    @Test
    void aLateEndOfACopyDoesNotEndTheNextOneOfTheSamePosition() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(2, ClusterInProcess.config())) {
            Peer backup = cluster.peer(2);
            long zone = ChunkId.zoneOf(1, 7);
            ZoneLog before = backup.logs.create(zone, 1);

            status(backup.backups, 1, new ReplicaMessage.CopyStart(zone, 3, 10, 1));
            status(backup.backups, 1, new ReplicaMessage.CopyStart(zone, 3, 10, 2));

            assertThat(status(backup.backups, 1, new ReplicaMessage.CopyEnd(zone, 3, 1)))
                    .isEqualTo(Status.ABSENT);
            assertThat(backup.logs.get(zone)).isSameAs(before);
            assertThat(status(backup.backups, 3, new ReplicaMessage.CopyEnd(zone, 3, 2)))
                    .isEqualTo(Status.ABSENT);
            assertThat(status(backup.backups, 1, new ReplicaMessage.CopyEnd(zone, 3, 2)))
                    .isEqualTo(Status.OK);
        }
    }

    @Test
    void aFenceAlsoHoldsWhereNothingHasComeYet() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(2, ClusterInProcess.config())) {
            BackupService backup = cluster.peer(2).backups;
            long zone = ChunkId.zoneOf(1, 7);

            assertThat(status(backup, 1, new ReplicaMessage.Fence(zone, 2)))
                    .isEqualTo(Status.ABSENT);

            assertThat(backup.log(zone)).isNull();
            assertThat(status(backup, 1, new ReplicaMessage.Append(zone, 1, 1, 0, new byte[0])))
                    .isEqualTo(Status.STALE);
            assertThat(status(backup, 1, new ReplicaMessage.Fence(zone, 1)))
                    .isEqualTo(Status.STALE);
        }
    }

    @Test
    void deletesLogsThatTheDirectoryDoesNotCountOn() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(1, 8);
            long held = ChunkId.zone(created.first());
            owner.put(created.first(), new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);
            Peer backup = cluster.peer(2);
            long left = ChunkId.zoneOf(3, 3);
            backup.logs.create(left, 1);

            backup.backups.collectGarbage(cluster.executor).get(5, TimeUnit.SECONDS);

            assertThat(backup.logs.zones()).contains(held).doesNotContain(left);
        }
    }

    @Test
    void opensTheNextZoneAheadAndKeepsRangesTogether() throws Exception {
        ReplicaConfig small = ReplicaConfig.defaults().with(3, 64 << 10, Duration.ofSeconds(5));
        try (ClusterInProcess cluster = new ClusterInProcess(4, small)) {
            Peer owner = cluster.peer(1);

            Created first = owner.create(50, 1000);
            Created second = owner.create(50, 1000);
            Created third = owner.create(1, 200 << 10);
            long near = owner.zones.zoneForCreate(1 << 20, first.first());

            assertThat(ChunkId.zone(second.first())).isNotEqualTo(ChunkId.zone(first.first()));
            assertThat(ChunkId.zone(third.first())).isNotEqualTo(ChunkId.zone(second.first()));
            assertThat(near).isEqualTo(ChunkId.zone(first.first()));
            assertThatThrownBy(() ->
                            owner.zones.zoneForCreate(1, ChunkId.ofZone(ChunkId.zoneOf(2, 0), 1)))
                    .isInstanceOf(ZoneMovedException.class);
        }
    }

    @Test
    void countsANewBackupOnlyWhenItHasEverythingThatWasWrittenMeanwhile() throws Exception {
        ReplicaConfig slow =
                new ReplicaConfig(
                        3,
                        64 << 20,
                        16 << 10,
                        4,
                        4 << 20,
                        1,
                        4 << 20,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5));
        try (ClusterInProcess cluster = new ClusterInProcess(5, slow)) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(2000, 1000);
            long zone = ChunkId.zone(created.first());
            owner.zones.sync(_ -> true).get(10, TimeUnit.SECONDS);
            int lost = cluster.directory.zoneNow(zone).backups().getLast();
            cluster.kill(lost);

            int writes = 0;
            while (cluster.directory.zoneNow(zone).backups().size() < 3 || writes < 100) {
                byte[] value = new byte[1000];
                value[0] = (byte) writes;
                owner.put(created.first() + writes++ % 2000, value, Durability.PROCESS)
                        .get(5, TimeUnit.SECONDS);
            }
            int last = writes;

            owner.zones.sync(_ -> true).get(10, TimeUnit.SECONDS);
            assertThat(cluster.directory.zoneNow(zone).backups()).hasSize(3);
            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                var content = log.content(new NoTags());
                assertThat(content).hasSize(2000);
                assertThat(content.get((last - 1) % 2000).bytes()[0]).isEqualTo((byte) (last - 1));
            }
        }
    }

    private static Status status(BackupService backup, int source, ReplicaMessage.Ask question)
            throws Exception {
        return backup.take(source, question).get(5, TimeUnit.SECONDS).status();
    }
}
