package org.starling.compute.internal.graph;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.graph.GraphInfo;
import org.starling.store.ChunkId;

/**
 * All that a node must know of a graph. It stands in a chunk under the graph's name, and every
 * slave holds a copy.
 *
 * @param name the graph's name
 * @param edges number of edges; an undirected edge counts once
 * @param directed whether edges have a direction
 * @param weighted whether edges have weights
 * @param incoming whether rows of incoming edges are stored
 * @param neighbourBytes bytes per target in rows
 * @param idRuns first ordinals of runs of vertices whose ids ascend: a run for each group of
 *     degrees
 * @param shardFirsts first ordinal of each shard, and behind them the number of vertices
 * @param shardOwners node of each shard when the graph was made, or as it is known now
 * @param outRanges first chunk id of each shard's rows of outgoing edges
 * @param inRanges the same for incoming edges; empty in an undirected graph, and if they are not
 *     stored
 * @param idChunks chunk of each shard's ids, 8 bytes each
 */
@SuppressWarnings("ArrayRecordComponent") // whoever makes one gives the arrays away
public record GraphDescriptor(
        String name,
        long edges,
        boolean directed,
        boolean weighted,
        boolean incoming,
        int neighbourBytes,
        long[] idRuns,
        long[] shardFirsts,
        int[] shardOwners,
        long[] outRanges,
        long[] inRanges,
        long[] idChunks) {
    /** Instead of the owner of a shard: it is not known. */
    public static final int NOBODY = -1;

    /** The same graph whose shards' owners are not known. */
    public GraphDescriptor withoutOwners() {
        int[] nobody = new int[shardOwners.length];
        Arrays.fill(nobody, NOBODY);
        return withOwners(nobody);
    }

    /** The same graph under another name. */
    public GraphDescriptor named(String newName) {
        return new GraphDescriptor(
                newName,
                edges,
                directed,
                weighted,
                incoming,
                neighbourBytes,
                idRuns,
                shardFirsts,
                shardOwners,
                outRanges,
                inRanges,
                idChunks);
    }

    /** The same graph with other owners of its shards. */
    public GraphDescriptor withOwners(int[] owners) {
        return new GraphDescriptor(
                name,
                edges,
                directed,
                weighted,
                incoming,
                neighbourBytes,
                idRuns,
                shardFirsts,
                owners,
                outRanges,
                inRanges,
                idChunks);
    }

    /** A copy of the graph that lies elsewhere. */
    public GraphDescriptor copy(String newName, int[] owners, long[] out, long[] in, long[] ids) {
        return new GraphDescriptor(
                newName,
                edges,
                directed,
                weighted,
                incoming,
                neighbourBytes,
                idRuns,
                shardFirsts,
                owners,
                out,
                in,
                ids);
    }

    /** A chunk of each zone that the graph lies in. */
    public List<Long> zones() {
        Map<Long, Long> zones = new TreeMap<>();
        for (int shard = 0; shard < outRanges.length; shard++) {
            if (shardFirsts[shard] < shardFirsts[shard + 1]) {
                zones.putIfAbsent(ChunkId.zone(outRanges[shard]), outRanges[shard]);
            }
        }
        return List.copyOf(zones.values());
    }

    /** Whether rows of incoming edges are stored beside those of outgoing ones. */
    public boolean hasOwnIncomingRows() {
        return directed && incoming;
    }

    /** How rows are laid out. */
    public AdjacencyLayout rowLayout() {
        return new AdjacencyLayout(neighbourBytes, weighted);
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
                incoming,
                neighbourBytes,
                shardOwners.length);
    }
}
