package org.starling.algorithms.orientation;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import org.starling.graph.Adjacency;

/** An undirected graph in arrays, for kernels that are tested without an engine. */
public final class ArrayGraph implements Adjacency {
    private final int[][] rows;

    private ArrayGraph(int[][] rows) {
        this.rows = rows;
    }

    /** A graph of edges {@code {u, v}}; self-loops and duplicates are dropped. */
    public static ArrayGraph of(int vertices, Collection<int[]> edges) {
        return ofPairs(
                vertices,
                edges.stream().mapToLong(edge -> (long) edge[0] << 32 | edge[1]).toArray());
    }

    /** A graph of edges {@code u << 32 | v}; self-loops and duplicates are dropped. */
    public static ArrayGraph ofPairs(int vertices, long[] edges) {
        int[] degree = new int[vertices];
        for (long edge : edges) {
            degree[(int) (edge >>> 32)]++;
            degree[(int) edge]++;
        }
        int[][] rows = new int[vertices][];
        for (int vertex = 0; vertex < vertices; vertex++) {
            rows[vertex] = new int[degree[vertex]];
        }
        for (long edge : edges) {
            int source = (int) (edge >>> 32);
            int target = (int) edge;
            rows[source][--degree[source]] = target;
            rows[target][--degree[target]] = source;
        }
        for (int vertex = 0; vertex < vertices; vertex++) {
            rows[vertex] = simple(rows[vertex], vertex);
        }
        return new ArrayGraph(rows);
    }

    /** Number of vertices. */
    public int vertices() {
        return rows.length;
    }

    /** Number of edges. */
    public long edges() {
        return Arrays.stream(rows).mapToLong(row -> row.length).sum() / 2;
    }

    @Override
    public int degree(long ordinal) {
        return rows[(int) ordinal].length;
    }

    @Override
    public long neighbour(long ordinal, int index) {
        return rows[(int) ordinal][index];
    }

    @Override
    public float weight(long ordinal, int index) {
        return 1f;
    }

    @Override
    public int copy(long ordinal, int[] into, int offset) {
        int[] row = rows[(int) ordinal];
        System.arraycopy(row, 0, into, offset, row.length);
        return row.length;
    }

    @Override
    public boolean contains(long ordinal, long neighbour) {
        return Arrays.binarySearch(rows[(int) ordinal], (int) neighbour) >= 0;
    }

    @Override
    public long address(long ordinal) {
        throw new UnsupportedOperationException("rows are arrays");
    }

    @Override
    public MemorySegment memory() {
        throw new UnsupportedOperationException("rows are arrays");
    }

    private static int[] simple(int[] row, int self) {
        return Arrays.stream(row).filter(v -> v != self).sorted().distinct().toArray();
    }
}
