package org.starling.store.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.store.NodeInfo;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.node.NodeMessage.Applied;
import org.starling.store.internal.node.NodeMessage.Apply;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.Join;
import org.starling.store.internal.node.NodeMessage.Joined;
import org.starling.store.internal.node.NodeMessage.ListNames;
import org.starling.store.internal.node.NodeMessage.Located;
import org.starling.store.internal.node.NodeMessage.LookedUp;
import org.starling.store.internal.node.NodeMessage.Members;
import org.starling.store.internal.node.NodeMessage.Names;
import org.starling.store.internal.node.NodeMessage.Ping;
import org.starling.store.internal.node.NodeMessage.Pulse;

/**
 * Hosts the {@link Directory}: admits nodes, answers their questions, hears their heartbeats,
 * declares them lost, and tells everyone. Runs on workers of the superpeer's network, and {@link
 * #doWork} on the node's timer. State is guarded by one lock, and nothing is sent while it is held;
 * every view carries a version, so receivers can tell a late one.
 *
 * <p>A peer is a member from the moment it registers and is shown to the others from its first
 * heartbeat on, when it can be reached. A broken connection alone does not make a peer lost: it is
 * asked, and lost if it does not answer.
 */
final class SuperpeerService {
    private static final Logger LOG = LogManager.getLogger(SuperpeerService.class);

    /** Joins whose answer can be given again. */
    private static final int MAX_REMEMBERED_JOINS = 1024;

    private final Network network;
    private final AddressTable addresses;

    /** Takes the views of this node itself. */
    private final Consumer<View> own;

    private final LongSupplier nanoClock;
    private final Duration probeTimeout;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final Directory directory = new Directory();
    private final LossDetector detector;
    private final Set<Integer> shown = new HashSet<>();
    private long viewVersion;

    /** By nonce: the node ids of the last joins. */
    private final Map<Long, Integer> admitted =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
                    return size() > MAX_REMEMBERED_JOINS;
                }
            };

    SuperpeerService(
            Network network,
            AddressTable addresses,
            Consumer<View> own,
            StoreConfig config,
            LongSupplier nanoClock) {
        this.network = network;
        this.addresses = addresses;
        this.own = own;
        this.nanoClock = nanoClock;
        probeTimeout = config.lossTimeout().dividedBy(2);
        detector =
                new LossDetector(
                        config.lossTimeout().toNanos(), config.heartbeatInterval().toNanos());
    }

    // life cycle

    /** Registers the superpeer itself, as node 0, and starts to serve. */
    void start(Command.RegisterSuperpeer self) {
        directory.apply(new Command.FoundCluster(1, 1));
        Result result = directory.apply(self);
        if (!(result instanceof Result.NodeRegistered registered)
                || registered.node() != network.nodeId()) {
            throw new IllegalStateException("the superpeer could not register itself: " + result);
        }
        shown.add(network.nodeId());
        viewVersion++;
        own.accept(view());
        network.serve(NodeMessage.JOIN, Execution.WORKER, this::join);
        network.serve(NodeMessage.HEARTBEAT, Execution.INLINE, this::heartbeat);
        network.serve(
                NodeMessage.APPLY,
                Execution.WORKER,
                (source, apply) -> new Applied(apply(source, apply)));
        network.serve(
                NodeMessage.LOCATE,
                Execution.WORKER,
                (source, locate) -> new Located(locked(() -> directory.locate(locate.id()))));
        network.serve(
                NodeMessage.LOOKUP,
                Execution.WORKER,
                (source, lookup) -> new LookedUp(locked(() -> directory.lookup(lookup.name()))));
        network.serve(NodeMessage.LIST_NAMES, Execution.WORKER, (source, list) -> names(list));
        network.onNodeLost(this::connectionBroke);
    }

    /** Declares peers without heartbeat lost. Called every heartbeat interval. */
    void doWork() {
        List<Integer> overdue = locked(() -> detector.overdue(nanoClock.getAsLong()));
        for (int node : overdue) {
            lose(node, "no heartbeat in time");
        }
    }

    // requests

    private Joined join(int source, Join join) {
        if (!join.replyHost().isEmpty()) {
            addresses.put(source, join.replyHost(), join.replyPort());
        }
        if (source <= Directory.MAX_MEMBER) {
            return new Joined(
                    join.nonce(),
                    -1,
                    "a node joins with a borrowed id above " + Directory.MAX_MEMBER);
        }
        Command command;
        try {
            command = CommandLayout.read(join.command());
        } catch (IllegalArgumentException e) {
            return new Joined(join.nonce(), -1, "registration cannot be read: " + e.getMessage());
        }
        if (!(command instanceof Command.RegisterNode register)) {
            return new Joined(join.nonce(), -1, "a join carries a registration");
        }
        Result result = locked(() -> admit(join.nonce(), register));
        return result instanceof Result.NodeRegistered registered
                ? new Joined(join.nonce(), registered.node(), "")
                : new Joined(join.nonce(), -1, result.toString());
    }

    /**
     * Under the lock. A node that asks again because the answer did not reach it gets the id it
     * has.
     */
    private Result admit(long nonce, Command.RegisterNode register) {
        Integer known = admitted.get(nonce);
        if (known != null && directory.isMember(known)) {
            detector.heard(known, nanoClock.getAsLong());
            return new Result.NodeRegistered(known);
        }
        Result result = directory.apply(register);
        if (result instanceof Result.NodeRegistered registered) {
            admitted.put(nonce, registered.node());
            detector.heard(registered.node(), nanoClock.getAsLong());
            addresses.put(registered.node(), register.host(), register.port());
        }
        return result;
    }

    private Pulse heartbeat(int source, Heartbeat heartbeat) {
        boolean isNew;
        Pulse pulse;
        lock.lock();
        try {
            if (!directory.isMember(source)) {
                return new Pulse(false, null, true);
            }
            detector.heard(source, nanoClock.getAsLong());
            isNew = shown.add(source);
            if (isNew) {
                viewVersion++;
            }
            View newer = heartbeat.knownVersion() < viewVersion ? view() : null;
            pulse = new Pulse(true, newer, true);
        } finally {
            lock.unlock();
        }
        if (isNew) {
            LOG.info("node {} has joined", source);
            tellAll();
        }
        return pulse;
    }

    private Result apply(int source, Apply apply) {
        Command command;
        try {
            command = CommandLayout.read(apply.command());
        } catch (IllegalArgumentException e) {
            return new Result.Refused("command cannot be read: " + e.getMessage());
        }
        return switch (command) {
            case Command.RegisterNode c -> new Result.Refused("nodes register by joining");
            case Command.RemoveNode c when c.node() != source ->
                    new Result.Refused("a node removes itself only");
            case Command.RemoveNode c -> new Result.Done(lose(source, "it leaves"));
            default -> locked(() -> directory.apply(command));
        };
    }

    private Names names(ListNames list) {
        List<String> names = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        lock.lock();
        try {
            for (Map.Entry<String, Long> entry : directory.namesAfter(list.after()).entrySet()) {
                names.add(entry.getKey());
                ids.add(entry.getValue());
                if (names.size() == NodeMessage.MAX_NAMES) {
                    break;
                }
            }
        } finally {
            lock.unlock();
        }
        return new Names(
                names.toArray(new String[0]), ids.stream().mapToLong(Long::longValue).toArray());
    }

    // losses

    /** On a worker, one call after the other. */
    private void connectionBroke(int node) {
        if (node > Directory.MAX_MEMBER) {
            addresses.remove(node);
            return;
        }
        if (node == network.nodeId() || !locked(() -> directory.isMember(node))) {
            return;
        }
        try {
            network.call(node, new Ping(), probeTimeout);
        } catch (NetException e) {
            lose(node, "connection broke and it does not answer: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean lose(int node, String reason) {
        boolean wasMember =
                locked(() -> {
                    detector.forget(node);
                    boolean changed =
                            directory.apply(new Command.RemoveNode(node))
                                            instanceof Result.Done done
                                    && done.changed();
                    if (changed && shown.remove(node)) {
                        viewVersion++;
                    }
                    return changed;
                });
        if (wasMember) {
            LOG.info("node {} is no member any more: {}", node, reason);
            tellAll();
        }
        return wasMember;
    }

    private void tellAll() {
        View view = locked(this::view);
        own.accept(view);
        tell(new Members(view), view.nodes());
    }

    /** What cannot be sent is not lost: the next heartbeat of the node brings the same news. */
    private void tell(NodeMessage message, List<NodeInfo> nodes) {
        for (NodeInfo node : nodes) {
            try {
                network.send(node.id(), message);
            } catch (NetException e) {
                LOG.debug("could not tell node {} of a change: {}", node.id(), e.getMessage());
            }
        }
    }

    // private

    private View view() {
        return new View(
                viewVersion,
                directory.nodes().stream().filter(node -> shown.contains(node.id())).toList());
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
