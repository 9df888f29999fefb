package org.starling.algorithms.substructure;

/**
 * How vertices of a small graph lie to each other: a bit for an edge one way, a bit for the other.
 * Costs n² bytes. Immutable.
 */
final class Relation {
    /** Number of ways in which two vertices can lie to each other; 0 is without an edge. */
    static final int KINDS = 4;

    private final byte[][] kinds;

    /**
     * Makes one.
     *
     * @param vertices some of the vertices, the largest among them
     * @param ends two vertices for each edge
     */
    Relation(long[] vertices, long[] ends) {
        int largest = -1;
        for (long vertex : vertices) {
            largest = Math.max(largest, Math.toIntExact(vertex));
        }
        kinds = new byte[largest + 1][largest + 1];
        for (int i = 0; i < ends.length; i += 2) {
            kinds[(int) ends[i]][(int) ends[i + 1]] |= 1;
            kinds[(int) ends[i + 1]][(int) ends[i]] |= 2;
        }
    }

    /** Number of vertices. */
    int vertices() {
        return kinds.length;
    }

    /** Which kind two vertices are of. */
    int of(int left, int right) {
        return kinds[left][right];
    }

    /** Number of vertices that an edge joins with one. */
    int degree(int vertex) {
        int degree = 0;
        for (byte kind : kinds[vertex]) {
            degree += kind != 0 ? 1 : 0;
        }
        return degree;
    }
}
