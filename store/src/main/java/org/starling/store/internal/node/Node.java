package org.starling.store.internal.node;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.store.AccessRegistry;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.ClusterStatus;
import org.starling.store.Durability;
import org.starling.store.ForgottenNode;
import org.starling.store.HandedZones;
import org.starling.store.IndeterminateException;
import org.starling.store.JobRegistry;
import org.starling.store.Membership;
import org.starling.store.NameService;
import org.starling.store.NetworkReport;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Recoveries;
import org.starling.store.RemovalRefusedException;
import org.starling.store.Role;
import org.starling.store.StorageStatistics;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;
import org.starling.store.ZoneMove;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.log.BackupLogs;
import org.starling.store.internal.node.NodeMessage.HeartbeatReply;
import org.starling.store.internal.node.NodeMessage.Members;
import org.starling.store.internal.node.NodeMessage.Pong;
import org.starling.store.internal.node.NodeMessage.ZoneNews;
import org.starling.store.internal.replica.ReplicaConfig;

/**
 * Puts the parts of one node together: network, chunks, backups, directory client, members, timers;
 * starts and ends them in order. Shares nothing with other nodes of the process.
 */
public final class Node implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(Node.class);

    /** A superpeer holds no chunks. */
    private static final long SUPERPEER_HEAP_BYTES = StoreConfig.MIN_HEAP_BYTES;

    private static final Duration MAINTENANCE_INTERVAL = Duration.ofMillis(500);
    private static final Duration LEAVE_TIMEOUT = Duration.ofMillis(500);

    /** From one look to the next whether a superpeer has been removed. */
    private static final long REMOVAL_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final Role role;
    private final NodeTransport transport;
    private final StoreConfig config;
    private final Threads threads;
    private final Network network;
    private final LeaderGuess leader;
    private final LocalChunks local;
    private final DirectoryClient directory;
    private final DirectoryNames names;
    private final DirectoryAccess access;
    private final DirectoryJobs jobs;
    private final @Nullable Storage storage;
    private final @Nullable DataDirectory data;
    private final Lease lease;

    /** Which bearer of its id it is. */
    private final int incarnation;

    private final Locations locations;
    private final MemberView members;
    private final PromiseWatch promise;
    private final ChunkService chunks;
    private final NetworkReports reports;
    private final ZoneTags tags;

    /** Of a superpeer with a data directory: how often it has been started, this time included. */
    private long starts;

    private final Rebalancer rebalancer;
    private final List<Runnable> expelledListeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Open until everything is released. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private final AtomicBoolean isExpelled = new AtomicBoolean();

    /** What a superpeer has besides; set once while it starts. */
    private volatile @Nullable SuperpeerHost host;

    /** Memory for more chunks, as maintenance last found it: heartbeats wait for no lock. */
    private volatile long freeBytes;

    /** The parts that exist before the node has an id. */
    record Ground(
            NodeOptions options,
            NodeTransport transport,
            AddressTable addresses,
            LeaderGuess superpeers,
            @Nullable DataDirectory data,
            @Nullable BackupLogs logs) {}

    Node(Role role, int nodeId, Ground ground) {
        this.role = role;
        transport = ground.transport;
        data = ground.data;
        NodeOptions options = ground.options;
        config = options.config();
        boolean holdsChunks = role == Role.PEER;
        AddressTable addresses = ground.addresses;
        starts = holdsChunks || data == null ? 0 : data.countStart(); // nothing is open yet
        local = new LocalChunks(nodeId, holdsChunks ? config.heapBytes() : SUPERPEER_HEAP_BYTES);
        freeBytes = holdsChunks ? config.heapBytes() : 0;
        incarnation = addresses.incarnationOf(nodeId);
        network = openNetwork(nodeId, addresses);
        addresses.onNewBearer(network::disconnect);
        threads = new Threads(nodeId);
        leader = ground.superpeers;
        directory = directoryClient(config.requestTimeout());
        names = new DirectoryNames(directory);
        access = new DirectoryAccess(directory);
        jobs = new DirectoryJobs(nodeId, directory, threads.events());
        members = new MemberView(addresses, threads.events(), network::disconnect, leader);
        promise =
                new PromiseWatch(
                        config.replicationFactor(),
                        () -> (int) members.nodes().stream().filter(NodeInfo::keeps).count(),
                        System::nanoTime,
                        ground.logs != null && ground.logs.figures().logs() > 0);
        lease = new Lease(Storage.ownerPatience(config), System::nanoTime);
        storage =
                ground.logs == null
                        ? null
                        : new Storage(
                                nodeId,
                                ground.logs,
                                local,
                                network,
                                directory,
                                config,
                                members::isMember,
                                System::nanoTime);
        OwnedChunks owned =
                new OwnedChunks(
                        local,
                        storage == null ? null : storage.zones(),
                        lease,
                        ReplicaConfig.leastBackups(config.replicationFactor()));
        locations =
                new Locations(
                        nodeId,
                        owned::owns,
                        members::isMember,
                        zone ->
                                directory
                                        .askAsync(
                                                new DirectoryQuery.ZoneOf(zone),
                                                DirectoryReply.Zones.class)
                                        .thenApply(DirectoryReply.Zones::zones));
        // What the push has not brought comes with the answer to the next heartbeat.
        Duration newsTime = config.heartbeatInterval().multipliedBy(2);
        // Owners know the last writes of whoever had this id before: of another peer, or of this
        // superpeer before it was started again.
        tags = new ZoneTags(holdsChunks || data == null ? incarnation : starts);
        WriteBatch.WriteContext context =
                new WriteBatch.WriteContext(
                        locations,
                        new Retries(config.requestTimeout(), System::nanoTime),
                        tags,
                        local,
                        owned,
                        new RemoteChunks(
                                network,
                                members::isMember,
                                peer -> members.joins(peer, newsTime),
                                local::isStopped,
                                locations::ownerNow,
                                config.requestTimeout()));
        chunks =
                new RoutedChunks(
                        context,
                        () -> members.nodes().stream().anyMatch(NodeInfo::stores),
                        config.defaultDurability(),
                        holdsChunks);
        reports = new NetworkReports(network, members::nodes, local::statistics);
        reports.serve();
        rebalancer = new Rebalancer(network, members::nodes, reports, locations::ownerNow);
        serve();
        new ChunkServer(local, owned, locations::isOwned, members::isMember, holdsChunks)
                .register(network);
    }

    private void serve() {
        network.serve(NodeMessage.PING, Execution.INLINE, (source, ping) -> new Pong());
        network.handle(NodeMessage.MEMBERS, Execution.INLINE, (source, news) -> take(news));
        network.serve(NodeMessage.ZONE_NEWS, Execution.ORDERED, (source, news) -> take(news));
        members.onJoin(node -> promise.look());
        members.onLoss(node -> promise.look());
        if (storage != null) {
            members.onJoin(node -> storage.zones().nodeJoined());
            members.onLoss(node -> storage.zones().nodeLost(node.id()));
        }
    }

    // life cycle

    /**
     * Starts a superpeer.
     *
     * @param options how
     * @return the running node
     */
    public static Node startSuperpeer(NodeOptions options) {
        return SuperpeerHost.start(options);
    }

    /**
     * Starts a peer.
     *
     * @param options how
     * @return the running node, a member of the cluster
     */
    public static Node startPeer(NodeOptions options) {
        return PeerHost.start(options);
    }

    /** Leaves the cluster and releases everything. */
    @Override
    public void close() {
        end(true);
    }

    /** Ends without telling anybody, for tests: as if the process had been killed. */
    public void crash() {
        end(false);
    }

    private void end(boolean isPolite) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            release(isPolite);
        } finally {
            ended.countDown();
        }
    }

    private void release(boolean isPolite) {
        if (isPolite && role == Role.PEER && !isExpelled.get()) {
            leave();
        }
        SuperpeerHost hosted = host;
        if (isPolite && hosted != null) {
            hosted.leave();
        }
        lease.revoke();
        threads.stop();
        local.stop();
        if (hosted != null) {
            hosted.close();
        }
        network.close();
        if (storage != null && isPolite) {
            storage.close();
        } else if (storage != null) {
            storage.crash();
        }
        try {
            threads.close();
            local.close();
        } finally { // nobody writes there any more, and the next node of this folder may begin
            if (data != null) {
                data.close();
            }
        }
    }

    // accessors

    /**
     * The id that the directory gave this node.
     *
     * @return node id
     */
    public int nodeId() {
        return network.nodeId();
    }

    /**
     * What this node is for.
     *
     * @return its role
     */
    public Role role() {
        return role;
    }

    /**
     * Where this node listens.
     *
     * @return address with the actual port; nothing on the loopback
     */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(transport.listens());
    }

    /**
     * The network of this node.
     *
     * @return the network
     */
    public Network network() {
        return network;
    }

    /**
     * The chunk operations.
     *
     * @return the service
     */
    public ChunkService chunks() {
        return chunks;
    }

    /**
     * The names.
     *
     * @return the service
     */
    public NameService names() {
        return names;
    }

    /**
     * The members.
     *
     * @return the view of this node
     */
    public Membership membership() {
        return members;
    }

    /**
     * The jobs.
     *
     * @return the registry
     */
    public JobRegistry jobs() {
        return jobs;
    }

    /**
     * Who was granted access.
     *
     * @return the registry
     */
    public AccessRegistry access() {
        return access;
    }

    /**
     * Calls the listener when this node has been declared lost and has closed itself.
     *
     * @param listener called once
     */
    public void onExpelled(Runnable listener) {
        AtomicBoolean isCalled = new AtomicBoolean();
        Runnable once =
                () -> {
                    if (isCalled.compareAndSet(false, true)) {
                        listener.run();
                    }
                };
        expelledListeners.add(once);
        if (isExpelled.get() && ended.getCount() == 0) {
            threads.detached("-expelled", once);
        }
    }

    /**
     * How the cluster is.
     *
     * @return what the leading superpeer says
     */
    public ClusterStatus status() {
        return jobs.status();
    }

    /**
     * Which nodes were lost.
     *
     * @return what the leading superpeer says
     */
    public Recoveries recoveries() {
        return jobs.recoveries();
    }

    /**
     * Whether this node may serve now.
     *
     * @return true while it is a member whose lease holds
     */
    public boolean isServing() {
        return lease.isValid() && !isExpelled.get() && !closed.get();
    }

    /**
     * What its logs and recoveries have done.
     *
     * @return nothing of a node without a data directory, and of a superpeer
     */
    public Optional<StorageStatistics> statistics() {
        return Optional.ofNullable(storage).map(Storage::statistics);
    }

    /**
     * How many nodes hold a chunk.
     *
     * @param id chunk id
     * @return owner and backups, 0 if it is lost
     */
    public int copies(long id) {
        if (!ChunkId.isReplicated(id)) {
            return members.isMember(ChunkId.creator(id)) ? 1 : 0;
        }
        return zoneOf(id).stream()
                .filter(zone -> !zone.lost())
                .mapToInt(zone -> zone.backups().size() + (members.isMember(zone.owner()) ? 1 : 0))
                .findFirst()
                .orElse(0);
    }

    /** See {@link org.starling.store.StoreNode#isGoneForGood}. */
    public boolean isGoneForGood(long id) {
        if (ChunkId.isReplicated(id)) {
            return zoneOf(id).stream().anyMatch(ZoneInfo::damaged);
        }
        int owner = ChunkId.creator(id);
        return status().nodes().stream().noneMatch(node -> node.id() == owner)
                || !chunks.exists(id);
    }

    private List<ZoneInfo> zoneOf(long id) {
        return directory
                .ask(new DirectoryQuery.ZoneOf(ChunkId.zone(id)), DirectoryReply.Zones.class)
                .zones();
    }

    /**
     * The most durability that can be had now.
     *
     * @return the durability
     */
    public Durability promised() {
        return promise.look().durability();
    }

    /**
     * Waits for peers that were lost a moment ago.
     *
     * @param patience how long after the loss
     * @return what is promised then
     */
    public Durability awaitPromised(Duration patience) {
        return promise.await(patience);
    }

    /**
     * What could be promised without one of the peers.
     *
     * @param peer node id
     * @return the most durability that a write could have
     */
    public Durability promisedWithout(int peer) {
        long storing =
                members.nodes().stream().filter(node -> node.keeps() && node.id() != peer).count();
        return new Promise(config.replicationFactor(), (int) storing).durability();
    }

    /**
     * What can be promised.
     *
     * @return one sentence
     */
    public String promise() {
        return promise.look().sentence();
    }

    /**
     * Tells the directory that a peer is to leave.
     *
     * @param peer node id
     */
    public void letLeave(int peer) {
        directory.require(new Command.NoteLeaving(peer));
    }

    /**
     * Tells the directory that this peer leaves.
     *
     * @return false if no superpeer leads, or this node is no member any more
     */
    public boolean announceLeaving() {
        return leaver().announce();
    }

    /**
     * Hands the zones of this peer over to peers that stay.
     *
     * @param patience how long it may take
     * @param isFree whether they may go
     * @return what came of it
     */
    public HandedZones handOverZones(Duration patience, BooleanSupplier isFree) {
        return leaver().handOver(patience, isFree);
    }

    private Leaver leaver() {
        return new Leaver(
                nodeId(),
                storage == null ? null : storage.zones(),
                directoryClient(Leaver.ANNOUNCE_TIMEOUT),
                members::nodes,
                lease::isValid,
                () -> isExpelled.get() || closed.get(),
                System::nanoTime);
    }

    /**
     * Has the directory forget a peer that is gone for good, or has a superpeer be none any more.
     *
     * @param node its id
     * @param acceptsLoss whether zones may lose changes with it
     * @return what came of it
     */
    public ForgottenNode forget(int node, boolean acceptsLoss) {
        boolean isSuperpeer = members.isSuperpeer(node);
        ForgottenNode forgotten = forgetOnce(node, acceptsLoss);
        long deadline = System.nanoTime() + config.requestTimeout().toNanos();
        ForgottenNode last = forgotten;
        IndeterminateException unheard = null;
        while (isSuperpeer && last.changed()) { // until those who go on have agreed
            if (System.nanoTime() - deadline >= 0) {
                throw unheard != null
                        ? unheard
                        : new StoreException(
                                "superpeer %d is to be removed, and still has a vote; ask again"
                                        .formatted(node));
            }
            LockSupport.parkNanos(REMOVAL_PAUSE_NANOS);
            try {
                last = forgetOnce(node, acceptsLoss);
                unheard = null;
            } catch (StoreException e) {
                boolean isSelf = node == nodeId();
                if (isSelf && (e instanceof RemovalRefusedException || isExpelled.get())) {
                    return forgotten; // this node is none any more, and may ask nothing
                }
                boolean isOver = Thread.currentThread().isInterrupted();
                if (!isSelf || isOver || !(e instanceof IndeterminateException perhaps)) {
                    throw e;
                }
                unheard = perhaps;
            }
        }
        return forgotten;
    }

    private ForgottenNode forgetOnce(int peer, boolean acceptsLoss) {
        Result result =
                RemoteChunks.await(
                        directory.apply(new Command.ForgetNode(peer, acceptsLoss)), true);
        return switch (result) {
            case Result.Forgotten done ->
                    new ForgottenNode(peer, done.changed(), done.waiting(), done.damaged());
            case Result.Refused refused -> throw new RemovalRefusedException(refused.reason());
            default -> throw new StoreException("the superpeer answered a question not asked");
        };
    }

    /**
     * What the networks of all members have done.
     *
     * @return one report of each member that answers, by ascending id
     */
    public List<NetworkReport> networks() {
        return reports.all();
    }

    /**
     * Moves a zone from the peer with the fullest memory to the one with the emptiest.
     *
     * @return the move, if there was one to make
     */
    public Optional<ZoneMove> rebalance() {
        return rebalancer.step();
    }

    DirectoryClient directory() {
        return directory;
    }

    Lease lease() {
        return lease;
    }

    // for the host of a superpeer

    Threads threads() {
        return threads;
    }

    MemberView members() {
        return members;
    }

    /** How often this superpeer has been started, as far as its disk knows. */
    long starts() {
        return starts;
    }

    /** Its disk knew too little of that: it is another one. To be called before it writes. */
    void startedBefore(long more) {
        starts = more;
        tags.startedBefore(more);
        if (data != null) {
            data.noteStarts(more);
        }
    }

    void hosts(SuperpeerHost superpeer) {
        host = superpeer;
    }

    @Nullable SuperpeerHost host() {
        return host;
    }

    HeartbeatSender heartbeats(Runnable expelled) {
        HeartbeatSender.Listener listener =
                new HeartbeatSender.Listener() {
                    @Override
                    public void replied(HeartbeatReply reply, long leaseUntilNanos) {
                        taken(reply, leaseUntilNanos);
                    }

                    @Override
                    public void expelled() {
                        expelled.run();
                    }

                    @Override
                    public void removed() {
                        Node.this.removed();
                    }
                };
        return new HeartbeatSender(
                new Asker(network),
                transport,
                incarnation,
                leader,
                config,
                members,
                listener,
                () -> freeBytes,
                System::nanoTime);
    }

    /** News of the directory, pushed by the leader or brought by the answer to a heartbeat. */
    void take(Members news) {
        members.update(news.view());
        jobs.take(news.leaders());
    }

    void started() {
        if (role == Role.PEER) { // others hold no chunks
            threads.every(threads.maintenance(), MAINTENANCE_INTERVAL, this::maintain);
        }
        if (storage != null) {
            Storage keeper = storage;
            threads.every(
                    threads.maintenance(),
                    Storage.GARBAGE_INTERVAL,
                    () -> keeper.collectGarbage(members::isMember));
        }
        String promised = role == Role.PEER ? "; " + promise() : "";
        LOG.info("node {} ({}) is up over {}{}", nodeId(), role, network.transport(), promised);
    }

    StoreConfig config() {
        return config;
    }

    @Nullable Storage storage() {
        return storage;
    }

    boolean isExpelled() {
        return isExpelled.get();
    }

    // private

    private void maintain() {
        local.maintain();
        StoreStatistics chunks = local.statistics();
        freeBytes = Math.max(0, chunks.heapLimitBytes() - chunks.heapUsedBytes());
    }

    /**
     * Opens the network, for which a taken port is the usual obstacle; nothing is left behind then.
     */
    private Network openNetwork(int nodeId, AddressTable addresses) {
        try {
            return Network.open(nodeId, transport.create(addresses), config.net());
        } catch (RuntimeException e) {
            local.close();
            throw new StoreException(
                    "node " + nodeId + " could not open its network: " + e.getMessage(), e);
        }
    }

    private void taken(HeartbeatReply reply, long leaseUntilNanos) {
        lease.grant(leaseUntilNanos);
        if (reply.newer() != null) {
            members.update(reply.newer());
        }
        jobs.take(reply.leaders());
    }

    private Pong take(ZoneNews news) {
        for (ZoneInfo zone : news.zones()) {
            locations.changed(zone);
            if (storage != null) {
                storage.zones().zoneChanged(zone);
            }
        }
        return new Pong();
    }

    /**
     * The superpeer has declared this node lost: it must neither serve nor acknowledge any more,
     * and closes.
     */
    void expelled() {
        expelled("has been declared lost by the superpeer");
    }

    /** This superpeer was removed from the cluster for good, and closes. */
    void removed() {
        expelled("was a superpeer and has been removed from the cluster for good");
    }

    /** This superpeer can do nothing for others any more, and closes: it may be started again. */
    void failed(StoreException failure) {
        expelled("can be no superpeer for now: " + failure.getMessage());
    }

    private void expelled(String reason) {
        if (closed.get() || !isExpelled.compareAndSet(false, true)) {
            return;
        }
        LOG.error("node {} {}; it stops serving and closes", nodeId(), reason);
        lease.revoke();
        local.stop();
        threads.detached(
                "-expelled",
                () -> {
                    try {
                        close();
                        ended.await(); // somebody else may be closing it
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException e) {
                        LOG.error("node {} could not close all that it had", nodeId(), e);
                    } finally {
                        expelledListeners.forEach(Runnable::run);
                    }
                });
    }

    private DirectoryClient directoryClient(Duration timeout) {
        return new DirectoryClient(network, leader, timeout, System::nanoTime, local::isStopped);
    }

    private void leave() {
        try {
            directoryClient(LEAVE_TIMEOUT).require(new Command.RemoveNode(nodeId()));
        } catch (StoreException e) {
            LOG.debug(
                    "could not tell the superpeer that node {} leaves: {}",
                    nodeId(),
                    e.getMessage());
        }
    }
}
