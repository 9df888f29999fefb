package org.starling.algorithms.betweenness;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.starling.graph.Adjacency;
import org.starling.graph.DoubleMirror;

/** Adds published values up along a row, in its order. */
final class RowSum {
    private RowSum() {}

    /** Sum of the values of a vertex's neighbours in these rows. */
    static double of(Adjacency rows, long vertex, DoubleMirror values) {
        int degree = rows.degree(vertex);
        if (degree == 0) {
            return 0;
        }
        MemorySegment memory = rows.memory();
        long row = rows.address(vertex);
        double sum = 0;
        for (int i = 0; i < degree; i++) {
            sum += values.read(memory.get(ValueLayout.JAVA_INT_UNALIGNED, row + 4L * i));
        }
        return sum;
    }
}
