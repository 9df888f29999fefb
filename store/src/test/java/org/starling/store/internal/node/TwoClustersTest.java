package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.ClusterSecret;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.kit.FreePorts;

/** An old cluster and a new one, at the same addresses and with the same node ids. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TwoClustersTest {
    private static final ClusterSecret OLD = ClusterSecret.fresh();
    private static final ClusterSecret NEW = ClusterSecret.fresh();

    @TempDir Path folder;

    private final InetSocketAddress address = FreePorts.addresses(1).getFirst();

    @Test
    void survivorOfAnOldClusterIsNotTakenForTheNodeOfTheNewOneWithItsId() {
        Node oldSuperpeer = Node.startSuperpeer(superpeer(OLD));
        try (Node survivor = Node.startPeer(peer(OLD))) {
            oldSuperpeer.crash();
            try (Node superpeer = Node.startSuperpeer(superpeer(NEW))) {
                Node lost = Node.startPeer(peer(NEW));
                assertThat(lost.nodeId()).isEqualTo(survivor.nodeId());
                lost.crash();

                StoredCluster.await(
                        () -> superpeer.network().statistics().refused() > 0,
                        "the survivor is refused");
                StoredCluster.await(
                        () -> superpeer.status().nodes().size() == 1,
                        "the new cluster has noticed its loss");
            }
        }
    }

    @Test
    void directoryOfAnOldClusterIsNotUsedWithTheSecretOfANewOne() {
        NodeOptions old = superpeer(OLD).withDataDirectory(folder);
        Node.startSuperpeer(old).close();

        assertThatThrownBy(() -> Node.startSuperpeer(superpeer(NEW).withDataDirectory(folder)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "belongs to cluster %x, this is %x"
                                .formatted(OLD.clusterId(), NEW.clusterId()));
        try (Node again = Node.startSuperpeer(old)) {
            assertThat(again.status().clusterId()).isEqualTo(OLD.clusterId());
        }
    }

    private NodeOptions superpeer(ClusterSecret secret) {
        return NodeOptions.ethernetSuperpeer(address, config(secret));
    }

    private NodeOptions peer(ClusterSecret secret) {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return NodeOptions.ethernetPeer(anyPort, address, config(secret));
    }

    private static StoreConfig config(ClusterSecret secret) {
        StoreConfig config =
                StoreConfig.defaults()
                        .withHeapBytes(64 << 20)
                        .withHeartbeats(Duration.ofMillis(100), Duration.ofMillis(500));
        return config.withNet(config.net().withSecret(secret));
    }
}
