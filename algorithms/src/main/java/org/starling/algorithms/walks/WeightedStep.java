package org.starling.algorithms.walks;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.starling.graph.Adjacency;

/**
 * Chooses edges, each as likely as its weight among those of its row.
 *
 * <p>Weights are added up in the order of the row, in {@code double}; the edge is chosen at which
 * the sum first exceeds the draw's part of the whole. So the choice depends on the row and the draw
 * alone, and edges without weight are never chosen. By rounding, an edge is likelier or less likely
 * by no more than 2<sup>−52</sup> for each edge of its row, the whole row being 1.
 *
 * <p>Rows longer than {@link #LONG_ROW} keep their sums, so that walks that come to hubs again and
 * again need not add up: 8 bytes per edge of such rows. Built once per node, not changed
 * afterwards, safe for use by several threads.
 */
final class WeightedStep {
    /** What {@link #index} answers where no edge can be chosen. */
    static final int NONE = -1;

    private static final int LONG_ROW = 32;

    private final Adjacency rows;
    private final Long2ObjectOpenHashMap<double[]> sums = new Long2ObjectOpenHashMap<>();

    /**
     * @param rows rows of all vertices, whose weights are finite and not negative
     */
    WeightedStep(Adjacency rows, long vertices) {
        this.rows = rows;
        for (long v = 0; v < vertices; v++) {
            if (rows.degree(v) > LONG_ROW) {
                sums.put(v, sums(v));
            }
        }
    }

    /**
     * Index of the edge to follow; {@link #NONE} if all of the row's edges weigh nothing.
     *
     * @param draw 64 random bits
     */
    int index(long vertex, long draw) {
        double[] known = sums.get(vertex);
        double[] row = known == null ? sums(vertex) : known;
        double whole = row.length == 0 ? 0 : row[row.length - 1];
        return whole > 0 ? firstAbove(row, part(draw, whole)) : NONE;
    }

    /** The part of a whole that a draw stands for: below the whole. */
    static double part(long draw, double whole) {
        return Math.min((draw >>> 11) * 0x1p-53 * whole, Math.nextDown(whole));
    }

    private double[] sums(long vertex) {
        double[] row = new double[rows.degree(vertex)];
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            sum += rows.weight(vertex, i);
            row[i] = sum;
        }
        return row;
    }

    private static int firstAbove(double[] row, double part) {
        int low = 0;
        int high = row.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (row[middle] > part) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
