package org.starling.compute.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.RecordJson;

/**
 * All about a graph that a cluster keeps.
 *
 * @param graph what lists say, too
 * @param created when it was made, in ISO 8601
 * @param lastUsed when a job has begun to use it last
 * @param jobs running jobs that use it
 * @param peers what each peer holds, of those that answer
 */
public record GraphDetail(
        GraphView graph, String created, String lastUsed, List<Long> jobs, List<Share> peers) {
    /**
     * A peer's share.
     *
     * @param node the peer
     * @param shards number of its shards
     * @param vertices number of its vertices
     * @param bytes memory of their rows and ids
     */
    public record Share(int node, long shards, long vertices, long bytes) {}

    /** Copies the lists. */
    public GraphDetail {
        jobs = List.copyOf(jobs);
        peers = List.copyOf(peers);
    }

    /** As a JSON tree: that of the graph, with more members. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = graph.tree();
        Map<String, @Nullable Object> more = RecordJson.PLAIN.tree(this);
        more.remove("graph");
        tree.putAll(more);
        return tree;
    }

    /**
     * Reads what {@link #tree} made.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static GraphDetail of(Map<?, ?> tree) {
        record More(String created, String lastUsed, List<Long> jobs, List<Share> peers) {}
        More more = RecordJson.PLAIN.of(More.class, tree);
        return new GraphDetail(
                RecordJson.PLAIN.of(GraphView.class, tree),
                more.created,
                more.lastUsed,
                more.jobs,
                more.peers);
    }
}
