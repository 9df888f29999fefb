package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Rows;

/** Lets the vertices of a shard collect what their neighbours broadcast. */
interface PullKernel {
    /**
     * Pulls for the vertices of one shard that can still receive something.
     *
     * @param rows incoming edges
     * @param first first ordinal of the shard, a multiple of 64
     * @param end ordinal behind the last
     * @param receivers vertices whose rows are gone through here
     * @param settled vertices that want nothing any more
     * @param published what was broadcast
     * @param everyone whether every vertex of the graph has broadcast
     * @param inbox where it goes
     */
    void pull(
            Rows rows,
            long first,
            long end,
            Bitmap receivers,
            Bitmap settled,
            Published published,
            boolean everyone,
            Inbox inbox);

    /**
     * Combines what some of a vertex's neighbours broadcast.
     *
     * @param rows incoming edges
     * @param ordinal whose neighbours
     * @param firstEdge index in its row of the first edge
     * @param endEdge index behind the last
     * @param published what was broadcast
     * @param everyone whether every vertex of the graph has broadcast
     * @param into receives the combined value
     * @param at where
     * @return false if none of them broadcast
     */
    boolean combinePiece(
            Rows rows,
            long ordinal,
            int firstEdge,
            int endEdge,
            Published published,
            boolean everyone,
            long[] into,
            int at);
}
