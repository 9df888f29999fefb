package org.starling.compute.internal.graph;

import java.util.ArrayList;
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
 * @param properties columns of vertices and edges that the graph was made with
 * @param propertyRanges of each shard the chunk of the first property's values, behind which those
 *     of the others follow; empty if there is nothing of the kind
 * @param stringBytes bytes of all dictionaries of strings, and of ids that are texts
 * @param textIds whether original ids are texts: then an id is the rank of its text among all of
 *     them, and behind each shard's properties lies a chunk with the texts of as many ranks as the
 *     shard has vertices, those from its first ordinal on ({@link TextIdsLayout})
 * @param number of the attempt that made its chunks, which no other graph has; 0 in what an older
 *     version has written
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
        long[] idChunks,
        List<StoredProperty> properties,
        long[] propertyRanges,
        long stringBytes,
        boolean textIds,
        long number) {
    /** Instead of the owner of a shard: it is not known. */
    public static final int NOBODY = -1;

    /** The weight of edges, which stands in the rows, as if it were a property. */
    private static final StoredProperty WEIGHT =
            new StoredProperty("weight", StateType.of(ColumnType.FLOAT), true);

    /** Takes what an older version has written, which knows no properties. */
    @SuppressWarnings("ConstantValue") // JSON has nulls
    public GraphDescriptor {
        properties = properties == null ? List.of() : List.copyOf(properties);
        propertyRanges = propertyRanges == null ? new long[0] : propertyRanges;
    }

    /** The same graph whose shards' owners are not known. */
    public GraphDescriptor withoutOwners() {
        int[] nobody = new int[shardOwners.length];
        Arrays.fill(nobody, NOBODY);
        return withOwners(nobody);
    }

    /** The same graph under another name. */
    public GraphDescriptor named(String newName) {
        return copy(newName, shardOwners, outRanges, inRanges, idChunks, propertyRanges);
    }

    /** The same graph with other owners of its shards. */
    public GraphDescriptor withOwners(int[] owners) {
        return copy(name, owners, outRanges, inRanges, idChunks, propertyRanges);
    }

    /** The same graph with some of its shards elsewhere. */
    public GraphDescriptor moved(List<MovedShard> moved) {
        if (moved.isEmpty()) {
            return this;
        }
        long[] out = outRanges.clone();
        long[] in = inRanges.clone();
        long[] ids = idChunks.clone();
        long[] values = propertyRanges.clone();
        for (MovedShard one : moved) {
            int shard = one.shard();
            out[shard] = one.out();
            ids[shard] = one.ids();
            if (hasOwnIncomingRows()) {
                in[shard] = one.in();
            }
            if (valueChunks() > 0) {
                values[shard] = one.properties();
            }
        }
        return copy(name, shardOwners, out, in, ids, values);
    }

    /** A copy of the graph that lies elsewhere. */
    public GraphDescriptor copy(
            String newName,
            int[] owners,
            long[] out,
            long[] in,
            long[] ids,
            long[] newPropertyRanges) {
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
                ids,
                properties,
                newPropertyRanges,
                stringBytes,
                textIds,
                number);
    }

    /** Chunks of each shard that has vertices, from that in {@code propertyRanges} on. */
    public int valueChunks() {
        return properties.size() + (textIds ? 1 : 0);
    }

    /** The chunk of each shard with the values of a property. */
    public long[] propertyChunks(int property) {
        return Arrays.stream(propertyRanges).map(first -> first + property).toArray();
    }

    /** The chunk with the texts of the ranks from a shard's first ordinal on. */
    public long textChunk(int shard) {
        return propertyRanges[shard] + properties.size();
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

    /** Index of a property of vertices, or of edges; -1 if there is none of that name. */
    public int property(String property, boolean ofEdges) {
        return StoredProperty.find(properties, property, ofEdges);
    }

    /** Properties of edges, and their weight if they have one. */
    public List<StoredProperty> edgeColumns() {
        List<StoredProperty> columns = new ArrayList<>();
        if (weighted) {
            columns.add(WEIGHT);
        }
        properties.stream().filter(StoredProperty::ofEdges).forEach(columns::add);
        return columns;
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
                shardOwners.length,
                textIds);
    }
}
