package org.starling.store.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.Membership;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.SuperpeerInfo;

/**
 * The members as the superpeer has told them. A view that is older than the one known is passed
 * over. Any thread; changes are made one at a time under a lock, listeners are called on the
 * executor, in the order of the changes.
 */
final class MemberView implements Membership {
    private static final Logger LOG = LogManager.getLogger(MemberView.class);

    private final AddressTable addresses;
    private final Executor listenerThread;
    private final IntConsumer disconnect;

    /** Learns who the superpeers are. */
    private final LeaderGuess superpeers;

    private final List<Consumer<NodeInfo>> joinListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<NodeInfo>> lossListeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock changing = new ReentrantLock();

    // guarded by changing
    private final BitSet known = new BitSet();
    private final List<Awaited> awaited = new ArrayList<>();

    /** Replaced as a whole under {@link #changing}. */
    private volatile View view = new View(0, List.of());

    private record Awaited(int node, CompletableFuture<Boolean> joined) {}

    /**
     * An empty view.
     *
     * @param addresses learns where the members are
     * @param listenerThread runs listeners, one at a time, in order
     * @param disconnect ends the connection to a node that is lost
     * @param superpeers learns who they are
     */
    MemberView(
            AddressTable addresses,
            Executor listenerThread,
            IntConsumer disconnect,
            LeaderGuess superpeers) {
        this.addresses = addresses;
        this.superpeers = superpeers;
        this.listenerThread = listenerThread;
        this.disconnect = disconnect;
    }

    @Override
    public List<NodeInfo> nodes() {
        return view.nodes();
    }

    @Override
    public void onJoin(Consumer<NodeInfo> listener) {
        joinListeners.add(listener);
    }

    @Override
    public void onLoss(Consumer<NodeInfo> listener) {
        lossListeners.add(listener);
    }

    long version() {
        return view.version();
    }

    @Override
    public boolean isSuperpeer(int nodeId) {
        return superpeers.knows(nodeId);
    }

    boolean isMember(int node) {
        for (NodeInfo member : view.nodes()) {
            if (member.id() == node) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a node is a member, where one may know of it sooner than this view: of one that was
     * never in it news may be on their way.
     *
     * @param node its id
     * @param patience how long these are waited for
     * @return at once for a member and for one that was, otherwise when the node comes or the time
     *     is over
     */
    CompletableFuture<Boolean> joins(int node, Duration patience) {
        changing.lock();
        try {
            if (known.get(node)) {
                return CompletableFuture.completedFuture(isMember(node));
            }
            Awaited newcomer = new Awaited(node, new CompletableFuture<>());
            awaited.add(newcomer);
            CompletableFuture<?> _ =
                    newcomer.joined
                            .completeOnTimeout(false, patience.toNanos(), TimeUnit.NANOSECONDS)
                            .whenComplete((joined, failure) -> forget(newcomer));
            return newcomer.joined;
        } finally {
            changing.unlock();
        }
    }

    private void forget(Awaited newcomer) {
        changing.lock();
        try {
            awaited.remove(newcomer);
        } finally {
            changing.unlock();
        }
    }

    /** Takes over a view if it is newer. */
    void update(View newer) {
        changing.lock();
        try {
            if (newer.version() > view.version()) {
                change(newer);
            }
        } finally {
            changing.unlock();
        }
    }

    /**
     * The superpeer does not answer: it is no member for now. The same version told again by it
     * brings it back.
     */
    void superpeerLost() {
        changing.lock();
        try {
            List<NodeInfo> rest =
                    view.nodes().stream().filter(node -> node.role() != Role.SUPERPEER).toList();
            if (rest.size() < view.nodes().size()) {
                change(new View(view.version() - 1, rest, view.superpeers()));
            }
        } finally {
            changing.unlock();
        }
    }

    /** Others are told of by a superpeer that does not lead, and may be behind itself. */
    void meet(List<SuperpeerInfo> others) {
        others.forEach(addresses::learn);
        superpeers.knowMore(others.stream().map(SuperpeerInfo::node).toList());
    }

    private void change(View newer) {
        newer.superpeers().forEach(addresses::learn);
        superpeers.know(newer.superpeers().stream().map(SuperpeerInfo::node).toList());
        List<NodeInfo> before = view.nodes();
        List<NodeInfo> joined = without(newer.nodes(), before);
        List<NodeInfo> lost = without(before, newer.nodes());
        joined.forEach(addresses::put);
        view = newer;
        joined.forEach(node -> known.set(node.id()));
        for (Awaited newcomer : List.copyOf(awaited)) {
            if (known.get(newcomer.node)) {
                listenerThread.execute(() -> newcomer.joined.complete(true));
            }
        }
        // A listener that registers later must not hear of this change.
        List<Consumer<NodeInfo>> toldOfLoss = List.copyOf(lossListeners);
        List<Consumer<NodeInfo>> toldOfJoin = List.copyOf(joinListeners);
        for (NodeInfo node : lost) {
            listenerThread.execute(() -> {
                disconnect.accept(node.id());
                call(toldOfLoss, node);
            });
        }
        for (NodeInfo node : joined) {
            listenerThread.execute(() -> call(toldOfJoin, node));
        }
    }

    /** A node whose disk has begun or ceased to hang, or that is to leave, is the same. */
    private static List<NodeInfo> without(List<NodeInfo> nodes, List<NodeInfo> others) {
        Set<NodeInfo> known = new HashSet<>();
        others.forEach(node -> known.add(lasting(node)));
        return nodes.stream().filter(node -> !known.contains(lasting(node))).toList();
    }

    private static NodeInfo lasting(NodeInfo node) {
        return node.withDiskHanging(false).withLeaving(false);
    }

    private static void call(List<Consumer<NodeInfo>> listeners, NodeInfo node) {
        for (Consumer<NodeInfo> listener : listeners) {
            try {
                listener.accept(node);
            } catch (RuntimeException e) {
                LOG.warn("a membership listener failed for node {}", node.id(), e);
            }
        }
    }
}
