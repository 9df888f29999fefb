package org.starling.compute.internal.build;

import java.util.List;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.net.NativeMemory;

/**
 * Layout of edges in {@link Records} and blocks while a graph is made.
 *
 * <pre>
 *   first end (4 or 8) | second end (4 or 8) | weight (4, if weighted) | properties (if any)
 * </pre>
 *
 * Ends are ids as read from a sparse source (8 bytes); then ranks of ids; then, on the way and in
 * buckets, ordinal or index in the shard, and ordinal. Ranks and ordinals take as many bytes as
 * targets in rows.
 *
 * @param endBytes bytes of an end: 4, unsigned, or 8
 * @param weighted whether there are weights
 * @param properties of edges, beside the weight
 */
record EdgeRecords(int endBytes, boolean weighted, PropertyLayout properties) {
    private static final int WEIGHT_BYTES = Float.BYTES;
    private static final PropertyLayout NO_PROPERTIES = new PropertyLayout(List.of());

    /** Edges without properties. */
    EdgeRecords(int endBytes, boolean weighted) {
        this(endBytes, weighted, NO_PROPERTIES);
    }

    /** The same edges without properties. */
    EdgeRecords plain() {
        return new EdgeRecords(endBytes, weighted);
    }

    /** The same with ends of so many bytes. */
    EdgeRecords withEnds(int bytes) {
        return new EdgeRecords(bytes, weighted, properties);
    }

    /** Bytes of an edge. */
    int bytes() {
        return valuesOffset() + properties.bytes();
    }

    /** Whether there are properties. */
    boolean valued() {
        return properties.count() > 0;
    }

    /** Where the values of the properties stand. */
    long values(long at) {
        return at + valuesOffset();
    }

    /** Copies the values of another record's properties, if there are any. */
    void copyValues(long at, long values) {
        if (valued()) {
            NativeMemory.copy(values, values(at), properties.bytes());
        }
    }

    /** Writes an edge. */
    void write(long at, long first, long second, float weight) {
        AdjacencyLayout.store(at, endBytes, first);
        AdjacencyLayout.store(at + endBytes, endBytes, second);
        if (weighted) {
            NativeMemory.putFloat(at + 2L * endBytes, weight);
        }
    }

    /** The first end. */
    long first(long at) {
        return AdjacencyLayout.load(at, endBytes);
    }

    /** The second end. */
    long second(long at) {
        return AdjacencyLayout.load(at + endBytes, endBytes);
    }

    /** The weight; 1 if there are none. */
    float weight(long at) {
        return weighted ? NativeMemory.getFloat(at + 2L * endBytes) : 1f;
    }

    private int valuesOffset() {
        return 2 * endBytes + (weighted ? WEIGHT_BYTES : 0);
    }
}
