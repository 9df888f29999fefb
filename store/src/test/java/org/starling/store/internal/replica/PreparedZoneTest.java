package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.replica.ClusterInProcess.Peer;
import org.starling.store.internal.replica.ReplicaMessage.Status;

/** A zone that a backup has in memory before it takes it over. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PreparedZoneTest {
    private static final int CHUNKS = 400;
    private static final int ROUNDS = 6;
    private static final int CHANGES = 500;
    private static final int BACKUP = 2;

    @TempDir Path folder;

    private final Random random = new Random(7);

    /** Against what the owner has, after changes of all kinds between the preparations. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isTakenOverWithEverythingThatCameBehindItsPreparation(boolean isOnDisk) throws Exception {
        try (ClusterInProcess cluster = cluster(isOnDisk)) {
            Peer owner = cluster.peer(1);
            long first = owner.create(CHUNKS, 16).first();
            long zone = ChunkId.zone(first);
            for (int round = 0; round < ROUNDS; round++) {
                change(owner, zone);
                if (round % 2 == 0) {
                    assertThat(prepare(cluster, zone)).isEqualTo(Status.OK);
                }
            }
            SortedMap<Long, byte[]> before = ClusterInProcess.content(owner.chunks, zone);
            long prepared = cluster.peer(BACKUP).chunks.statistics().chunks();

            cluster.kill(1);
            assertThat(cluster.directory.zoneNow(zone).backups().getFirst()).isEqualTo(BACKUP);
            cluster.recover(zone);

            assertThat(prepared).as("it is there before").isPositive();
            SortedMap<Long, byte[]> after =
                    ClusterInProcess.content(cluster.peer(BACKUP).chunks, zone);
            assertThat(after.keySet()).isEqualTo(before.keySet());
            assertThat(after)
                    .allSatisfy((id, value) ->
                            assertThat(value).as(ChunkId.toString(id)).isEqualTo(before.get(id)));
            assertThat(cluster.peer(BACKUP).chunks.statistics().chunks()).isEqualTo(after.size());
            Peer next = cluster.peer(BACKUP);
            long fresh = next.create(100, 8).first();
            assertThat(after.keySet()).doesNotContain(fresh, fresh + 99);
        }
    }

    @Test
    void isLeftWhenItIsNotTakenOver() throws Exception {
        try (ClusterInProcess cluster = cluster(false)) {
            Peer owner = cluster.peer(1);
            long first = owner.create(CHUNKS, 16).first();
            long zone = ChunkId.zone(first);
            change(owner, zone);
            assertThat(prepare(cluster, zone)).isEqualTo(Status.OK);
            Peer backup = cluster.peer(BACKUP);
            assertThat(backup.chunks.statistics().chunks()).isPositive();

            long now = System.nanoTime();
            backup.recovery.forgetPrepared(now);
            backup.recovery.forgetPrepared(now + Duration.ofSeconds(20).toNanos());
            assertThat(backup.chunks.statistics().chunks()).as("for a while").isPositive();
            backup.recovery.forgetPrepared(now + Duration.ofSeconds(40).toNanos());

            backup.chunks.maintain();
            assertThat(backup.chunks.statistics().chunks()).isZero();
            assertThat(prepare(cluster, zone)).as("again").isEqualTo(Status.OK);
        }
    }

    /** The copy that is there now need not have what the log had that was read. */
    @Test
    void isReadAnewWhenItsLogIsAnotherOne() throws Exception {
        try (ClusterInProcess cluster = cluster(false)) {
            Peer owner = cluster.peer(1);
            long first = owner.create(CHUNKS, 16).first();
            long zone = ChunkId.zone(first);
            change(owner, zone);
            assertThat(prepare(cluster, zone)).isEqualTo(Status.OK);
            Peer backup = cluster.peer(BACKUP);

            backup.logs.delete(zone);
            assertThat(prepare(cluster, zone)).isEqualTo(Status.ABSENT);
            change(owner, zone);
            cluster.await(() -> {
                MemoryZoneLog log = backup.logs.get(zone);
                return log != null && log.basePosition() > 0 && isListed(cluster, zone);
            });
            change(owner, zone);
            SortedMap<Long, byte[]> before = ClusterInProcess.content(owner.chunks, zone);
            cluster.kill(1);
            ZoneInfo info = cluster.directory.zoneNow(zone);
            backup.recovery
                    .recover(zone, info.epoch(), ZoneSources.of(info.backups(), false, false))
                    .get(10, TimeUnit.SECONDS);

            SortedMap<Long, byte[]> after = ClusterInProcess.content(backup.chunks, zone);
            assertThat(after.keySet()).isEqualTo(before.keySet());
            assertThat(after)
                    .allSatisfy((id, value) -> assertThat(value).isEqualTo(before.get(id)));
        }
    }

    private static boolean isListed(ClusterInProcess cluster, long zone) {
        return cluster.directory.zoneNow(zone).backups().contains(BACKUP);
    }

    @Test
    void isRefusedToWhoeverHasNoLogOrIsOfThePast() throws Exception {
        try (ClusterInProcess cluster = cluster(false)) {
            Peer owner = cluster.peer(1);
            long first = owner.create(CHUNKS, 16).first();
            long zone = ChunkId.zone(first);
            change(owner, zone);

            assertThat(ask(cluster, 1, zone, 1)).as("the owner").isEqualTo(Status.ABSENT);
            assertThat(ask(cluster, BACKUP, zone, 0)).isEqualTo(Status.STALE);
        }
    }

    private ClusterInProcess cluster(boolean isOnDisk) {
        return new ClusterInProcess(4, ClusterInProcess.config(), isOnDisk ? folder : null);
    }

    private static Status prepare(ClusterInProcess cluster, long zone) throws Exception {
        return ask(cluster, BACKUP, zone, cluster.directory.zoneNow(zone).epoch());
    }

    private static Status ask(ClusterInProcess cluster, int node, long zone, long epoch)
            throws Exception {
        return cluster.peer(node)
                .backups
                .take(1, new ReplicaMessage.Prepare(zone, epoch))
                .get(10, TimeUnit.SECONDS)
                .status();
    }

    /** Values of other lengths, removals of runs, and chunks that get ids of removed ones. */
    private void change(Peer owner, long zone) throws Exception {
        long last = 0;
        TreeSet<Long> ids = new TreeSet<>(ClusterInProcess.content(owner.chunks, zone).keySet());
        for (int i = 0; i < CHANGES; i++) {
            Long above = ids.higher(ChunkId.ofZone(zone, random.nextInt(2 * CHUNKS)));
            long id = above == null ? ids.getFirst() : above;
            int kind = random.nextInt(10);
            int count = 1 + random.nextInt(20);
            if (kind == 0 && ids.size() > CHUNKS / 2) {
                last = owner.chunks.removeRange(id, count, WriteTag.NONE).position();
                ids.subSet(id, id + count).clear();
            } else if (kind == 1) {
                Sizes sizes = new Sizes.Uniform(count, random.nextInt(40));
                Created created = owner.chunks.create(zone, sizes, WriteTag.NONE);
                last = created.position();
                LongStream.range(created.first(), created.first() + count).forEach(ids::add);
            } else {
                byte[] value = new byte[random.nextInt(3) == 0 ? random.nextInt(64) : 16];
                random.nextBytes(value);
                last = owner.chunks.put(id, value, WriteTag.NONE);
            }
        }
        owner.zones
                .await(ChunkId.ofZone(zone, 0), last, Durability.PROCESS)
                .get(10, TimeUnit.SECONDS);
    }
}
