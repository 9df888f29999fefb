package org.starling.compute.internal.topology;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Rows;
import org.starling.graph.InvalidInputException;
import org.starling.net.NativeMemory;

/**
 * The rows of one shard in one direction as they are in the new version: those of the old one, with
 * changes, and without edges to those who are gone. Worked out twice, for their lengths and to be
 * written, so that nothing of their size is kept. Confined to a worker's thread.
 */
final class NewRows implements ShardChanges.Row {
    private final Rows rows;
    private final AdjacencyLayout layout;
    private final ShardChanges changes;
    private final Bitmap gone;
    private final long first;
    private final int oldSize;
    private final int[] degrees;
    private long targets;
    private int degree;

    /**
     * Counts.
     *
     * @param first ordinal of the shard's first vertex
     * @param oldSize vertices that it had
     * @param size vertices that it has
     * @param changes sorted
     */
    NewRows(Rows rows, long first, int oldSize, int size, ShardChanges changes, Bitmap gone) {
        this.rows = rows;
        this.layout = rows.layout();
        this.first = first;
        this.oldSize = oldSize;
        this.changes = changes;
        this.gone = gone;
        this.degrees = new int[size];
        for (int row = 0; row < size; row++) {
            int number = row;
            visit(row, (_, _) -> degrees[number]++);
            if (degrees[row] > layout.maxDegree()) {
                throw new InvalidInputException(
                        "a vertex would have %d edges; one with more than %d edges cannot be stored"
                                .formatted(degrees[row], layout.maxDegree()));
            }
        }
    }

    /** Length of each row's chunk. */
    int[] sizes() {
        int[] sizes = new int[degrees.length];
        for (int row = 0; row < sizes.length; row++) {
            sizes[row] = layout.bytes(degrees[row]);
        }
        return sizes;
    }

    /** Number of all edges. */
    long edges() {
        long sum = 0;
        for (int one : degrees) {
            sum += one;
        }
        return sum;
    }

    /** Writes a row into its chunk. */
    void write(int row, long chunk) {
        int[] index = {0};
        visit(
                row,
                (target, weight) -> {
                    long at = chunk + (long) layout.targetBytes() * index[0];
                    AdjacencyLayout.store(at, layout.targetBytes(), target);
                    if (layout.weighted()) {
                        NativeMemory.putFloat(layout.weight(chunk, degrees[row], index[0]), weight);
                    }
                    index[0]++;
                });
    }

    private void visit(int row, ShardChanges.EdgeVisitor visitor) {
        if (gone.get(first + row)) {
            return;
        }
        degree = 0;
        if (row < oldSize) {
            long entry = rows.entry(first + row);
            targets = AdjacencyLayout.targets(entry);
            degree = layout.degreeOf(entry);
        }
        changes.merge(
                row,
                this,
                (target, weight) -> {
                    if (!gone.get(target)) {
                        visitor.edge(target, weight);
                    }
                });
    }

    @Override
    public int degree() {
        return degree;
    }

    @Override
    public long target(int index) {
        return layout.target(targets, index);
    }

    @Override
    public float weight(int index) {
        return layout.weighted() ? NativeMemory.getFloat(layout.weight(targets, degree, index)) : 1;
    }
}
