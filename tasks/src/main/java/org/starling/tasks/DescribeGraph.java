package org.starling.tasks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphShare;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.info}: how large a graph is, and what memory it takes on whom. */
public final class DescribeGraph implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.info",
                        "Tells how large a graph is and what memory it takes, without states.")
                .with(CommonArguments.graph())
                .returns("vertices", "integer", "number of vertices")
                .returns("edges", "integer", "number of edges; an undirected one counts once")
                .returns("directed", "boolean", "whether edges have a direction")
                .returns("weighted", "boolean", "whether edges have weights")
                .returns("incoming", "boolean", "whether rows of incoming edges are stored")
                .returns("neighbourBytes", "integer", "bytes of a neighbour in a row: 4 or 8")
                .returns("shards", "integer", "number of shards")
                .returns(
                        "storedEdges",
                        "integer",
                        "entries in rows: each edge stands in those of both its ends, or only"
                                + " in those of its source if incoming ones are not stored")
                .returns("bytes", "integer", "memory of the graph, without replicas")
                .returns("bytesPerStoredEdge", "number", "of entries in rows, weights included")
                .returns(
                        "bytesPerVertex",
                        "number",
                        "of all else: table entries, lengths of rows, ids, bitmaps")
                .returns(
                        "peers",
                        "list",
                        "node, shards, vertices, storedEdges and bytes of each peer");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        GraphInfo graph = context.graphs().info(arguments.text("graph"));
        List<GraphShare> shares = context.graphs().shares(graph.name());
        long stored = shares.stream().mapToLong(GraphShare::storedNeighbours).sum();
        long edgeBytes = shares.stream().mapToLong(GraphShare::neighbourBytes).sum();
        long vertexBytes = shares.stream().mapToLong(GraphShare::vertexBytes).sum();
        return new TaskResult()
                .put("vertices", graph.vertices())
                .put("edges", graph.edges())
                .put("directed", graph.directed())
                .put("weighted", graph.weighted())
                .put("incoming", graph.incoming())
                .put("neighbourBytes", graph.neighbourBytes())
                .put("shards", graph.shards())
                .put("storedEdges", stored)
                .put("bytes", edgeBytes + vertexBytes)
                .put("bytesPerStoredEdge", (double) edgeBytes / Math.max(1, stored))
                .put("bytesPerVertex", (double) vertexBytes / Math.max(1, graph.vertices()))
                .put("peers", peers(shares));
    }

    private static List<Map<String, Object>> peers(List<GraphShare> shares) {
        List<Map<String, Object>> peers = new ArrayList<>();
        for (GraphShare share : shares) {
            Map<String, Object> peer = new LinkedHashMap<>();
            peer.put("node", share.node());
            peer.put("shards", share.shards());
            peer.put("vertices", share.vertices());
            peer.put("storedEdges", share.storedNeighbours());
            peer.put("bytes", share.bytes());
            peers.add(peer);
        }
        return peers;
    }
}
