package org.starling.algorithms.orientation;

import org.starling.graph.Adjacency;

/**
 * Takes the vertex of the smallest degree away until none is left; degrees below the largest one
 * that was taken so far count as equal to it, which keeps every vertex's number of neighbours taken
 * away later at or below its core number.
 *
 * <p>Source: Matula and Beck, "Smallest-last ordering and clustering and graph coloring
 * algorithms", J. ACM 30 (1983), with the bucket queue in one array of Batagelj and Zaveršnik, "An
 * O(m) algorithm for cores decomposition of networks" (2003).
 *
 * <p>Encoding: {@code queue} holds the vertices by degree in what is left of the graph; bucket d
 * begins at {@code begin[d]}. Invariants: everything before the position being looked at has been
 * taken away; {@code queue[place[v]] == v}; a bucket is contiguous. Lowering a degree swaps the
 * vertex with the first of its bucket and moves the border between the two buckets. Complexity O(n
 * + m) time, 12 bytes per vertex while it runs. One use, one thread.
 */
final class SmallestLast {
    private final Adjacency rows;
    private final int[] degree;
    private final int[] queue;
    private final int[] place;
    private final int[] begin;
    private final int[] row;

    SmallestLast(Adjacency rows, int vertices) {
        this.rows = rows;
        this.degree = new int[vertices];
        this.queue = new int[vertices];
        this.place = new int[vertices];
        int largest = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            degree[vertex] = rows.degree(vertex);
            largest = Math.max(largest, degree[vertex]);
        }
        this.begin = new int[largest + 2];
        this.row = new int[largest];
    }

    /** Ordinals of all vertices: the one that was taken away last comes first. */
    int[] order() {
        fillBuckets();
        for (int position = 0; position < queue.length; position++) {
            takeAway(queue[position]);
        }
        return reversed(queue);
    }

    private void fillBuckets() {
        for (int d : degree) {
            begin[d + 1]++;
        }
        for (int bucket = 1; bucket < begin.length; bucket++) {
            begin[bucket] += begin[bucket - 1];
        }
        int[] next = begin.clone();
        for (int vertex = 0; vertex < queue.length; vertex++) {
            place[vertex] = next[degree[vertex]]++;
            queue[place[vertex]] = vertex;
        }
    }

    /** Neighbours of a higher degree are still there, and lose one. */
    private void takeAway(int vertex) {
        int own = degree[vertex];
        int count = rows.copy(vertex, row, 0);
        for (int index = 0; index < count; index++) {
            if (degree[row[index]] > own) {
                lower(row[index]);
            }
        }
    }

    private void lower(int vertex) {
        int bucket = degree[vertex];
        int from = place[vertex];
        int to = begin[bucket];
        int first = queue[to];
        queue[from] = first;
        place[first] = from;
        queue[to] = vertex;
        place[vertex] = to;
        begin[bucket]++;
        degree[vertex] = bucket - 1;
    }

    private static int[] reversed(int[] values) {
        int[] result = new int[values.length];
        for (int index = 0; index < values.length; index++) {
            result[values.length - 1 - index] = values[index];
        }
        return result;
    }
}
