package org.starling.graph;

/**
 * What one peer holds of a graph, replicas and states of programs not included.
 *
 * @param node the peer
 * @param shards number of its shards
 * @param vertices their vertices
 * @param storedNeighbours entries in their rows; of a directed graph both those of outgoing and
 *     those of incoming edges
 * @param neighbourBytes memory of these entries, weights included
 * @param vertexBytes all other memory that the vertices take: table entries, lengths of rows, ids,
 *     bitmaps
 */
public record GraphShare(
        int node,
        int shards,
        long vertices,
        long storedNeighbours,
        long neighbourBytes,
        long vertexBytes) {
    /** All memory of the share. */
    public long bytes() {
        return neighbourBytes + vertexBytes;
    }
}
