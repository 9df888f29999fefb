package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.SupportedRpcType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.ClusterSecret;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.kit.FreePorts;

/** Who is no node of a cluster, at the ports of its three superpeers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class StrangersTest {
    private static final int SUPERPEERS = 3;

    @TempDir Path folder;

    private static final ClusterSecret SECRET = ClusterSecret.fresh();

    private final List<InetSocketAddress> addresses = FreePorts.addresses(SUPERPEERS);
    private final List<Node> superpeers = new ArrayList<>();

    @BeforeEach
    void start() {
        IntStream.range(0, SUPERPEERS)
                .mapToObj(this::options)
                .map(options ->
                        CompletableFuture.supplyAsync(
                                () -> Node.startSuperpeer(options),
                                task -> Thread.ofPlatform().start(task)))
                .toList()
                .forEach(starting -> superpeers.add(starting.join()));
    }

    @AfterEach
    void stop() {
        superpeers.forEach(Node::close);
    }

    @Test
    void theLibrarysOwnClientNeitherListsNorRemovesTheGroupOfTheDirectory() throws IOException {
        try (RaftClient client = stranger()) {
            for (int i = 0; i < SUPERPEERS; i++) {
                RaftPeerId superpeer = RaftPeerId.valueOf("superpeer-" + i);
                assertThatThrownBy(() -> client.getGroupManagementApi(superpeer).list())
                        .isInstanceOf(IOException.class);
                assertThatThrownBy(() ->
                                client.getGroupManagementApi(superpeer)
                                        .remove(group(), true, false))
                        .isInstanceOf(IOException.class);
            }
        }

        assertThat(superpeers)
                .allSatisfy(
                        node -> assertThat(node.network().statistics().refused()).isGreaterThan(1));
        assertThat(superpeers.getFirst().status().nodes()).hasSize(SUPERPEERS);
    }

    /** Whoever speaks the nodes' own language can't join, and so can't use the ids up. */
    @Test
    void aNodeThatDoesNotKnowTheSecretJoinsNothing() {
        NodeOptions careless = peer(ClusterSecret.NONE);
        NodeOptions wrong = peer(ClusterSecret.fresh());

        for (NodeOptions options : List.of(careless, wrong)) {
            assertThatThrownBy(() -> Node.startPeer(options))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("refused the handshake; its log says why");
        }

        assertThat(superpeers.getFirst().status().nodes()).hasSize(SUPERPEERS);
        try (Node knowing = Node.startPeer(peer(SECRET))) {
            assertThat(knowing.nodeId()).isEqualTo(SUPERPEERS);
        }
    }

    private NodeOptions peer(ClusterSecret secret) {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return NodeOptions.peer(anyPort, addresses, config(secret));
    }

    private static StoreConfig config(ClusterSecret secret) {
        StoreConfig config = StoreConfig.defaults().withJoinTimeout(Duration.ofSeconds(1));
        return config.withNet(config.net().withSecret(secret));
    }

    private RaftClient stranger() {
        List<RaftPeer> peers =
                IntStream.range(0, SUPERPEERS)
                        .mapToObj(i ->
                                RaftPeer.newBuilder()
                                        .setId("superpeer-" + i)
                                        .setAddress(addresses.get(i))
                                        .build())
                        .toList();
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.NETTY);
        return RaftClient.newBuilder()
                .setRaftGroup(RaftGroup.valueOf(group(), peers))
                .setProperties(properties)
                .build();
    }

    /** As the folder of any superpeer says, whose name everybody can guess. */
    private RaftGroupId group() {
        String[] groups = folder.resolve("superpeer-0/directory/raft").toFile().list();
        assertThat(groups).hasSize(1);
        return RaftGroupId.valueOf(UUID.fromString(groups[0]));
    }

    private NodeOptions options(int index) {
        StoreConfig config = StoreConfig.defaults();
        return NodeOptions.ethernetSuperpeer(
                        addresses.get(index), config.withNet(config.net().withSecret(SECRET)))
                .withDataDirectory(folder.resolve("superpeer-" + index))
                .asSuperpeer(index, SUPERPEERS, addresses);
    }
}
