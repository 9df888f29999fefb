package org.starling.algorithms.orientation;

import java.util.Arrays;
import org.starling.graph.Adjacency;

/**
 * A bijection between the ordinals and the ranks 0 … n−1 of a graph's vertices.
 *
 * <p>Both orders made here put vertices that lie in dense parts first, and depend on nothing but
 * the graph, so that every node makes the same. Immutable, safe for use by several threads. Costs 8
 * bytes per vertex and O(n + m) time.
 */
public final class VertexOrder {
    private final int[] ordinals;
    private final int[] ranks;

    /**
     * @param ordinals the ordinal of each rank; taken over, not to be changed afterwards
     */
    VertexOrder(int[] ordinals) {
        this.ordinals = ordinals;
        this.ranks = new int[ordinals.length];
        for (int rank = 0; rank < ordinals.length; rank++) {
            ranks[ordinals[rank]] = rank;
        }
    }

    /**
     * Vertices by descending degree, those of equal degree by ascending ordinal. Directed towards
     * smaller ranks, no vertex keeps more than √(2m) neighbours (Chiba and Nishizeki, "Arboricity
     * and subgraph listing algorithms", SIAM J. Comput. 14, 1985).
     *
     * @param rows rows of all vertices, symmetric
     * @param vertices number of vertices
     */
    public static VertexOrder byDegree(Adjacency rows, int vertices) {
        int[] degrees = new int[vertices];
        Arrays.setAll(degrees, rows::degree);
        return byDegree(degrees);
    }

    /**
     * Vertices by descending degree, those of equal degree by ascending ordinal.
     *
     * @param degrees degree of each ordinal
     */
    public static VertexOrder byDegree(int[] degrees) {
        int largest = Arrays.stream(degrees).max().orElse(0);
        int[] next = new int[largest + 2];
        for (int degree : degrees) {
            next[largest - degree + 1]++;
        }
        for (int bucket = 1; bucket < next.length; bucket++) {
            next[bucket] += next[bucket - 1];
        }
        int[] ordinals = new int[degrees.length];
        for (int vertex = 0; vertex < degrees.length; vertex++) {
            ordinals[next[largest - degrees[vertex]]++] = vertex;
        }
        return new VertexOrder(ordinals);
    }

    /**
     * A degeneracy order: the vertex of the smallest degree gets the last free rank and is taken
     * away, and so on ({@link SmallestLast}). Directed towards smaller ranks, each vertex keeps at
     * most as many neighbours as its core number.
     *
     * @param rows rows of all vertices, symmetric
     * @param vertices number of vertices
     */
    public static VertexOrder byDegeneracy(Adjacency rows, int vertices) {
        return new VertexOrder(new SmallestLast(rows, vertices).order());
    }

    /** Number of vertices. */
    public int size() {
        return ordinals.length;
    }

    /** Ordinal of the vertex of a rank. */
    public int ordinal(int rank) {
        return ordinals[rank];
    }

    /** Rank of the vertex of an ordinal. */
    public int rank(int ordinal) {
        return ranks[ordinal];
    }
}
