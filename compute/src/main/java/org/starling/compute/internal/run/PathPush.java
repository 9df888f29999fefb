package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.RowLengths;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;

/**
 * How the own vertices of a node push along one path of a channel.
 *
 * <p>Rows of hubs are pushed in pieces, which any worker may take, if the hubs of some shard would
 * keep one worker busy for long; otherwise whole with their shard, because several workers that go
 * through long rows at the same time are in each other's way at the receivers. What is pushed comes
 * out the same in any order. One for each path of a {@link Channel}, safe for all workers.
 */
final class PathPush {
    /** Hubs of a shard are cut if they have more than this part of a worker's share of edges. */
    private static final int PART_OF_SHARE = 4;

    /** Most pieces belong to hubs that are silent, and are only looked at. */
    private static final int PIECES_PER_PART = 16;

    private final PushKernel kernel;
    private final Rows rows;
    private final RowLengths sending;
    private final boolean cut;

    PathPush(EdgePaths.Path path, PushKernel kernel, int workers) {
        this.kernel = kernel;
        this.rows = path.senders();
        this.sending = path.sending();
        this.cut = sending.mostHubEdges() * workers * PART_OF_SHARE > sending.edges();
    }

    /** Number of parts to be pushed besides shards; 0 if no row is cut. */
    int parts() {
        return cut ? Math.ceilDiv(sending.pieces(), PIECES_PER_PART) : 0;
    }

    /** Pushes one of {@link #parts}. */
    void part(int part, ChannelStep step) {
        int first = part * PIECES_PER_PART;
        int end = Math.min(first + PIECES_PER_PART, sending.pieces());
        for (int piece = first; piece < end; piece++) {
            long hub = sending.hub(piece);
            kernel.pushPiece(
                    rows,
                    hub,
                    sending.firstEdge(piece),
                    sending.endEdge(piece, rows.degree(hub)),
                    step);
        }
    }

    /** Pushes for the vertices of one shard, but for what is in parts. */
    void shard(ShardTable shards, int shard, ChannelStep step) {
        Bitmap senders = cut ? sending.few() : sending.some();
        kernel.push(rows, shards.first(shard), shards.end(shard), senders, step);
    }
}
