package org.starling.compute.internal.graph;

import org.starling.graph.GraphInfo;

/**
 * All that a node must know of a graph. It stands in a chunk under the graph's name, and every
 * slave holds a copy.
 *
 * @param name the graph's name
 * @param edges number of edges; an undirected edge counts once
 * @param directed whether edges have a direction
 * @param weighted whether edges have weights
 * @param dense whether the ids are consecutive from {@code firstId} on; otherwise each shard has a
 *     chunk of ids
 * @param firstId id of ordinal 0 in a dense graph
 * @param shardFirsts first ordinal of each shard, and behind them the number of vertices
 * @param shardOwners node of each shard when the graph was made, or as it is known now
 * @param outRanges first chunk id of each shard's rows of outgoing edges
 * @param inRanges the same for incoming edges; empty in an undirected graph
 * @param idChunks chunk of each shard's ids, 8 bytes each; empty in a dense graph
 * @param shardFirstIds id of each shard's first vertex; empty in a dense graph
 */
@SuppressWarnings("ArrayRecordComponent") // whoever makes one gives the arrays away
public record GraphDescriptor(
        String name,
        long edges,
        boolean directed,
        boolean weighted,
        boolean dense,
        long firstId,
        long[] shardFirsts,
        int[] shardOwners,
        long[] outRanges,
        long[] inRanges,
        long[] idChunks,
        long[] shardFirstIds) {
    /** The same graph with other owners of its shards. */
    public GraphDescriptor withOwners(int[] owners) {
        return new GraphDescriptor(
                name,
                edges,
                directed,
                weighted,
                dense,
                firstId,
                shardFirsts,
                owners,
                outRanges,
                inRanges,
                idChunks,
                shardFirstIds);
    }

    /** Number of vertices. */
    public long vertices() {
        return shardFirsts[shardOwners.length];
    }

    /** What users are told. */
    public GraphInfo info() {
        return new GraphInfo(
                name,
                vertices(),
                edges,
                directed,
                weighted,
                AdjacencyLayout.TARGET_BYTES,
                shardOwners.length);
    }
}
