package org.starling.compute.cluster;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.GroupName;
import org.starling.graph.InvalidInputException;

/**
 * What cluster to run on this machine.
 *
 * @param folder where its data, logs and process ids are; made if it is not there
 * @param superpeers 1 or 3
 * @param peers that store and compute, 1 to {@value #MAX_PEERS}, those among them that were removed
 * @param threadsPerPeer worker threads of each peer; 0 shares the machine's cores out
 * @param memoryBytesPerPeer memory for each peer's chunks; 0 shares the machine's memory out
 * @param basePort first of the {@value #PORTS} ports between nodes
 * @param restPort port of the first superpeer's REST interface; the others have the next ones, and
 *     peers, for their metrics, those from the fourth on
 * @param tuning what holds for all nodes
 * @param roots folders that files of submitted scripts must lie under; without any, scripts can use
 *     no files
 * @param supervised whether a process of its own starts processes again that have died
 * @param groups number of peers of each compute group, the first peers first; peers that are left
 *     are of the usual group
 * @param removed numbers of peers that are gone for good, ascending; they are not started
 */
public record ClusterPlan(
        Path folder,
        int superpeers,
        int peers,
        int threadsPerPeer,
        long memoryBytesPerPeer,
        int basePort,
        int restPort,
        NodeTuning tuning,
        List<Path> roots,
        boolean supervised,
        Map<String, Integer> groups,
        List<Integer> removed) {
    /** Largest number of peers on one machine. */
    public static final int MAX_PEERS = 64;

    /** First of the usual ports between nodes. */
    public static final int USUAL_BASE_PORT = 7400;

    /** Usual port of the first superpeer's REST interface. */
    public static final int USUAL_REST_PORT = 7500;

    /** Ports from {@link #basePort} on that a cluster may take. */
    public static final int PORTS = 100;

    /** Largest base port. */
    public static final int MAX_PORT = 65_535 - PORTS;

    private static final int PEER_OFFSET = 20;
    private static final int MAX_SUPERPEERS = 3;

    /** Checks the numbers. */
    public ClusterPlan {
        roots = List.copyOf(roots);
        removed = removed.stream().sorted().distinct().toList();
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        if (superpeers != 1 && superpeers != 3) {
            throw new IllegalArgumentException("superpeers must be 1 or 3, not " + superpeers);
        }
        if (peers < 1 || peers > MAX_PEERS) {
            throw new IllegalArgumentException(
                    "peers must be 1 to " + MAX_PEERS + ", not " + peers);
        }
        check(groups, peers);
        int all = peers;
        if (removed.stream().anyMatch(peer -> peer < 0 || peer >= all)) {
            throw new IllegalArgumentException("peers " + removed + " are not all of " + all);
        }
        if (removed.size() >= peers) {
            throw new InvalidInputException(
                    "the last peer of a cluster is not removed; stop the cluster, and start it with other --peers");
        }
        if (threadsPerPeer < 0 || memoryBytesPerPeer < 0) {
            throw new IllegalArgumentException("threads and memory must not be negative");
        }
        if (basePort < 1 || basePort > MAX_PORT || restPort < 1 || restPort > MAX_PORT) {
            throw new IllegalArgumentException("ports must be 1 to " + MAX_PORT);
        }
    }

    private static void check(Map<String, Integer> groups, int peers) {
        int grouped = 0;
        for (Map.Entry<String, Integer> group : groups.entrySet()) {
            new GroupName(group.getKey());
            if (group.getValue() < 1) {
                throw new InvalidInputException(
                        "group %s has no peers; give it at least 1".formatted(group.getKey()));
            }
            grouped += group.getValue();
        }
        if (grouped > peers) {
            throw new InvalidInputException(
                    "groups have %d peers together, but the cluster has %d; start more peers, or make groups smaller"
                            .formatted(grouped, peers));
        }
    }

    /**
     * Usual ports, all of the machine's cores and memory, the usual tuning; no roots, no
     * supervisor.
     */
    public static ClusterPlan of(Path folder, int superpeers, int peers) {
        return new ClusterPlan(
                folder,
                superpeers,
                peers,
                0,
                0,
                USUAL_BASE_PORT,
                USUAL_REST_PORT,
                NodeTuning.DEFAULT,
                List.of(),
                false,
                Map.of(),
                List.of());
    }

    /** With other ports. */
    public ClusterPlan withPorts(int firstPort, int firstRestPort) {
        return changed(draft -> {
            draft.basePort = firstPort;
            draft.restPort = firstRestPort;
        });
    }

    /** With other numbers of threads and bytes for each peer. */
    public ClusterPlan withPeerSizes(int threads, long memoryBytes) {
        return changed(draft -> {
            draft.threadsPerPeer = threads;
            draft.memoryBytesPerPeer = memoryBytes;
        });
    }

    /** With another tuning. */
    public ClusterPlan withTuning(NodeTuning other) {
        return changed(draft -> draft.tuning = other);
    }

    /** With other roots. */
    public ClusterPlan withRoots(List<Path> others) {
        return changed(draft -> draft.roots = others);
    }

    /** With a supervisor, or without one. */
    public ClusterPlan withSupervisor(boolean isThere) {
        return changed(draft -> draft.supervised = isThere);
    }

    /** With other compute groups. */
    public ClusterPlan withGroups(Map<String, Integer> others) {
        return changed(draft -> draft.groups = others);
    }

    /** Without peers that are gone for good: these and no others. */
    public ClusterPlan withRemoved(List<Integer> others) {
        return changed(draft -> draft.removed = others);
    }

    private ClusterPlan changed(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        return draft.plan();
    }

    /** How many peers are started. */
    public int presentPeers() {
        return peers - removed.size();
    }

    /** Compute group of a peer. */
    GroupName groupOf(int peer) {
        int end = 0;
        for (Map.Entry<String, Integer> group : groups.entrySet()) {
            end += group.getValue();
            if (peer < end) {
                return new GroupName(group.getKey());
            }
        }
        return GroupName.DEFAULT;
    }

    /** Where a superpeer listens. */
    int superpeerPort(int index) {
        return basePort + index;
    }

    /** Where a peer listens. */
    int peerPort(int index) {
        return basePort + PEER_OFFSET + index;
    }

    /** Where a superpeer's REST interface listens. */
    int restPort(int superpeer) {
        return restPort + superpeer;
    }

    /** Where a peer tells how it is: behind the REST interfaces of the superpeers. */
    int monitorPort(int peer) {
        return restPort + MAX_SUPERPEERS + peer;
    }

    /** Base address of that interface. */
    URI url(int superpeer) {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        return URI.create("http://%s:%d".formatted(host, restPort(superpeer)));
    }

    /** As JSON; the folder is where the JSON lies. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = NodeSettings.JSON.tree(this);
        tree.keySet().removeAll(List.of("folder", "tuning"));
        tree.putAll(NodeSettings.JSON.tree(tuning));
        return tree;
    }

    /**
     * Reads what {@link #tree} made. Folders of earlier versions say less of it.
     *
     * @throws InvalidInputException if it is something else
     */
    static ClusterPlan of(Path folder, Map<?, ?> tree) {
        Map<String, @Nullable Object> all = NodeSettings.JSON.tree(NodeTuning.DEFAULT);
        all.put("supervised", false);
        all.put("groups", Map.of());
        all.put("removed", List.of());
        tree.forEach((name, value) -> all.put(name.toString(), value));
        all.put("tuning", new LinkedHashMap<>(all));
        all.put("folder", folder.toString());
        try {
            return NodeSettings.JSON.of(ClusterPlan.class, all);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "%s does not say what cluster it holds: %s"
                            .formatted(folder, wrong.getMessage()),
                    wrong);
        }
    }

    /** A plan that is being changed; confined to {@link #changed}. */
    private final class Draft {
        private int threadsPerPeer = ClusterPlan.this.threadsPerPeer;
        private long memoryBytesPerPeer = ClusterPlan.this.memoryBytesPerPeer;
        private int basePort = ClusterPlan.this.basePort;
        private int restPort = ClusterPlan.this.restPort;
        private NodeTuning tuning = ClusterPlan.this.tuning;
        private List<Path> roots = ClusterPlan.this.roots;
        private boolean supervised = ClusterPlan.this.supervised;
        private Map<String, Integer> groups = ClusterPlan.this.groups;
        private List<Integer> removed = ClusterPlan.this.removed;

        ClusterPlan plan() {
            return new ClusterPlan(
                    folder,
                    superpeers,
                    peers,
                    threadsPerPeer,
                    memoryBytesPerPeer,
                    basePort,
                    restPort,
                    tuning,
                    roots,
                    supervised,
                    groups,
                    removed);
        }
    }
}
