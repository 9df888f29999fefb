package org.starling.store.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.starling.net.Network;
import org.starling.store.ChunkId;
import org.starling.store.NetworkReport;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;
import org.starling.store.ZoneMove;
import org.starling.store.internal.node.NodeMessage.Gone;
import org.starling.store.internal.node.NodeMessage.HandOver;

/**
 * Evens out what the peers' memories hold, one zone at a time: from the peer of whose memory most
 * is in use to the one of whose memory least is. Owned by {@link Node}; any thread, which waits.
 */
final class Rebalancer {
    /** Shares of memory in use that differ by less are taken for even. */
    static final double EVEN = 0.05;

    /** A copy of the zone may have to be made first. */
    private static final Duration HANDOVER_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration OWNER_PATIENCE = Duration.ofMinutes(1);
    private static final long ASK_AGAIN_NANOS = Duration.ofMillis(10).toNanos();

    private final Network network;
    private final Supplier<List<NodeInfo>> members;
    private final NetworkReports reports;

    /** Asks the directory for the owner of a chunk; fails while there is none. */
    private final LongFunction<CompletableFuture<Integer>> ownerNow;

    private record Peer(int id, long usedBytes, long limitBytes) {
        double share() {
            return (double) usedBytes / limitBytes;
        }
    }

    Rebalancer(
            Network network,
            Supplier<List<NodeInfo>> members,
            NetworkReports reports,
            LongFunction<CompletableFuture<Integer>> ownerNow) {
        this.network = network;
        this.members = members;
        this.reports = reports;
        this.ownerNow = ownerNow;
    }

    /**
     * Moves one zone.
     *
     * @return the move; empty if the peers are even, or no zone is small enough to make them more
     *     so
     * @throws StoreException if a zone was to go and stays, or does not answer
     */
    Optional<ZoneMove> step() {
        List<Peer> peers = peers();
        if (peers.size() < 2) {
            return Optional.empty();
        }
        Peer fullest = peers.getLast();
        Peer emptiest = peers.getFirst();
        double gap = fullest.share() - emptiest.share();
        if (gap < EVEN) {
            return Optional.empty();
        }
        // With so many bytes the two would be the same.
        long most = (long) (gap / (1.0 / fullest.limitBytes + 1.0 / emptiest.limitBytes));
        Gone gone = handOver(fullest.id, new HandOver(emptiest.id, most));
        if (!gone.failure().isEmpty()) {
            throw new StoreException(gone.failure());
        }
        if (gone.bytes() == 0) {
            return Optional.empty();
        }
        int owner = awaitOwner(gone.zone());
        return Optional.of(new ZoneMove(gone.zone(), gone.bytes(), fullest.id, owner));
    }

    private int awaitOwner(long zone) {
        long deadline = System.nanoTime() + OWNER_PATIENCE.toNanos();
        while (true) {
            try {
                return RemoteChunks.await(ownerNow.apply(ChunkId.ofZone(zone, 0)), false);
            } catch (MovedException nobody) {
                if (System.nanoTime() - deadline > 0) {
                    throw new StoreException(
                            "zone %x has been handed over, and nobody has taken it for %d s"
                                    .formatted(zone, OWNER_PATIENCE.toSeconds()),
                            nobody);
                }
                LockSupport.parkNanos(ASK_AGAIN_NANOS);
            }
        }
    }

    /** Those that keep copies and answer, by ascending share of memory in use. */
    private List<Peer> peers() {
        List<Integer> keeping =
                members.get().stream().filter(NodeInfo::keeps).map(NodeInfo::id).toList();
        List<Peer> peers = new ArrayList<>();
        for (NetworkReport report : reports.all()) {
            StoreStatistics held = report.chunks();
            if (keeping.contains(report.node()) && held.heapLimitBytes() > 0) {
                peers.add(new Peer(report.node(), held.heapUsedBytes(), held.heapLimitBytes()));
            }
        }
        peers.sort(Comparator.comparingDouble(Peer::share).thenComparingInt(Peer::id));
        return peers;
    }

    private Gone handOver(int owner, HandOver request) {
        CompletableFuture<Gone> answer;
        try {
            answer = network.request(owner, request, HANDOVER_TIMEOUT);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "node " + owner + " can't be asked to hand a zone over: " + e.getMessage(), e);
        }
        return RemoteChunks.await(answer, true);
    }
}
