package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeLoss;
import org.starling.store.Recoveries;
import org.starling.store.StoreConfig;

/** What a real cluster tells of a peer that it has lost. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RecoveriesTest {
    @TempDir private Path root;

    @Test
    void tellsEveryNodeWhoHasTakenOverWhatALostPeerOwned() {
        try (StoredCluster cluster = new StoredCluster(root, 3, 4, StoredCluster.config())) {
            int lost = cluster.peer(0).nodeId();
            cluster.peer(0).chunks().with(Durability.POWER).create(100);
            assertThat(cluster.peer(1).recoveries().losses()).isEmpty();

            cluster.crashPeer(0);

            StoredCluster.await(
                    () ->
                            cluster.peer(1).recoveries().losses().stream()
                                    .anyMatch(loss -> loss.tookNanos() >= 0),
                    "the end of the recovery");
            Recoveries told = cluster.superpeer(2).recoveries();
            NodeLoss loss = told.losses().getFirst();
            assertThat(told.losses()).hasSize(1);
            assertThat(told.damagedZones()).isZero();
            assertThat(told.leadsNanos()).isPositive();
            assertThat(loss.node()).isEqualTo(lost);
            assertThat(loss.reason()).isNotEmpty();
            assertThat(loss.zones()).isPositive();
            assertThat(loss.agoNanos()).isGreaterThanOrEqualTo(loss.tookNanos());
            assertThat(loss.shares().stream().mapToInt(NodeLoss.Share::zones).sum())
                    .isEqualTo(loss.zones() - loss.droppedZones());
            assertThat(loss.shares().stream().mapToLong(NodeLoss.Share::bytes).sum())
                    .isGreaterThanOrEqualTo(100);
            assertThat(loss.shares()).noneMatch(share -> share.node() == lost);
        }
    }

    /** What is in it was promised to nobody. */
    @Test
    void forgetsZonesOfWhichNoBackupHasHeardAnything() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            long chunk =
                    cluster.peer(0)
                            .chunks()
                            .with(Durability.POWER)
                            .createUnreplicated(new int[] {8});
            cluster.awaitReplicated(cluster.peer(1));

            cluster.crashAll();
            cluster.startAll();

            cluster.awaitReplicated(cluster.peer(1));
            ChunkService user = cluster.peer(1).chunks();
            assertThat(user.exists(chunk)).isFalse();
            assertThatThrownBy(() -> user.awaitOwner(chunk, StoredCluster.PATIENCE))
                    .isInstanceOf(ChunkNotFoundException.class);
        }
    }

    /**
     * A zone with chunks that backups have not heard of gets another backup, and can be written.
     */
    @Test
    void findsAnotherBackupOfAZoneOfWhichNoBackupHasHeardAnything() {
        StoreConfig config = StoredCluster.config().withReplicationFactor(2);
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, config)) {
            ChunkService own = cluster.peer(0).chunks().with(Durability.PROCESS);
            long chunk = own.createUnreplicated(new int[] {8});
            cluster.awaitReplicated(cluster.peer(0));
            int lost =
                    cluster.peer(0).directory().zone(ChunkId.zone(chunk)).join().backups().get(0);
            cluster.crashPeer(cluster.slotOf(lost));
            cluster.awaitMembers(4);
            LockSupport.parkNanos(3_000_000_000L); // the owner knows that the backup is gone

            own.replicate(chunk, 1);
            own.remove(chunk);
            cluster.awaitReplicated(cluster.peer(0));
        }
    }

    /** One zone's copy is refused for what is in it; that says nothing of other zones' copies. */
    @Test
    void findsAnotherBackupThoughItRefusesCopiesOfOtherZones() {
        int bytes = 900 << 10;
        StoreConfig config = StoredCluster.config().withReplicationFactor(2).withZoneBytes(1 << 20);
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, config)) {
            ChunkService own = cluster.peer(0).chunks().with(Durability.PROCESS);
            List<Long> chunks = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                chunks.add(own.createUnreplicated(new int[] {bytes}));
            }
            chunks.add(own.create(bytes));
            cluster.awaitReplicated(cluster.peer(0));
            long good = ChunkId.zone(chunks.getLast());
            int lost = cluster.peer(0).directory().zone(good).join().backups().get(0);
            cluster.crashPeer(cluster.slotOf(lost));
            cluster.awaitMembers(4);

            StoredCluster.await(
                    () -> cluster.peer(0).directory().zone(good).join().backups().size() == 2,
                    "the zone with entries has two backups again");
        }
    }

    /** A chunk that was not brought to the backups goes with its maker, also behind a full copy. */
    @Test
    void copiesNoChunkOfWhichBackupsAreNotToHearYet() {
        StoreConfig config = StoredCluster.config().withReplicationFactor(2);
        try (StoredCluster cluster = new StoredCluster(root, 1, 5, config)) {
            ChunkService own = cluster.peer(0).chunks().with(Durability.POWER);
            long logged = own.create(8);
            long chunk = own.near(logged).createUnreplicated(new int[] {8});
            assertThat(ChunkId.zone(chunk)).isEqualTo(ChunkId.zone(logged));
            cluster.awaitReplicated(cluster.peer(0));
            List<Integer> backups =
                    cluster.peer(0).directory().zone(ChunkId.zone(chunk)).join().backups();
            int first = cluster.slotOf(backups.get(0));
            int second = cluster.slotOf(backups.get(1));
            cluster.crashPeer(first);
            cluster.awaitMembers(5);
            cluster.awaitReplicated(cluster.peer(0));

            cluster.crashPeer(0);
            cluster.crashPeer(second);
            cluster.awaitMembers(3);
            int other = 1;
            while (other == first || other == second) {
                other++;
            }
            ChunkService user = cluster.peer(other).chunks();
            assertThat(user.awaitOwner(logged, StoredCluster.PATIENCE)).isPositive();
            assertThat(user.exists(logged)).isTrue();
            assertThat(user.exists(chunk)).as("nobody was to know of it").isFalse();
        }
    }
}
