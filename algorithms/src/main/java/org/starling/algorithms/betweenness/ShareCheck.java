package org.starling.algorithms.betweenness;

import org.starling.graph.Adjacency;
import org.starling.graph.DoubleMirror;
import org.starling.graph.IntMirror;
import org.starling.graph.Shard;

/**
 * Judges what one source has added to each vertex, when everything that was found for it is still
 * there: distances, numbers of paths, and shares.
 *
 * <p>Rules, for a vertex v at distance d: (1) nobody nearer than d − 1 leads to v, and somebody at
 * d − 1 does, but for the source, at 0; who has no distance is led to by nobody who has one; (2)
 * the number of paths is the sum of those at d − 1 who lead to v, 1 at the source; (3) what v got
 * is its number of paths times the sum of the shares at d + 1 that v leads to, and v's share is one
 * more than that, divided by its number of paths; the source and those without a distance get
 * nothing.
 *
 * <p>Why that is enough: by (1) distances are right, by (2), from the source on, numbers of paths,
 * and by (3), from the farthest on, shares, which are those of Brandes (2001, theorem 6 and
 * corollary 4). One look at every edge. Confined to one worker.
 */
final class ShareCheck {
    /** Distance of who was not reached. */
    static final int UNREACHED = -1;

    private static final double TOLERANCE = 1e-9;

    private final IntMirror distances;
    private final DoubleMirror paths;
    private final DoubleMirror shares;

    ShareCheck(IntMirror distances, DoubleMirror paths, DoubleMirror shares) {
        this.distances = distances;
        this.paths = paths;
        this.shares = shares;
    }

    /**
     * Whether the rules hold at a vertex.
     *
     * @param isSource whether it is the source
     * @param before its score without this source
     * @param after its score with it
     */
    boolean holds(Shard shard, long v, boolean isSource, double before, double after) {
        int distance = distances.read(v);
        if (isSource) {
            return distance == 0 && paths.read(v) == 1 && after == before;
        }
        double ways = waysTo(shard.incoming(), v, distance);
        if (distance == UNREACHED) {
            return ways == 0 && paths.read(v) == 0 && shares.read(v) == 0 && after == before;
        }
        double dependency = paths.read(v) * sharesBehind(shard.adjacency(), v, distance);
        return distance > 0
                && ways > 0
                && isClose(paths.read(v), ways)
                && isClose(shares.read(v) * ways, 1 + dependency)
                && isClose(after, before + dependency);
    }

    /** Paths to those one step nearer; NaN if somebody is nearer still. */
    private double waysTo(Adjacency incoming, long v, int distance) {
        double ways = 0;
        for (int i = 0; i < incoming.degree(v); i++) {
            long neighbour = incoming.neighbour(v, i);
            int there = distances.read(neighbour);
            if (there != UNREACHED && (distance == UNREACHED || there < distance - 1)) {
                return Double.NaN;
            }
            ways += there != UNREACHED && there == distance - 1 ? paths.read(neighbour) : 0;
        }
        return ways;
    }

    private double sharesBehind(Adjacency outgoing, long v, int distance) {
        double sum = 0;
        for (int i = 0; i < outgoing.degree(v); i++) {
            long neighbour = outgoing.neighbour(v, i);
            sum += distances.read(neighbour) == distance + 1 ? shares.read(neighbour) : 0;
        }
        return sum;
    }

    private static boolean isClose(double value, double expected) {
        return Math.abs(value - expected) <= TOLERANCE * Math.max(1, Math.abs(expected));
    }
}
