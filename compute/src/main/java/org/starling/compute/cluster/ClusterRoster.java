package org.starling.compute.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.starling.compute.internal.group.ProcessMemory;
import org.starling.net.ClusterSecret;

/**
 * The processes of a {@link ClusterPlan} by name, and what each is to be, but for the secret, which
 * whoever starts them adds. Immutable.
 */
final class ClusterRoster {
    private static final long SUPERPEER_HEAP_BYTES = 64L << 20;

    /**
     * Half of the machine's memory is for chunks of all peers; columns and buffers need the rest.
     */
    private static final int MEMORY_SHARE = 2;

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
            add(peer(i));
        }
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
            }
        }
        return ports;
    }

    private void add(NodeSettings node) {
        settings.put(node.name(), node);
    }

    private NodeSettings superpeer(int index) {
        String name = "superpeer-" + index;
        return new NodeSettings(
                name,
                true,
                index,
                address(plan.superpeerPort(index)),
                superpeers(),
                folder.data(name),
                1,
                SUPERPEER_HEAP_BYTES,
                new RestSettings(plan.restPort(index), folder.tokenFile(), plan.roots()),
                false,
                false,
                folder.keys().resolve(plan.tuning(), name),
                ClusterSecret.NONE);
    }

    private NodeSettings peer(int index) {
        String name = "peer-" + index;
        return new NodeSettings(
                name,
                false,
                index,
                address(plan.peerPort(index)),
                superpeers(),
                folder.data(name),
                threads(),
                memoryBytes(),
                null,
                true,
                false,
                folder.keys().resolve(plan.tuning(), name),
                ClusterSecret.NONE);
    }

    private int threads() {
        int cores = Runtime.getRuntime().availableProcessors();
        return plan.threadsPerPeer() > 0
                ? plan.threadsPerPeer()
                : Math.max(1, cores / plan.peers());
    }

    private long memoryBytes() {
        return plan.memoryBytesPerPeer() > 0
                ? plan.memoryBytesPerPeer()
                : ProcessMemory.machineBytes() / MEMORY_SHARE / plan.peers();
    }

    private List<InetSocketAddress> superpeers() {
        return addresses(IntStream.range(0, plan.superpeers()).map(plan::superpeerPort));
    }

    private static List<InetSocketAddress> addresses(IntStream ports) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        ports.forEach(port -> addresses.add(address(port)));
        return addresses;
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
