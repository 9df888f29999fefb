package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.chunk.ZoneFullException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** Zones without chunks go away: at their owner, in the directory, at the backups. */
@Timeout(60)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class ZoneDropTest {
    private static final int ZONE_BYTES = 64 << 10;

    @Test
    void dropsAZoneWhoseChunksAreGoneEverywhere() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(50))) {
            Peer owner = cluster.peer(1);
            Created first = fill(owner);
            long zone = ChunkId.zone(first.first());
            long next = ChunkId.zone(fill(owner).first());
            remove(owner, first);

            collectUntil(cluster, () -> !cluster.directory.hasZone(zone));
            collectUntil(cluster, () -> isForgotten(cluster, zone));

            assertThat(cluster.directory.hasZone(next)).isTrue();
            assertThat(owner.zones.owns(next)).isTrue();
            assertThat(cluster.directory.now(new Command.OpenZone(zone, 1, 3)))
                    .isInstanceOf(Result.Refused.class);
        }
    }

    @Test
    void letsGoOfAZoneThatWasDroppedWhenItIsToBeHandedOver() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(60_000))) {
            Peer owner = cluster.peer(1);
            Created first = fill(owner);
            long zone = ChunkId.zone(first.first());
            fill(owner); // which fresh chunks go to
            cluster.awaitBackups(zone, 3);
            long epoch = cluster.directory.zoneNow(zone).epoch();
            cluster.directory.now(new Command.DropZone(zone, epoch, 1)); // its answer is lost

            assertThat(owner.zones.handOver(2, Long.MAX_VALUE))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("has been dropped meanwhile");

            cluster.await(() -> !owner.zones.holds(zone) && !owner.chunks.hasZone(zone));
        }
    }

    @Test
    void forgetsADroppedZoneBehindMoreThanTheDirectoryIsAskedAboutAtOnce() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, config(50))) {
            BackupService backup = cluster.peer(2).backups;
            long dropped = ChunkId.zoneOf(3, 0); // passed over
            cluster.directory.now(new Command.OpenZone(ChunkId.zoneOf(3, 1), 3, 0));
            cluster.kill(3);
            for (int i = 0; i < BackupService.MAX_ASKED; i++) {
                backup.take(1, new ReplicaMessage.Fence(ChunkId.zoneOf(1, i), 1)).join();
            }
            backup.take(1, new ReplicaMessage.Fence(dropped, 1)).join();

            for (int round = 0; round < 2; round++) {
                backup.collectGarbage(cluster.executor).get(20, TimeUnit.SECONDS);
            }

            assertThat(backup.knows(dropped)).isFalse();
            assertThat(backup.knows(ChunkId.zoneOf(1, 7))).isTrue();
        }
    }

    @Test
    void keepsTheZoneThatIsBeingFilledThoughItIsEmpty() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(1))) {
            Peer owner = cluster.peer(1);
            Created only = owner.create(10, 100);
            long zone = ChunkId.zone(only.first());
            remove(owner, only);

            collect(cluster, 100);

            assertThat(cluster.directory.hasZone(zone)).isTrue();
            assertThat(ChunkId.zone(owner.create(1, 8).first())).isEqualTo(zone);
        }
    }

    @Test
    void leavesTheZoneThatIsBeingFilledWhenEnoughHasBeenWrittenToIt() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(50))) {
            Peer owner = cluster.peer(1);
            Created only = owner.create(10, 100);
            long zone = ChunkId.zone(only.first());
            for (int i = 0; i < 10; i++) {
                owner.put(only.first(), new byte[ZONE_BYTES / 10], Durability.PROCESS)
                        .get(5, TimeUnit.SECONDS);
            }
            remove(owner, only);

            collectUntil(cluster, () -> !cluster.directory.hasZone(zone));
            collectUntil(cluster, () -> isForgotten(cluster, zone));

            assertThat(ChunkId.zone(owner.create(1, 8).first())).isGreaterThan(zone);
        }
    }

    @Test
    void keepsAZoneThatHasAChunkOrHadOneAMomentAgo() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(60_000))) {
            Peer owner = cluster.peer(1);
            Created first = fill(owner);
            long zone = ChunkId.zone(first.first());
            fill(owner);
            remove(owner, first);

            collect(cluster, 50);

            assertThat(owner.zones.owns(zone)).isTrue();
            assertThat(owner.chunks.create(zone, new Sizes.Uniform(1, 8), WriteTag.NONE).first())
                    .as("not sealed either")
                    .isPositive();
        }
    }

    @Test
    void letsNobodyIntoAZoneThatIsOnItsWayOut() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(60_000))) {
            Peer owner = cluster.peer(1);
            Created first = fill(owner);
            long zone = ChunkId.zone(first.first());

            assertThat(owner.chunks.sealIfEmpty(zone)).isFalse();
            remove(owner, first);
            assertThat(owner.chunks.sealIfEmpty(zone)).isTrue();

            assertThatThrownBy(
                            () -> owner.chunks.create(zone, new Sizes.Uniform(1, 8), WriteTag.NONE))
                    .isInstanceOf(ZoneFullException.class);
        }
    }

    @Test
    void dropsAnEmptyZoneThatWasRecovered() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, config(50))) {
            Peer owner = cluster.peer(1);
            Created only = owner.create(10, 100);
            long zone = ChunkId.zone(only.first());
            remove(owner, only);
            cluster.kill(1);
            cluster.recover(zone);

            collectUntil(cluster, () -> !cluster.directory.hasZone(zone));
            collectUntil(cluster, () -> isForgotten(cluster, zone));
        }
    }

    @Test
    void tellsARetryOfTheLastRemovalFromANewOneUntilTheZoneIsGone() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(60_000))) {
            Peer owner = cluster.peer(1);
            Created first = fill(owner);
            long zone = ChunkId.zone(first.first());
            fill(owner);
            WriteTag tag = new WriteTag(9, 1);
            long position = owner.chunks.removeRange(first.first(), 10, tag).position();
            owner.zones.await(first.first(), position, Durability.PROCESS).get(5, TimeUnit.SECONDS);

            collect(cluster, 50);

            assertThat(owner.zones.admit(zone, tag, Durability.PROCESS).isFresh()).isFalse();
        }
    }

    // private

    private static ReplicaConfig config(int dropAfterMillis) {
        return new ReplicaConfig(
                3,
                ZONE_BYTES,
                4096,
                8,
                16 << 20,
                2,
                1 << 30,
                Duration.ofSeconds(5),
                Duration.ofMillis(dropAfterMillis),
                Duration.ofSeconds(5));
    }

    /** Chunks that fill a zone, so that the next ones go to another. */
    private static Created fill(Peer owner) {
        return owner.create(10, ZONE_BYTES / 10 - 16);
    }

    private static void remove(Peer owner, Created range) throws Exception {
        long position = owner.chunks.removeRange(range.first(), 10, WriteTag.NONE).position();
        owner.zones.await(range.first(), position, Durability.PROCESS).get(5, TimeUnit.SECONDS);
    }

    private static void collect(ClusterInProcess cluster, int rounds) throws Exception {
        for (int i = 0; i < rounds; i++) {
            for (Peer peer : cluster.peers.values()) {
                if (!peer.isClosed) {
                    peer.zones.collectGarbage(node -> true);
                    peer.backups.collectGarbage(cluster.executor).get(5, TimeUnit.SECONDS);
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void collectUntil(ClusterInProcess cluster, BooleanSupplier condition)
            throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            collect(cluster, 1);
        }
    }

    private static boolean isForgotten(ClusterInProcess cluster, long zone) {
        return cluster.peers.values().stream()
                .allMatch(peer ->
                        peer.isClosed
                                || (!peer.zones.owns(zone)
                                        && !peer.chunks.hasZone(zone)
                                        && !peer.logs.zones().contains(zone)
                                        && !peer.backups.knows(zone)));
    }
}
