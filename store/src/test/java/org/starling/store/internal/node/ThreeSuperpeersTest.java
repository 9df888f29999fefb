package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.StoreException;

/** Three superpeers under Raft, on nodes of one process. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
final class ThreeSuperpeersTest {
    @TempDir private Path root;

    @Test
    void survivesTheLossOfTheLeaderAndOfAnOwnerAfterwards() {
        try (StoredCluster cluster = new StoredCluster(root, 3, 4, StoredCluster.config())) {
            ChunkService owner = cluster.peer(0).chunks().with(Durability.POWER);
            ChunkService user = cluster.peer(1).chunks().with(Durability.POWER);
            long id = owner.create(1);
            user.put(id, new byte[] {1});
            cluster.peer(2).names().register("x", id);
            int leader = cluster.peer(1).status().leader();

            long before = System.nanoTime();
            cluster.crashSuperpeer(leader);
            assertThat(cluster.peer(3).names().lookup("x")).isEqualTo(id);
            cluster.peer(2).names().register("y", id);
            Duration gap = Duration.ofNanos(System.nanoTime() - before);

            assertThat(cluster.peer(1).status().leader()).isNotEqualTo(leader);
            assertThat(gap).isLessThan(Duration.ofSeconds(5));
            user.put(id, new byte[] {2});
            cluster.crashPeer(0);
            assertThat(user.get(id)).containsExactly(2);
            user.put(id, new byte[] {3});
            cluster.startSuperpeer(leader);
            cluster.awaitMembers(6);
            assertThat(user.get(id)).containsExactly(3);
            cluster.awaitReplicated(cluster.peer(1));
        }
    }

    @Test
    void numbersItsWritesAboveThoseOfADiskThatIsGone() throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 3, 3, StoredCluster.config())) {
            long id = cluster.peer(0).chunks().with(Durability.PROCESS).create(1);
            cluster.superpeer(1).chunks().with(Durability.PROCESS).put(id, new byte[] {1});
            cluster.crashSuperpeer(1);
            Files.move(root.resolve("superpeer1"), root.resolve("gone"));

            cluster.startSuperpeer(1);
            cluster.superpeer(1).chunks().with(Durability.PROCESS).put(id, new byte[] {2});

            assertThat(cluster.peer(1).chunks().get(id)).containsExactly(2);
            assertThat(cluster.superpeer(1).starts()).isEqualTo(2);
        }
    }

    @Test
    void bringsEverythingBackAfterACrashOfAll() {
        long id;
        try (StoredCluster cluster = new StoredCluster(root, 3, 3, StoredCluster.config())) {
            id = cluster.peer(0).chunks().with(Durability.POWER).create(2);
            cluster.peer(1).chunks().with(Durability.POWER).put(id, new byte[] {4, 5});
            cluster.peer(1).names().register("x", id);
            assertThat(cluster.superpeer(2).access().grant("who", new byte[] {7})).isTrue();
            assertThat(cluster.superpeer(0).access().grant("who", new byte[] {8})).isFalse();
            assertThatThrownBy(() -> cluster.peer(1).access().grant("peer", new byte[0]))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeers grant access");
            assertThatThrownBy(() -> cluster.peer(1).access().revoke("who"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeers revoke access");
            int other = cluster.peer(0).nodeId();
            assertThatThrownBy(() -> cluster.peer(1).letLeave(other))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeers let nodes leave");

            cluster.crashAll();
            cluster.startAll();

            StoredCluster.await(
                    () -> cluster.peer(2).status().allReplicated(), "all zones are back");
            assertThat(cluster.peer(2).chunks().get(id)).containsExactly(4, 5);
            assertThat(cluster.peer(2).names().lookup("x")).isEqualTo(id);
            Map<String, byte[]> grants = cluster.superpeer(1).access().grants();
            assertThat(grants).containsOnlyKeys("who");
            assertThat(grants.get("who")).containsExactly(7);
            assertThat(cluster.superpeer(0).access().revoke("who")).isTrue();
            assertThat(cluster.superpeer(1).access().grants()).isEmpty();
        }
    }
}
