package org.starling.compute;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterKeys;
import org.starling.compute.cluster.NodeChild;
import org.starling.compute.cluster.NodeSettings;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
import org.starling.compute.internal.group.MasterSession;
import org.starling.compute.internal.group.ProcessMemory;
import org.starling.compute.internal.group.SlaveService;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.jars.JarContents;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;
import org.starling.net.LoopbackHub;
import org.starling.net.TransportUnavailableException;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * A superpeer and a compute group of peers on this machine.
 *
 * <p>The superpeer is node 0 in this process; the master runs beside it. Peers are in this process
 * too, over the loopback transport, or processes of their own over Ethernet or UCX on 127.0.0.1.
 * One job at a time; {@link #cancel} may be called by any thread, everything else by the job's.
 */
public final class ComputeCluster implements AutoCloseable {
    private static final long SUPERPEER_HEAP_BYTES = 64L << 20;
    private static final String SUPERPEER = "superpeer";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

    private final ClusterOptions options;
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final List<NodeChild> processes = new ArrayList<>();
    private final @Nullable ClusterKeys keys;

    /** By which the processes of this run know each other. */
    private final ClusterSecret secret = ClusterSecret.fresh();

    private final StoreNode superpeer;
    private final MasterSession master;
    private final JarLoaders loaders;

    /** Code that jobs use; confined to the job's thread. */
    private final List<JarLoaders.Lease> leases = new ArrayList<>();

    private boolean closed;

    private ComputeCluster(ClusterOptions options) {
        this.options = options;
        StoreConfig config = NodeSettings.embeddedConfig(memoryBytesPerPeer(options));
        try {
            keys = hasGeneratedKeys(options) ? makeKeys() : null;
            int[] slaves;
            if (options.separateProcesses()) {
                superpeer = add(StoreNode.startSuperpeer(superpeerOptions()));
                slaves = startProcesses(config.heapBytes());
            } else {
                LoopbackHub hub = new LoopbackHub();
                superpeer =
                        add(StoreNode.startSuperpeer(NodeOptions.loopback(hub, superpeerConfig())));
                slaves = startPeers(hub, config);
            }
            loaders = new JarLoaders(options.tuning().jars(), new JarStore(superpeer)::fetch);
            master = new MasterSession(superpeer, slaves, options.peers() * config.heapBytes());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Starts a cluster and waits until all peers are there.
     *
     * @throws org.starling.compute.cluster.ClusterException if a peer process does not start
     * @throws InvalidInputException if this machine lacks what the chosen transport needs
     */
    public static ComputeCluster start(ClusterOptions options) {
        try {
            return new ComputeCluster(options);
        } catch (StoreException refused) {
            if (refused.getCause() instanceof TransportUnavailableException missing) {
                throw new InvalidInputException(String.valueOf(missing.getMessage()), refused);
            }
            throw refused;
        }
    }

    /** Begins a job. The session is the same for all jobs: graphs stay until they are dropped. */
    public GraphSession session(JobListener listener) {
        return master.begin(listener);
    }

    /**
     * Begins a job that brings jars: they are put into the store, and every node loads them from
     * there.
     *
     * @throws InvalidInputException if they can't be used
     */
    public GraphSession session(JobListener listener, List<JarContents> jars) {
        GraphSession session = master.begin(listener);
        if (!jars.isEmpty()) {
            jars.forEach(new JarStore(superpeer)::put);
            List<String> digests = jars.stream().map(each -> each.jar().digest()).toList();
            JarLoaders.Lease lease = loaders.acquire(digests);
            leases.add(lease);
            master.use(lease.code());
        }
        return session;
    }

    /** A task has done its work, well or not; what it has done to structures stays, or does not. */
    public void endStructures(boolean well) {
        master.endStructures(well);
        master.settleStructures();
    }

    /** Ends the job: removes its graphs, and lets go of its jars. */
    public void endJob() {
        master.endJob();
        leases.forEach(JarLoaders.Lease::close);
        leases.clear();
    }

    /** Lets the job throw {@link org.starling.graph.JobCancelledException} soon; any thread. */
    public void cancel() {
        master.cancel();
    }

    /** Lets the task that runs end soon, or takes that back; any thread. */
    public void stopTask(boolean stopped) {
        master.stopTask(stopped);
    }

    /** Counts since the start. */
    public JobStatistics statistics() {
        return new JobStatistics(master.supersteps(), master.messages());
    }

    /** Number of peers. */
    public int peers() {
        return options.peers();
    }

    /** Whether each peer is a process of its own. */
    public boolean separateProcesses() {
        return options.separateProcesses();
    }

    /** Largest resident memory of each process so far, in bytes: this one first. */
    public List<Long> peakResidentBytes() {
        List<Long> bytes = new ArrayList<>();
        bytes.add(ProcessMemory.peakResidentBytes());
        if (options.separateProcesses()) {
            Arrays.stream(master.peakResidentBytes()).forEach(bytes::add);
        }
        return bytes;
    }

    /** By what the nodes talk, with the settings in force at this one, for people. */
    public String transport() {
        return superpeer.network().transport();
    }

    /** One sentence about the durability that this cluster can promise. */
    public String promise() {
        return superpeer.promise();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        leases.forEach(JarLoaders.Lease::close);
        processes.forEach(NodeChild::askToStop);
        List<Exception> failures = new ArrayList<>();
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("the cluster did not stop cleanly", failures.get(0));
        }
    }

    private int[] startPeers(LoopbackHub hub, StoreConfig config) {
        int[] nodes = new int[options.peers()];
        for (int i = 0; i < nodes.length; i++) {
            StoreNode peer = add(StoreNode.startPeer(NodeOptions.loopback(hub, config)));
            add(new SlaveService(peer, options.threads(), null));
            nodes[i] = peer.nodeId();
        }
        Arrays.sort(nodes);
        return nodes;
    }

    private int[] startProcesses(long heapBytes) {
        InetSocketAddress address =
                superpeer
                        .address()
                        .orElseThrow(
                                () -> new IllegalStateException("the superpeer has no address"));
        for (int i = 0; i < options.peers(); i++) {
            NodeSettings settings =
                    NodeSettings.child(address, options.threads(), heapBytes, tuning(peerName(i)));
            processes.add(add(NodeChild.start(settings, secret, null)));
        }
        return processes.stream()
                .mapToInt(child -> child.awaitReady(START_TIMEOUT))
                .sorted()
                .toArray();
    }

    private NodeOptions superpeerOptions() {
        NodeTuning tuning = tuning(SUPERPEER);
        StoreConfig config = superpeerConfig();
        StoreConfig secured = config.withNet(config.net().withSecret(secret));
        return tuning.wired(NodeOptions.ethernetSuperpeer(anyPort(), tuning.sockets(secured)));
    }

    /** Makes keys in a folder that goes when everything else has gone. */
    private ClusterKeys makeKeys() {
        ClusterKeys made = ClusterKeys.temporary();
        AutoCloseable _ = add(made::remove);
        made.make(
                List.of(SUPERPEER),
                IntStream.range(0, options.peers()).mapToObj(ComputeCluster::peerName).toList());
        return made;
    }

    private NodeTuning tuning(String process) {
        return keys == null ? options.tuning() : keys.resolve(options.tuning(), process);
    }

    private static boolean hasGeneratedKeys(ClusterOptions options) {
        return options.separateProcesses() && options.tuning().tls() == NodeTls.Word.GENERATED;
    }

    private static String peerName(int index) {
        return "peer-" + index;
    }

    private <C extends AutoCloseable> C add(C part) {
        parts.add(part);
        return part;
    }

    private static long memoryBytesPerPeer(ClusterOptions options) {
        return options.memoryBytesPerPeer() > 0
                ? options.memoryBytesPerPeer()
                : ProcessMemory.machineBytes() / 4 * 3 / options.peers();
    }

    private static StoreConfig superpeerConfig() {
        return NodeSettings.embeddedConfig(SUPERPEER_HEAP_BYTES);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
