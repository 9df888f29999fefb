package org.starling.compute.internal.run;

import org.starling.compute.internal.protocol.ComputeMessage.Direction;

/**
 * Decides for one channel whether broadcasts are pushed along edges or pulled by receivers.
 *
 * <p>Pushing costs an atomic update for each edge of a broadcaster; pulling costs a look at each
 * edge of those who may still receive, or fewer where the first value is enough. The thresholds for
 * that case are Beamer's (SC 2012, section 5: alpha 15, beta 18); for combiners that need all
 * values, pulling pays when broadcasters have a good part of all edges. Sums of floating point
 * numbers are always pulled, so that they are added in the same order whatever the number of peers.
 * Where no rows of incoming edges are stored, everything is pushed. Confined to the master's
 * thread.
 */
final class DirectionChoice {
    private static final long ALPHA = 15;
    private static final long BETA = 18;
    private static final long ALL_VALUES_FACTOR = 5;

    private final ValueOp op;
    private final boolean canPull;
    private Direction last = Direction.PUSH;

    /**
     * Choices for a channel.
     *
     * @param canPull whether receivers know their senders
     */
    DirectionChoice(ValueOp op, boolean canPull) {
        this.op = op;
        this.canPull = canPull;
    }

    /** What was chosen last, which the next choice depends on. */
    Direction last() {
        return last;
    }

    /** Goes on where another choice was. */
    void setLast(Direction newLast) {
        last = newLast;
    }

    /**
     * Chooses.
     *
     * @param vertices vertices of the graph
     * @param broadcasters vertices that broadcast
     * @param broadcastEdges their edges
     * @param openEdges edges of vertices that have not settled
     * @param allEdges edges of all vertices
     */
    Direction choose(
            long vertices, long broadcasters, long broadcastEdges, long openEdges, long allEdges) {
        if (broadcasters == 0) {
            return Direction.NONE;
        }
        last =
                pulls(vertices, broadcasters, broadcastEdges, openEdges)
                        ? Direction.PULL
                        : Direction.PUSH;
        // who has no edges is nobody's neighbour: nobody will miss that it was silent
        return last == Direction.PULL && broadcastEdges == allEdges ? Direction.PULL_ALL : last;
    }

    private boolean pulls(long vertices, long broadcasters, long broadcastEdges, long openEdges) {
        if (!canPull || op.isOrderSensitive()) {
            return canPull;
        }
        if (!op.isSatisfiedByFirst()) {
            return broadcastEdges * ALL_VALUES_FACTOR > openEdges;
        }
        return last == Direction.PULL
                ? broadcasters * BETA >= vertices
                : broadcastEdges * ALPHA > openEdges;
    }
}
