package org.starling.loaders;

import it.unimi.dsi.fastutil.ints.IntArrays;
import org.starling.graph.InvalidInputException;

/**
 * Edges by the vertex that they leave, with the targets of each in rising order: for formats that
 * have a row for each vertex. Edges from a vertex to itself and repeated ones are left out; of
 * these the least weight stays. Immutable once made.
 */
final class EdgeRows {
    private final int[] firsts;
    private final int[] targets;
    private final float[] weights;
    private long selfLoops;
    private long duplicates;

    /**
     * Sorts edges.
     *
     * @param backwards whether rows hold the edges that come in, and not those that leave
     */
    EdgeRows(EdgeTable table, boolean backwards) {
        long ends = table.directed() ? table.edges() : 2L * table.edges();
        if (table.vertices() >= Integer.MAX_VALUE || ends >= Integer.MAX_VALUE - 8) {
            throw new InvalidInputException(
                    "%d vertices and %d edges are too many for this format, which holds fewer than 2^31 of them"
                            .formatted(table.vertices(), table.edges()));
        }
        int vertices = (int) table.vertices();
        int[] from = new int[(int) ends];
        int[] to = new int[(int) ends];
        float[] weight = new float[(int) ends];
        int count = 0;
        for (int edge = 0; edge < table.edges(); edge++) {
            int source = (int) table.rank(table.source(edge));
            int target = (int) table.rank(table.target(edge));
            if (source == target) {
                selfLoops++;
                continue;
            }
            from[count] = backwards ? target : source;
            to[count] = backwards ? source : target;
            weight[count++] = table.weight(edge);
            if (!table.directed()) {
                from[count] = target;
                to[count] = source;
                weight[count++] = table.weight(edge);
            }
        }
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        IntArrays.parallelQuickSort(
                order,
                (one, other) -> {
                    int byRow = Integer.compare(from[one], from[other]);
                    int byTarget = Integer.compare(to[one], to[other]);
                    return byRow != 0
                            ? byRow
                            : byTarget != 0 ? byTarget : Float.compare(weight[one], weight[other]);
                });
        this.firsts = new int[vertices + 1];
        this.targets = new int[count];
        this.weights = new float[count];
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int at = order[i];
            boolean again = i > 0 && from[order[i - 1]] == from[at] && to[order[i - 1]] == to[at];
            if (again) {
                duplicates++;
                continue;
            }
            targets[kept] = to[at];
            weights[kept++] = weight[at];
            firsts[from[at] + 1] = kept;
        }
        for (int v = 0; v < vertices; v++) {
            firsts[v + 1] = Math.max(firsts[v + 1], firsts[v]);
        }
        duplicates = table.directed() ? duplicates : duplicates / 2;
    }

    int vertices() {
        return firsts.length - 1;
    }

    /** Number of entries in all rows. */
    int entries() {
        return firsts[firsts.length - 1];
    }

    int first(int vertex) {
        return firsts[vertex];
    }

    int target(int entry) {
        return targets[entry];
    }

    float weight(int entry) {
        return weights[entry];
    }

    long selfLoops() {
        return selfLoops;
    }

    long duplicates() {
        return duplicates;
    }
}
