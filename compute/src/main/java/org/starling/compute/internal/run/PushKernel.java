package org.starling.compute.internal.run;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;

/** Carries what the vertices of a shard broadcast to their neighbours. */
interface PushKernel {
    /**
     * Pushes for the vertices of one shard.
     *
     * @param rows outgoing edges
     * @param first first ordinal of the shard, a multiple of 64
     * @param end ordinal behind the last
     * @param senders vertices whose rows are pushed here, if they broadcast
     * @param settled own vertices that want nothing any more
     * @param published what was broadcast
     * @param inbox inbox of own vertices
     * @param remote where messages for others go; null if there are no others
     */
    void push(
            Rows rows,
            long first,
            long end,
            Bitmap senders,
            Bitmap settled,
            Published published,
            Inbox inbox,
            @Nullable RemoteTargets remote);

    /**
     * Pushes what a vertex broadcast along some of its edges.
     *
     * @param rows outgoing edges
     * @param ordinal who broadcast
     * @param firstEdge index in its row of the first edge
     * @param endEdge index behind the last
     * @param settled own vertices that want nothing any more
     * @param published what was broadcast
     * @param inbox inbox of own vertices
     * @param remote where messages for others go; null if there are no others
     */
    void pushPiece(
            Rows rows,
            long ordinal,
            int firstEdge,
            int endEdge,
            Bitmap settled,
            Published published,
            Inbox inbox,
            @Nullable RemoteTargets remote);

    /** Messages for vertices of other nodes. */
    interface RemoteTargets {
        /** Where each ordinal belongs. */
        ShardTable shards();

        /** This node. */
        int self();

        /** Sends a message to a vertex of another node. */
        void send(int node, long ordinal, long value);
    }
}
