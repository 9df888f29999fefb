package org.starling.compute.cluster;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.starling.net.ClusterSecret;

/**
 * The nodes of a {@link ClusterPlan} inside this process, with real sockets, disks and API
 * endpoints. Nobody can kill one of them by itself; whoever wants that starts a {@link
 * LocalCluster}. Used by one thread.
 */
public final class InProcessCluster implements AutoCloseable {
    private final ClusterPlan plan;

    /** Those that have not ended, by id: superpeers have the first ones. */
    private final ConcurrentNavigableMap<Integer, RunningNode> nodes =
            new ConcurrentSkipListMap<>();

    private InProcessCluster(ClusterPlan plan) {
        this.plan = plan;
    }

    /**
     * Starts all nodes at once and waits until each is a member.
     *
     * @throws org.starling.graph.InvalidInputException if the plan's folder can't be used
     * @throws ClusterException if a node does not become a member
     */
    public static InProcessCluster start(ClusterPlan plan) {
        ClusterFolder folder = new ClusterFolder(plan.folder());
        folder.make();
        folder.makeToken();
        ClusterSecret secret = folder.secret();
        ClusterRoster roster = new ClusterRoster(plan, folder);
        InProcessCluster cluster = new InProcessCluster(plan);
        List<CompletableFuture<?>> starts = new ArrayList<>();
        try (ExecutorService starters = Executors.newThreadPerTaskExecutor(Thread::new)) {
            for (String name : roster.names()) {
                NodeSettings settings = roster.settings(name);
                starts.add(
                        CompletableFuture.runAsync(
                                () -> cluster.take(RunningNode.start(settings, secret)), starters));
            }
        }
        try {
            starts.forEach(CompletableFuture::join);
            return cluster;
        } catch (CompletionException failed) {
            cluster.close();
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private void take(RunningNode node) {
        nodes.put(node.nodeId(), node);
        CompletableFuture<?> _ =
                node.drained().thenRunAsync(() -> letGo(node), Thread::startVirtualThread);
    }

    /** A node that was asked to leave, and has nothing to do any more. */
    private void letGo(RunningNode node) {
        node.handOver(NodeProcess.DRAIN_PATIENCE);
        end(node);
    }

    private void end(RunningNode node) {
        if (nodes.remove(node.nodeId(), node)) {
            node.close();
        }
    }

    /** A client of its REST interfaces. */
    public ClusterClient client() {
        List<URI> urls = IntStream.range(0, plan.superpeers()).mapToObj(plan::url).toList();
        return new ClusterClient(
                urls, AccessToken.read(new ClusterFolder(plan.folder()).tokenFile()));
    }

    /** Stops the superpeers first, as {@link LocalCluster#stop} does. */
    @Override
    public void close() {
        nodes.values().forEach(this::end);
    }
}
