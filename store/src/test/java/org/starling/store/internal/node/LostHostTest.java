package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.Exposure;
import org.starling.store.NodeInfo;
import org.starling.store.Place;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.ZoneInfo;

/** All peers of one host are lost at once. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LostHostTest {
    private static final int HOSTS = 3;
    private static final int PEERS_OF_A_HOST = 2;

    /** With the owner's, as many copies as there are hosts. */
    private static final StoreConfig CONFIG = StoredCluster.config().withReplicationFactor(2);

    @TempDir Path root;

    @Test
    void losesNothingWithAHost() {
        try (StoredCluster cluster =
                new StoredCluster(
                        root,
                        1,
                        HOSTS * PEERS_OF_A_HOST,
                        CONFIG,
                        index -> new Place("rack/host" + index / PEERS_OF_A_HOST))) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < HOSTS * PEERS_OF_A_HOST; i++) {
                ChunkService chunks = cluster.peer(i).chunks().with(Durability.POWER);
                long id = chunks.create(1);
                chunks.put(id, new byte[] {(byte) i});
                ids.add(id);
            }
            cluster.awaitReplicated(cluster.peer(0));
            for (long id : ids) {
                assertThat(hosts(cluster, id)).hasSize(HOSTS).doesNotHaveDuplicates();
            }
            assertThat(cluster.peer(0).status().exposures())
                    .allMatch(exposure -> !exposure.isHost())
                    .contains(new Exposure("rack", false, cluster.peer(0).status().zones()));

            for (int i = 0; i < PEERS_OF_A_HOST; i++) {
                cluster.crashPeer(i);
            }

            Node left = cluster.peer(PEERS_OF_A_HOST);
            for (int i = 0; i < ids.size(); i++) {
                assertThat(left.chunks().get(ids.get(i))).containsExactly(i);
            }
            cluster.awaitReplicated(left);
            for (long id : ids) {
                assertThat(hosts(cluster, id)).contains("rack/host1", "rack/host2");
            }
        }
    }

    /** Where the copies of a chunk are. */
    private static List<String> hosts(StoredCluster cluster, long id) {
        ZoneInfo zone = cluster.peer(PEERS_OF_A_HOST).directory().zone(ChunkId.zone(id)).join();
        return cluster.peer(PEERS_OF_A_HOST).membership().nodes().stream()
                .filter(node -> node.id() == zone.owner() || zone.backups().contains(node.id()))
                .map(NodeInfo::place)
                .map(Place::path)
                .toList();
    }
}
