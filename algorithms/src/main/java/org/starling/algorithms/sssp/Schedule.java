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

    private final long storedEdges;
    private final long vertices;
    private float width;
    private Epoch epoch;
    private long settledEdges;
    private long settledNow;
    private long scannedNow;
    private float nearest = Float.POSITIVE_INFINITY;

    /** With the width of the first epoch. */
    Schedule(long vertices, long storedEdges, float width) {
        this.vertices = vertices;
        this.storedEdges = storedEdges;
        this.width = width;
        this.epoch = new Epoch(0, 0, width, width);
    }

    Epoch epoch() {
        return epoch;
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
        nearest = Math.min(nearest, leastPutOff);
    }

    /** Edges of vertices that are not settled. */
    long openEdges() {
        return storedEdges - settledEdges;
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
        float base = Math.max(epoch.horizon(), nearest);
        boolean last = openEdges() <= storedEdges / LAST_SHARE;
        float horizon = last ? Float.POSITIVE_INFINITY : Math.max(base + width, Math.nextUp(base));
        epoch = new Epoch(epoch.number() + 1, base, horizon, width);
        settledNow = 0;
        scannedNow = 0;
        nearest = Float.POSITIVE_INFINITY;
        return true;
    }

    private void adapt() {
        if (scannedNow < FEW_EDGES) {
            width = Math.min(2 * width, Float.MAX_VALUE / 2);
        } else if (scannedNow > 4 * settledNow) {
            width = Math.max(width / 2, Float.MIN_NORMAL);
        }
    }
}
