package org.starling.algorithms.sssp;

/**
 * Decides on the master how a search goes on: how far each epoch reaches, and who looks at the
 * edges that lead beyond it. Confined to the job's thread. Nothing here changes what is found.
 */
final class Schedule {
    /** A search ends with one epoch without horizon when this share of edges is left. */
    private static final long LAST_SHARE = 64;

    /** Epochs with fewer edges than this cost more for their supersteps than for their edges. */
    private static final long FEW_EDGES = 1 << 15;

    /** When no more than this share of edges is open, nodes have little to tell each other. */
    private static final long LATE_SHARE = 4;

    /** Epochs before this one are small whatever their width. */
    private static final int FIRST_TELLING = 3;

    /** So many edges in one superstep are work enough: nodes tell each other what they found. */
    private static final long ENOUGH_EDGES = 1 << 19;

    private final long storedEdges;
    private final long vertices;
    private final boolean alone;
    private float width;

    /** Bins that nodes work at before they tell each other what they have found. */
    private int stride;

    private Epoch epoch;
    private long settledEdges;
    private long settledBefore;
    private long settledNow;
    private long scannedNow;
    private long scannedLast;
    private float nearest = Float.POSITIVE_INFINITY;

    /**
     * A plan.
     *
     * @param width that of the first epoch
     * @param alone whether one node has the whole graph
     */
    Schedule(long vertices, long storedEdges, float width, boolean alone) {
        this.alone = alone;
        this.stride = alone ? SharedSearch.BINS : 1;
        this.vertices = vertices;
        this.storedEdges = storedEdges;
        this.width = width;
        this.epoch = new Epoch(0, 0, width, width, stride);
    }

    Epoch epoch() {
        return epoch;
    }

    /** Edges of vertices that were settled before this epoch. */
    long settledBefore() {
        return settledBefore;
    }

    /** Takes the place of another plan: its epoch begins anew. */
    void goOn(Epoch under, long settledBeforeIt) {
        epoch = under;
        width = under.width();
        settledEdges = settledBeforeIt;
        settledBefore = settledBeforeIt;
    }

    /**
     * Takes what a superstep has done.
     *
     * @param settled edges of vertices that were scanned for the first time
     * @param scanned edges looked at
     * @param leastPutOff least distance beyond the horizon; infinite if there is none
     */
    void report(long settled, long scanned, float leastPutOff) {
        settledEdges += settled;
        settledNow += settled;
        scannedNow += scanned;
        scannedLast = scanned;
        nearest = Math.min(nearest, leastPutOff);
        if (!alone) {
            stride =
                    Math.clamp(
                            scanned < ENOUGH_EDGES ? 2L * stride : stride / 2,
                            1,
                            SharedSearch.BINS);
        }
    }

    /** Edges of vertices that are not settled. */
    long openEdges() {
        return storedEdges - settledEdges;
    }

    /**
     * Turns to the next superstep of this epoch: a few more bins, or those that have anything. So
     * nodes keep nearly the same pace, and little is done with distances that another node lowers.
     *
     * @param offered whether offers are under way between nodes
     * @param lowest first bin that has anything on any node; {@link SharedSearch#BINS} if none has
     * @return false if there is none, so that the epoch is over
     */
    boolean reachOn(boolean offered, int lowest) {
        if (!offered && lowest >= SharedSearch.BINS) {
            return false;
        }
        boolean corrects = offered && scannedLast >= ENOUGH_EDGES;
        int end = corrects ? lowest : Math.min(SharedSearch.BINS, lowest + stride);
        epoch = epoch.reaching(end);
        return true;
    }

    /** True if edges that lead beyond the horizon are yet to be looked at. */
    boolean hasPutOffEdges() {
        return settledNow > 0 && epoch.horizon() < Float.POSITIVE_INFINITY;
    }

    /** True if it is cheaper that vertices not settled look for those that are than the reverse. */
    boolean pulls() {
        return openEdges() + vertices / 8 < settledNow;
    }

    /** Turns to the next epoch; false if nothing was put off, so that all is found. */
    boolean advance() {
        if (nearest == Float.POSITIVE_INFINITY) {
            return false;
        }
        adapt();
        if (!alone && openEdges() > storedEdges / LATE_SHARE) {
            stride = 1;
        }
        float base = Math.max(epoch.horizon(), nearest);
        boolean last = openEdges() <= storedEdges / LAST_SHARE;
        float horizon = last ? Float.POSITIVE_INFINITY : Math.max(base + width, Math.nextUp(base));
        epoch = new Epoch(epoch.number() + 1, base, horizon, width, stride);
        settledBefore = settledEdges;
        settledNow = 0;
        scannedNow = 0;
        nearest = Float.POSITIVE_INFINITY;
        return true;
    }

    private void adapt() {
        if (scannedNow < FEW_EDGES && epoch.number() >= FIRST_TELLING) {
            width = Math.min(2 * width, Float.MAX_VALUE / 2);
        } else if (scannedNow > 4 * settledNow) {
            width = Math.max(width / 2, Float.MIN_NORMAL);
        }
    }
}
