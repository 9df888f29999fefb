package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.starling.compute.PeerMemory;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.group.Admission.Need;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.compute.internal.run.MemoryForecast;
import org.starling.graph.InvalidInputException;

/**
 * Memory of one run on all peers: what it may take, and what they have to give. Peers of one
 * machine share what that has. Immutable.
 */
final class MemoryPlan implements Need {
    /**
     * A peer before a run.
     *
     * @param node the peer
     * @param host its machine
     * @param expectedBytes most that the run can take there
     * @param freeBytes what the machine has left
     * @param keptBytes what the peer keeps from earlier runs
     */
    record Peer(int node, String host, long expectedBytes, long freeBytes, long keptBytes) {}

    private final RunRequest request;
    private final List<Peer> peers;

    /** Whether the run may take more than is expected. */
    private final boolean open;

    MemoryPlan(RunRequest request, List<Peer> peers, boolean open) {
        this.request = request;
        this.peers = List.copyOf(peers);
        this.open = open;
    }

    /**
     * A plan for a run.
     *
     * @param nodes the slaves
     * @param neighbours neighbours in the rows of each
     * @param hosts machine of each
     * @param reports what each says about itself
     */
    static MemoryPlan of(
            RunRequest request,
            MemoryForecast forecast,
            ShardTable shards,
            int[] nodes,
            long[] neighbours,
            List<String> hosts,
            List<StatusReport> reports) {
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            StatusReport report = reports.get(i);
            long foreign = Arrays.stream(neighbours).sum() - neighbours[i];
            long expected =
                    forecast.bytes(shards, nodes[i], foreign, nodes.length - 1, report.threads());
            peers.add(
                    new Peer(
                            nodes[i],
                            hosts.get(i),
                            expected,
                            report.freeBytes(),
                            report.keptBytes()));
        }
        return new MemoryPlan(request, peers, forecast.sendsRecords());
    }

    /**
     * Refuses a run that does not fit.
     *
     * @throws InvalidInputException naming the peer, or the peers of a machine, with the least room
     */
    void check() {
        List<Peer> worst = worst(Promises.NONE);
        if (!worst.isEmpty()) {
            throw new InvalidInputException(
                    sentence(worst, Promises.NONE)
                            + "; free memory on that machine, let peers on more machines compute,"
                            + " or take a smaller graph");
        }
    }

    @Override
    public boolean isGraph() {
        return false;
    }

    /** What is expected; peers of one machine share alike what there is beyond that. */
    @Override
    public Map<Integer, Long> bytes(Promises others, double share) {
        Map<Integer, Long> bytes = new HashMap<>();
        for (List<Peer> sharing : machines().values()) {
            long spare = open ? Math.max(0, -shortage(sharing, others)) : 0;
            long each = (long) (spare * share) / sharing.size();
            sharing.forEach(peer -> bytes.put(peer.node, peer.expectedBytes + each));
        }
        return bytes;
    }

    /** What of a peer's bytes is beyond what is expected there. */
    long spareBytes(int index, Map<Integer, Long> bytes) {
        Peer peer = peers.get(index);
        return bytes.getOrDefault(peer.node, peer.expectedBytes) - peer.expectedBytes;
    }

    @Override
    public Optional<String> shortage(Promises others) {
        List<Peer> worst = worst(others);
        return worst.isEmpty() ? Optional.empty() : Optional.of(sentence(worst, others));
    }

    /** What the run took beside what was expected; reports are in the order of slaves. */
    List<PeerMemory> beside(List<EndReport> reports) {
        List<PeerMemory> memory = new ArrayList<>();
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            memory.add(
                    new PeerMemory(
                            peer.node,
                            peer.expectedBytes,
                            peer.freeBytes + peer.keptBytes,
                            reports.get(i).takenBytes()));
        }
        return memory;
    }

    private Map<String, List<Peer>> machines() {
        return peers.stream()
                .collect(Collectors.groupingBy(Peer::host, TreeMap::new, Collectors.toList()));
    }

    /** The peers of the machine with the least room; none if there is room everywhere. */
    private List<Peer> worst(Promises others) {
        List<Peer> worst = List.of();
        for (List<Peer> sharing : machines().values()) {
            if (shortage(sharing, others) > Math.max(0, shortage(worst, others))) {
                worst = sharing;
            }
        }
        return worst;
    }

    private static long shortage(List<Peer> sharing, Promises others) {
        return expected(sharing) - available(sharing, others);
    }

    private static long expected(List<Peer> sharing) {
        return sharing.stream().mapToLong(Peer::expectedBytes).sum();
    }

    private static long available(List<Peer> sharing, Promises others) {
        long free = sharing.stream().mapToLong(Peer::freeBytes).min().orElse(0);
        return free
                + sharing.stream()
                        .mapToLong(peer -> peer.keptBytes - others.forAll(peer.node))
                        .sum();
    }

    private String sentence(List<Peer> sharing, Promises others) {
        String host = sharing.getFirst().host;
        String nodes =
                (sharing.size() == 1 ? "node " : "nodes ")
                        + sharing.stream()
                                .map(peer -> Integer.toString(peer.node))
                                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "program %s needs up to %,d MiB of memory on %s%s for its columns and messages on graph \"%s\", but"
                        + " %,d MiB are available there",
                request.program(),
                Math.ceilDiv(expected(sharing), 1L << 20),
                nodes,
                host.isEmpty() ? "" : " (" + host + ")",
                request.graph(),
                Math.max(0, available(sharing, others)) >> 20);
    }
}
