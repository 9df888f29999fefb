package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.internal.group.Leadership;
import org.starling.compute.internal.group.MasterSession;
import org.starling.compute.internal.group.SlaveService;
import org.starling.net.LoopbackHub;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * A superpeer and peers in this process, with data directories, of which one can vanish. Its
 * masters make a checkpoint after each superstep.
 */
final class LossyGroup implements AutoCloseable {
    static final int PEERS = 4;

    private static final long HEAP_BYTES = 64 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private final LoopbackHub hub = new LoopbackHub();
    final Path folder;
    private final StoreNode superpeer;
    private final List<StoreNode> peers = new ArrayList<>();
    private final List<SlaveService> slaves = new ArrayList<>();

    LossyGroup(Path root, String name) throws IOException {
        folder = Files.createDirectory(root.resolve(name));
        superpeer = StoreNode.startSuperpeer(options("superpeer"));
        for (int i = 0; i < PEERS; i++) {
            join();
        }
        awaitPromise();
    }

    /** Starts another peer. */
    void join() {
        StoreNode peer = StoreNode.startPeer(options("peer" + peers.size()));
        peers.add(peer);
        slaves.add(new SlaveService(peer, 1, null));
    }

    /** Asks a peer to leave; masters know of it when this returns. */
    void letLeave(int peer) {
        int node = peers.get(peer).nodeId();
        superpeer.letLeave(node);
        while (Arrays.stream(members()).anyMatch(member -> member == node)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private int[] members() {
        return superpeer.membership().nodes().stream()
                .filter(node -> node.role() == Role.PEER && !node.isLeaving())
                .mapToInt(NodeInfo::id)
                .sorted()
                .toArray();
    }

    /** A master over whoever is there. */
    MasterSession elasticMaster(JobListener listener) {
        return MasterSession.over(
                        superpeer,
                        Leadership.alone(1, this::members, PEERS * HEAP_BYTES),
                        CheckpointOptions.NONE)
                .begin(listener);
    }

    private NodeOptions options(String name) {
        return NodeOptions.loopback(hub, StoreConfig.defaults().withHeapBytes(HEAP_BYTES))
                .withCapabilities(NodeOptions.COMPUTES | NodeOptions.STORES)
                .withDataDirectory(folder.resolve(name));
    }

    void awaitPromise() {
        long start = System.nanoTime();
        while (superpeer.promised().compareTo(Durability.PROCESS) < 0
                || !superpeer.status().allReplicated()) {
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    MasterSession master(JobListener listener) {
        int[] nodes = peers.stream().mapToInt(StoreNode::nodeId).toArray();
        CheckpointOptions always = new CheckpointOptions(Duration.ZERO, 1);
        return MasterSession.over(
                        superpeer, Leadership.alone(1, () -> nodes, PEERS * HEAP_BYTES), always)
                .begin(listener);
    }

    void kill(int peer) {
        peers.get(peer).crash();
    }

    @Override
    public void close() {
        slaves.forEach(SlaveService::close);
        superpeer.close();
        peers.forEach(StoreNode::crash);
    }
}
