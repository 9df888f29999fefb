package org.starling.compute.internal.run;

import org.starling.compute.internal.protocol.ComputeMessage.Direction;

/**
 * What the workers of a slave do together before they compute shards: they go through the rows of
 * hubs whose neighbours' values are pulled, piece by piece. Owned by a run; workers call it, each
 * piece by one of them. Stateless.
 */
final class HubPull {
    private final RunContext context;

    HubPull(RunContext context) {
        this.context = context;
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

    /** Pulls one of the pieces. */
    void pull(int number, int superstep, Direction[] directions) {
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
