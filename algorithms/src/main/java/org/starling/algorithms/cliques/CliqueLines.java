package org.starling.algorithms.cliques;

import it.unimi.dsi.fastutil.longs.LongArrays;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.LongMirror;
import org.starling.graph.TextOutput;

/**
 * Writes cliques, one per line: original ids, ascending, with a blank between two. Confined to one
 * worker. No allocation per clique.
 */
final class CliqueLines implements CliqueSink {
    private final TextOutput output;
    private final LongMirror ids;
    private final VertexOrder order;
    private final long[] line;

    /**
     * @param ids original id of each vertex
     * @param largest size of the largest clique there can be
     */
    CliqueLines(TextOutput output, LongMirror ids, VertexOrder order, int largest) {
        this.output = output;
        this.ids = ids;
        this.order = order;
        this.line = new long[largest];
    }

    @Override
    public void clique(int[] members, int size) {
        for (int index = 0; index < size; index++) {
            line[index] = ids.read(order.ordinal(members[index]));
        }
        LongArrays.quickSort(line, 0, size, Long::compareUnsigned);
        output.vertex(line[0]);
        for (int index = 1; index < size; index++) {
            output.character(' ').vertex(line[index]);
        }
        output.endLine();
    }
}
