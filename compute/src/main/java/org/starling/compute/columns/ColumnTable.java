package org.starling.compute.columns;

import java.io.IOException;
import java.util.List;

/**
 * Some columns of a kept graph: a row for each vertex, in the graph's own order, which does not
 * change. Any thread; each reading is confined to one.
 */
public interface ColumnTable {
    /** Takes batches in their order. */
    interface Sink {
        /** Takes one; throws if it takes no more. */
        void take(ColumnBatch batch) throws IOException;
    }

    /** Number of vertices. */
    long vertices();

    /** What ids are: numbers ({@code VERTEX}) or texts ({@code NAME}). */
    ColumnField id();

    /** Its columns, in the order in which they were asked for. */
    List<ColumnField> fields();

    /**
     * Reads rows, and holds few megabytes of them or two shards at most. Batches are smaller where
     * texts are long. Nothing is handed on of a graph or a column that is not the one any more that
     * was opened.
     *
     * @param offset rows to leave out first
     * @param limit the most rows to read
     * @throws IOException if the sink takes no more
     */
    void read(long offset, long limit, Sink sink) throws IOException;
}
