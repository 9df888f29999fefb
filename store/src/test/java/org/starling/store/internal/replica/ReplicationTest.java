package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

@Timeout(30)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class ReplicationTest {
    @Test
    void bringsEveryWriteToAllBackupsInOrder() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);

            Created created = owner.create(1000, 8);
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                all.add(owner.put(created.first() + i, bytes("value " + i), Durability.PROCESS));
            }
            join(all);

            long zone = ChunkId.zone(created.first());
            assertThat(cluster.listedLogs(zone)).hasSize(3);
            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                assertThat(log.end()).isEqualTo(1001);
                assertThat(log.content(new NoTags()).get(7).bytes()).isEqualTo(bytes("value 7"));
            }
        }
    }

    @Test
    void powerWaitsForTwoDisks() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(1, 8);

            owner.put(created.first(), bytes("x"), Durability.POWER).get(5, TimeUnit.SECONDS);

            long zone = ChunkId.zone(created.first());
            assertThat(cluster.listedLogs(zone).stream().filter(log -> log.forcedEnd() >= 2))
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void writesGoOnWhenABackupIsLostAndItIsReplaced() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(100, 8);
            long zone = ChunkId.zone(created.first());
            int lost = cluster.directory.zoneNow(zone).backups().getFirst();

            cluster.peer(lost).close();
            CompletableFuture<Void> write =
                    owner.put(created.first(), bytes("new"), Durability.PROCESS);
            assertThat(write).isNotDone();
            cluster.remove(lost);
            write.get(5, TimeUnit.SECONDS);

            await(() -> cluster.directory.zoneNow(zone).backups().size() == 3);
            owner.put(created.first() + 1, bytes("after"), Durability.POWER)
                    .get(5, TimeUnit.SECONDS);
            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                assertThat(log.content(new NoTags())).hasSize(100);
                assertThat(log.content(new NoTags()).get(0).bytes()).isEqualTo(bytes("new"));
                assertThat(log.content(new NoTags()).get(1).bytes()).isEqualTo(bytes("after"));
            }
        }
    }

    @Test
    void recoversExactlyWhatWasAcknowledged() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(100, 8);
            long zone = ChunkId.zone(created.first());
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(owner.put(created.first() + i, bytes("v" + i), Durability.PROCESS));
            }
            long removed = owner.chunks.remove(created.first() + 50, WriteTag.NONE);
            all.add(owner.zones.await(created.first(), removed, Durability.PROCESS));
            join(all);

            cluster.kill(1);
            RecoveryReport report = cluster.recover(zone);

            assertThat(report.chunks()).isEqualTo(99);
            assertThat(report.lost()).isEmpty();
            ZoneInfo info = cluster.directory.zoneNow(zone);
            Peer successor = cluster.peer(info.owner());
            assertThat(successor.zones.owns(zone)).isTrue();
            assertThat(successor.recovery.remembered()).as("recoveries that have ended").isZero();
            for (int i = 0; i < 100; i++) {
                assertThat(successor.chunks.getOrNull(created.first() + i))
                        .isEqualTo(i == 50 ? null : bytes("v" + i));
            }
            successor
                    .put(created.first(), bytes("next"), Durability.PROCESS)
                    .get(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void notesARecoveryInTheFlightRecorder(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("recording.jfr");
        long zone;
        try (Recording recording = new Recording();
                ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            recording.enable("starling.ZoneRecovery");
            recording.start();
            Peer owner = cluster.peer(1);
            Created created = owner.create(2, 8);
            zone = ChunkId.zone(created.first());
            owner.put(created.first(), bytes("one"), Durability.PROCESS).get(5, TimeUnit.SECONDS);
            cluster.kill(1);
            cluster.recover(zone);
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(events).hasSize(1);
        assertThat(events.getFirst().getString("zone")).isEqualTo(Long.toHexString(zone));
        assertThat(events.getFirst().getString("failure")).isEmpty();
        assertThat(events.getFirst().getLong("chunks")).isEqualTo(2);
        assertThat(events.getFirst().getDuration().isPositive()).isTrue();
    }

    @Test
    void retriesTakeEffectOnceAlsoAtTheNextOwner() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(1, 8);
            long id = created.first();
            long zone = ChunkId.zone(id);
            WriteTag tag = new WriteTag(9, 77);
            owner.put(id, bytes("first"), Durability.PROCESS, tag).get(5, TimeUnit.SECONDS);
            owner.put(id, bytes("second"), Durability.PROCESS).get(5, TimeUnit.SECONDS);

            owner.put(id, bytes("first"), Durability.PROCESS, tag).get(5, TimeUnit.SECONDS);
            assertThat(owner.chunks.get(id)).isEqualTo(bytes("second"));
            cluster.kill(1);
            cluster.recover(zone);
            Peer successor = cluster.peer(cluster.directory.zoneNow(zone).owner());
            successor.put(id, bytes("first"), Durability.PROCESS, tag).get(5, TimeUnit.SECONDS);

            assertThat(successor.chunks.get(id)).isEqualTo(bytes("second"));
        }
    }

    @Test
    void anOwnerThatWasReplacedCanNotAcknowledge() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(1, 8);
            long zone = ChunkId.zone(created.first());
            owner.put(created.first(), bytes("old"), Durability.PROCESS).get(5, TimeUnit.SECONDS);
            ZoneInfo info = cluster.directory.zoneNow(zone);

            cluster.directory.now(new org.starling.store.internal.directory.Command.RemoveNode(1));
            int target = info.backups().getFirst();
            cluster.peer(target)
                    .recovery
                    .recover(zone, info.epoch(), ZoneSources.of(info.backups(), info.lost(), false))
                    .get(5, TimeUnit.SECONDS);
            CompletableFuture<Void> late =
                    owner.put(created.first(), bytes("late"), Durability.PROCESS);
            assertThat(late).isNotDone();
            cluster.switchTo(zone, info.epoch(), target);

            assertThatThrownBy(() -> late.get(5, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ZoneMovedException.class);
            assertThat(owner.zones.owns(zone)).isFalse();
            assertThat(cluster.peer(target).chunks.get(created.first())).isEqualTo(bytes("old"));
        }
    }

    @Test
    void bringsChunksThatWereWrittenInPlaceToTheBackups() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(30_000, 16);
            try (PinnedRange range = owner.chunks.pin(created.first(), 30_000)) {
                for (int i = 0; i < 30_000; i++) {
                    NativeMemory.putLong(range.address(i), i);
                }
            }

            long position = owner.zones.replicate(created.first(), 30_000);
            owner.zones
                    .await(created.first(), position, Durability.PROCESS)
                    .get(10, TimeUnit.SECONDS);

            assertThat(position).isEqualTo(30_001);
            for (MemoryZoneLog log : cluster.listedLogs(ChunkId.zone(created.first()))) {
                assertThat(log.content(new NoTags()).get(29_999).bytes())
                        .isEqualTo(owner.chunks.get(created.first() + 29_999));
            }
        }
    }

    @Test
    void backupsHearOfChunksThatWereMadeWithoutThemWhenTheirValuesAreBrought() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            long before = owner.create(1, 8).first();
            long zone = ChunkId.zone(before);
            owner.put(before, new byte[8], Durability.PROCESS).get(10, TimeUnit.SECONDS);

            Created created =
                    owner.chunks.create(zone, new Sizes.Uniform(3, 8), WriteTag.NONE, false);
            owner.put(before, new byte[] {1}, Durability.PROCESS).get(10, TimeUnit.SECONDS);

            assertThat(created.position()).isZero();
            for (MemoryZoneLog log : cluster.listedLogs(zone)) {
                assertThat(log.content(new NoTags())).hasSize(1);
            }

            long position = owner.zones.replicate(created.first(), 2);
            owner.zones
                    .await(created.first(), position, Durability.PROCESS)
                    .get(10, TimeUnit.SECONDS);
            cluster.kill(1);
            cluster.recover(zone);

            Peer next = cluster.peer(cluster.directory.zoneNow(zone).owner());
            assertThat(next.chunks.get(created.first() + 1)).isEqualTo(new byte[8]);
            assertThat(next.chunks.getOrNull(created.first() + 2)).as("never brought").isNull();
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void join(List<CompletableFuture<Void>> all) throws Exception {
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(10, TimeUnit.SECONDS);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
