package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.starling.net.LoopbackHub;

/**
 * A superpeer and some peers in this process, over one transport. Nodes are in the order of their
 * ids.
 */
final class TestCluster implements AutoCloseable {
    /** How the nodes reach each other. */
    enum Wire {
        LOOPBACK,
        ETHERNET
    }

    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Wire wire;
    private final StoreConfig config;
    private final LoopbackHub hub = new LoopbackHub();
    private final List<StoreNode> nodes = new ArrayList<>();

    TestCluster(Wire wire, int peers, StoreConfig config) {
        this.wire = wire;
        this.config = config;
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        nodes.add(
                StoreNode.startSuperpeer(
                        wire == Wire.LOOPBACK
                                ? NodeOptions.loopback(hub, config)
                                : NodeOptions.ethernetSuperpeer(bind, config)));
        for (int i = 0; i < peers; i++) {
            addPeer();
        }
        awaitMembers(peers + 1);
    }

    static StoreConfig config() {
        return StoreConfig.defaults().withHeapBytes(64 << 20);
    }

    StoreNode addPeer() {
        StoreNode peer = StoreNode.startPeer(peerOptions());
        nodes.add(peer);
        return peer;
    }

    NodeOptions peerOptions() {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return wire == Wire.LOOPBACK
                ? NodeOptions.loopback(hub, config)
                : NodeOptions.ethernetPeer(bind, superpeer().address().orElseThrow(), config);
    }

    StoreNode superpeer() {
        return nodes.getFirst();
    }

    StoreNode node(int index) {
        return nodes.get(index);
    }

    /** Waits until all nodes that run in this process see so many members. */
    void awaitMembers(int count) {
        await(
                () -> nodes.stream().allMatch(node -> node.membership().nodes().size() == count),
                "all nodes see " + count + " members");
    }

    /** Closes one node, which is not part of this cluster any more. */
    void close(StoreNode node) {
        nodes.remove(node);
        node.close();
    }

    static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Two nodes do not find each other while something is done. */
    void part(int one, int other, Runnable meanwhile) {
        hub.part(node(one).nodeId(), node(other).nodeId(), true);
        node(one).network().disconnect(node(other).nodeId());
        try {
            meanwhile.run();
        } finally {
            hub.part(node(one).nodeId(), node(other).nodeId(), false);
        }
    }

    @Override
    public void close() {
        for (StoreNode node : nodes.reversed()) {
            node.close();
        }
    }
}
