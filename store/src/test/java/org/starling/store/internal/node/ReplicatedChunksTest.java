package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.RangeCopy;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.WithheldIds;

/** Chunks with backups, on nodes of one process with real logs. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ReplicatedChunksTest {
    @TempDir private Path root;

    @Test
    void servesReplicatedChunksFromEveryNode() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            for (Durability durability : new Durability[] {Durability.PROCESS, Durability.POWER}) {
                ChunkService owner = cluster.peer(0).chunks().with(durability);
                ChunkService user = cluster.peer(1).chunks().with(durability);
                long id = owner.create(3);

                assertThat(ChunkId.isReplicated(id)).isTrue();
                assertThat(user.get(id)).hasSize(3);
                user.put(id, new byte[] {1, 2, 3, 4});
                assertThat(owner.get(id)).containsExactly(1, 2, 3, 4);
                owner.put(id, new byte[] {5});
                assertThat(user.get(id)).containsExactly(5);
                user.resize(id, 2);
                assertThat(owner.size(id)).isEqualTo(2);
                user.remove(id);
                assertThat(owner.exists(id)).isFalse();
                assertThatThrownBy(() -> user.get(id)).isInstanceOf(ChunkNotFoundException.class);
            }
            assertThat(cluster.peer(2).promised()).isEqualTo(Durability.POWER);
            assertThat(cluster.peer(2).status().allReplicated()).isTrue();
        }
    }

    @Test
    void readsAndWritesRangesAndBatches() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService owner = cluster.peer(0).chunks().with(Durability.PROCESS);
            ChunkService user = cluster.peer(3).chunks().with(Durability.POWER);
            int count = 5000;
            long first = owner.createRange(count, 8);
            long[] ids = new long[count];
            byte[][] values = new byte[count][];
            for (int i = 0; i < count; i++) {
                ids[i] = first + i;
                values[i] = new byte[] {(byte) i, (byte) (i >> 8)};
            }

            user.put(ids, values);
            var read = user.get(ids);
            try (RangeCopy copy = user.readRange(first, count)) {
                for (int i = 0; i < count; i++) {
                    assertThat(read.get(i)).isEqualTo(values[i]);
                    assertThat(copy.get(i)).isEqualTo(values[i]);
                }
            }
            owner.sync();
            assertThat(user.removeRange(first, 1000)).isEqualTo(1000);
            assertThat(owner.exists(first)).isFalse();
        }
    }

    @Test
    void writesForASuperpeerThatWasStartedAgainUnderItsId() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            long id = cluster.peer(0).chunks().with(Durability.POWER).create(1);
            for (byte i = 0; i < 3; i++) {
                cluster.superpeer(0).chunks().with(Durability.POWER).put(id, new byte[] {i});
            }

            cluster.crashSuperpeer(0);
            cluster.startSuperpeer(0);
            cluster.awaitMembers(5);
            cluster.superpeer(0).chunks().with(Durability.POWER).put(id, new byte[] {77});

            assertThat(cluster.peer(1).chunks().get(id)).containsExactly(77);
        }
    }

    /** Somebody may know the id of a chunk that no backup has heard of. */
    @Test
    void givesNoIdAgainThatALostOwnerHadGiven() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService lost = cluster.peer(0).chunks().with(Durability.POWER);
            long known = lost.create(1);
            long unheard = lost.near(known).createUnreplicated(new int[] {1});
            int before = lost.owner(known);
            assertThat(ChunkId.zone(unheard)).isEqualTo(ChunkId.zone(known));

            cluster.crashPeer(0);
            ChunkService user = cluster.peer(1).chunks();
            StoredCluster.await(
                    () -> user.owner(known) >= 0 && user.owner(known) != before, "it has an owner");
            ChunkService next =
                    cluster.peer(cluster.slotOf(user.owner(known))).chunks().with(Durability.POWER);
            long beside = next.near(known).create(1);

            assertThat(next.isLocal(known)).isTrue();
            assertThat(ChunkId.zone(beside)).isNotEqualTo(ChunkId.zone(known));
            assertThat(user.exists(unheard)).isFalse();
            assertThat(ChunkId.zone(next.near(beside).create(1))).isEqualTo(ChunkId.zone(beside));
        }
    }

    @Test
    void withholdsIdsOfItsOwnAlone() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService owner = cluster.peer(0).chunks().with(Durability.POWER);
            int count = 4_000;
            long first = owner.createRange(count, 8);
            WithheldIds withheld = owner.withhold(first, count);
            owner.removeRange(first, count);
            ChunkService near = owner.near(first);

            assertThat(near.createRange(10, 8)).isGreaterThanOrEqualTo(first + count);
            withheld.close();
            withheld.close();
            assertThat(near.createRange(10, 8)).isBetween(first, first + count - 10);
            assertThatThrownBy(() -> cluster.peer(1).chunks().withhold(first, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("only local ids can be withheld");

            WithheldIds late = owner.withhold(first, count);
            cluster.crashPeer(0);
            late.close();
        }
    }

    @Test
    void goesOnWhenTheOwnerIsKilled() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 5, StoredCluster.config())) {
            ChunkService user = cluster.peer(1).chunks().with(Durability.POWER);
            long id = cluster.peer(0).chunks().with(Durability.POWER).create(1);
            long volatileOne = cluster.peer(0).chunks().with(Durability.MEMORY).create(1);
            user.put(id, new byte[] {7});
            int before = user.owner(id);

            cluster.crashPeer(0);

            assertThat(user.get(id)).containsExactly(7);
            user.put(id, new byte[] {8, 9});
            assertThat(user.get(id)).containsExactly(8, 9);
            assertThat(user.owner(id)).isNotEqualTo(before);
            cluster.awaitMembers(5);
            assertThatThrownBy(() -> user.get(volatileOne))
                    .isInstanceOf(org.starling.store.OwnerLostException.class);
            cluster.awaitReplicated(cluster.peer(1));
            int second = cluster.slotOf(user.owner(id));
            Node witness = cluster.peer(second == 1 ? 2 : 1);
            cluster.crashPeer(second);
            assertThat(witness.chunks().get(id)).containsExactly(8, 9);
        }
    }

    @Test
    void bringsEverythingBackAfterACrashOfAll() {
        long[] ids = new long[50];
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService owner = cluster.peer(0).chunks().with(Durability.POWER);
            for (int i = 0; i < ids.length; i++) {
                ids[i] = owner.create(1);
                owner.put(ids[i], new byte[] {(byte) i, 1});
            }
            owner.remove(ids[7]);
            cluster.peer(1).names().register("seven", ids[7]);
            long job = cluster.peer(1).jobs().submit(5, "later", new byte[] {4});

            cluster.crashAll();
            cluster.startAll();

            ChunkService user = cluster.peer(2).chunks().with(Durability.POWER);
            StoredCluster.await(
                    () ->
                            cluster.peer(2).status().lost() == 0
                                    && cluster.peer(2).status().orphaned() == 0,
                    "all zones are back");
            for (int i = 0; i < ids.length; i++) {
                if (i == 7) {
                    assertThat(user.exists(ids[i])).isFalse();
                } else {
                    assertThat(user.get(ids[i])).containsExactly((byte) i, 1);
                }
            }
            assertThat(cluster.peer(3).names().lookup("seven")).isEqualTo(ids[7]);
            assertThat(cluster.peer(3).jobs().job(job).orElseThrow().payload()).containsExactly(4);
            cluster.awaitReplicated(cluster.peer(1));
            user.put(ids[0], new byte[] {42});
        }
    }

    @Test
    void worksWithOneBackupWhereNoMoreAreWanted() {
        var config =
                StoredCluster.config()
                        .withReplicationFactor(1)
                        .withRequestTimeout(java.time.Duration.ofSeconds(2));
        try (StoredCluster cluster = new StoredCluster(root, 1, 2, config)) {
            assertThat(cluster.peer(1).promised()).isEqualTo(Durability.POWER);
            assertThat(cluster.peer(1).promise())
                    .contains("POWER WITH ONE BACKUP")
                    .contains("k = 1 wanted, 1 backup possible");
            ChunkService user = cluster.peer(1).chunks().with(Durability.POWER);
            long id = cluster.peer(0).chunks().with(Durability.PROCESS).create(1);
            user.put(id, new byte[] {1});
            cluster.peer(0).chunks().with(Durability.POWER).sync();
            assertThat(user.get(id)).containsExactly(1);

            cluster.crashPeer(0);
            assertThat(user.get(id)).as("its backup has taken over").containsExactly(1);
            assertThatThrownBy(() -> user.put(id, new byte[] {2}))
                    .isInstanceOf(UnderReplicatedException.class)
                    .hasMessageContaining("needs a live backup, and there is none");

            cluster.startPeer(0);
            cluster.awaitReplicated(cluster.peer(1));
            StoredCluster.await(() -> puts(user, id), "the newcomer is the backup");
            assertThat(cluster.peer(0).chunks().get(id)).containsExactly(3);
        }
    }

    private static boolean puts(ChunkService user, long id) {
        try {
            user.put(id, new byte[] {3});
            return true;
        } catch (UnderReplicatedException e) {
            return false;
        }
    }

    @Test
    void waitsAndThenRefusesWithTooFewBackups() {
        var config = StoredCluster.config().withRequestTimeout(java.time.Duration.ofSeconds(1));
        try (StoredCluster cluster = new StoredCluster(root, 1, 3, config)) {
            ChunkService owner = cluster.peer(0).chunks().with(Durability.PROCESS);
            long id = owner.create(1);
            owner.put(id, new byte[] {1});

            cluster.crashPeer(2);
            cluster.awaitMembers(3);

            var zones = Objects.requireNonNull(cluster.peer(0).storage()).zones();
            StoredCluster.await(
                    () -> zones.backups(ChunkId.zone(id)) == 1, "the owner knows of the loss");

            assertThatThrownBy(() -> owner.put(id, new byte[] {2}))
                    .isInstanceOf(UnderReplicatedException.class)
                    .hasMessageContaining("needs 2 live backups, and there is 1");
            assertThatThrownBy(() -> cluster.peer(1).chunks().with(Durability.POWER).remove(id))
                    .isInstanceOf(UnderReplicatedException.class);
            assertThat(owner.get(id)).containsExactly(1);
            assertThat(cluster.peer(0).promised()).isEqualTo(Durability.MEMORY);
            cluster.startPeer(2);
            StoredCluster.await(
                    () ->
                            cluster.peer(0).status().underReplicated() == 0
                                    || cluster.peer(0).promised() == Durability.POWER,
                    "the backup is back");
            owner.put(id, new byte[] {3});
            assertThat(cluster.peer(1).chunks().get(id)).containsExactly(3);
        }
    }
}
