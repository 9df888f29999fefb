package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.StoreConfig;

/**
 * Superpeers and peers with data directories in this process over the loopback. Nodes can be
 * crashed and started again on their directories. Slots are numbered from 0, superpeers and peers
 * apart.
 */
final class StoredCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LoopbackHub hub = new LoopbackHub();
    private final Path root;
    private final StoreConfig config;
    private final @Nullable Node[] superpeers;
    private final @Nullable Node[] peers;

    private final List<Node> added = new CopyOnWriteArrayList<>();
    private final IntFunction<Place> places;

    StoredCluster(Path root, int superpeers, int peers, StoreConfig config) {
        this(root, superpeers, peers, config, index -> Place.UNKNOWN);
    }

    /**
     * One whose peers stand somewhere.
     *
     * @param places by the index of a peer
     */
    StoredCluster(
            Path root, int superpeers, int peers, StoreConfig config, IntFunction<Place> places) {
        this.places = places;
        this.root = root;
        this.config = config;
        this.superpeers = new Node[superpeers];
        this.peers = new Node[peers];
        startAll();
    }

    static StoreConfig config() {
        return StoreConfig.defaults()
                .withHeapBytes(64 << 20)
                .withHeartbeats(Duration.ofMillis(100), Duration.ofMillis(2000))
                .withRequestTimeout(Duration.ofSeconds(10));
    }

    void startAll() {
        List<CompletableFuture<Void>> starting = new ArrayList<>();
        for (int i = 0; i < superpeers.length; i++) {
            int index = i;
            starting.add(
                    CompletableFuture.runAsync(
                            () -> startSuperpeer(index), StoredCluster::onThread));
        }
        starting.forEach(CompletableFuture::join);
        for (int i = 0; i < peers.length; i++) {
            startPeer(i);
        }
        awaitMembers(superpeers.length + peers.length);
    }

    Node startSuperpeer(int index) {
        NodeOptions options =
                NodeOptions.loopback(hub, config)
                        .withDataDirectory(root.resolve("superpeer" + index));
        if (superpeers.length > 1) {
            options = options.asSuperpeer(index, superpeers.length, List.of());
        }
        Node node = Node.startSuperpeer(options);
        superpeers[index] = node;
        return node;
    }

    /** A superpeer besides those of the slots, on a folder of its own; told of the first ones. */
    Node addSuperpeer(String folder, int told) {
        Node node =
                Node.startSuperpeer(
                        NodeOptions.loopback(hub, config)
                                .withDataDirectory(root.resolve(folder))
                                .asNewSuperpeer(told, List.of()));
        added.add(node);
        return node;
    }

    Node startPeer(int index) {
        Node node =
                Node.startPeer(
                        peerOptions(root.resolve("peer" + index)).withPlace(places.apply(index)));
        peers[index] = node;
        return node;
    }

    NodeOptions peerOptions(Path directory) {
        return NodeOptions.loopback(hub, config)
                .withSuperpeerCount(superpeers.length)
                .withDataDirectory(directory);
    }

    Path root() {
        return root;
    }

    Node peer(int index) {
        Node node = peers[index];
        if (node == null) {
            throw new IllegalStateException("peer " + index + " does not run");
        }
        return node;
    }

    Node superpeer(int index) {
        Node node = superpeers[index];
        if (node == null) {
            throw new IllegalStateException("superpeer " + index + " does not run");
        }
        return node;
    }

    /** Ends a peer as kill -9 would. */
    void crashPeer(int index) {
        peer(index).crash();
        peers[index] = null;
    }

    void crashSuperpeer(int index) {
        superpeer(index).crash();
        superpeers[index] = null;
    }

    /** Ends everything at once, without a word. */
    void crashAll() {
        List<Node> nodes = nodes();
        CompletableFuture.allOf(
                        nodes.stream()
                                .map(node ->
                                        CompletableFuture.runAsync(
                                                node::crash, StoredCluster::onThread))
                                .toArray(CompletableFuture<?>[]::new))
                .join();
        added.clear();
        java.util.Arrays.fill(peers, null);
        java.util.Arrays.fill(superpeers, null);
    }

    /** The node ids of the peers that run. */
    int slotOf(int nodeId) {
        for (int i = 0; i < peers.length; i++) {
            Node node = peers[i];
            if (node != null && node.nodeId() == nodeId) {
                return i;
            }
        }
        return -1;
    }

    List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (Node node : superpeers) {
            if (node != null) {
                nodes.add(node);
            }
        }
        for (Node node : peers) {
            if (node != null) {
                nodes.add(node);
            }
        }
        nodes.addAll(added);
        return nodes;
    }

    void awaitMembers(int count) {
        await(
                () -> nodes().stream().allMatch(node -> node.membership().nodes().size() == count),
                "all nodes see "
                        + count
                        + " members: "
                        + nodes().stream().map(node -> node.membership().nodes()).toList());
    }

    /** Waits until everything has as many backups as wanted. */
    void awaitReplicated(Node asked) {
        await(() -> asked.status().allReplicated(), "everything is replicated");
    }

    static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        crashAll();
    }

    private static void onThread(Runnable work) {
        Thread.ofPlatform().daemon().start(work);
    }
}
