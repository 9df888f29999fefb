package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.TestCluster.Wire;

/**
 * Peers in processes of their own that die or hang: noticed in time, told to everyone, answered
 * clearly.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LossTest {
    private static final Duration DETECTION_LIMIT = Duration.ofMillis(1500);

    private final long reservedBefore = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void tellsEveryoneWhenAProcessIsKilled() {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 2, TestCluster.config());
                PeerProcess peer = new PeerProcess(cluster.superpeer().address().orElseThrow())) {
            cluster.awaitMembers(4);
            assertThat(cluster.node(1).chunks().get(peer.chunk())).containsExactly(1, 2, 3);

            lossTime(cluster, peer, peer::kill);

            assertThatThrownBy(() -> cluster.node(1).chunks().get(peer.chunk()))
                    .isInstanceOf(OwnerLostException.class);
            assertThatThrownBy(
                            () -> cluster.node(1).chunks().createOn(peer.nodeId(), new int[] {1}))
                    .isInstanceOf(OwnerLostException.class);
        }
    }

    @Test
    void tellsEveryoneWhenAProcessHangs() {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 2, TestCluster.config());
                PeerProcess peer = new PeerProcess(cluster.superpeer().address().orElseThrow())) {
            cluster.awaitMembers(4);

            lossTime(cluster, peer, peer::suspend);

            long before = System.nanoTime();
            assertThatThrownBy(() -> cluster.node(2).chunks().put(peer.chunk(), new byte[3]))
                    .isInstanceOf(OwnerLostException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as("answered from what is known, without the request time-out")
                    .isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void stopsServingWhenItWasDeclaredLostAndComesBack() {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 2, TestCluster.config());
                PeerProcess peer = new PeerProcess(cluster.superpeer().address().orElseThrow())) {
            cluster.awaitMembers(4);
            assertThat(peer.serves()).isTrue();

            lossTime(cluster, peer, peer::suspend);
            peer.resume();

            TestCluster.await(() -> !peer.serves(), "the lost peer refuses to serve");
            assertThat(cluster.node(1).membership().node(peer.nodeId())).isEmpty();
        }
    }

    @Test
    void failsRequestsUnderWayWhenTheirOwnerHangs() {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 1, TestCluster.config());
                PeerProcess peer = new PeerProcess(cluster.superpeer().address().orElseThrow())) {
            cluster.awaitMembers(3);
            ChunkService chunks = cluster.node(1).chunks();
            peer.suspend();

            assertThatThrownBy(() -> chunks.put(peer.chunk(), new byte[3]))
                    .isInstanceOf(IndeterminateException.class);
        }
    }

    @Test
    void saysSoWhenTheSuperpeerIsGone() {
        StoreConfig config = TestCluster.config().withRequestTimeout(Duration.ofSeconds(2));
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 2, config)) {
            StoreNode peer = cluster.node(1);
            long id = cluster.node(2).chunks().create(2);

            cluster.close(cluster.superpeer());
            TestCluster.await(() -> peer.membership().node(0).isEmpty(), "the superpeer is missed");

            assertThatThrownBy(() -> peer.names().lookup("x")).isInstanceOf(StoreException.class);
            assertThat(peer.chunks().get(id)).as("chunks need no superpeer").hasSize(2);
        }
    }

    @Test
    void saysSoWhenThereIsNoSuperpeer() {
        StoreConfig config = StoreConfig.defaults().withJoinTimeout(Duration.ofMillis(500));
        NodeOptions options = NodeOptions.loopback(new org.starling.net.LoopbackHub(), config);

        assertThatThrownBy(() -> StoreNode.startPeer(options))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("could not join");
    }

    /**
     * Harms a peer and waits until everyone knows of its loss. The time this may take is checked
     * only if this machine let threads run when they were due meanwhile.
     */
    private static void lossTime(TestCluster cluster, PeerProcess peer, Runnable harm) {
        ConcurrentLinkedQueue<Integer> lost = new ConcurrentLinkedQueue<>();
        for (int i = 0; i <= 2; i++) {
            cluster.node(i).membership().onLoss(node -> lost.add(node.id()));
        }
        try (SchedulingDelay delay = new SchedulingDelay()) {
            long before = System.nanoTime();
            harm.run();
            TestCluster.await(() -> lost.size() == 3, "all know of the loss");
            Duration detection = Duration.ofNanos(System.nanoTime() - before);
            assertThat(lost).containsOnly(peer.nodeId());
            System.out.println(
                    "loss of a peer told to everyone after "
                            + detection.toMillis()
                            + " ms; "
                            + delay);
            if (delay.isQuiet()) {
                assertThat(detection).as("%s", delay).isLessThan(DETECTION_LIMIT);
            }
        }
    }
}
