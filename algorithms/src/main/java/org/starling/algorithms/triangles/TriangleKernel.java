package org.starling.algorithms.triangles;

import java.util.Arrays;
import org.starling.algorithms.orientation.OrientedGraph;

/**
 * Counts the triangles at each vertex, finding each triangle once, at its vertex of the largest
 * rank.
 *
 * <p>Source: the "forward" algorithm (Schank and Wagner, "Finding, counting and listing all
 * triangles in large graphs", WEA 2005; Latapy, Theoret. Comput. Sci. 407, 2008) on a graph that is
 * directed by degree: for u and each neighbour v of smaller rank, common neighbours w of u and v of
 * a still smaller rank are looked for in the cheaper of two ways. Either v's row is gone through
 * and each w looked up among the marked neighbours of u; or, if v is a hub with a longer row, the
 * neighbours of u before v are gone through and each looked up among the bits of v. Both loops
 * count without branching on what they find.
 *
 * <p>Invariants between calls: no vertex is marked. Complexity O(Σ over edges of the shorter row)
 * &sube; O(m^1.5). Memory: 9 bytes per vertex. Confined to one worker.
 */
final class TriangleKernel {
    private final OrientedGraph graph;
    private final HubMatrix hubs;
    private final CornerCounts corners;
    private final long[] counts;

    /** 1 for neighbours of the vertex being worked on, else 0. */
    private final byte[] marked;

    /** Triangles of that vertex by the index of the neighbour that is their smallest rank. */
    private final int[] closed;

    TriangleKernel(OrientedGraph graph, HubMatrix hubs) {
        this.graph = graph;
        this.hubs = hubs;
        this.corners = new CornerCounts(graph.vertices());
        this.counts = corners.byRank();
        this.marked = new byte[graph.vertices()];
        this.closed = new int[graph.largestDegree()];
    }

    /**
     * Adds the triangles of which {@code u} has the largest rank to the counts of their three
     * vertices.
     *
     * @return number of these triangles
     */
    long count(int u) {
        int begin = graph.begin(u);
        int end = graph.end(u);
        if (end - begin < 2) {
            return 0;
        }
        mark(begin, end, (byte) 1);
        Arrays.fill(closed, 0, end - begin, 0);
        long found = 0;
        for (int index = begin + 1; index < end; index++) {
            int v = graph.neighbour(index);
            boolean fewerBefore = index - begin < graph.degree(v);
            int closing =
                    v < hubs.hubs() && fewerBefore
                            ? amongBits(hubs.row(v), begin, index)
                            : amongMarked(v);
            counts[v] += closing;
            found += closing;
        }
        for (int index = begin; index < end; index++) {
            counts[graph.neighbour(index)] += closed[index - begin];
        }
        counts[u] += found;
        mark(begin, end, (byte) 0);
        return found;
    }

    /** What has been counted since it was drained. */
    CornerCounts corners() {
        return corners;
    }

    private int amongBits(int row, int begin, int end) {
        int found = 0;
        for (int index = begin; index < end; index++) {
            int hit = hubs.bit(row, graph.neighbour(index));
            found += hit;
            closed[index - begin] += hit;
        }
        return found;
    }

    private int amongMarked(int v) {
        int found = 0;
        int end = graph.end(v);
        for (int index = graph.begin(v); index < end; index++) {
            int w = graph.neighbour(index);
            int hit = marked[w];
            found += hit;
            counts[w] += hit;
        }
        return found;
    }

    private void mark(int begin, int end, byte value) {
        for (int index = begin; index < end; index++) {
            marked[graph.neighbour(index)] = value;
        }
    }
}
