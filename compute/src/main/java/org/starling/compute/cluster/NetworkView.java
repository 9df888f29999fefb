package org.starling.compute.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.RecordJson;
import org.starling.net.NetStatistics;
import org.starling.store.NetworkReport;

/**
 * What the network of one node has done since it was opened, and the chunks that it holds: figures
 * by name, as REST gives them. {@code openapi.json} says what each means.
 *
 * @param node its id
 * @param transport by what it talks, with the settings in force, for people
 * @param figures of the node as a whole
 * @param connections with every other node, by ascending id; the figure {@value #NODE} is that id
 */
public record NetworkView(
        int node,
        String transport,
        Map<String, Number> figures,
        List<Map<String, Number>> connections) {
    /** Name of the figure that says with whom a connection is. */
    public static final String NODE = "node";

    /** Copies the figures. */
    public NetworkView {
        figures = copy(figures);
        connections = connections.stream().map(NetworkView::copy).toList();
    }

    static NetworkView of(NetworkReport report) {
        NetStatistics statistics = report.statistics();
        NetStatistics.RoundTrips trips = statistics.roundTrips();
        NetStatistics.Queues queues = statistics.queues();
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("malformed", statistics.malformed());
        figures.put("refused", statistics.refused());
        figures.put("unhandled", statistics.unhandled());
        figures.put("unanswered", statistics.unanswered());
        figures.put("handlerFailures", statistics.handlerFailures());
        figures.put("receivingFailures", statistics.receivingFailures());
        figures.put("lost", statistics.lost());
        figures.put("retired", statistics.retired());
        figures.put("nativeBytes", statistics.nativeBytes());
        figures.put("roundTrips", trips.count());
        figures.put("roundTripP50Micros", trips.p50Micros());
        figures.put("roundTripP99Micros", trips.p99Micros());
        figures.put("roundTripP999Micros", trips.p999Micros());
        figures.put("roundTripMaxMicros", trips.maxMicros());
        figures.put("pendingRequests", (long) queues.pendingRequests());
        figures.put("waitingTasks", queues.waitingTasks());
        figures.put("workers", (long) queues.workers());
        figures.put("overflowBytes", queues.overflowBytes());
        figures.put("lentBuffers", (long) queues.lentBuffers());
        figures.put("keptBuffers", (long) queues.keptBuffers());
        figures.put("chunks", report.chunks().chunks());
        figures.put("chunkPayloadBytes", report.chunks().payloadBytes());
        figures.put("chunkHeapBytes", report.chunks().heapUsedBytes());
        figures.put("chunkHeapLimitBytes", report.chunks().heapLimitBytes());
        return new NetworkView(
                report.node(),
                report.transport(),
                figures,
                statistics.connections().stream().map(NetworkView::figures).toList());
    }

    private static Map<String, Number> figures(NetStatistics.Connection connection) {
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put(NODE, (long) connection.node());
        figures.put("sentMessages", connection.sentMessages());
        figures.put("sentBytes", connection.sentBytes());
        figures.put("writes", connection.writes());
        figures.put("aggregationFactor", connection.aggregationFactor());
        figures.put("stalls", connection.stalls());
        figures.put("stallNanos", connection.stallNanos());
        figures.put("unconfirmedBytes", connection.unconfirmedBytes());
        figures.put("receivedMessages", connection.receivedMessages());
        figures.put("receivedBytes", connection.receivedBytes());
        return figures;
    }

    /** As a JSON tree. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(this);
        tree.remove("figures");
        tree.putAll(figures);
        return tree;
    }

    /**
     * Reads what {@link #tree} makes.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static NetworkView of(Map<?, ?> tree) {
        NetworkView named = RecordJson.PLAIN.of(NetworkView.class, tree);
        Map<String, Number> figures = new LinkedHashMap<>();
        tree.forEach((name, value) -> {
            if (value instanceof Number number && !name.equals(NODE)) {
                figures.put(name.toString(), number);
            }
        });
        return new NetworkView(named.node, named.transport, figures, named.connections);
    }

    /** Keeps the order, in which people read them. */
    private static Map<String, Number> copy(Map<String, Number> figures) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
}
