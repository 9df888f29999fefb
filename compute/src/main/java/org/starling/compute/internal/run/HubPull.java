package org.starling.compute.internal.run;

import java.util.concurrent.atomic.AtomicInteger;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;

/**
 * What the workers of a slave do together before they compute shards: they go through the rows of
 * hubs whose neighbours' values are pulled, piece by piece. Owned by a run; {@link #pull} is called
 * by all workers, the rest by the control thread.
 */
final class HubPull {
    private final RunContext context;
    private final AtomicInteger next = new AtomicInteger();

    HubPull(RunContext context) {
        this.context = context;
    }

    /** Begins a superstep. */
    void begin() {
        next.set(0);
    }

    /** Number of pieces to pull in a superstep with these directions; any thread. */
    int pieces(Direction[] directions) {
        int pieces = 0;
        for (Channel channel : context.channels) {
            if (directions[channel.index()].isPull()) {
                for (PathPull pull : channel.pulls()) {
                    pieces += pull.pieces();
                }
            }
        }
        return pieces;
    }

    /** Pulls pieces until none is left. */
    void pull(int superstep, Direction[] directions) {
        int pieces = pieces(directions);
        int piece;
        while ((piece = next.getAndIncrement()) < pieces) {
            context.stop.check();
            pull(piece, superstep, directions);
        }
    }

    private void pull(int number, int superstep, Direction[] directions) {
        int piece = number;
        for (Channel channel : context.channels) {
            Direction direction = directions[channel.index()];
            if (direction.isPull()) {
                for (PathPull pull : channel.pulls()) {
                    if (piece >= 0 && piece < pull.pieces()) {
                        pull.piece(piece, context.pull(channel, superstep, direction));
                    }
                    piece -= pull.pieces();
                }
            }
        }
    }
}
