package org.starling.benchmarks.faults;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.cluster.ClusterBench;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
import org.starling.graph.InvalidInputException;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * {@code bench recovery}: fills one peer of a cluster of real processes with chunks, kills it (or
 * it and, during the recovery, another one; or the superpeer that leads), and says how long it took
 * until the loss was known, until all chunks were served again, and until all had their copies
 * again. Every chunk is read back and compared. Or it kills nobody, and the peer hands half of its
 * zones over to others while they are read ({@link MovedZones}).
 *
 * <p>Zones are made so small that each surviving peer has several to recover.
 */
public final class RecoveryBench implements ClusterBench {
    /** Chunks in all. */
    public static final String CHUNKS = "chunks";

    /** Payload of each. */
    public static final String BYTES = "bytes";

    /** An owner and two backups, or no write is acknowledged. */
    private static final int LEAST_PEERS = 3;

    private static final int ZONES_PER_SURVIVOR = 4;
    private static final long MIN_ZONE_BYTES = 4L << 20;
    private static final long CLIENT_HEAP_BYTES = 1L << 20;
    private static final long LEAST_MEMORY = 256L << 20;

    /** Whom to kill. */
    private enum Victim {
        OWNER,
        TWO,
        SUPERPEER,
        NOBODY
    }

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public Map<String, @Nullable Object> run(BenchOrder order) {
        Victim victim = victim(order.kills());
        if (order.plan().peers() < LEAST_PEERS) {
            throw new InvalidInputException(
                    "bench recovery needs at least %d peers: an owner and two backups"
                            .formatted(LEAST_PEERS));
        }
        long chunks = order.number(CHUNKS);
        int bytes = Math.toIntExact(order.number(BYTES));
        ClusterPlan plan = plan(order.plan(), victim, chunks * (bytes + 1));
        order.progress().accept("starting " + plan.peers() + " peers");
        try (BenchCluster cluster = BenchCluster.start(plan, List.of());
                StoreNode client = client(cluster)) {
            return new Run(cluster, client, chunks, bytes, victim, order.progress()).run();
        }
    }

    /** One run on a cluster that is up. */
    private record Run(
            BenchCluster cluster,
            StoreNode client,
            RecoveryLoad load,
            long chunks,
            Victim victim,
            RecoveryWatch watch,
            Consumer<String> progress) {
        Run(
                BenchCluster cluster,
                StoreNode client,
                long chunks,
                int bytes,
                Victim victim,
                Consumer<String> progress) {
            this(
                    cluster,
                    client,
                    new RecoveryLoad(
                            client.chunks(),
                            chunks,
                            bytes,
                            cluster.processes().plan().tuning().zoneBytes()),
                    chunks,
                    victim,
                    new RecoveryWatch(client),
                    progress);
        }

        Map<String, @Nullable Object> run() {
            List<NodeInfo> peers =
                    watch.status().nodes().stream()
                            .filter(node -> node.role() == Role.PEER)
                            .filter(node -> (node.capabilities() & NodeOptions.STORES) != 0)
                            .toList();
            NodeInfo owner = peers.getFirst();
            long start = System.nanoTime();
            load.write(owner.id());
            double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
            progress.accept("wrote %,d chunks in %.1f s".formatted(chunks, seconds));
            watch.replicated();
            return switch (victim) {
                case NOBODY -> MovedZones.of(client, load, progress).tree();
                case SUPERPEER -> loseLeader().tree();
                case OWNER, TWO -> loseOwner(owner, peers.get(1)).tree();
            };
        }

        private RecoveryFigures loseOwner(NodeInfo owner, NodeInfo second) {
            CompletableFuture<Long> loss = watch.lossOf(owner.id());
            long killed = cluster.kill(cluster.at(owner.port()).name());
            progress.accept("killed the owner, node " + owner.id());
            long detected = RecoveryWatch.await(loss, "the loss of node " + owner.id());
            if (victim == Victim.TWO) {
                cluster.kill(cluster.at(second.port()).name());
                progress.accept("killed node " + second.id() + " as well");
            }
            List<Long> answers = answers();
            long replicated = watch.replicated();
            return figures(killed, detected, answers, chunks, replicated);
        }

        private RecoveryFigures loseLeader() {
            int leader = watch.status().leader();
            NodeInfo info =
                    watch.status().nodes().stream()
                            .filter(node -> node.id() == leader)
                            .findFirst()
                            .orElseThrow(() -> new ClusterException("nobody leads"));
            long killed = cluster.kill(cluster.at(info.port()).name());
            progress.accept("killed the leading superpeer, node " + leader);
            long detected = watch.leaderOtherThan(leader);
            long first = watch.directoryAnswer(load.oneOfEachZone().keySet().iterator().next());
            List<Long> answers = answers();
            long recovered = Math.max(first, Collections.max(answers));
            return figures(killed, detected, List.of(first, recovered), 0, watch.replicated());
        }

        private List<Long> answers() {
            List<Long> answers = watch.answers(load.oneOfEachZone(), load.bytes());
            if (answers.isEmpty()) {
                throw new ClusterException("no zone was served again");
            }
            return answers;
        }

        private RecoveryFigures figures(
                long killed, long detected, List<Long> answers, long recovered, long replicated) {
            progress.accept("reading all back");
            load.check();
            return new RecoveryFigures(
                    chunks,
                    load.bytes(),
                    recovered,
                    detected - killed,
                    Collections.min(answers) - killed,
                    Collections.max(answers) - killed,
                    replicated - killed,
                    load.lost(),
                    load.wrong());
        }
    }

    private static Victim victim(List<String> kills) {
        String word = kills.size() == 1 ? kills.getFirst() : "";
        for (Victim victim : Victim.values()) {
            if (victim.name().toLowerCase(Locale.ROOT).equals(word)) {
                return victim;
            }
        }
        throw new InvalidInputException(
                "bench recovery kills one of owner, two, superpeer and nobody");
    }

    private static ClusterPlan plan(ClusterPlan asked, Victim victim, long heldBytes) {
        NodeTuning usual = asked.tuning();
        long zone = heldBytes / ((long) ZONES_PER_SURVIVOR * (asked.peers() - 1));
        long largest = Math.max(MIN_ZONE_BYTES, usual.zoneBytes());
        NodeTuning tuning =
                usual.withTls(NodeTls.Word.OFF) // of which the client has no keys
                        .withZoneBytes(Math.clamp(zone, MIN_ZONE_BYTES, largest));
        int superpeers = victim == Victim.SUPERPEER ? 3 : asked.superpeers();
        long memory =
                victim == Victim.NOBODY // of much more, what one has would be even enough
                        ? Math.max(LEAST_MEMORY, 3 * heldBytes)
                        : asked.memoryBytesPerPeer();
        return ClusterPlan.of(asked.folder(), superpeers, asked.peers())
                .withPeerSizes(asked.threadsPerPeer(), memory)
                .withPorts(asked.basePort(), asked.restPort())
                .withTuning(tuning);
    }

    private static StoreNode client(BenchCluster cluster) {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        StoreConfig config =
                StoreConfig.defaults()
                        .withHeapBytes(CLIENT_HEAP_BYTES)
                        .withRequestTimeout(RecoveryWatch.PATIENCE);
        StoreConfig secured = config.withNet(config.net().withSecret(cluster.processes().secret()));
        NodeOptions options =
                NodeOptions.peer(anyPort, cluster.processes().superpeers(), secured)
                        .withCapabilities(0)
                        .withCores(1);
        return StoreNode.startPeer(options);
    }
}
