package org.starling.compute.internal.run;

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
     */
    void push(Rows rows, long first, long end, Bitmap senders, ChannelStep step);

    /** Pushes what a vertex broadcast along the edges from one index to another, exclusive. */
    void pushPiece(Rows rows, long ordinal, int firstEdge, int endEdge, ChannelStep step);

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
