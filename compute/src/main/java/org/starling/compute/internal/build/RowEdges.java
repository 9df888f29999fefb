package org.starling.compute.internal.build;

import java.util.Arrays;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.net.NativeMemory;

/**
 * Edges of one shard in heap arrays, row behind row: put into slots, then sorted row by row. Of
 * duplicates the one with the smallest weight stays. Confined to the thread that owns the shard.
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays belong to the records
sealed interface RowEdges
        permits RowEdges.Plain,
                RowEdges.Weighted,
                RowEdges.Wide,
                RowEdges.WideWeighted,
                ValuedEdges {
    /** Room for so many edges. */
    static RowEdges of(AdjacencyLayout layout, int edges) {
        if (layout.targetBytes() == AdjacencyLayout.WIDE_BYTES) {
            return layout.weighted() ? new WideWeighted(layout, edges) : new Wide(edges);
        }
        return layout.weighted() ? new Weighted(layout, edges) : new Plain(edges);
    }

    /**
     * Puts an edge into a slot.
     *
     * @param record where it stands among those of {@link EdgeRecords}
     */
    void put(int slot, long record, long target, float weight);

    /**
     * Sorts the row in the slots from {@code from} (inclusive) to {@code to} (exclusive) and drops
     * duplicates.
     *
     * @return number of edges left, the first ones of the row
     */
    int sort(int from, int to);

    /** Writes a row into its chunk. */
    void write(int from, int degree, long chunk);

    /** Ints that are targets. */
    record Plain(int[] targets) implements RowEdges {
        Plain(int edges) {
            this(new int[edges]);
        }

        @Override
        public void put(int slot, long record, long target, float weight) {
            targets[slot] = (int) target;
        }

        @Override
        public int sort(int from, int to) {
            Arrays.sort(targets, from, to);
            if (to > from && targets[from] < 0) {
                rotateNegatives(from, to);
            }
            int kept = from;
            for (int i = from; i < to; i++) {
                if (kept == from || targets[i] != targets[kept - 1]) {
                    targets[kept++] = targets[i];
                }
            }
            return kept - from;
        }

        @Override
        public void write(int from, int degree, long chunk) {
            NativeMemory.copyFromArray(targets, from, chunk, degree);
        }

        /** Ordinals from 2^31 on are negative ints and belong behind the others. */
        private void rotateNegatives(int from, int to) {
            int positive = from;
            while (positive < to && targets[positive] < 0) {
                positive++;
            }
            int[] large = Arrays.copyOfRange(targets, from, positive);
            System.arraycopy(targets, positive, targets, from, to - positive);
            System.arraycopy(large, 0, targets, to - large.length, large.length);
        }
    }

    /**
     * Targets of 4 bytes in the high halves of longs, weights in the low ones, as bits that are in
     * the order of the weights, so that sorting sorts by both.
     */
    record Weighted(AdjacencyLayout layout, long[] edges) implements RowEdges {
        Weighted(AdjacencyLayout layout, int edges) {
            this(layout, new long[edges]);
        }

        @Override
        public void put(int slot, long record, long target, float weight) {
            edges[slot] = target << Integer.SIZE | Integer.toUnsignedLong(ordered(weight));
        }

        @Override
        public int sort(int from, int to) {
            for (int i = from; i < to; i++) {
                edges[i] ^= Long.MIN_VALUE;
            }
            Arrays.sort(edges, from, to);
            int kept = from;
            for (int i = from; i < to; i++) {
                long edge = edges[i] ^ Long.MIN_VALUE;
                if (kept == from || edge >>> Integer.SIZE != edges[kept - 1] >>> Integer.SIZE) {
                    edges[kept++] = edge;
                }
            }
            return kept - from;
        }

        @Override
        public void write(int from, int degree, long chunk) {
            for (int i = 0; i < degree; i++) {
                long edge = edges[from + i];
                NativeMemory.putInt(chunk + 4L * i, (int) (edge >>> Integer.SIZE));
                NativeMemory.putFloat(layout.weight(chunk, degree, i), weight((int) edge));
            }
        }
    }

    /** Longs that are targets. */
    record Wide(long[] targets) implements RowEdges {
        Wide(int edges) {
            this(new long[edges]);
        }

        @Override
        public void put(int slot, long record, long target, float weight) {
            targets[slot] = target;
        }

        @Override
        public int sort(int from, int to) {
            Arrays.sort(targets, from, to);
            int kept = from;
            for (int i = from; i < to; i++) {
                if (kept == from || targets[i] != targets[kept - 1]) {
                    targets[kept++] = targets[i];
                }
            }
            return kept - from;
        }

        @Override
        public void write(int from, int degree, long chunk) {
            NativeMemory.copyFromArray(targets, from, chunk, degree);
        }
    }

    /** Targets of 8 bytes, and beside them weights in order-keeping bits. */
    record WideWeighted(AdjacencyLayout layout, long[] targets, int[] weights) implements RowEdges {
        WideWeighted(AdjacencyLayout layout, int edges) {
            this(layout, new long[edges], new int[edges]);
        }

        @Override
        public void put(int slot, long record, long target, float weight) {
            targets[slot] = target;
            weights[slot] = ordered(weight);
        }

        @Override
        public int sort(int from, int to) {
            it.unimi.dsi.fastutil.Arrays.quickSort(from, to, this::compare, this::swap);
            int kept = from;
            for (int i = from; i < to; i++) {
                if (kept == from || targets[i] != targets[kept - 1]) {
                    targets[kept] = targets[i];
                    weights[kept++] = weights[i];
                }
            }
            return kept - from;
        }

        @Override
        public void write(int from, int degree, long chunk) {
            NativeMemory.copyFromArray(targets, from, chunk, degree);
            for (int i = 0; i < degree; i++) {
                NativeMemory.putFloat(layout.weight(chunk, degree, i), weight(weights[from + i]));
            }
        }

        private int compare(int left, int right) {
            int byTarget = Long.compare(targets[left], targets[right]);
            return byTarget != 0
                    ? byTarget
                    : Integer.compareUnsigned(weights[left], weights[right]);
        }

        private void swap(int left, int right) {
            long target = targets[left];
            targets[left] = targets[right];
            targets[right] = target;
            int weight = weights[left];
            weights[left] = weights[right];
            weights[right] = weight;
        }
    }

    /**
     * A weight's bits, made such that unsigned order is the weights' order: negative ones first.
     */
    private static int ordered(float weight) {
        int bits = Float.floatToRawIntBits(weight);
        return bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE;
    }

    private static float weight(int ordered) {
        return Float.intBitsToFloat(ordered < 0 ? ordered ^ Integer.MIN_VALUE : ~ordered);
    }
}
