package org.starling.algorithms.sssp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.starling.graph.Adjacency;

/**
 * Rows of a few vertices that are looked at together, and the filter that finds light edges in
 * them. Confined to a worker.
 *
 * <p>Almost all time of a search goes into waiting for memory: for table entries, rows and labels,
 * each in another place. So every step is made for all vertices before the next one is made for
 * any, which lets the processor wait for many of them at once.
 */
final class RowBatch {
    /** Most vertices of a batch. */
    static final int CAPACITY = Chunk.CAPACITY;

    /** Most edges of a row that are filtered in one go; even. */
    static final int BLOCK = 512;

    private static final long SIGNS = 0x8000_0000_8000_0000L;
    private static final long LANES = 0x0000_0001_0000_0001L;
    private static final int LARGEST = Float.floatToRawIntBits(Float.MAX_VALUE);

    private static final int LINE_BYTES = 64;

    /** Edges of a row that are called from memory; of longer ones the processor sees what comes. */
    private static final int TOUCHED = 256;

    private final boolean weighted;
    private final int[] vertices = new int[CAPACITY];
    private final long[] rows = new long[CAPACITY];
    private final int[] degrees = new int[CAPACITY];
    private final int[] hits = new int[BLOCK + 1];
    private int size;
    private int touched;

    RowBatch(boolean weighted) {
        this.weighted = weighted;
    }

    /** Begins with no vertex. */
    void clear() {
        size = 0;
    }

    /** Adds a vertex if there is room; answers its index. */
    int add(int vertex) {
        vertices[size] = vertex;
        return size++;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == CAPACITY;
    }

    int vertex(int index) {
        return vertices[index];
    }

    int degree(int index) {
        return degrees[index];
    }

    /** Finds all rows, and sees that they are on their way from memory. */
    void locate(Adjacency adjacency) {
        for (int i = 0; i < size; i++) {
            rows[i] = adjacency.address(vertices[i]);
        }
        for (int i = 0; i < size; i++) {
            degrees[i] = adjacency.degree(vertices[i]);
        }
        MemorySegment memory = adjacency.memory();
        int sum = 0;
        for (int i = 0; i < size; i++) {
            long begin = weighted ? 4L * degrees[i] : 0;
            long end = begin + 4L * Math.min(degrees[i], TOUCHED);
            for (long at = begin; at < end; at += LINE_BYTES) {
                sum += memory.get(ValueLayout.JAVA_BYTE, rows[i] + at);
            }
        }
        touched = sum;
    }

    /** Where the targets of a block of edges begin. */
    long targets(int index, int first) {
        return rows[index] + 4L * first;
    }

    /** Distance in bytes between an edge's target and its weight. */
    long weightOffset(int index) {
        return 4L * degrees[index];
    }

    /** Index within its block of an edge that {@link #select} found. */
    int hit(int number) {
        return hits[number];
    }

    /** The least bits of a weight that is too heavy, but for rounding, to stay below a sum. */
    static int limit(float distance, float below) {
        return Math.min(LARGEST, Float.floatToRawIntBits(Math.nextUp(below - distance)));
    }

    /**
     * Finds the edges of a block whose weights have bits up to {@code limit}.
     *
     * <p>Weights are not negative, so that they are ordered as their bits are, and two of them are
     * compared in one word: a sign stays where a weight is not larger than the limit. No branch
     * depends on weights.
     *
     * @return how many {@link #hit} knows
     */
    int select(MemorySegment memory, int index, int first, int count, int limit) {
        if (!weighted) {
            return selectAll(count);
        }
        long weights = targets(index, first) + weightOffset(index);
        long limits = SIGNS | LANES * limit;
        int found = 0;
        int i = 0;
        for (; i + 1 < count; i += 2) {
            long two = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, weights + 4L * i);
            long light = limits - (two & ~SIGNS);
            hits[found] = i;
            found += (int) (light >>> 31) & 1;
            hits[found] = i + 1;
            found += (int) (light >>> 63);
        }
        if (i < count) {
            int one = memory.get(ValueLayout.JAVA_INT_UNALIGNED, weights + 4L * i);
            hits[found] = i;
            found += (one & Integer.MAX_VALUE) <= limit ? 1 : 0;
        }
        return found;
    }

    /** Keeps a sum alive that was made for the sake of reading what it is made of. */
    int touched() {
        return touched;
    }

    private int selectAll(int count) {
        for (int i = 0; i < count; i++) {
            hits[i] = i;
        }
        return count;
    }
}
