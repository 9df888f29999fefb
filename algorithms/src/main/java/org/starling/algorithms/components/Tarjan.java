package org.starling.algorithms.components;

import java.util.Arrays;
import org.starling.graph.Adjacency;

/**
 * Strongly connected components of a graph that one thread has all rows of, with the witnesses that
 * {@link SccCheck} asks for.
 *
 * <p>Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972),
 * with a stack of its own instead of recursion. Witnesses: a vertex's number in the order of the
 * search (its parent in the search comes earlier, and lies in the same component but for roots),
 * and its distance to the root within the component. O(n + m); 24 bytes per vertex and 4 per edge
 * while it runs, 16 per vertex afterwards. Filled by the constructor, not changed afterwards.
 */
final class Tarjan {
    private static final int UNSEEN = -1;

    private final Adjacency rows;

    /** Number of each vertex in the order of the search. */
    private final int[] ahead;

    /** Number of edges to the root. */
    private final int[] behind;

    /**
     * While the search runs, the earliest vertex known to be reached; then the component's root.
     */
    private final int[] root;

    /** Vertices whose component is not complete; then those of components, one after the other. */
    private final int[] stack;

    /** By root: the component's smallest vertex. By smallest vertex: the component's size. */
    private final int[] smallest;

    private final int[] size;

    private int top;
    private int seen;

    /**
     * Searches.
     *
     * @param rows rows of all vertices
     */
    Tarjan(Adjacency rows, int vertices) {
        this.rows = rows;
        ahead = new int[vertices];
        behind = new int[vertices];
        root = new int[vertices];
        stack = new int[vertices];
        smallest = new int[vertices];
        size = new int[vertices];
        Arrays.fill(ahead, UNSEEN);
        Arrays.fill(root, UNSEEN);
        Arrays.fill(behind, UNSEEN);
        int[] path = new int[vertices];
        int[] edge = new int[vertices];
        int[] low = new int[vertices];
        for (int v = 0; v < vertices; v++) {
            if (ahead[v] == UNSEEN) {
                search(v, path, edge, low);
            }
        }
        nameComponents();
        measureDistances();
    }

    /** Smallest vertex of a vertex's component. */
    int component(int vertex) {
        return smallest[root[vertex]];
    }

    /** Number of vertices of the component with that smallest vertex. */
    int size(int component) {
        return size[component];
    }

    /** When the vertex was reached. */
    int ahead(int vertex) {
        return ahead[vertex];
    }

    /** How many edges lead from the vertex to where its component was reached first. */
    int behind(int vertex) {
        return behind[vertex];
    }

    private void search(int start, int[] path, int[] edge, int[] low) {
        int depth = 0;
        enter(start, low);
        path[0] = start;
        while (depth >= 0) {
            int v = path[depth];
            if (edge[v] < rows.degree(v)) {
                int target = (int) rows.neighbour(v, edge[v]++);
                if (ahead[target] == UNSEEN) {
                    enter(target, low);
                    path[++depth] = target;
                } else if (root[target] == UNSEEN) {
                    low[v] = Math.min(low[v], ahead[target]);
                }
            } else {
                if (low[v] == ahead[v]) {
                    leave(v);
                }
                if (--depth >= 0) {
                    low[path[depth]] = Math.min(low[path[depth]], low[v]);
                }
            }
        }
    }

    private void enter(int vertex, int[] low) {
        ahead[vertex] = seen;
        low[vertex] = seen++;
        stack[top++] = vertex;
    }

    /** All above a root on the stack are its component. */
    private void leave(int vertex) {
        int member;
        do {
            member = stack[--top];
            root[member] = vertex;
        } while (member != vertex);
    }

    private void nameComponents() {
        Arrays.fill(smallest, UNSEEN);
        for (int v = 0; v < root.length; v++) {
            if (smallest[root[v]] == UNSEEN) {
                smallest[root[v]] = v;
            }
            size[smallest[root[v]]]++;
        }
    }

    /** Goes back from each root along the edges of its component. */
    private void measureDistances() {
        int[] begin = new int[root.length + 1];
        for (int v = 0; v < root.length; v++) {
            for (int i = 0; i < rows.degree(v); i++) {
                int target = (int) rows.neighbour(v, i);
                begin[target + 1] += root[target] == root[v] ? 1 : 0;
            }
        }
        for (int v = 0; v < root.length; v++) {
            begin[v + 1] += begin[v];
        }
        int[] sources = new int[begin[root.length]];
        int[] next = Arrays.copyOf(begin, root.length);
        for (int v = 0; v < root.length; v++) {
            for (int i = 0; i < rows.degree(v); i++) {
                int target = (int) rows.neighbour(v, i);
                if (root[target] == root[v]) {
                    sources[next[target]++] = v;
                }
            }
        }
        int end = 0;
        for (int v = 0; v < root.length; v++) {
            if (root[v] == v) {
                behind[v] = 0;
                stack[end++] = v;
            }
        }
        for (int at = 0; at < end; at++) {
            int v = stack[at];
            for (int i = begin[v]; i < begin[v + 1]; i++) {
                if (behind[sources[i]] == UNSEEN) {
                    behind[sources[i]] = behind[v] + 1;
                    stack[end++] = sources[i];
                }
            }
        }
    }
}
