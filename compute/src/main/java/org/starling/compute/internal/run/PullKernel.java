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
     * @param receivers vertices with incoming edges
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
}
