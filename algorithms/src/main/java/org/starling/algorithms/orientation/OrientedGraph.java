package org.starling.algorithms.orientation;

import org.starling.graph.Adjacency;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;

/**
 * An undirected graph whose edges all point from the larger to the smaller rank of a {@link
 * VertexOrder} (or, {@link #reversed()}, the other way round), in two arrays.
 *
 * <p>Rows are ascending. Built once per node and shared by its workers; immutable, safe for use by
 * several threads. Costs 4 bytes per edge and 4 per vertex beside the order, and O(n + m) time to
 * build.
 */
public final class OrientedGraph {
    /** Largest number of vertices and of edges: what one array can hold. */
    public static final int MAX_SIZE = Integer.MAX_VALUE - 16;

    private final VertexOrder order;

    /** Row of rank r: from {@code offsets[r]} to {@code offsets[r + 1]}. */
    private final int[] offsets;

    private final int[] neighbours;

    private OrientedGraph(VertexOrder order, int[] offsets, int[] neighbours) {
        this.order = order;
        this.offsets = offsets;
        this.neighbours = neighbours;
    }

    /**
     * Refuses graphs of which none can be made.
     *
     * @param algorithm what needs it, for people
     * @throws InvalidInputException if the graph has more than {@link #MAX_SIZE} vertices or edges
     */
    public static void requireFits(GraphInfo graph, String algorithm) {
        if (graph.vertices() > MAX_SIZE || graph.edges() > MAX_SIZE) {
            throw new InvalidInputException(
                    "graph \"%s\" has %d vertices and %d edges, but %s takes at most %d of each"
                            .formatted(
                                    graph.name(),
                                    graph.vertices(),
                                    graph.edges(),
                                    algorithm,
                                    MAX_SIZE));
        }
    }

    /**
     * Directs each edge towards the smaller rank.
     *
     * @param rows rows of all vertices, symmetric, with at most {@link #MAX_SIZE} edges
     */
    public static OrientedGraph towardsSmaller(Adjacency rows, VertexOrder order) {
        int vertices = order.size();
        int[] row = new int[largestDegree(rows, vertices)];
        // While rows are filled, offsets[r + 1] is the place of the next neighbour of r.
        int[] offsets = new int[vertices + 2];
        for (int ordinal = 0; ordinal < vertices; ordinal++) {
            offsets[order.rank(ordinal) + 2] = countSmaller(rows, order, ordinal, row);
        }
        for (int rank = 2; rank < offsets.length; rank++) {
            offsets[rank] = Math.addExact(offsets[rank], offsets[rank - 1]);
        }
        int[] neighbours = new int[offsets[vertices + 1]];
        for (int rank = 0; rank < vertices; rank++) {
            int count = rows.copy(order.ordinal(rank), row, 0);
            for (int index = 0; index < count; index++) {
                int other = order.rank(row[index]);
                if (other > rank) {
                    neighbours[offsets[other + 1]++] = rank;
                }
            }
        }
        return new OrientedGraph(order, offsets, neighbours);
    }

    /** The same edges in the opposite direction. */
    public OrientedGraph reversed() {
        int[] turned = new int[offsets.length];
        for (int neighbour : neighbours) {
            turned[neighbour + 2]++;
        }
        for (int rank = 2; rank < turned.length; rank++) {
            turned[rank] += turned[rank - 1];
        }
        int[] sources = new int[neighbours.length];
        for (int rank = 0; rank < vertices(); rank++) {
            for (int index = begin(rank); index < end(rank); index++) {
                sources[turned[neighbours[index] + 1]++] = rank;
            }
        }
        return new OrientedGraph(order, turned, sources);
    }

    /** Number of vertices. */
    public int vertices() {
        return order.size();
    }

    /** Which vertex has which rank. */
    public VertexOrder order() {
        return order;
    }

    /** Index of the first neighbour of a rank. */
    public int begin(int rank) {
        return offsets[rank];
    }

    /** Index after the last neighbour of a rank. */
    public int end(int rank) {
        return offsets[rank + 1];
    }

    /** Number of neighbours of a rank. */
    public int degree(int rank) {
        return offsets[rank + 1] - offsets[rank];
    }

    /** Rank of the neighbour at an index. */
    public int neighbour(int index) {
        return neighbours[index];
    }

    /** Largest number of neighbours. */
    public int largestDegree() {
        int largest = 0;
        for (int rank = 0; rank < vertices(); rank++) {
            largest = Math.max(largest, degree(rank));
        }
        return largest;
    }

    private static int largestDegree(Adjacency rows, int vertices) {
        int largest = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            largest = Math.max(largest, rows.degree(vertex));
        }
        return largest;
    }

    private static int countSmaller(Adjacency rows, VertexOrder order, int ordinal, int[] row) {
        int rank = order.rank(ordinal);
        int count = rows.copy(ordinal, row, 0);
        int smaller = 0;
        for (int index = 0; index < count; index++) {
            smaller += order.rank(row[index]) < rank ? 1 : 0;
        }
        return smaller;
    }
}
