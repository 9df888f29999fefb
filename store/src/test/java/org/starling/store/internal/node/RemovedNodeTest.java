package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.ForgottenNode;
import org.starling.store.RemovalRefusedException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;

/** Peers that are gone for good with their disks, and one that comes back all the same. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RemovedNodeTest {
    private static final byte[] VALUE = {1, 2, 3};

    @TempDir Path root;

    @Test
    void doesNotSayThatAllIsWellWhileNobodyIsBackYet() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService store = cluster.peer(0).chunks().with(Durability.POWER);
            store.put(store.create(VALUE.length), VALUE);
            cluster.awaitReplicated(cluster.peer(0));
            for (int peer = 0; peer < 4; peer++) {
                cluster.crashPeer(peer);
            }
            cluster.crashSuperpeer(0);
            cluster.startSuperpeer(0);

            assertThat(cluster.superpeer(0).status().allReplicated()).isFalse();
            for (int peer = 0; peer < 4; peer++) {
                cluster.startPeer(peer);
            }
            cluster.awaitReplicated(cluster.superpeer(0));
        }
    }

    @Test
    void bringsBackWhatIsLeftAndTellsOfTheRestWhenTheLossIsAccepted() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService store = cluster.peer(0).chunks().with(Durability.POWER);
            long kept = store.create(VALUE.length);
            store.put(kept, VALUE);
            long removed = store.create(VALUE.length);
            store.remove(removed);
            int second = cluster.peer(1).nodeId();
            int third = cluster.peer(2).nodeId();
            for (int peer = 0; peer < 4; peer++) {
                cluster.crashPeer(peer);
            }
            Node superpeer = cluster.superpeer(0);
            StoredCluster.await(
                    () -> superpeer.status().nodes().size() == 1, "all peers are declared lost");
            cluster.startPeer(0);
            cluster.startPeer(3);
            cluster.awaitMembers(3);
            ChunkService reader = cluster.peer(0).chunks();

            assertThat(superpeer.forget(second, false))
                    .isEqualTo(new ForgottenNode(second, true, 1, 0));
            assertThatThrownBy(() -> superpeer.forget(third, false))
                    .isInstanceOf(RemovalRefusedException.class)
                    .hasMessageContaining("1 zone has");
            assertThatThrownBy(() -> reader.get(kept)).isInstanceOf(DataLostException.class);
            assertThat(superpeer.forget(third, true))
                    .isEqualTo(new ForgottenNode(third, true, 0, 1));

            StoredCluster.await(() -> superpeer.status().lost() == 0, "the zone is back");
            StoredCluster.await(() -> superpeer.status().orphaned() == 0, "somebody owns it");
            assertThat(reader.get(kept)).isEqualTo(VALUE);
            assertThatThrownBy(() -> reader.get(removed)).isInstanceOf(DataLostException.class);
            assertThat(ChunkId.zone(removed)).isEqualTo(ChunkId.zone(kept));
        }
    }

    @Tag("slow")
    @Test
    void bringsBackWhatIsLeftOfNodesThatHaveComeBackWithoutTheirsWhenTheLossIsAccepted()
            throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService store = cluster.peer(0).chunks().with(Durability.POWER);
            long kept = store.create(VALUE.length);
            store.put(kept, VALUE);
            cluster.crashAll();
            deleteLogs(1);
            deleteLogs(2);
            cluster.startAll();
            Node superpeer = cluster.superpeer(0);
            ChunkService reader = cluster.peer(0).chunks();
            StoredCluster.await(() -> superpeer.status().lost() == 1, "the zone is lost");
            assertThatThrownBy(() -> reader.get(kept)).isInstanceOf(DataLostException.class);
            int second = cluster.peer(1).nodeId();

            cluster.peer(1).close();
            assertThat(superpeer.forget(second, true))
                    .isEqualTo(new ForgottenNode(second, true, 0, 1));

            StoredCluster.await(() -> superpeer.status().lost() == 0, "the zone is back");
            StoredCluster.await(() -> superpeer.status().orphaned() == 0, "somebody owns it");
            assertThat(reader.get(kept)).isEqualTo(VALUE);
        }
    }

    private void deleteLogs(int peer) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("peer" + peer))) {
            List<Path> logs =
                    files.filter(file -> file.getFileName().toString().endsWith(".log")).toList();
            assertThat(logs).isNotEmpty();
            for (Path log : logs) {
                Files.delete(log);
            }
        }
    }

    @Test
    void countsNothingOfWhatARemovedNodeBringsBack() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService store = cluster.peer(0).chunks().with(Durability.POWER);
            long id = store.create(VALUE.length);
            store.put(id, VALUE);
            int gone = cluster.peer(1).nodeId();
            Node superpeer = cluster.superpeer(0);
            assertThatThrownBy(() -> superpeer.forget(gone, false))
                    .isInstanceOf(RemovalRefusedException.class)
                    .hasMessageContaining("drain it first");
            cluster.crashPeer(1);
            StoredCluster.await(
                    () -> superpeer.status().nodes().size() == 4, "the peer is declared lost");
            assertThat(superpeer.forget(gone, false).changed()).isTrue();

            Node back = cluster.startPeer(1);

            assertThat(back.nodeId()).isNotEqualTo(gone);
            StoredCluster.await(() -> superpeer.status().allReplicated(), "there are copies again");
            assertThat(back.chunks().get(id)).isEqualTo(VALUE);
            assertThatThrownBy(() -> back.directory().require(new Command.ForgetNode(gone, true)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeers forget nodes");
        }
    }
}
