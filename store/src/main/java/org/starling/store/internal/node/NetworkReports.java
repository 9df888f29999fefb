package org.starling.store.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.store.NetworkReport;
import org.starling.store.NodeInfo;
import org.starling.store.StoreStatistics;
import org.starling.store.internal.node.NodeMessage.AskNetwork;
import org.starling.store.internal.node.NodeMessage.NetworkIs;

/**
 * Tells what this node's network has done and what chunks it holds, and asks the other members the
 * same. Owned by {@link Node}; any thread.
 */
final class NetworkReports {
    private static final Logger LOG = LogManager.getLogger(NetworkReports.class);

    /** After this a member that has not answered is left out. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Network network;
    private final Asker asker;
    private final Supplier<List<NodeInfo>> members;
    private final Supplier<StoreStatistics> chunks;

    NetworkReports(
            Network network, Supplier<List<NodeInfo>> members, Supplier<StoreStatistics> chunks) {
        this.network = network;
        asker = new Asker(network);
        this.members = members;
        this.chunks = chunks;
    }

    void serve() {
        network.serve(NodeMessage.ASK_NETWORK, Execution.WORKER, (source, question) -> own());
    }

    /** The reports of the members that answer, by ascending id; all are asked at once. */
    List<NetworkReport> all() {
        List<CompletableFuture<@Nullable NetworkReport>> answers = new ArrayList<>();
        for (NodeInfo member : members.get()) {
            CompletableFuture<NetworkIs> answer =
                    member.id() == network.nodeId()
                            ? CompletableFuture.completedFuture(own())
                            : asker.ask(member.id(), new AskNetwork(), PATIENCE);
            answers.add(
                    answer.<@Nullable NetworkReport>thenApply(report ->
                                    new NetworkReport(
                                            member.id(),
                                            report.transport(),
                                            report.statistics(),
                                            report.chunks()))
                            .exceptionally(failure -> {
                                LOG.debug("node {} does not report", member.id(), failure);
                                return null;
                            }));
        }
        return answers.stream()
                .map(CompletableFuture::join)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingInt(NetworkReport::node))
                .toList();
    }

    private NetworkIs own() {
        return new NetworkIs(network.transport(), network.statistics(), chunks.get());
    }
}
