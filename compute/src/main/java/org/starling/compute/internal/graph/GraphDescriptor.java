package org.starling.compute.internal.graph;

import org.starling.graph.GraphInfo;
import org.starling.net.Exporter;
import org.starling.net.Importer;

/**
 * All that a node must know of a graph. It stands in a chunk under the graph's name, and every slave holds a copy.
 *
 * @param name the graph's name
 * @param edges number of edges; an undirected edge counts once
 * @param directed whether edges have a direction
 * @param weighted whether edges have weights
 * @param dense whether the ids are consecutive from {@code firstId} on; otherwise each shard has a chunk of ids
 * @param firstId id of ordinal 0 in a dense graph
 * @param shardFirsts first ordinal of each shard, and behind them the number of vertices
 * @param shardOwners node of each shard
 * @param outRanges first chunk id of each shard's rows of outgoing edges
 * @param inRanges the same for incoming edges; empty in an undirected graph
 * @param idChunks chunk of each shard's ids, 8 bytes each; empty in a dense graph
 * @param shardFirstIds id of each shard's first vertex; empty in a dense graph
 */
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
    /** Version of the written form. */
    private static final byte VERSION = 1;

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

    /** Writes all fields. */
    public void write(Exporter out) {
        out.writeByte(VERSION);
        out.writeString(name);
        out.writeLong(edges);
        out.writeBoolean(directed);
        out.writeBoolean(weighted);
        out.writeBoolean(dense);
        out.writeLong(firstId);
        out.writeLongs(shardFirsts);
        out.writeInts(shardOwners);
        out.writeLongs(outRanges);
        out.writeLongs(inRanges);
        out.writeLongs(idChunks);
        out.writeLongs(shardFirstIds);
    }

    /** Reads what {@link #write} wrote. */
    public static GraphDescriptor read(Importer in) {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new IllegalArgumentException("graph descriptor of version " + version);
        }
        return new GraphDescriptor(
                in.readString(),
                in.readLong(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readLong(),
                in.readLongs(),
                in.readInts(),
                in.readLongs(),
                in.readLongs(),
                in.readLongs(),
                in.readLongs());
    }
}
