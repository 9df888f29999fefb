package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Removed;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** Replication over the real logs. */
@Timeout(60)
class DiskReplicationTest {
    private static final int CHUNKS = 20_000;

    @TempDir private Path folder;

    @Test
    void recoversFromTheDisksOfBackupsAndReplicatesAgain() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, ReplicaConfig.defaults(), folder)) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(CHUNKS, 64);
            long zone = ChunkId.zone(created.first());
            for (int i = 0; i < CHUNKS; i++) {
                CompletableFuture<?> _ =
                        owner.put(created.first() + i, value(i), Durability.MEMORY);
            }
            Removed removed = owner.chunks.removeRange(created.first() + 100, 50, WriteTag.NONE);
            owner.zones
                    .await(created.first(), removed.position(), Durability.PROCESS)
                    .get(10, TimeUnit.SECONDS);
            owner.put(created.first(), value(-1), Durability.POWER, new WriteTag(9, 1))
                    .get(10, TimeUnit.SECONDS);

            cluster.kill(1);
            RecoveryReport report = cluster.recover(zone);

            assertThat(report.chunks()).isEqualTo(CHUNKS - 50);
            Peer second = cluster.peer(cluster.directory.zoneNow(zone).owner());
            check(second, created.first());
            assertThat(second.zones.admit(zone, new WriteTag(9, 1), Durability.MEMORY).isFresh())
                    .isFalse();
            awaitBackups(cluster, zone, 3);
            second.put(created.first() + 1, value(1), Durability.POWER).get(10, TimeUnit.SECONDS);
            cluster.kill(second.id);
            awaitRecovered(cluster, zone, created.first());
        }
    }

    @Test
    void aZoneWhoseChunksWereAllRemovedGetsBackupsAgain() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(6, ReplicaConfig.defaults(), folder)) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(1, 8);
            long zone = ChunkId.zone(created.first());
            Removed removed = owner.chunks.removeRange(created.first(), 1, WriteTag.NONE);
            owner.zones
                    .await(created.first(), removed.position(), Durability.POWER)
                    .get(10, TimeUnit.SECONDS);

            for (int i = 0; i < 2; i++) {
                cluster.kill(cluster.directory.zoneNow(zone).backups().getFirst());
                awaitBackups(cluster, zone, 3);
            }

            Created next = owner.create(1, 8);
            owner.put(next.first(), value(1), Durability.POWER).get(10, TimeUnit.SECONDS);
        }
    }

    private static void awaitBackups(ClusterInProcess cluster, long zone, int wanted) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (cluster.directory.zoneNow(zone).backups().size() < wanted) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitRecovered(ClusterInProcess cluster, long zone, long first)
            throws Exception {
        RecoveryReport report = cluster.recover(zone);
        assertThat(report.lost()).isEmpty();
        check(cluster.peer(cluster.directory.zoneNow(zone).owner()), first);
    }

    private static void check(Peer peer, long first) {
        for (int i = 1; i < CHUNKS; i++) {
            byte[] value = peer.chunks.getOrNull(first + i);
            if (i >= 100 && i < 150) {
                assertThat(value).isNull();
            } else {
                assertThat(value).isEqualTo(value(i));
            }
        }
        assertThat(peer.chunks.get(first)).isEqualTo(value(-1));
    }

    private static byte[] value(int number) {
        return ByteBuffer.allocate(64).putInt(number).array();
    }
}
