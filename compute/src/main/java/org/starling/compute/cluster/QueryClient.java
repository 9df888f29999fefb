package org.starling.compute.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexId;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;

/** Questions about graphs of a running cluster, asked over REST. Any thread. */
final class QueryClient implements GraphQueries {
    private final ClusterClient client;

    QueryClient(ClusterClient client) {
        this.client = client;
    }

    @Override
    public Neighbours neighbours(
            String graph, long id, EdgeDirection direction, long offset, int limit) {
        return get(
                "%s/neighbours?direction=%s&offset=%d&limit=%d"
                        .formatted(vertex(graph, id), QueryJson.name(direction), offset, limit),
                QueryJson::neighbours);
    }

    @Override
    public VertexValue value(String graph, String column, long id) {
        return get(
                vertex(graph, id) + "/value?column=" + ClusterClient.encoded(column),
                QueryJson::value);
    }

    @Override
    public VertexPath path(String graph, long from, long to, int maxVertices, Duration time) {
        return get(
                "%s/path?from=%s&to=%s&maxVertices=%d&timeLimitMillis=%d"
                        .formatted(
                                ClusterClient.graphPath(graph),
                                VertexId.text(from),
                                VertexId.text(to),
                                maxVertices,
                                time.toMillis()),
                QueryJson::path);
    }

    private <T> T get(String path, Function<Map<?, ?>, T> reader) {
        return ClusterClient.read(client.get(path).good(), reader);
    }

    private static String vertex(String graph, long id) {
        return ClusterClient.graphPath(graph) + "/vertices/" + VertexId.text(id);
    }
}
