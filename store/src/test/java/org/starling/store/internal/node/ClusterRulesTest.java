package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.JobInfo;
import org.starling.store.JobRegistry;
import org.starling.store.JobStatus;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.ChunkMessage.Outcomes;

/** Who may serve, join and decide what. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
final class ClusterRulesTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    @TempDir private Path root;

    @Test
    void servesNothingReplicatedWithoutALeaseAndGoesOnWhenItHasOneAgain() {
        StoreConfig config = StoredCluster.config().withRequestTimeout(SHORT);
        try (StoredCluster cluster = new StoredCluster(root, 1, 3, config)) {
            Node owner = cluster.peer(0);
            long id = owner.chunks().with(Durability.PROCESS).create(1);
            long volatileOne = owner.chunks().with(Durability.MEMORY).create(2);
            cluster.crashSuperpeer(0);
            StoredCluster.await(() -> !owner.lease().isValid(), "the lease is over");

            assertThatThrownBy(() -> owner.chunks().get(id)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> cluster.peer(1).chunks().get(id))
                    .isInstanceOf(StoreException.class);
            assertThat(owner.chunks().get(volatileOne)).hasSize(2);

            cluster.startSuperpeer(0);
            StoredCluster.await(() -> owner.lease().isValid(), "the lease is granted again");
            assertThat(owner.chunks().get(id)).hasSize(1);
            assertThat(owner.nodeId()).as("nobody was expelled").isEqualTo(1);
        }
    }

    @Tag("slow")
    @Test
    void closesAnExpelledNodeWhichCanJoinAgainOnItsDirectory() throws InterruptedException {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            Node node = cluster.peer(0);
            long id = node.chunks().with(Durability.POWER).create(1);
            cluster.peer(1).chunks().with(Durability.POWER).put(id, new byte[] {6});
            CountDownLatch told = new CountDownLatch(1);
            node.onExpelled(told::countDown);

            node.directory().require(new Command.RemoveNode(node.nodeId()));

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> node.chunks().get(id)).isInstanceOf(StoreException.class);
            CountDownLatch late = new CountDownLatch(1);
            node.onExpelled(late::countDown);
            assertThat(late.await(20, TimeUnit.SECONDS)).isTrue();
            Node again = cluster.startPeer(0);
            assertThat(again.nodeId()).isGreaterThan(node.nodeId());
            assertThat(again.chunks().get(id)).containsExactly(6);
            assertThat(again.chunks().statistics().chunks()).isZero();
        }
    }

    @Test
    void refusesDirectoriesThatAreNotItsOwn() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 1, StoredCluster.config());
                StoredCluster other =
                        new StoredCluster(root.resolve("other"), 1, 1, StoredCluster.config())) {
            assertThatThrownBy(() -> Node.startPeer(cluster.peerOptions(root.resolve("peer0"))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("used by another node");
            cluster.crashPeer(0);
            assertThatThrownBy(() -> Node.startPeer(other.peerOptions(root.resolve("peer0"))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("belongs to cluster");
            cluster.startPeer(0);
            assertThat(cluster.peer(0).promise()).contains("0 backups possible");
        }
    }

    @Test
    void carriesARepeatedWriteOutOnce() throws InterruptedException {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            ChunkService owner = cluster.peer(0).chunks().with(Durability.PROCESS);
            long first = owner.createRange(10, 1);
            Node user = cluster.peer(1);
            int node = cluster.peer(0).nodeId();
            ChunkMessage.RemoveRange remove =
                    new ChunkMessage.RemoveRange(Durability.PROCESS, 500, first, 4);
            ChunkMessage.Put put =
                    new ChunkMessage.Put(
                            Durability.PROCESS,
                            501,
                            new long[] {first + 5},
                            new int[] {0},
                            new byte[][] {{1}});

            Outcomes once = user.network().call(node, remove);
            Outcomes twice = user.network().call(node, remove);
            user.network().call(node, put);
            owner.put(first + 5, new byte[] {2});
            user.network().call(node, put);

            assertThat(once.value()).isEqualTo(4);
            assertThat(twice.value()).isEqualTo(4);
            assertThat(owner.get(first + 5)).containsExactly(2);

            cluster.crashPeer(0);
            cluster.awaitMembers(4);
            int next = user.chunks().awaitOwner(first + 5, StoredCluster.PATIENCE);
            Outcomes elsewhere = user.network().call(next, put);
            assertThat(elsewhere.failures()).isEmpty();
            assertThat(user.chunks().get(first + 5))
                    .as("known to the next owner")
                    .containsExactly(2);
        }
    }

    @Test
    void saysThatDataIsLostUntilItsHoldersComeBack() {
        StoreConfig config = StoredCluster.config().withReplicationFactor(2);
        try (StoredCluster cluster = new StoredCluster(root, 1, 5, config)) {
            Lost lost = Lost.in(cluster);
            long id = lost.chunk;
            Node user = lost.user;

            assertThatThrownBy(() -> user.chunks().get(id)).isInstanceOf(DataLostException.class);
            assertThatThrownBy(() -> user.chunks().with(Durability.POWER).put(id, new byte[1]))
                    .isInstanceOf(DataLostException.class);
            assertThat(user.chunks().owner(id)).isEqualTo(-1);
            assertThatThrownBy(() -> user.chunks().awaitOwner(id, Duration.ofSeconds(2)))
                    .isInstanceOf(DataLostException.class);
            lost.peers.forEach(cluster::startPeer);
            StoredCluster.await(() -> user.status().lost() == 0, "the zone is found");
            assertThat(user.chunks().get(id)).hasSize(3);
        }
    }

    /** Who waits for an owner while the zone is on its way back is not told that it is lost. */
    @Test
    void doesNotSayThatDataIsLostThatIsBeingRecovered() throws InterruptedException {
        StoreConfig config = StoredCluster.config().withReplicationFactor(2);
        try (StoredCluster cluster = new StoredCluster(root, 1, 5, config)) {
            Lost lost = Lost.in(cluster);
            long id = lost.chunk;
            Node user = lost.user;
            AtomicLong found = new AtomicLong(Long.MAX_VALUE); // when it is known to be recoverable
            AtomicLong owned = new AtomicLong();
            List<Long> late = new CopyOnWriteArrayList<>();
            List<Thread> threads = new ArrayList<>();
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                while (found.get() == Long.MAX_VALUE) {
                                    ZoneInfo now = user.directory().zone(ChunkId.zone(id)).join();
                                    if (!now.lost() || now.recoverable()) {
                                        found.set(System.nanoTime());
                                    }
                                }
                            }));
            for (int i = 0; i < 20; i++) {
                int number = i;
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    LockSupport.parkNanos(number * 25_000_000L);
                                    while (owned.get() == 0) {
                                        try {
                                            if (user.chunks().awaitOwner(id, Duration.ofMillis(500))
                                                    >= 0) {
                                                owned.compareAndSet(0, System.nanoTime());
                                            }
                                        } catch (DataLostException e) {
                                            long told = System.nanoTime() - found.get();
                                            if (found.get() != Long.MAX_VALUE
                                                    && told > 60_000_000L) {
                                                late.add(told / 1_000_000);
                                            }
                                        }
                                    }
                                }));
            }
            lost.peers.forEach(cluster::startPeer);
            for (Thread each : threads) {
                each.join();
            }
            assertThat(late)
                    .as(
                            "ms after it was recoverable; owned after %d ms",
                            (owned.get() - found.get()) / 1_000_000)
                    .isEmpty();
        }
    }

    @Tag("thorough")
    @Test
    void findsDataOfPeersThatDiedBetweenRegistrationAndMark() {
        StoreConfig config = StoredCluster.config().withReplicationFactor(2);
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, config)) {
            long id = cluster.peer(0).chunks().with(Durability.POWER).create(3);
            ZoneInfo zone = cluster.peer(0).directory().zone(ChunkId.zone(id)).join();
            List<Integer> holders = zone.backups().stream().map(cluster::slotOf).toList();
            int witness = 1;
            while (holders.contains(witness)) {
                witness++;
            }
            Node user = cluster.peer(witness);
            cluster.crashPeer(0);
            holders.forEach(cluster::crashPeer);
            cluster.awaitMembers(2);

            long nonce = 70;
            for (int slot : holders) {
                NodeOptions options = cluster.peerOptions(root.resolve("peer" + slot));
                try (DataDirectory data =
                        DataDirectory.open(root.resolve("peer" + slot), Role.PEER)) {
                    data.registering(nonce);
                    new Joiner(options, NodeTransport.of(options), data, nonce++, System::nanoTime)
                            .join();
                }
            }
            StoredCluster.await(
                    () ->
                            user.directory()
                                    .zone(ChunkId.zone(id))
                                    .join()
                                    .returnedHolders()
                                    .isEmpty(),
                    "the ghosts are declared lost");
            holders.forEach(cluster::startPeer);

            StoredCluster.await(() -> user.status().lost() == 0, "the zone is found");
            assertThat(user.chunks().get(id)).hasSize(3);
        }
    }

    @Test
    void queuesStartsAndEndsJobsByTheMasterAlone() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 2, StoredCluster.config())) {
            JobRegistry one = cluster.peer(0).jobs();
            JobRegistry two = cluster.peer(1).jobs();
            AtomicInteger changes = new AtomicInteger();
            StoredCluster.await(
                    () -> one.master() == cluster.peer(0).nodeId() && two.master() == one.master(),
                    "the lowest peer is master");
            two.onChange(changes::incrementAndGet);

            long id = two.submit(77, "first", new byte[] {1, 2});
            long same = two.submit(77, "first", new byte[] {1, 2});
            long other = one.submit(78, "second", new byte[0]);

            assertThat(same).isEqualTo(id);
            assertThat(two.start(id)).isEmpty();
            long attempt = one.start(id).orElseThrow();
            assertThat(one.checkpoint(id, attempt, new byte[] {3})).isTrue();
            assertThat(one.checkpoint(id, attempt + 1, new byte[] {4})).isFalse();
            assertThat(two.job(id).orElseThrow().progress()).containsExactly(3);
            assertThat(two.cancel(other)).isTrue();
            assertThat(one.end(id, attempt, JobStatus.SUCCEEDED, new byte[] {9})).isTrue();
            assertThat(one.end(id, attempt + 5, JobStatus.FAILED, new byte[0])).isFalse();
            assertThat(two.job(id).orElseThrow().report()).containsExactly(9);
            assertThat(two.jobs())
                    .extracting(JobInfo::status)
                    .containsExactly(JobStatus.SUCCEEDED, JobStatus.CANCELLED);
            assertThat(two.job(99)).isEmpty();
            StoredCluster.await(() -> changes.get() > 0, "the other node hears of changes");

            cluster.crashPeer(0);
            StoredCluster.await(
                    () -> two.master() == cluster.peer(1).nodeId(), "another master is elected");
            long third = two.submit(0, "third", new byte[0]);
            assertThat(two.start(third)).isPresent();
        }
    }

    @Test
    void letsANodeRemoveItselfOnlyAndDecideNothingForOthers() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 2, StoredCluster.config())) {
            DirectoryClient directory = cluster.peer(0).directory();
            int other = cluster.peer(1).nodeId();
            for (Command command :
                    List.of(
                            new Command.RemoveNode(other),
                            switchZone(1, 1, other),
                            new Command.ElectMaster(other),
                            new Command.OpenZone(ChunkId.zoneOf(other, 0), other, 2),
                            new Command.FoundCluster(5, 1))) {
                assertThatThrownBy(() -> directory.require(command))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("refused");
            }
        }
    }

    /** A chunk of three bytes all of whose holders were killed, and somebody who asks for it. */
    private record Lost(long chunk, List<Integer> peers, Node user) {
        static Lost in(StoredCluster cluster) {
            long chunk = cluster.peer(0).chunks().with(Durability.POWER).create(3);
            ZoneInfo zone = cluster.peer(0).directory().zone(ChunkId.zone(chunk)).join();
            List<Integer> peers = new ArrayList<>(List.of(0));
            zone.backups().forEach(node -> peers.add(cluster.slotOf(node)));
            int witness = 0;
            while (peers.contains(witness)) {
                witness++;
            }
            Node user = cluster.peer(witness);
            peers.forEach(cluster::crashPeer);
            cluster.awaitMembers(3);
            StoredCluster.await(() -> user.status().lost() == 1, "the zone is lost");
            return new Lost(chunk, peers, user);
        }
    }
}
