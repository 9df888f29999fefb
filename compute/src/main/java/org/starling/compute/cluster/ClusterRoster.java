package org.starling.compute.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.GroupName;
import org.starling.compute.internal.group.ProcessMemory;

/** The processes of a {@link ClusterPlan} by name, and what each is to be. Immutable. */
final class ClusterRoster {
    static final long SUPERPEER_HEAP_BYTES = 64L << 20;

    /**
     * Half of the machine's memory is for chunks of all peers; columns and buffers need the rest.
     */
    static final int MEMORY_SHARE = 2;

    private final ClusterPlan plan;
    private final ClusterFolder folder;
    private final Map<String, NodeSettings> settings = new LinkedHashMap<>();

    ClusterRoster(ClusterPlan plan, ClusterFolder folder) {
        this.plan = plan;
        this.folder = folder;
        for (int i = 0; i < plan.superpeers(); i++) {
            add(superpeer(i));
        }
        for (int i = 0; i < plan.peers(); i++) {
            if (!plan.removed().contains(i)) {
                add(peer(i));
            }
        }
    }

    /** What a peer is called, be it in the plan or removed. */
    static String peerName(int index) {
        return "peer-" + index;
    }

    /** Names, superpeers first. */
    List<String> names() {
        return List.copyOf(settings.keySet());
    }

    /** Names of the superpeers, or of the peers, in order. */
    List<String> names(boolean superpeers) {
        return names().stream().filter(name -> settings(name).superpeer() == superpeers).toList();
    }

    /**
     * What the process of that name is.
     *
     * @throws IllegalArgumentException if there is none
     */
    NodeSettings settings(String name) {
        NodeSettings found = settings.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "there is no process " + name + "; there are " + settings.keySet());
        }
        return found;
    }

    /** Every port that will be listened on, with the name of its process. */
    Map<Integer, String> ports() {
        Map<Integer, String> ports = new LinkedHashMap<>();
        for (NodeSettings node : settings.values()) {
            ports.put(node.bind().getPort(), node.name());
            if (node.superpeer()) {
                ports.put(plan.restPort(node.index()), node.name() + " (REST)");
            } else {
                ports.put(plan.monitorPort(node.index()), node.name() + " (metrics)");
            }
        }
        return ports;
    }

    private void add(NodeSettings node) {
        settings.put(node.name(), node);
    }

    private NodeSettings superpeer(int index) {
        RestSettings rest =
                new RestSettings(plan.restPort(index), folder.tokenFile(), false, plan.roots());
        return node("superpeer-" + index, index, plan.superpeerPort(index), rest);
    }

    private NodeSettings peer(int index) {
        return node(peerName(index), index, plan.peerPort(index), null);
    }

    /** Superpeers are those with API endpoints. */
    private NodeSettings node(String name, int index, int port, @Nullable RestSettings rest) {
        boolean superpeer = rest != null;
        return new NodeSettings(
                name,
                superpeer,
                index,
                address(port),
                null,
                null,
                superpeers(),
                folder.data(name),
                superpeer ? 1 : threads(),
                superpeer ? SUPERPEER_HEAP_BYTES : memoryBytes(),
                rest,
                superpeer
                        ? null
                        : new MonitorSettings(plan.monitorPort(index), folder.tokenFile(), false),
                !superpeer,
                NodeSettings.Keeper.FOLDER,
                folder.keys().resolve(plan.tuning(), name),
                superpeer ? GroupName.DEFAULT : plan.groupOf(index));
    }

    private int threads() {
        int cores = Runtime.getRuntime().availableProcessors();
        return plan.threadsPerPeer() > 0
                ? plan.threadsPerPeer()
                : Math.max(1, cores / plan.presentPeers());
    }

    private long memoryBytes() {
        return plan.memoryBytesPerPeer() > 0
                ? plan.memoryBytesPerPeer()
                : ProcessMemory.machineBytes() / MEMORY_SHARE / plan.presentPeers();
    }

    private List<InetSocketAddress> superpeers() {
        return IntStream.range(0, plan.superpeers())
                .map(plan::superpeerPort)
                .mapToObj(ClusterRoster::address)
                .toList();
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
