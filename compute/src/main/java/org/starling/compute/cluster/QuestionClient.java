package org.starling.compute.cluster;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeDirection;

/** Questions about graphs of a running cluster as people ask them, over REST. Any thread. */
final class QuestionClient implements VertexQuestions {
    private final ClusterClient client;

    QuestionClient(ClusterClient client) {
        this.client = client;
    }

    @Override
    public Map<String, @Nullable Object> neighbours(
            String graph, String vertex, EdgeDirection direction, long offset, int limit) {
        return get(
                vertex(graph, vertex, "neighbours")
                        + "direction=%s&offset=%d&limit=%d"
                                .formatted(QueryJson.name(direction), offset, limit));
    }

    @Override
    public Map<String, @Nullable Object> value(String graph, String column, String vertex) {
        return get(vertex(graph, vertex, "value") + "column=" + ClusterClient.encoded(column));
    }

    @Override
    public Map<String, @Nullable Object> path(
            String graph, String from, String to, int maxVertices, Duration time) {
        return get(
                "%s/path?from=%s&to=%s&maxVertices=%d&timeLimitMillis=%d"
                        .formatted(
                                ClusterClient.graphPath(graph),
                                ClusterClient.encoded(from),
                                ClusterClient.encoded(to),
                                maxVertices,
                                time.toMillis()));
    }

    private Map<String, @Nullable Object> get(String path) {
        return ClusterClient.read(client.get(path).good(), QuestionClient::copy);
    }

    private static Map<String, @Nullable Object> copy(Map<?, ?> answer) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        answer.forEach((name, value) -> tree.put(String.valueOf(name), value));
        return tree;
    }

    /** An id may have in it what a path can't. */
    private static String vertex(String graph, String vertex, String what) {
        return "%s/vertices/-/%s?id=%s&"
                .formatted(ClusterClient.graphPath(graph), what, ClusterClient.encoded(vertex));
    }
}
