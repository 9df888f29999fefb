package org.starling.algorithms.triangles;

/**
 * Counts at each vertex the arcs between its neighbours, triangle by triangle: the arcs between two
 * corners count at the third one.
 *
 * <p>Source: the "forward" algorithm, as in {@link TriangleKernel}, without its hubs: for u and
 * each neighbour v of smaller rank, v's row is gone through and each w looked up among the marked
 * neighbours of u, without branching on what is found.
 *
 * <p>Invariants between calls: no vertex is marked. Complexity O(m^1.5). Memory: 9 bytes per
 * vertex. Confined to one worker.
 */
final class ArcKernel {
    private final ArcGraph graph;
    private final CornerCounts corners;
    private final long[] counts;

    /** Arcs between the vertex being worked on and another one: 0, 1 or 2. */
    private final byte[] marked;

    ArcKernel(ArcGraph graph) {
        this.graph = graph;
        this.corners = new CornerCounts(graph.vertices());
        this.counts = corners.byRank();
        this.marked = new byte[graph.vertices()];
    }

    /** Adds what the triangles count of which {@code u} has the largest rank. */
    void count(int u) {
        int begin = graph.begin(u);
        int end = graph.end(u);
        if (end - begin < 2) {
            return;
        }
        for (int index = begin; index < end; index++) {
            marked[graph.neighbour(index)] = (byte) graph.arcs(index);
        }
        long atU = 0;
        for (int index = begin + 1; index < end; index++) {
            atU += close(graph.neighbour(index), graph.arcs(index));
        }
        counts[u] += atU;
        for (int index = begin; index < end; index++) {
            marked[graph.neighbour(index)] = 0;
        }
    }

    /** What has been counted since it was drained. */
    CornerCounts corners() {
        return corners;
    }

    /** Triangles with v and the marked vertices; the arcs between v and those. */
    private long close(int v, int arcsToV) {
        long atU = 0;
        long atV = 0;
        int end = graph.end(v);
        for (int index = graph.begin(v); index < end; index++) {
            int w = graph.neighbour(index);
            int arcsToW = marked[w];
            int closes = (arcsToW + 1) >>> 1;
            atV += arcsToW;
            atU += (long) closes * graph.arcs(index);
            counts[w] += (long) closes * arcsToV;
        }
        counts[v] += atV;
        return atU;
    }
}
