package org.starling.algorithms.triangles;

import java.util.Arrays;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;

/**
 * What a directed graph is when directions are forgotten, each edge with the number of arcs it
 * stands for (one, or two where there is one each way), and directed towards the vertex of the
 * smaller rank.
 *
 * <p>Rows are ascending. Made of rows of outgoing arcs alone: sorting by counting, once by the
 * smaller and once by the larger end, brings the two arcs of an edge together. Built once per node
 * and shared by its workers; immutable, safe for use by several threads. Costs 4 bytes per edge and
 * 12 per vertex, O(n + m) time to build, and 4 bytes per arc while it is built.
 */
final class ArcGraph {
    /** Set in a row's entry if there are arcs both ways; the rest is the neighbour's rank. */
    private static final int BOTH = Integer.MIN_VALUE;

    private final VertexOrder order;
    private final int[] begins;
    private final int[] neighbours;

    private ArcGraph(VertexOrder order, int[] begins, int[] neighbours) {
        this.order = order;
        this.begins = begins;
        this.neighbours = neighbours;
    }

    /**
     * Makes one.
     *
     * @param arcs rows of outgoing arcs of all vertices, which fit {@link
     *     OrientedGraph#requireFits}
     */
    static ArcGraph of(Adjacency arcs, int vertices) {
        VertexOrder order = VertexOrder.byDegree(degrees(arcs, vertices));
        int[] larger = new int[vertices + 2];
        int[] smaller = new int[vertices + 2];
        forEachArc(
                arcs,
                vertices,
                (source, target) -> {
                    int one = order.rank(source);
                    int other = order.rank(target);
                    smaller[Math.min(one, other) + 2]++;
                    larger[Math.max(one, other) + 2]++;
                });
        addUp(smaller);
        addUp(larger);
        int[] bySmaller = new int[smaller[vertices + 1]];
        forEachArc(
                arcs,
                vertices,
                (source, target) -> {
                    int one = order.rank(source);
                    int other = order.rank(target);
                    bySmaller[smaller[Math.min(one, other) + 1]++] = Math.max(one, other);
                });
        return merged(order, smaller, bySmaller, larger);
    }

    /** Number of vertices. */
    int vertices() {
        return order.size();
    }

    /** Which vertex has which rank. */
    VertexOrder order() {
        return order;
    }

    /** Index of the first neighbour of a rank. */
    int begin(int rank) {
        return begins[rank];
    }

    /** Index after the last neighbour of a rank. */
    int end(int rank) {
        return begins[rank + 1];
    }

    /** Rank of the neighbour at an index. */
    int neighbour(int index) {
        return neighbours[index] & ~BOTH;
    }

    /** Number of arcs between a row's vertex and the neighbour at an index: 1 or 2. */
    int arcs(int index) {
        return 1 + (neighbours[index] >>> 31);
    }

    @FunctionalInterface
    private interface ArcSink {
        void arc(int source, int target);
    }

    private static int[] degrees(Adjacency arcs, int vertices) {
        int[] degrees = new int[vertices];
        forEachArc(
                arcs,
                vertices,
                (source, target) -> {
                    degrees[source]++;
                    degrees[target]++;
                });
        return degrees;
    }

    private static void forEachArc(Adjacency arcs, int vertices, ArcSink sink) {
        int[] row = {};
        for (int source = 0; source < vertices; source++) {
            int degree = arcs.degree(source);
            row = degree > row.length ? new int[Math.max(degree, 2 * row.length)] : row;
            arcs.copy(source, row, 0);
            for (int index = 0; index < degree; index++) {
                sink.arc(source, row[index]);
            }
        }
    }

    /** Where each rank's entries begin, one place further on: that place is used to fill. */
    private static void addUp(int[] counts) {
        for (int rank = 2; rank < counts.length; rank++) {
            counts[rank] = Math.addExact(counts[rank], counts[rank - 1]);
        }
    }

    /**
     * Goes through the arcs in the order of their smaller ends, so that rows of the larger ends
     * fill in ascending order, and an edge's two arcs come one after the other.
     *
     * @param smallerEnds behind the arcs of each smaller end, at the next place
     * @param larger where the arcs of each larger end begin, one place further on
     */
    private static ArcGraph merged(
            VertexOrder order, int[] smallerEnds, int[] bySmaller, int[] larger) {
        int vertices = order.size();
        int[] rows = new int[bySmaller.length];
        int[] fill = Arrays.copyOfRange(larger, 1, vertices + 1);
        int from = 0;
        for (int rank = 0; rank < vertices; rank++) {
            for (; from < smallerEnds[rank + 1]; from++) {
                int end = bySmaller[from];
                if (fill[end] > larger[end + 1] && rows[fill[end] - 1] == rank) {
                    rows[fill[end] - 1] = rank | BOTH;
                } else {
                    rows[fill[end]++] = rank;
                }
            }
        }
        int[] begins = new int[vertices + 1];
        int kept = 0;
        for (int rank = 0; rank < vertices; rank++) {
            int length = fill[rank] - larger[rank + 1];
            System.arraycopy(rows, larger[rank + 1], rows, kept, length);
            begins[rank] = kept;
            kept += length;
        }
        begins[vertices] = kept;
        return new ArcGraph(order, begins, kept == rows.length ? rows : Arrays.copyOf(rows, kept));
    }
}
