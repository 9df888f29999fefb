package org.starling.compute.internal.group;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * A superpeer and slaves in this process, of which one can be lost without a word: what tests run
 * on. Used by one thread.
 */
public final class LocalGroup implements AutoCloseable {
    private final LoopbackHub hub;
    private final StoreConfig config;
    private final int threads;
    private final @Nullable Path folder;
    private final StoreNode superpeer;
    private final Semaphore removal = new Semaphore(1);
    private final List<StoreNode> peers = new ArrayList<>();

    /** Of each peer, within the folder. */
    private final List<String> folders = new ArrayList<>();

    private final List<SlaveService> slaves = new ArrayList<>();

    /**
     * A group of a superpeer alone.
     *
     * @param config of each node
     * @param threads workers of each slave
     * @param folder where each peer gets a data directory; null: nothing outlives its owner
     */
    public LocalGroup(LoopbackHub hub, StoreConfig config, int threads, @Nullable Path folder) {
        this.hub = hub;
        this.config = config;
        this.threads = threads;
        this.folder = folder;
        this.superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, config));
    }

    /** Starts another peer, and a slave on it. */
    public StoreNode join() {
        StoreNode peer = joinWithoutSlave();
        startSlave(peer);
        return peer;
    }

    /** Starts another peer that does not compute until its slave has been started. */
    StoreNode joinWithoutSlave() {
        return start("peer-" + peers.size(), NodeOptions.loopback(hub, config));
    }

    /** Starts another peer that stores and does not compute. */
    StoreNode joinStorage() {
        return start("peer-" + peers.size(), NodeOptions.loopback(hub, config).withCapabilities(0));
    }

    /**
     * Starts peers on what those that were lost have left in their folders, with slaves; they are
     * the last ones then.
     */
    void restart(List<StoreNode> lost) {
        for (StoreNode peer : lost) {
            String name = folders.get(peers.indexOf(peer));
            startSlave(start(name, NodeOptions.loopback(hub, config)));
        }
    }

    private StoreNode start(String name, NodeOptions options) {
        StoreNode peer =
                StoreNode.startPeer(
                        folder == null ? options : options.withDataDirectory(folder.resolve(name)));
        peers.add(peer);
        folders.add(name);
        return peer;
    }

    /** Starts the slave of the newest peer. */
    void startSlave(StoreNode peer) {
        slaves.add(new SlaveService(peer, threads, null));
    }

    /** Lets a peer vanish without a word; peers are counted from 0 in the order of their start. */
    public StoreNode crash(int index) {
        StoreNode peer = peers.get(index);
        peer.crash();
        return peer;
    }

    /** A master of a term over all peers that live. */
    public MasterSession master(long term, CheckpointOptions options) {
        return master(term, _ -> false, options);
    }

    /** The same, which knows that other jobs are over. */
    MasterSession master(long term, LongPredicate over, CheckpointOptions options) {
        long bytes = config.heapBytes() * Math.max(1, peers.size());
        return MasterSession.over(
                superpeer,
                new Leadership(term, 1, members(), over, removal, bytes, Admission.ALONE),
                options);
    }

    /** Nodes of the peers that live, ascending. */
    public Supplier<int[]> members() {
        return () ->
                superpeer.membership().nodes().stream()
                        .filter(node -> !node.isLeaving())
                        .mapToInt(node -> node.id())
                        .filter(id -> id != superpeer.nodeId())
                        .sorted()
                        .toArray();
    }

    /** The superpeer, on which masters run. */
    public StoreNode superpeer() {
        return superpeer;
    }

    /** All peers, lost ones too. */
    List<StoreNode> peers() {
        return peers;
    }

    /** The slave of each peer. */
    List<SlaveService> slaves() {
        return slaves;
    }

    /** Ends all nodes; what they left in the folder stays. */
    @Override
    public void close() {
        slaves.forEach(SlaveService::close);
        superpeer.close();
        peers.forEach(StoreNode::crash); // nobody is left to say goodbye to
    }
}
