package org.starling.compute.internal.build;

import java.util.Arrays;
import java.util.List;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.graph.InvalidInputException;
import org.starling.net.NativeMemory;
import org.starling.store.PinnedRange;

/**
 * Rows of one shard: edges counted by vertex, scattered, sorted, duplicates dropped. Of duplicates
 * the smallest weight stays.
 *
 * <p>An edge stands as one {@code long}: target in the high half, the weight in the low one, as
 * bits that are in the order of the weights, so that sorting sorts by both; without weights the low
 * half is 0 and ints do. Works on heap arrays of the shard's size, in the thread that owns the
 * shard.
 */
final class ShardRows {
    private final EdgeRecords layout;
    private final int vertices;
    private final int[] starts;
    private final int[] degrees;
    private final int[] narrow;
    private final long[] wide;
    private long duplicates;

    /** Makes the rows of a shard with so many vertices. */
    ShardRows(EdgeRecords layout, int vertices, List<Records> edges) {
        this.layout = layout;
        this.vertices = vertices;
        this.starts = new int[vertices + 1];
        this.degrees = new int[vertices];
        long total = edges.stream().mapToLong(Records::size).sum();
        if (total > Integer.MAX_VALUE - 8) {
            throw new InvalidInputException(
                    "a shard would have "
                            + total
                            + " edges; a vertex with more than "
                            + AdjacencyLayout.MAX_DEGREE
                            + " edges cannot be stored");
        }
        this.narrow = layout.weighted() ? new int[0] : new int[(int) total];
        this.wide = layout.weighted() ? new long[(int) total] : new long[0];
        edges.forEach(this::count);
        for (int v = 0; v < vertices; v++) {
            starts[v + 1] += starts[v];
        }
        int[] next = Arrays.copyOf(starts, vertices);
        edges.forEach(records -> scatter(records, next));
        for (int v = 0; v < vertices; v++) {
            degrees[v] = layout.weighted() ? sortWide(v) : sortNarrow(v);
        }
    }

    /** Edges that were there before duplicates were dropped, of one vertex. */
    int inputDegree(int vertex) {
        return starts[vertex + 1] - starts[vertex];
    }

    /** Edges dropped. */
    long duplicates() {
        return duplicates;
    }

    /** Edges left. */
    long edges() {
        return starts[vertices] - duplicates;
    }

    /** Length of each vertex's chunk. */
    int[] sizes() {
        int[] sizes = new int[vertices];
        for (int v = 0; v < vertices; v++) {
            sizes[v] = AdjacencyLayout.bytes(degrees[v], layout.weighted());
        }
        return sizes;
    }

    /** Writes the rows into their chunks. */
    void writeTo(PinnedRange chunks) {
        for (int v = 0; v < vertices; v++) {
            long at = chunks.address(v);
            if (!layout.weighted()) {
                NativeMemory.copyFromArray(narrow, starts[v], at, degrees[v]);
                continue;
            }
            long weights = at + (long) AdjacencyLayout.TARGET_BYTES * degrees[v];
            for (int i = 0; i < degrees[v]; i++) {
                long edge = wide[starts[v] + i];
                NativeMemory.putInt(at + 4L * i, (int) (edge >>> 32));
                NativeMemory.putInt(weights + 4L * i, unordered((int) edge));
            }
        }
    }

    private void count(Records records) {
        int width = layout.narrowBytes();
        for (int block = 0; block < records.blocks(); block++) {
            long end = records.blockEnd(block);
            for (long at = records.block(block); at < end; at += width) {
                starts[NativeMemory.getInt(at) + 1]++;
            }
        }
    }

    private void scatter(Records records, int[] next) {
        int width = layout.narrowBytes();
        for (int block = 0; block < records.blocks(); block++) {
            long end = records.blockEnd(block);
            for (long at = records.block(block); at < end; at += width) {
                int slot = next[NativeMemory.getInt(at)]++;
                int target = NativeMemory.getInt(at + 4);
                if (layout.weighted()) {
                    wide[slot] =
                            ((long) target << 32)
                                    | Integer.toUnsignedLong(ordered(NativeMemory.getInt(at + 8)));
                } else {
                    narrow[slot] = target;
                }
            }
        }
    }

    /** A float's bits, made such that unsigned order is the floats' order: negative ones first. */
    private static int ordered(int bits) {
        return bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE;
    }

    private static int unordered(int ordered) {
        return ordered < 0 ? ordered ^ Integer.MIN_VALUE : ~ordered;
    }

    private int sortNarrow(int v) {
        int from = starts[v];
        int to = starts[v + 1];
        Arrays.sort(narrow, from, to);
        if (to > from && narrow[from] < 0) {
            rotateNegatives(from, to);
        }
        int kept = from;
        for (int i = from; i < to; i++) {
            if (kept == from || narrow[i] != narrow[kept - 1]) {
                narrow[kept++] = narrow[i];
            }
        }
        duplicates += to - kept;
        return kept - from;
    }

    /** Ordinals from 2^31 on are negative ints and belong behind the others. */
    private void rotateNegatives(int from, int to) {
        int positive = from;
        while (positive < to && narrow[positive] < 0) {
            positive++;
        }
        int[] large = Arrays.copyOfRange(narrow, from, positive);
        System.arraycopy(narrow, positive, narrow, from, to - positive);
        System.arraycopy(large, 0, narrow, to - large.length, large.length);
    }

    private int sortWide(int v) {
        int from = starts[v];
        int to = starts[v + 1];
        for (int i = from; i < to; i++) {
            wide[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(wide, from, to);
        int kept = from;
        for (int i = from; i < to; i++) {
            long edge = wide[i] ^ Long.MIN_VALUE;
            if (kept == from || edge >>> 32 != wide[kept - 1] >>> 32) {
                wide[kept++] = edge;
            }
        }
        duplicates += to - kept;
        return kept - from;
    }
}
