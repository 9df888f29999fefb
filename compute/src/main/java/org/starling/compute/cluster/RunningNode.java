package org.starling.compute.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.access.AuditLog;
import org.starling.compute.access.SessionSeal;
import org.starling.compute.internal.files.FileCopies;
import org.starling.compute.internal.group.SlaveService;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.internal.jars.JobChecks;
import org.starling.compute.internal.job.JobService;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;
import org.starling.net.TlsOptions;
import org.starling.net.TransportUnavailableException;
import org.starling.store.Durability;
import org.starling.store.HandedZones;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.StartRefusedException;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * One node with all that runs on it: superpeers have their API endpoints, peers a slave and, in
 * clusters that keep jobs, the service that leads them. Owned by {@link NodeProcess}, on its
 * thread.
 */
final class RunningNode implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(RunningNode.class);

    /**
     * For benches and tests: a checkpoint after so many supersteps, whatever it costs. By time
     * alone the losses of short jobs would hardly ever meet one.
     */
    private static final String CHECKPOINT_PROPERTY = "starling.checkpointSupersteps";

    /** So often a peer looks whether it is to leave. */
    private static final Duration LEAVE_CHECK = Duration.ofMillis(500);

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(20);

    /** What the secret is for with which superpeers seal sessions of the page. */
    private static final String SESSIONS = "starling page sessions";

    private static final int MAX_PORT = 65_535;

    private final StoreNode store;

    /** Completed with the reason when work does not stop and the process has to make way. */
    private final CompletableFuture<String> stuck = new CompletableFuture<>();

    /** Completed when the node was asked to leave and no job needs it any more. */
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    /** Of a peer; set once while it starts. */
    private @Nullable SlaveService work;

    private volatile boolean closed;

    /** In the order in which they were started. */
    private final List<AutoCloseable> services = new ArrayList<>();

    private RunningNode(StoreNode store) {
        this.store = store;
    }

    /**
     * Starts the node and waits until it is a member.
     *
     * @throws InvalidInputException if its data directory, or what its transport needs, can't be
     *     used
     * @throws ClusterException if the cluster does not let it in
     */
    static RunningNode start(NodeSettings settings, ClusterSecret secret) {
        StoreNode store = startStore(settings, secret);
        RunningNode node = new RunningNode(store);
        try {
            NodeLogs.serve(store);
            FileCopies copies = new FileCopies(store);
            if (settings.superpeer()) {
                node.openEndpoints(settings, copies);
            } else {
                Consumer<String> replace = settings.isReplaceable() ? node.stuck::complete : null;
                TaskCatalog tasks = TaskCatalog.onClassPath();
                JarLoaders loaders =
                        new JarLoaders(settings.tuning().jars(), new JarStore(store)::fetch);
                SlaveService slave =
                        new SlaveService(store, settings.threads(), replace, loaders, copies::user);
                node.services.add(slave);
                node.work = slave;
                node.lookLater(slave);
                JobService jobs = null;
                if (settings.runsJobs()) {
                    JobChecks.serve(store, loaders, tasks, copies::user, replace);
                    jobs =
                            JobService.start(
                                    store,
                                    settings.heapBytes(),
                                    new CheckpointOptions(
                                            settings.tuning().checkpointInterval(),
                                            Integer.getInteger(CHECKPOINT_PROPERTY, 0)),
                                    tasks,
                                    loaders,
                                    copies::user,
                                    settings.tuning().maxRunningJobs(),
                                    replace);
                    node.services.add(jobs);
                }
                node.openMonitor(settings, new NodeMetrics(store, settings, jobs));
            }
            return node;
        } catch (RuntimeException | Error failed) {
            node.close();
            throw failed;
        }
    }

    int nodeId() {
        return store.nodeId();
    }

    /** Completes with the reason when this process has to make way for a new one. */
    CompletableFuture<String> stuck() {
        return stuck;
    }

    /** Completes when the node was asked to leave and no job needs it any more. */
    CompletableFuture<Void> drained() {
        return drained;
    }

    private void lookLater(SlaveService slave) {
        CompletableFuture.delayedExecutor(
                        LEAVE_CHECK.toMillis(),
                        TimeUnit.MILLISECONDS,
                        look -> Thread.ofVirtual().name("leaving").start(look))
                .execute(() -> look(slave));
    }

    private void look(SlaveService slave) {
        if (closed) {
            return;
        }
        boolean leaves =
                store.membership().node(store.nodeId()).map(NodeInfo::isLeaving).orElse(false);
        if (leaves && isFree(slave)) {
            drained.complete(null);
        } else {
            lookLater(slave);
        }
    }

    private boolean isFree(SlaveService slave) {
        return slave.isFree() && store.jobs().master() != store.nodeId();
    }

    /**
     * Gives what a peer does and has to others, while all of it goes on (docs/design/nodes.md,
     * "Leaving"): its part of jobs between two supersteps, then its zones. What is left then is
     * brought back from its copies, as that of a lost peer.
     *
     * @param patience how long that may take; at most half of it is spent waiting for jobs
     */
    void handOver(Duration patience) {
        SlaveService slave = work;
        if (slave == null || store.storage().isEmpty()) {
            return;
        }
        if (!store.announceLeaving()) {
            LOG.info(
                    "node {} hands nothing over: no superpeer leads the directory, so everything ends",
                    store.nodeId());
            return;
        }
        HandedZones handed = store.handOverZones(patience, () -> isFree(slave));
        if (handed.isAll()) {
            LOG.info("node {} has handed over what it had", store.nodeId());
        } else {
            LOG.info(
                    "node {} leaves before it has handed over what it had, which comes back from its copies: {}",
                    store.nodeId(),
                    handed.why());
        }
    }

    void onExpelled(Runnable listener) {
        store.onExpelled(listener);
    }

    @Override
    public void close() {
        closed = true;
        for (AutoCloseable service : services.reversed()) {
            try {
                service.close();
            } catch (Exception broken) {
                if (broken instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                LOG.warn("a service of node {} did not stop cleanly", store.nodeId(), broken);
            }
        }
        store.close();
    }

    private static StoreNode startStore(NodeSettings settings, ClusterSecret secret) {
        try {
            NodeOptions options = options(settings, secret);
            return settings.superpeer()
                    ? StoreNode.startSuperpeer(options)
                    : StoreNode.startPeer(options);
        } catch (StartRefusedException never) {
            throw new InvalidInputException(String.valueOf(never.getMessage()), never);
        } catch (StoreException refused) {
            if (refused.getCause() instanceof TransportUnavailableException missing) {
                throw new InvalidInputException(String.valueOf(missing.getMessage()), refused);
            }
            throw new ClusterException(String.valueOf(refused.getMessage()), refused);
        }
    }

    private static NodeOptions options(NodeSettings settings, ClusterSecret secret) {
        NodeOptions options;
        if (!settings.superpeer()) {
            options =
                    NodeOptions.peer(
                                    settings.bind(),
                                    settings.superpeers(),
                                    config(settings, secret))
                            .withCores(settings.threads());
        } else {
            options = NodeOptions.ethernetSuperpeer(settings.bind(), config(settings, secret));
            int count = settings.superpeers().size();
            if (settings.index() == NodeSettings.NEWCOMER) {
                options = options.asNewSuperpeer(count, settings.superpeers());
            } else if (count > 1) {
                options = options.asSuperpeer(settings.index(), count, settings.superpeers());
            }
        }
        if (!settings.superpeer()) {
            options =
                    options.withCapabilities(
                            options.capabilities() | settings.group().capabilities());
        }
        Path data = settings.data();
        if (data != null) {
            options = options.withDataDirectory(usable(data));
        }
        return settings.tuning()
                .wired(
                        options.withAdvertised(settings.advertised())
                                .withPlace(
                                        settings.zone() == null
                                                ? null
                                                : new Place(settings.zone())));
    }

    private static StoreConfig config(NodeSettings settings, ClusterSecret secret) {
        NodeTuning tuning = settings.tuning();
        StoreConfig config =
                settings.keeper() == NodeSettings.Keeper.PARENT
                        ? NodeSettings.embeddedConfig(settings.heapBytes())
                        : StoreConfig.defaults()
                                .withHeapBytes(settings.heapBytes())
                                .withReplicationFactor(tuning.replication())
                                .withZoneBytes(tuning.zoneBytes())
                                .withDefaultDurability(
                                        Durability.valueOf(tuning.durability().name()))
                                .withJoinTimeout(JOIN_TIMEOUT);
        return tuning.sockets(config.withNet(config.net().withSecret(secret)));
    }

    private static Path usable(Path data) {
        try {
            ClusterFolder.makePrivate(data);
        } catch (IOException refused) {
            throw new InvalidInputException(
                    "the data directory %s can't be made: %s"
                            .formatted(data, FileTrouble.reason(refused)),
                    refused);
        }
        if (!Files.isWritable(data)) {
            throw new InvalidInputException("the data directory " + data + " can't be written");
        }
        return data;
    }

    private void openEndpoints(NodeSettings settings, FileCopies copies) {
        RestSettings rest = settings.rest();
        if (rest == null) {
            return;
        }
        AccessToken owner = AccessToken.read(rest.token());
        SuperpeerTokens tokens =
                new SuperpeerTokens(
                        store.access(), owner, InstantSource.system(), System::nanoTime);
        SuperpeerService service =
                new SuperpeerService(
                        store,
                        TaskCatalog.onClassPath(),
                        copies,
                        rest.roots(),
                        settings.tuning(),
                        tokens);
        Path data = Objects.requireNonNull(settings.data(), "a superpeer keeps its data");
        InetSocketAddress bind = new InetSocketAddress(settings.bind().getAddress(), rest.port());
        TlsOptions files = rest.tls() ? settings.tuning().tls().files() : null;
        if (!bind.getAddress().isLoopbackAddress() && files == null && !rest.insecure()) {
            throw new InvalidInputException(
                    "the REST interface of %s would listen at %s without TLS, where others can read what people send, their tokens included; give the node keys (starling keys issue), or say --insecure if nobody can"
                            .formatted(settings.name(), bind.getAddress().getHostAddress()));
        }
        ApiAccess access =
                new ApiAccess(
                        tokens,
                        new AuditLog(data, InstantSource.system()),
                        files == null ? null : new EndpointTls(files, rest.mutual()),
                        new SessionSeal(owner.derive(SESSIONS)),
                        doors(settings, rest));
        for (ApiEndpoint endpoint : ServiceLoader.load(ApiEndpoint.class)) {
            services.add(
                    endpoint.open(bind, service, access, new NodeMetrics(store, settings, null)));
        }
    }

    /** Those of others are as far from their ports as this one's is from its own. */
    private List<URI> doors(NodeSettings settings, RestSettings rest) {
        int distance = rest.port() - settings.bind().getPort();
        Stream<InetSocketAddress> members =
                store.membership().nodes().stream()
                        .filter(node -> node.role() == Role.SUPERPEER && !node.host().isEmpty())
                        .map(node -> InetSocketAddress.createUnresolved(node.host(), node.port()));
        return Stream.concat(settings.superpeers().stream(), members)
                .distinct()
                .filter(one -> one.getPort() + distance > 0 && one.getPort() + distance <= MAX_PORT)
                .map(one ->
                        URI.create(
                                "%s://%s:%d"
                                        .formatted(
                                                rest.tls() ? "https" : "http",
                                                inAddress(one.getHostString()),
                                                one.getPort() + distance)))
                .toList();
    }

    private static String inAddress(String host) {
        return host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + host + "]";
    }

    private void openMonitor(NodeSettings settings, NodeMonitor monitor) {
        MonitorSettings own = settings.monitor();
        if (own == null) {
            return;
        }
        AccessToken owner = own.token() == null ? null : AccessToken.read(own.token());
        SuperpeerTokens gate =
                new SuperpeerTokens(
                        store.access(), owner, InstantSource.system(), System::nanoTime);
        TlsOptions files = own.tls() ? settings.tuning().tls().files() : null;
        EndpointTls tls = files == null ? null : new EndpointTls(files, false);
        InetSocketAddress bind = new InetSocketAddress(settings.bind().getAddress(), own.port());
        for (ApiEndpoint endpoint : ServiceLoader.load(ApiEndpoint.class)) {
            services.add(endpoint.openMonitor(bind, monitor, gate, tls));
        }
    }
}
