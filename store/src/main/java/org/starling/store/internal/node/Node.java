package org.starling.store.internal.node;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.Membership;
import org.starling.store.NameService;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.node.NodeMessage.Pong;

/**
 * Puts the parts of one node together: network, chunks, directory client, members, timers; starts
 * and ends them in order. The only place where this package makes threads: one for heartbeats or
 * loss detection, one for maintenance of the heap, one for membership listeners. Shares nothing
 * with other nodes of the process.
 */
public final class Node implements AutoCloseable {
    /** The node that hosts the directory. */
    public static final int SUPERPEER = 0;

    /** What this version of the store can promise: there are no backups yet. */
    public static final Durability PROMISED = Durability.MEMORY;

    private static final Logger LOG = LogManager.getLogger(Node.class);

    /** A superpeer holds no chunks. */
    private static final long SUPERPEER_HEAP_BYTES = StoreConfig.MIN_HEAP_BYTES;

    /** Calls of membership listeners that wait; the rest is dropped and reported. */
    private static final int MAX_WAITING_EVENTS = 1 << 16;

    private static final Duration MAINTENANCE_INTERVAL = Duration.ofMillis(500);
    private static final long MAINTENANCE_END_SECONDS = 10;
    private static final Duration LEAVE_TIMEOUT = Duration.ofMillis(500);

    private final Role role;
    private final Wiring wiring;
    private final Network network;
    private final LocalChunks local;
    private final DirectoryClient directory;
    private final Locations locations;
    private final MemberView members;
    private final ChunkService chunks;
    private final ScheduledExecutorService timer;
    private final ScheduledExecutorService maintenance;
    private final ThreadPoolExecutor events;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean isExpelled = new AtomicBoolean();

    private Node(
            Role role, int nodeId, NodeOptions options, Wiring wiring, AddressTable addresses) {
        this.role = role;
        this.wiring = wiring;
        StoreConfig config = options.config();
        boolean holdsChunks = role == Role.PEER;
        local = new LocalChunks(nodeId, holdsChunks ? config.heapBytes() : SUPERPEER_HEAP_BYTES);
        network = openNetwork(nodeId, config, addresses);
        directory = new DirectoryClient(network, config.requestTimeout());
        locations = new Locations(nodeId, directory::locate);
        String name = "store-" + nodeId;
        events = eventThread(name + "-events");
        timer = Executors.newSingleThreadScheduledExecutor(daemons(name + "-timer"));
        maintenance = Executors.newSingleThreadScheduledExecutor(daemons(name + "-maintenance"));
        members = new MemberView(addresses, events, network::disconnect);
        RemoteChunks remote = new RemoteChunks(network, members::isMember, config.requestTimeout());
        chunks =
                new RoutedChunks(local, remote, locations, config.defaultDurability(), holdsChunks);
        network.serve(NodeMessage.PING, Execution.INLINE, (source, ping) -> new Pong());
        network.handle(
                NodeMessage.MEMBERS,
                Execution.INLINE,
                (source, message) -> members.update(message.view()));
        network.handle(
                NodeMessage.MOVED,
                Execution.INLINE,
                (source, message) -> locations.moved(message.range()));
        new ChunkServer(local, locations::isOwned, holdsChunks).register(network);
    }

    // life cycle

    /**
     * Starts node 0.
     *
     * @param options how
     * @return the running node
     */
    public static Node startSuperpeer(NodeOptions options) {
        Wiring wiring = Wiring.of(options);
        AddressTable addresses = new AddressTable();
        Node node = new Node(Role.SUPERPEER, SUPERPEER, options, wiring, addresses);
        SuperpeerService service =
                new SuperpeerService(
                        node.network,
                        addresses,
                        node.members::update,
                        options.config(),
                        System::nanoTime);
        service.start(new Command.RegisterSuperpeer(SUPERPEER, wiring.host(), wiring.port(), 0));
        node.every(options.config().heartbeatInterval(), service::doWork);
        node.started();
        return node;
    }

    /**
     * Starts a peer.
     *
     * @param options how
     * @return the running node, a member of the cluster
     */
    public static Node startPeer(NodeOptions options) {
        Wiring wiring = Wiring.of(options);
        int nodeId = new Joiner(options, wiring, System::nanoTime).join();
        AddressTable addresses = new AddressTable();
        InetSocketAddress superpeer = options.superpeer();
        if (superpeer != null) {
            addresses.put(SUPERPEER, superpeer.getHostString(), superpeer.getPort());
        }
        Node node = new Node(Role.PEER, nodeId, options, wiring, addresses);
        HeartbeatSender heartbeats = node.heartbeats(options.config());
        node.join(heartbeats, options.config());
        node.every(options.config().heartbeatInterval(), heartbeats::doWork);
        node.started();
        return node;
    }

    /** Leaves the cluster and releases everything. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        leave();
        timer.shutdownNow();
        maintenance.shutdown();
        local.stop();
        network.close();
        events.shutdownNow();
        awaitEnd(maintenance);
        local.close();
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
        return Optional.ofNullable(wiring.listens());
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
        return directory;
    }

    /**
     * The members.
     *
     * @return the view of this node
     */
    public Membership membership() {
        return members;
    }

    DirectoryClient directory() {
        return directory;
    }

    Locations locations() {
        return locations;
    }

    // private

    /**
     * Opens the network, for which a taken port is the usual obstacle; nothing is left behind then.
     */
    private Network openNetwork(int nodeId, StoreConfig config, AddressTable addresses) {
        try {
            return Network.open(nodeId, wiring.transport(addresses), config.net());
        } catch (RuntimeException e) {
            local.close();
            throw new StoreException(
                    "node " + nodeId + " could not open its network: " + e.getMessage(), e);
        }
    }

    private HeartbeatSender heartbeats(StoreConfig config) {
        return new HeartbeatSender(
                network, config, members, locations, this::expelled, System::nanoTime);
    }

    /** The first heartbeat makes this node visible to the others and brings the members. */
    private void join(HeartbeatSender heartbeats, StoreConfig config) {
        try {
            heartbeats.beat().get(config.joinTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while joining", e);
        } catch (Exception e) {
            close();
            throw new StoreException(
                    "node "
                            + nodeId()
                            + " was registered, but its first heartbeat was not answered",
                    e);
        }
    }

    private void started() {
        every(maintenance, MAINTENANCE_INTERVAL, local::maintain);
        LOG.info("node {} ({}) is up; durability promised: {}", nodeId(), role, PROMISED);
    }

    /**
     * The superpeer has declared this node lost: it must neither serve nor acknowledge any more.
     */
    private void expelled() {
        if (!closed.get() && isExpelled.compareAndSet(false, true)) {
            LOG.error(
                    "node {} has been declared lost by the superpeer and stops serving its chunks",
                    nodeId());
            local.stop();
        }
    }

    private void leave() {
        if (role == Role.SUPERPEER) {
            return;
        }
        try {
            new DirectoryClient(network, LEAVE_TIMEOUT).apply(new Command.RemoveNode(nodeId()));
        } catch (StoreException e) {
            LOG.debug(
                    "could not tell the superpeer that node {} leaves: {}",
                    nodeId(),
                    e.getMessage());
        }
    }

    private void every(Duration interval, Runnable work) {
        every(timer, interval, work);
    }

    /** A step that fails is reported, and does not end the following ones. */
    private void every(ScheduledExecutorService executor, Duration interval, Runnable work) {
        Runnable step =
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        if (!closed.get()) {
                            LOG.warn("periodic work of node {} failed", nodeId(), e);
                        }
                    }
                };
        Future<?> _ =
                executor.scheduleWithFixedDelay(
                        step, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void awaitEnd(ScheduledExecutorService executor) {
        try {
            if (!executor.awaitTermination(MAINTENANCE_END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("maintenance is still running");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadPoolExecutor eventThread(String name) {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING_EVENTS),
                daemons(name),
                (event, executor) -> dropped(executor));
    }

    /**
     * Events of a node that is closing are of no use; otherwise listeners are stuck, and that is
     * said.
     */
    private static void dropped(ThreadPoolExecutor executor) {
        if (!executor.isShutdown()) {
            LOG.error("a membership event was dropped: {} wait already", MAX_WAITING_EVENTS);
        }
    }

    private static ThreadFactory daemons(String name) {
        return Thread.ofPlatform().daemon().name(name).factory();
    }
}
