package org.starling.algorithms.sssp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.starling.graph.Adjacency;

/**
 * Walks along the edges of a few vertices at a time and offers their ends what is better than they
 * have. Confined to a worker.
 */
final class EdgeWalk {
    private static final int OFFERS = 4 * RowBatch.BLOCK;

    private final boolean weighted;
    private final SharedSearch shared;
    private final Offers sink;
    private final RowBatch batch;
    private final boolean[] firsts = new boolean[RowBatch.CAPACITY];
    private final float[] distances = new float[RowBatch.CAPACITY];
    private final int[] targets = new int[OFFERS + 1];
    private final long[] offered = new long[OFFERS + 1];
    private final long[] known = new long[OFFERS];
    private int offers;
    private long edges;
    private long newEdges;

    /** Takes offers that seem to be better. */
    @FunctionalInterface
    interface Offers {
        void offer(int target, long label);
    }

    EdgeWalk(boolean weighted, SharedSearch shared, Offers sink) {
        this.weighted = weighted;
        this.shared = shared;
        this.sink = sink;
        this.batch = new RowBatch(weighted);
    }

    /** Begins to count edges anew. */
    void enter() {
        edges = 0;
        newEdges = 0;
    }

    /** Edges looked at. */
    long edges() {
        return edges;
    }

    /** Edges of vertices that were walked from for the first time. */
    long newEdges() {
        return newEdges;
    }

    /** Begins with no vertex. */
    void begin() {
        batch.clear();
    }

    /** Adds a vertex; at most as many as a chunk has. */
    void add(int vertex, float distance, boolean first) {
        int index = batch.add(vertex);
        distances[index] = distance;
        firsts[index] = first;
    }

    /**
     * Offers paths over all vertices that were added, of lengths from {@code from} on below {@code
     * to}.
     */
    void go(Adjacency adjacency, float from, float to) {
        batch.locate(adjacency);
        MemorySegment memory = adjacency.memory();
        for (int i = 0; i < batch.size(); i++) {
            int degree = batch.degree(i);
            edges += degree;
            newEdges += firsts[i] ? degree : 0;
            for (int first = 0; first < degree; first += RowBatch.BLOCK) {
                int size = Math.min(RowBatch.BLOCK, degree - first);
                if (offers + size > OFFERS) {
                    settle();
                }
                walk(memory, i, first, size, from, to);
            }
        }
        settle();
    }

    private void walk(MemorySegment memory, int index, int first, int size, float from, float to) {
        float distance = distances[index];
        int vertex = batch.vertex(index);
        long row = batch.targets(index, first);
        long toWeight = batch.weightOffset(index);
        int found = batch.select(memory, index, first, size, RowBatch.limit(distance, to));
        int end = offers;
        for (int hit = 0; hit < found; hit++) {
            long at = row + 4L * batch.hit(hit);
            float weight =
                    weighted ? memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at + toWeight) : 1f;
            float length = distance + weight;
            targets[end] = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            offered[end] = Label.over(vertex, distance, length);
            end += length >= from && length < to ? 1 : 0;
        }
        offers = end;
    }

    /** Makes the offers that have been collected. */
    private void settle() {
        for (int i = 0; i < offers; i++) {
            known[i] = shared.label(targets[i]);
        }
        for (int i = 0; i < offers; i++) {
            if (offered[i] < known[i]) {
                sink.offer(targets[i], offered[i]);
            }
        }
        offers = 0;
    }
}
