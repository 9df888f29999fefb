package org.starling.store.internal.node;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.RequestTimeoutException;
import org.starling.net.Responder;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.MasterInfo;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.HeartbeatReply;
import org.starling.store.internal.node.NodeMessage.LeaderAndMaster;
import org.starling.store.internal.node.NodeMessage.Members;
import org.starling.store.internal.node.NodeMessage.Ping;
import org.starling.store.internal.node.NodeMessage.Standing;

/**
 * A superpeer at work: keeps a replica of the {@link Directory}, and while it leads hears
 * heartbeats, grants leases, declares nodes lost, has their zones recovered, elects the master and
 * tells everyone. {@link #doWork} is stepped by an agent thread of the node, at every tick and when
 * woken; {@link #confirm} by another; heartbeats are answered on the receiving thread, but by a
 * worker while the directory is busy.
 *
 * <p>A superpeer that leads by its own opinion only (paused, or cut off from the others) grants
 * nothing: it has to have made sure that it leads within {@link #CONFIRM_WINDOW}, by which a
 * successor waits longer.
 */
final class Superpeer implements AutoCloseable {
    /** One of several superpeers grants leases for so long after it made sure that it leads. */
    static final Duration CONFIRM_WINDOW = Duration.ofMillis(400);

    /** A node whose connection broke is asked so often before it is taken for gone. */
    private static final int MAX_PROBES = 3;

    /** Numbers of changes to jobs are a superpeer's own by their lowest bits, its node id. */
    private static final int ID_BITS = 16;

    private static final long JOB_CHANGE = 1L << ID_BITS;

    /** Nodes that are gone and released at once. */
    private static final int MAX_RELEASED = 64;

    private static final long PROBE_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private static final Logger LOG = LogManager.getLogger(Superpeer.class);

    private final Network network;
    private final DirectoryReplica replica;
    private final AddressTable addresses;
    private final StoreConfig config;
    private final LongSupplier nanoClock;
    private final Duration probeTimeout;
    private final MemberWatch watch;
    private final DirectoryServer server;
    private final Announcer announcer;
    private final RecoveryCoordinator coordinator;
    private final LossBook losses;
    private final Runnable wake;

    /** Takes the news of this node itself. */
    private final Consumer<Members> own;

    /** Counts commands about jobs; starts at a number of this superpeer alone. */
    private final AtomicLong jobChanges;

    /** Nodes whose removal is under way. Guarded by itself. */
    private final Set<Integer> beingRemoved = new HashSet<>();

    /** Until when this superpeer is sure enough to grant leases. Written by {@link #confirm}. */
    private volatile long confirmedUntilNanos;

    Superpeer(
            Network network,
            DirectoryReplica replica,
            AddressTable addresses,
            StoreConfig config,
            Consumer<Members> own,
            Runnable wake,
            LongSupplier nanoClock) {
        this.network = network;
        this.replica = replica;
        this.addresses = addresses;
        this.config = config;
        this.nanoClock = nanoClock;
        this.own = own;
        this.wake = wake;
        probeTimeout = config.lossTimeout().dividedBy(2);
        confirmedUntilNanos = nanoClock.getAsLong();
        jobChanges = new AtomicLong((nanoClock.getAsLong() << ID_BITS) | network.nodeId());
        watch = new MemberWatch(config, nanoClock);
        losses = new LossBook(nanoClock);
        Asker asker = new Asker(network);
        announcer = new Announcer(asker, replica, config.lossTimeout(), wake);
        coordinator =
                new RecoveryCoordinator(
                        replica, watch, losses, asker::ask, config.zoneBytes(), nanoClock, wake);
        server =
                new DirectoryServer(
                        network.nodeId(),
                        replica,
                        watch,
                        losses,
                        addresses,
                        this::isConfirmed,
                        config.replicationFactor());
        replica.onApplied((command, result) -> {
            applied(command, result);
            wake.run();
        });
        replica.onLeadership(leads -> {
            lead(leads);
            wake.run();
        });
    }

    // life cycle

    /** Starts to serve. */
    void start() {
        server.register(network);
        network.serveAsync(NodeMessage.HEARTBEAT, Execution.WORKER, new Heartbeats());
        network.onNodeLost(this::connectionBroke);
    }

    /**
     * Makes sure that this superpeer leads, if it thinks so. Called several times per {@link
     * #CONFIRM_WINDOW} by a thread that may wait.
     */
    void confirm() {
        if (!replica.isLeader() || replica.isAlone()) {
            return;
        }
        long asked = nanoClock.getAsLong();
        if (replica.confirmLeadership(CONFIRM_WINDOW)) {
            confirmedUntilNanos = asked + CONFIRM_WINDOW.toNanos();
        }
    }

    /** One step of the agent. */
    void doWork() {
        if (!isConfirmed() || !watch.leads()) {
            return;
        }
        Set<Integer> storing =
                replica.read(directory ->
                        directory.nodes().stream()
                                .filter(NodeInfo::stores)
                                .map(NodeInfo::id)
                                .collect(Collectors.toSet()));
        for (int node : watch.overdue(storing)) {
            lose(node, "no heartbeat in time");
        }
        electMaster();
        release();
        dropSuperpeers();
        coordinator.doWork();
        Members now = news();
        own.accept(now);
        announcer.doWork(now);
    }

    @Override
    public void close() {
        replica.close();
    }

    // replica

    private boolean isConfirmed() {
        return replica.isLeader()
                && (nanoClock.getAsLong() < confirmedUntilNanos || replica.isAlone());
    }

    private void lead(boolean leads) {
        if (!leads) {
            watch.stepDown();
            return;
        }
        replica.read(Directory::nodes).forEach(addresses::put);
        announcer.takeOver();
        coordinator.takeOver();
        // While nothing is applied: whoever registers is among the members, or comes behind this;
        // and so is who is removed.
        replica.read(directory -> {
            losses.takeOver(directory.orphans());
            watch.takeOver(
                    directory.nodes(), directory.hasOneSuperpeer() ? 0 : CONFIRM_WINDOW.toNanos());
            return true;
        });
        LOG.info("node {} leads the directory", network.nodeId());
    }

    /** On the thread that applies. */
    private void applied(Command command, Result result) {
        switch (command) {
            case Command.RemoveNode c -> {
                if (!isMember(c.node())) { // it may have meant an earlier bearer
                    watch.removed(c.node());
                }
                if (result instanceof Result.Done done && done.changed()) {
                    noteLoss(c.node(), false);
                    LOG.info("node {} is no member any more", c.node());
                }
            }
            case Command.RegisterNode c -> {
                if (result instanceof Result.NodeRegistered registered) {
                    addresses.put(registered.node(), registered.incarnation(), c.host(), c.port());
                    if (isMember(registered.node(), registered.incarnation())
                            && !watch.isShown(registered.node())) {
                        watch.admitted(registered.node()); // a repeated one may be gone, or at work
                    }
                    if (c.previous() >= 0 && !isMember(c.previous())) {
                        watch.removed(c.previous());
                        noteLoss(c.previous(), true);
                    }
                }
            }
            case Command.RegisterSuperpeer c -> {
                if (result instanceof Result.NodeRegistered) {
                    addresses.put(c.index(), 0, c.host(), c.port());
                    watch.admittedSuperpeer(c.index());
                }
            }
            case Command.AddSuperpeer c -> {
                if (result instanceof Result.NodeRegistered registered) {
                    addresses.put(registered.node(), 0, c.host(), c.port());
                }
            }
            case Command.RemoveSuperpeer c -> {
                if (result instanceof Result.Done done && done.changed()) {
                    watch.removed(c.node());
                    LOG.info("superpeer {} is removed from the cluster", c.node());
                }
            }
            case Command.YieldZone c -> {
                if (result instanceof Result.Zone now && now.changed() && watch.leads()) {
                    coordinator.prefer(c.zone(), now.info().epoch(), c.target());
                }
            }
            case Command.SwitchZone c -> {
                if (result instanceof Result.Zone now && now.changed()) {
                    losses.switched(now.info());
                }
            }
            case Command.DropZone c -> {
                if (result instanceof Result.Done done && done.changed()) {
                    losses.dropped(c.zone());
                }
            }
            case Command.SubmitJob c -> jobChanges.addAndGet(JOB_CHANGE);
            case Command.StartJob c -> jobChanges.addAndGet(JOB_CHANGE);
            case Command.EndJob c -> jobChanges.addAndGet(JOB_CHANGE);
            case Command.CancelJob c -> jobChanges.addAndGet(JOB_CHANGE);
            default -> LOG.trace("applied {}", command);
        }
    }

    /** Only the one that leads keeps book: after a restart replicas hear old commands again. */
    private void noteLoss(int node, boolean replaced) {
        if (watch.leads()) {
            losses.removed(
                    node,
                    addresses.shown(node),
                    replaced,
                    replica.read(directory -> directory.zonesOwnedBy(node)));
        }
    }

    // heartbeats

    /**
     * Heartbeats are answered on the receiving thread, so that they wait for no worker; but while
     * the directory is busy a worker waits for it, and the receiving thread goes on.
     */
    private final class Heartbeats implements AsyncServer<Heartbeat, HeartbeatReply> {
        @Override
        public void serve(int source, Heartbeat heartbeat, Responder<HeartbeatReply> responder) {
            responder.respond(heartbeat(source, heartbeat));
        }

        @Override
        public @Nullable HeartbeatReply answerAtOnce(int source, Heartbeat heartbeat) {
            return replica.isBusy() ? null : heartbeat(source, heartbeat);
        }
    }

    private HeartbeatReply heartbeat(int source, Heartbeat heartbeat) {
        int incarnation = heartbeat.incarnation();
        addresses.learn(source, incarnation, heartbeat.replyHost(), heartbeat.replyPort());
        if (!isConfirmed() || !watch.leads()) {
            return follows();
        }
        if (!isMember(source, incarnation)) {
            boolean isRemoved = replica.read(directory -> directory.wasSuperpeer(source));
            return new HeartbeatReply(
                    isRemoved ? Standing.REMOVED : Standing.STRANGER, 0, news().leaders(), null);
        }
        boolean isNew = watch.heard(source);
        watch.noteFree(source, heartbeat.freeBytes());
        // Looked at again, so that a removal that was not seen above has seen this heartbeat.
        if (!isMember(source, incarnation) || !isConfirmed()) {
            return follows();
        }
        Members now = news();
        if (isNew) {
            LOG.info("node {} has joined", source);
            own.accept(now);
            wake.run(); // zones may have waited for it
        }
        return new HeartbeatReply(
                Standing.MEMBER,
                (int) config.lease().toMillis(),
                now.leaders(),
                heartbeat.knownVersion() < now.view().version() ? now.view() : null);
    }

    private HeartbeatReply follows() {
        return HeartbeatReply.ofFollower(replica.leader(), replica.read(Directory::superpeers));
    }

    private boolean isMember(int node) {
        return replica.read(directory -> directory.isMember(node));
    }

    private boolean isMember(int node, int incarnation) {
        return replica.read(directory -> directory.isMember(node, incarnation));
    }

    private Members news() {
        return replica.read(directory -> {
            MasterInfo master = directory.master();
            LeaderAndMaster leaders =
                    new LeaderAndMaster(
                            network.nodeId(), master.node(), master.term(), jobChanges.get());
            return new Members(leaders, watch.view(directory));
        });
    }

    // losses

    /** On a worker, one call after the other. */
    private void connectionBroke(int node) {
        if (node > Directory.MAX_MEMBER) {
            addresses.remove(node);
            return;
        }
        if (node == network.nodeId() || !isConfirmed() || !watch.leads() || !isMember(node)) {
            return;
        }
        long brokeNanos = nanoClock.getAsLong();
        String reason = "";
        for (int probe = 0; probe < MAX_PROBES; probe++) {
            try {
                network.call(node, new Ping(), probeTimeout);
                return;
            } catch (RequestTimeoutException e) {
                return; // it may be busy; whether it is silent its heartbeats say
            } catch (NetException e) {
                // The same break may have met the question, or the node broke the connection
                // itself.
                reason = String.valueOf(e.getMessage());
                LockSupport.parkNanos(PROBE_PAUSE_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            if (watch.isHeardAfter(node, brokeNanos)) {
                return;
            }
        }
        if (isConfirmed() && !watch.isHeardAfter(node, brokeNanos)) {
            lose(node, "connection broke and it does not answer: " + reason);
        }
    }

    /** Has a node removed; what does not succeed is tried again at the next tick. */
    private void lose(int node, String reason) {
        if (node == network.nodeId()) {
            return;
        }
        if (!begins(node)) {
            return;
        }
        LOG.info("node {} is declared lost: {}", node, reason);
        losses.expect(node, reason);
        int incarnation = replica.read(directory -> directory.incarnation(node));
        CompletableFuture<Result> removed =
                replica.applyAsLeader(new Command.RemoveNode(node, incarnation));
        var _ =
                removed.whenComplete((result, failure) -> {
                    synchronized (beingRemoved) {
                        beingRemoved.remove(node);
                    }
                    if (failure != null) {
                        losses.expectNoMore(node);
                        LOG.warn("could not remove node {}: {}", node, failure.getMessage());
                    }
                });
    }

    /** Lets go of those that have been gone for long enough; who is left out comes next time. */
    private void release() {
        List<Command> due =
                replica.read(directory ->
                        directory.resting().stream()
                                .filter(watch::hasRested)
                                .limit(MAX_RELEASED)
                                .<Command>map(node ->
                                        new Command.ReleaseNode(node, directory.incarnation(node)))
                                .toList());
        for (Command command : due) {
            var _ =
                    replica.apply(command)
                            .exceptionally(failure -> {
                                LOG.debug("a node is not released: {}", failure.getMessage());
                                return new Result.Done(false);
                            });
        }
    }

    // superpeers that are to be none any more

    /**
     * Goes on with each from where it stands: as long as it has a vote, that is taken from it; this
     * one's by whoever leads in its place. What does not succeed is tried again at the next tick.
     */
    private void dropSuperpeers() {
        for (SuperpeerInfo one : replica.read(Directory::superpeers)) {
            if (one.state() == SuperpeerInfo.State.LEAVING) {
                drop(one.node());
            }
        }
        replica.formerVoters().forEach(this::drop);
    }

    private void drop(int superpeer) {
        if (begins(superpeer)) {
            Thread _ = Thread.ofVirtual().name("superpeer-drop").start(() -> dropOnce(superpeer));
        }
    }

    private void dropOnce(int superpeer) {
        try {
            if (superpeer == network.nodeId()) {
                replica.handLeadOn();
            } else if (replica.dropVoter(superpeer).join()) {
                Result _ = replica.apply(new Command.RemoveSuperpeer(superpeer)).join();
            }
        } catch (CompletionException e) {
            LOG.warn("superpeer {} is not removed yet: {}", superpeer, e.getMessage());
        } finally {
            synchronized (beingRemoved) {
                beingRemoved.remove(superpeer);
            }
        }
    }

    private boolean begins(int node) {
        synchronized (beingRemoved) {
            return beingRemoved.add(node);
        }
    }

    // master

    private void electMaster() {
        int candidate =
                replica.read(directory -> {
                    int master = directory.master().node();
                    if (master >= 0 && directory.isMember(master)) {
                        return -1;
                    }
                    return directory.nodes().stream()
                            .filter(node -> node.role() == Role.PEER)
                            .filter(node -> node.computes() && watch.isShown(node.id()))
                            .filter(node -> !node.isLeaving())
                            .mapToInt(NodeInfo::id)
                            .min()
                            .orElse(-1);
                });
        if (candidate >= 0) {
            var _ =
                    replica.apply(new Command.ElectMaster(candidate))
                            .exceptionally(failure -> {
                                LOG.debug("no master was elected: {}", failure.getMessage());
                                return new Result.Done(false);
                            });
        }
    }
}
