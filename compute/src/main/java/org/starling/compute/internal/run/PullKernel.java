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
     */
    void pull(Rows rows, long first, long end, Bitmap receivers, ChannelStep step);

    /**
     * Combines what a vertex's neighbours from one index in its row to another, exclusive, have
     * broadcast.
     *
     * @param into receives the combined value
     * @param at where
     * @return false if none of them broadcast
     */
    boolean combinePiece(
            Rows rows,
            long ordinal,
            int firstEdge,
            int endEdge,
            ChannelStep step,
            long[] into,
            int at);
}
