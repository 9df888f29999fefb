package org.starling.graph;

import java.lang.foreign.MemorySegment;

/**
 * Rows of neighbours. A row is ascending, without duplicates and without the vertex itself.
 *
 * <p>Which vertices have a row here depends on where it comes from: {@link Shard#adjacency()} has
 * those of the shard, {@link Declaration#wholeGraph()} all.
 */
public interface Adjacency {
    /** Number of neighbours of a vertex. */
    int degree(long ordinal);

    /**
     * Ordinal of the neighbour at {@code index}, 0 ≤ {@code index} &lt; {@code degree(ordinal)}.
     */
    long neighbour(long ordinal, int index);

    /** Weight of the edge at {@code index}; 1 in a graph without weights. */
    float weight(long ordinal, int index);

    /**
     * Copies a row.
     *
     * @param into receives {@code degree(ordinal)} ordinals from {@code offset} on
     * @return the degree
     * @throws IndexOutOfBoundsException if the row does not fit
     * @throws IllegalStateException if the graph's neighbours take 8 bytes ({@link
     *     GraphInfo#neighbourBytes()})
     */
    int copy(long ordinal, int[] into, int offset);

    /** True if there is an edge from {@code ordinal} to {@code neighbour}; by binary search. */
    boolean contains(long ordinal, long neighbour);

    /**
     * Offset in {@link #memory()} of a vertex's first neighbour, for kernels that own their loops:
     * {@code degree} integers in native order of {@link GraphInfo#neighbourBytes()} bytes each,
     * without alignment.
     */
    long address(long ordinal);

    /** Memory that {@link #address} points into. */
    MemorySegment memory();
}
