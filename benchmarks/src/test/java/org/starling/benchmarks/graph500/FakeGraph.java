package org.starling.benchmarks.graph500;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.starling.graph.GraphInfo;

/**
 * A graph in plain arrays, for tests: rows, named states, shards of equal size. Ids are ordinals if
 * nobody changes them.
 */
final class FakeGraph {

    final GraphInfo info;
    final long[][] rows;
    final long[] ids;
    final int shardVertices;
    final Map<String, Object> states = new HashMap<>();

    private FakeGraph(GraphInfo info, long[][] rows, int shardVertices) {
        this.info = info;
        this.rows = rows;
        this.ids = LongStream.range(0, rows.length).toArray();
        this.shardVertices = shardVertices;
    }

    /** An undirected graph of pairs; duplicates and self-loops are dropped. */
    static FakeGraph of(String name, int vertices, int shards, long[]... edges) {
        Map<Integer, TreeSet<Long>> neighbours = new HashMap<>();
        int[] inputDegree = new int[vertices];
        for (long[] edge : edges) {
            if (edge[0] != edge[1]) {
                for (int end = 0; end < 2; end++) {
                    int vertex = (int) edge[end];
                    inputDegree[vertex]++;
                    neighbours.computeIfAbsent(vertex, _ -> new TreeSet<>()).add(edge[1 - end]);
                }
            }
        }
        long[][] rows = new long[vertices][];
        long entries = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            rows[vertex] =
                    neighbours.getOrDefault(vertex, new TreeSet<>()).stream()
                            .mapToLong(Long::longValue)
                            .toArray();
            entries += rows[vertex].length;
        }
        int shardVertices = Math.ceilDiv(vertices, shards);
        GraphInfo info =
                new GraphInfo(
                        name,
                        vertices,
                        entries / 2,
                        false,
                        false,
                        true,
                        4,
                        Math.ceilDiv(vertices, shardVertices));
        FakeGraph graph = new FakeGraph(info, rows, shardVertices);
        graph.states.put(Kernels.INPUT_DEGREE, inputDegree);
        return graph;
    }

    /** Leaves parents, and the levels that a search would have counted on its way. */
    void leave(long[] parents, int[] levels) {
        states.put(Kernels.PARENT, parents);
        states.put(Kernels.LEVEL, levels);
    }

    /** Leaves parents, and levels rebuilt from them as far as they lead to a root. */
    void leave(long... parents) {
        int[] levels = new int[parents.length];
        for (int vertex = 0; vertex < parents.length; vertex++) {
            levels[vertex] = depth(parents, vertex);
        }
        leave(parents, levels);
    }

    /** Searches as a kernel would. */
    void search(int root) {
        long[] parents = new long[rows.length];
        Arrays.fill(parents, -1);
        parents[root] = root;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(root);
        while (!queue.isEmpty()) {
            int vertex = queue.remove();
            for (long neighbour : rows[vertex]) {
                if (parents[(int) neighbour] < 0) {
                    parents[(int) neighbour] = vertex;
                    queue.add((int) neighbour);
                }
            }
        }
        leave(parents);
    }

    /** A state of integers. */
    int[] ints(String state) {
        return (int[]) Objects.requireNonNull(states.get(state), state);
    }

    /** A state of long integers. */
    long[] longs(String state) {
        return (long[]) Objects.requireNonNull(states.get(state), state);
    }

    private static int depth(long[] parents, int vertex) {
        long at = vertex;
        for (int depth = 0; depth < parents.length; depth++) {
            if (at < 0 || at >= parents.length) {
                return -1;
            }
            if (parents[(int) at] == at) {
                return depth;
            }
            at = parents[(int) at];
        }
        return -1;
    }
}
