package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.ClusterSecret;
import org.starling.store.AbsentSuperpeer;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.RemovalRefusedException;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.DirectoryReplica;

/** Superpeers of a running cluster that are added and removed, on nodes of one process. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
final class SuperpeersComeAndGoTest {
    /** Between two writes, which would take a whole core without it. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @TempDir private Path root;

    @Tag("thorough")
    @Test
    void movesAllSuperpeersUnderWritesOfPeersThatWereToldOfTheFirstAlone() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 3, StoredCluster.config())) {
            long id = cluster.peer(0).chunks().with(Durability.POWER).create(4);
            AtomicInteger written = new AtomicInteger();
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Void> writes =
                    CompletableFuture.runAsync(() -> {
                        ChunkService chunks = cluster.peer(1).chunks().with(Durability.POWER);
                        while (!isOver.get()) {
                            int next = written.get() + 1;
                            chunks.put(id, new byte[] {0, 0, (byte) (next >> 8), (byte) next});
                            cluster.peer(1).names().register("n" + next, next);
                            written.set(next);
                            LockSupport.parkNanos(PAUSE_NANOS);
                        }
                    });

            Node second = cluster.addSuperpeer("second", 1);
            Node third = cluster.addSuperpeer("third", 1);
            cluster.awaitMembers(6);
            assertThat(cluster.peer(0).membership().isSuperpeer(second.nodeId())).isTrue();
            cluster.crashSuperpeer(0);
            int soFar = written.get();
            StoredCluster.await(() -> written.get() > soFar + 3, "writes go on without the first");
            assertThat(second.forget(0, false).changed()).isTrue();
            assertThat(third.forget(0, false).changed()).as("it is gone already").isFalse();
            isOver.set(true);
            writes.join();

            assertThat(cluster.peer(2).membership().isSuperpeer(0)).isFalse();
            assertThat(cluster.peer(0).names().lookup("n" + written.get()))
                    .isEqualTo(written.get());
            assertThat(cluster.peer(2).chunks().get(id))
                    .endsWith((byte) (written.get() >> 8), (byte) written.get());
            cluster.crashPeer(0);
            assertThat(cluster.peer(2).chunks().get(id)).endsWith((byte) written.get());
        }
    }

    @Tag("thorough")
    @Test
    void removesTheLeaderWhileItIsUpAndTellsIt() throws Exception {
        StoreConfig config = StoredCluster.config().withRequestTimeout(Duration.ofSeconds(3));
        try (StoredCluster cluster = new StoredCluster(root, 3, 1, config)) {
            int leader = cluster.peer(0).status().leader();
            CompletableFuture<Void> expelled = new CompletableFuture<>();
            cluster.superpeer(leader).onExpelled(() -> expelled.complete(null));

            assertThat(cluster.superpeer((leader + 1) % 3).forget(leader, false).changed())
                    .isTrue();

            expelled.get(30, TimeUnit.SECONDS);
            assertThat(cluster.peer(0).status().leader()).isNotEqualTo(leader);
            assertThatThrownBy(() -> cluster.startSuperpeer(leader))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("was removed from this cluster for good");
            int next = (leader + 1) % 3;
            cluster.crashSuperpeer(next);
            int last = (leader + 2) % 3;
            assertThatThrownBy(() -> cluster.superpeer(last).forget(last, false))
                    .isInstanceOf(StoreException.class);
        }
    }

    @Test
    void refusesToRemoveTheOnlySuperpeerAndLetsNoPeerRemoveOne() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 1, StoredCluster.config())) {
            assertThatThrownBy(() -> cluster.superpeer(0).forget(0, false))
                    .isInstanceOf(RemovalRefusedException.class)
                    .hasMessageContaining("node 0 is the last superpeer");
            assertThatThrownBy(() -> cluster.peer(0).forget(0, false))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeers forget nodes");
        }
    }

    @Test
    @Tag("slow")
    void comesBackAsTheSameAfterACrashOfAll() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 2, StoredCluster.config())) {
            int second = cluster.addSuperpeer("second", 1).nodeId();
            int third = cluster.addSuperpeer("third", 2).nodeId();
            cluster.awaitMembers(5);
            cluster.peer(0).names().register("x", 7);
            cluster.crashAll();

            List<CompletableFuture<Node>> starting =
                    List.of(
                            CompletableFuture.supplyAsync(() -> cluster.startSuperpeer(0)),
                            CompletableFuture.supplyAsync(() -> cluster.addSuperpeer("second", 1)),
                            CompletableFuture.supplyAsync(() -> cluster.addSuperpeer("third", 1)));

            assertThat(starting.get(1).join().nodeId()).isEqualTo(second);
            assertThat(starting.get(2).join().nodeId()).isEqualTo(third);
            cluster.startPeer(0);
            cluster.startPeer(1);
            cluster.awaitMembers(5);
            assertThat(cluster.peer(1).names().lookup("x")).isEqualTo(7);
        }
    }

    @Test
    void findsASuperpeerThatCameLaterByItsAddressAlone() {
        StoreConfig plain = StoredCluster.config();
        findSecondByItsAddress(plain.withNet(plain.net().withSecret(ClusterSecret.fresh())));
    }

    @Tag("slow")
    @Test
    void findsASuperpeerThatCameLaterByItsAddressAloneWithoutASecret() {
        findSecondByItsAddress(StoredCluster.config());
    }

    /** Who is named by an address has any id, and has to be found out by that. */
    private void findSecondByItsAddress(StoreConfig config) {
        try (Node first = Node.startSuperpeer(superpeer(config, "first"));
                Node _ = Node.startPeer(peer(config, "one", first));
                Node second =
                        Node.startSuperpeer(
                                superpeer(config, "second")
                                        .asNewSuperpeer(1, List.of(address(first))))) {
            assertThat(second.nodeId()).isEqualTo(2);
            assertThat(second.forget(0, false).changed()).isTrue();

            try (Node late = Node.startPeer(peer(config, "late", second));
                    Node third =
                            Node.startSuperpeer(
                                    superpeer(config, "third")
                                            .asNewSuperpeer(1, List.of(address(second))))) {
                assertThat(late.nodeId()).isEqualTo(3);
                assertThat(third.nodeId()).isEqualTo(4);
                assertThat(late.status().nodes()).extracting(NodeInfo::id).contains(1, 2, 3);
            }
        }
    }

    private NodeOptions superpeer(StoreConfig config, String name) {
        return NodeOptions.ethernetSuperpeer(anyPort(), config)
                .withDataDirectory(root.resolve(name));
    }

    private NodeOptions peer(StoreConfig config, String name, Node seed) {
        return NodeOptions.peer(anyPort(), List.of(address(seed)), config)
                .withDataDirectory(root.resolve(name));
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static InetSocketAddress address(Node node) {
        return node.address().orElseThrow();
    }

    @Test
    void refusesToFoundAnewWithAnEmptyDiskWhileTheOthersGoOn() throws Exception {
        try (StoredCluster cluster = new StoredCluster(root, 1, 2, StoredCluster.config())) {
            Node second = cluster.addSuperpeer("second", 1);
            Node _ = cluster.addSuperpeer("third", 1);
            cluster.awaitMembers(5);
            cluster.peer(0).names().register("x", 7);
            cluster.crashSuperpeer(0);
            StoredCluster.await(
                    () -> second.membership().nodes().size() == 4, "the first is missed");
            assertThat(cluster.peer(0).status().absent())
                    .extracting(AbsentSuperpeer::id)
                    .containsExactly(0);
            try (var all = Files.walk(root.resolve("superpeer0"))) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }

            assertThatThrownBy(() -> awaitRefusal(cluster.startSuperpeer(0)))
                    .hasMessageContaining("start it with --seeds of the others");
            assertThat(cluster.peer(0).names().lookup("x")).isEqualTo(7);
            assertThat(cluster.peer(1).isExpelled()).isFalse();
        }
    }

    /** It may have started before the others spoke to it. */
    private static void awaitRefusal(Node again) {
        DirectoryReplica replica = Objects.requireNonNull(again.host()).replica();
        StoredCluster.await(() -> !replica.isLeader(), "it has heard of the others");
        replica.apply(registerName("y", 1)).join();
    }

    @Test
    void removesASuperpeerThatIsAskedItself() {
        try (StoredCluster cluster = new StoredCluster(root, 3, 1, StoredCluster.config())) {
            int other = (cluster.peer(0).status().leader() + 1) % 3;

            assertThat(cluster.superpeer(other).forget(other, false).changed()).isTrue();
        }
    }

    /** Without the third the others can't agree, so it would be asked again for all the time. */
    @Test
    void givesUpToRemoveItselfWhenItsThreadIsInterrupted() throws Exception {
        StoreConfig config = StoredCluster.config().withRequestTimeout(Duration.ofSeconds(20));
        try (StoredCluster cluster = new StoredCluster(root, 3, 1, config)) {
            int leader = cluster.peer(0).status().leader();
            Node self = cluster.superpeer((leader + 1) % 3);
            CountDownLatch isMarked = new CountDownLatch(1);
            Objects.requireNonNull(cluster.superpeer(leader).host())
                    .replica()
                    .onApplied((command, _) -> {
                        if (command instanceof Command.ForgetNode) {
                            isMarked.countDown();
                        }
                    });
            Thread asker = Thread.ofPlatform().start(() -> removeQuietly(self));
            isMarked.await();
            cluster.crashSuperpeer((leader + 2) % 3);
            asker.interrupt();

            assertThat(asker.join(Duration.ofSeconds(10))).isTrue();
        }
    }

    private static void removeQuietly(Node self) {
        try {
            self.forget(self.nodeId(), false);
        } catch (StoreException _) {
            // or it was sooner
        }
    }
}
