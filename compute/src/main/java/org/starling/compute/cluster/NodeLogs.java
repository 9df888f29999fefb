package org.starling.compute.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.LogLine.Level;
import org.starling.compute.internal.protocol.QueryMessage.AskLog;
import org.starling.compute.internal.protocol.QueryMessage.LogTold;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;
import org.starling.net.Execution;
import org.starling.net.RecordMessage;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;

/** What nodes have logged lately: every node tells its own lines, superpeers ask for them. */
final class NodeLogs {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** One for all nodes of a process, whose lines are in one log. */
    private static final List<LogSource> SOURCES =
            ServiceLoader.load(LogSource.class).stream().map(ServiceLoader.Provider::get).toList();

    private NodeLogs() {}

    /** Keeps lines from now on, and tells them to whoever asks. */
    static void serve(StoreNode store) {
        SOURCES.forEach(LogSource::begin);
        store.network()
                .<LogTold, AskLog>serve(
                        RecordMessage.type(AskLog.class),
                        Execution.WORKER,
                        (source, question) -> new LogTold(JsonText.write(own(store, question))));
    }

    private static Map<String, @Nullable Object> own(StoreNode store, AskLog question) {
        int count = Math.clamp(question.count(), 0, LogLine.MAX_LINES);
        return new NodeLogView(store.nodeId(), last(count, Level.of(question.least()))).tree();
    }

    private static List<LogLine> last(int count, Level least) {
        return SOURCES.isEmpty() ? List.of() : SOURCES.getFirst().last(count, least);
    }

    /**
     * The last lines of a node.
     *
     * @throws InvalidInputException if it is no member
     * @throws ClusterException if it does not answer
     */
    static List<LogLine> of(StoreNode store, int node, int count, Level least) {
        List<Integer> members = store.status().nodes().stream().map(NodeInfo::id).toList();
        if (!members.contains(node)) {
            throw new InvalidInputException(
                    "node %d is no member of the cluster; nodes are %s".formatted(node, members));
        }
        if (node == store.nodeId()) {
            return last(count, least);
        }
        try {
            String json =
                    store.network()
                            .request(node, new AskLog(count, least.toString()), PATIENCE)
                            .join()
                            .json();
            return NodeLogView.of(JsonText.parse(json)).lines();
        } catch (CompletionException silent) {
            Throwable cause = Objects.requireNonNullElse(silent.getCause(), silent);
            throw new ClusterException(
                    "node %d does not tell what it has logged (%s); ask again"
                            .formatted(node, cause.getMessage()),
                    silent);
        }
    }
}
