package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.Ping;
import org.starling.store.internal.node.NodeMessage.Standing;

/** Real nodes one after the other under one id, once all ids have been handed out. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class NodeIdAgainTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SHARED = 3;

    @TempDir Path root;

    private final StoreConfig config =
            StoreConfig.defaults()
                    .withHeapBytes(64 << 20)
                    .withReplicationFactor(1)
                    .withHeartbeats(Duration.ofMillis(50), Duration.ofMillis(1000))
                    .withRequestTimeout(Duration.ofSeconds(5));
    private Node superpeer;
    private Node first;
    private Node second;

    @BeforeEach
    void start() {
        superpeer = Node.startSuperpeer(NodeOptions.ethernetSuperpeer(anyPort(), config));
        first = peer("first");
        second = peer("second");
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
        superpeer.close();
    }

    @Tag("slow")
    @Test
    void aNewNodeHasTheIdAndNothingElseOfTheOldOne() {
        long theirs = first.chunks().with(Durability.PROCESS).create(1);
        Node old = peer("old");
        assertThat(old.nodeId()).isEqualTo(SHARED);
        ChunkService before = old.chunks().with(Durability.PROCESS);
        long kept = before.create(1);
        before.put(kept, new byte[] {7});
        before.put(theirs, new byte[] {1}); // the first write of a node with this id to this zone
        old.close();
        awaitReleaseAndUseTheOtherIdsUp();

        try (Node bearer = peer("new")) {
            assertThat(bearer.membership().nodes()).contains(info(bearer, 1));
            StoredCluster.await(
                    () -> first.membership().nodes().contains(info(bearer, 1)), "the others know");
            ChunkService after = bearer.chunks().with(Durability.PROCESS);
            long fresh = after.create(1);

            assertThat(ChunkId.zone(fresh)).isEqualTo(ChunkId.zoneOf(SHARED, 1));
            assertThat(second.chunks().get(kept)).containsExactly(7);
            after.put(theirs, new byte[] {2}); // the first write of the next node with this id
            assertThat(second.chunks().get(theirs)).containsExactly(2);

            try (Node back = peer("old")) {
                assertThat(back.nodeId()).isGreaterThan(SHARED);
                assertThat(superpeer.status().nodes()).contains(info(bearer, 1));
                assertThat(after.get(fresh)).hasSize(1);
            }
        }
    }

    @Tag("slow")
    @Test
    void nobodyListensToASurvivorWhoseIdWasHandedOutAgain() throws Exception {
        AddressTable addresses = new AddressTable();
        for (Node node : List.of(superpeer, first)) {
            addresses.put(node.nodeId(), 0, "127.0.0.1", node.address().orElseThrow().getPort());
        }
        try (Network survivor =
                Network.open(SHARED, Transports.ethernet(anyPort(), addresses), config.net())) {
            String host = "127.0.0.1";
            int port = Objects.requireNonNull(survivor.localAddress()).getPort();
            replica().apply(registerNode(Role.PEER, host, port, 1, 0)).join();
            assertThat(survivor.call(0, new Heartbeat(0, "", 0, 0, 0), PATIENCE).standing())
                    .isEqualTo(Standing.MEMBER);
            assertThat(survivor.call(first.nodeId(), new Ping(), PATIENCE)).isNotNull();
            replica().apply(new Command.RemoveNode(SHARED)).join();
            assertThat(askedAgain(survivor).standing()).isEqualTo(Standing.STRANGER);
            awaitReleaseAndUseTheOtherIdsUp();

            try (Node bearer = peer("new")) {
                StoredCluster.await(
                        () -> first.membership().nodes().contains(info(bearer, 1)),
                        "the others know");
                for (Node node : List.of(superpeer, first)) {
                    long refused = node.network().statistics().refused();
                    assertThatThrownBy(
                                    () -> {
                                        survivor.call(node.nodeId(), new Ping(), PATIENCE);
                                        survivor.call(node.nodeId(), new Ping(), PATIENCE);
                                    })
                            .isInstanceOf(NetException.class);
                    assertThat(node.network().statistics().refused()).isGreaterThan(refused);
                }
                assertThat(superpeer.status().nodes()).contains(info(bearer, 1));
                assertThat(bearer.chunks().with(Durability.PROCESS).create(9)).isNotZero();
            }
        }
    }

    // what the tests share

    /** The first call may meet the end of the connection at the node's removal. */
    private static NodeMessage.HeartbeatReply askedAgain(Network survivor)
            throws InterruptedException {
        try {
            return survivor.call(0, new Heartbeat(0, "", 0, 0, 0), PATIENCE);
        } catch (NetException met) {
            return survivor.call(0, new Heartbeat(0, "", 0, 0, 0), PATIENCE);
        }
    }

    private static NodeInfo info(Node node, int incarnation) {
        return new NodeInfo(
                SHARED,
                Role.PEER,
                "127.0.0.1",
                node.address().orElseThrow().getPort(),
                Runtime.getRuntime().availableProcessors(),
                NodeOptions.COMPUTES | NodeOptions.STORES,
                incarnation);
    }

    private void awaitReleaseAndUseTheOtherIdsUp() {
        StoredCluster.await(
                () -> replica().read(directory -> !directory.resting().contains(SHARED)),
                "the id may be handed out again");
        replica()
                .read(directory -> {
                    for (int id = SHARED + 1; id <= Directory.MAX_MEMBER; id++) {
                        directory.apply(registerNode(Role.PEER, "", 0, 1, 0));
                        directory.apply(new Command.RemoveNode(id));
                        directory.apply(new Command.ReleaseNode(id, 0));
                    }
                    return true;
                });
    }

    private DirectoryReplica replica() {
        return Objects.requireNonNull(superpeer.host()).replica();
    }

    private Node peer(String name) {
        InetSocketAddress at = superpeer.address().orElseThrow();
        Node node =
                Node.startPeer(
                        NodeOptions.ethernetPeer(anyPort(), at, config)
                                .withDataDirectory(root.resolve(name)));
        StoredCluster.await(
                () ->
                        superpeer.membership().nodes().stream()
                                .anyMatch(each -> each.id() == node.nodeId()),
                "the superpeer knows it");
        return node;
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
