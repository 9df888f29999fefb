package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.starling.compute.PeerMemory;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.compute.internal.run.MemoryForecast;
import org.starling.graph.InvalidInputException;

/**
 * Memory of one run on all peers: what it may take, and what they have to give. Peers of one
 * machine share what that has. Immutable.
 */
final class MemoryPlan {
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

    private final List<Peer> peers;

    MemoryPlan(List<Peer> peers) {
        this.peers = List.copyOf(peers);
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
        return new MemoryPlan(peers);
    }

    /**
     * Refuses a run that does not fit.
     *
     * @throws InvalidInputException naming the peer, or the peers of a machine, with the least room
     */
    void check(RunRequest request) {
        List<Peer> worst = List.of();
        for (List<Peer> sharing : machines().values()) {
            if (shortage(sharing) > Math.max(0, shortage(worst))) {
                worst = sharing;
            }
        }
        if (!worst.isEmpty()) {
            throw new InvalidInputException(refusal(request, worst));
        }
    }

    /** A peer's share of what its machine has left beyond all that is expected there. */
    long spareBytes(int index) {
        Peer peer = peers.get(index);
        List<Peer> sharing = peers.stream().filter(p -> p.host.equals(peer.host)).toList();
        return Math.max(0, -shortage(sharing)) / sharing.size();
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

    private static long shortage(List<Peer> sharing) {
        return expected(sharing) - available(sharing);
    }

    private static long expected(List<Peer> sharing) {
        return sharing.stream().mapToLong(Peer::expectedBytes).sum();
    }

    private static long available(List<Peer> sharing) {
        long free = sharing.stream().mapToLong(Peer::freeBytes).min().orElse(0);
        return free + sharing.stream().mapToLong(Peer::keptBytes).sum();
    }

    private static String refusal(RunRequest request, List<Peer> sharing) {
        String host = sharing.getFirst().host;
        String nodes =
                (sharing.size() == 1 ? "node " : "nodes ")
                        + sharing.stream()
                                .map(peer -> Integer.toString(peer.node))
                                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "program %s needs up to %,d MiB of memory on %s%s for its columns and messages on graph \"%s\", but"
                        + " %,d MiB are available there; free memory on that machine, let peers on"
                        + " more machines compute, or take a smaller graph",
                request.program(),
                Math.ceilDiv(expected(sharing), 1L << 20),
                nodes,
                host.isEmpty() ? "" : " (" + host + ")",
                request.graph(),
                available(sharing) >> 20);
    }
}
