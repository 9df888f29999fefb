package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.RowLengths;
import org.starling.compute.internal.graph.Rows;

/**
 * How the own vertices of a node collect what came along one path of a channel.
 *
 * <p>Where every value counts, the rows of hubs are gone through before, piece by piece, by
 * whichever worker takes a piece; {@link #shard} goes through all other rows of a shard and adds up
 * its hubs' pieces in their order. Where one value is enough, a walk ends soon and nothing is cut.
 * One for each path of a {@link Channel}; a piece or a shard is worked on by one thread, pieces
 * before shards.
 */
final class PathPull {
    private final PullKernel kernel;
    private final Rows rows;
    private final RowLengths receiving;
    private final boolean cut;
    private final long[] combined;
    private final boolean[] any;

    PathPull(EdgePaths.Path path, ValueOp op, PullKernel kernel) {
        this.kernel = kernel;
        this.rows = path.receivers();
        this.receiving = path.receiving();
        this.cut = !op.isSatisfiedByFirst() && receiving.pieces() > 0;
        this.combined = new long[pieces()];
        this.any = new boolean[pieces()];
    }

    /** Number of pieces that must be combined before any shard; 0 if no row is cut. */
    int pieces() {
        return cut ? receiving.pieces() : 0;
    }

    /** Combines what the neighbours in a piece broadcast. */
    void piece(int piece, ChannelStep step) {
        long hub = receiving.hub(piece);
        any[piece] =
                !step.settled().get(hub)
                        && kernel.combinePiece(
                                rows,
                                hub,
                                receiving.firstEdge(piece),
                                receiving.endEdge(piece, rows.degree(hub)),
                                step,
                                combined,
                                piece);
    }

    /**
     * Pulls for the vertices of one shard.
     *
     * @param first first ordinal of the shard, a multiple of 64
     * @param end ordinal behind the last
     */
    void shard(long first, long end, ChannelStep step) {
        Bitmap receivers = cut ? receiving.few() : receiving.some();
        kernel.pull(rows, first, end, receivers, step);
        for (int piece = receiving.firstPiece(first);
                piece < pieces() && receiving.hub(piece) < end;
                piece++) {
            if (any[piece]) {
                step.inbox().deliver(receiving.hub(piece), combined[piece]);
            }
        }
    }
}
