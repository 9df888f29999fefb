package org.starling.algorithms.sssp;

/**
 * A range of distances that is worked at until nothing in it changes any more.
 *
 * @param number from 0
 * @param base no vertex that is not settled is nearer
 * @param horizon vertices at this distance or beyond are put off
 * @param width length of the range that bins divide; the horizon may lie beyond it
 * @param reach bins below this one are worked at in this superstep, the others wait
 */
record Epoch(int number, float base, float horizon, float width, int reach) {
    /** Bin of a distance. */
    int bin(float distance) {
        return Math.min(
                SharedSearch.BINS - 1, (int) ((distance - base) / width * SharedSearch.BINS));
    }

    /** The same epoch in another superstep. */
    Epoch reaching(int newReach) {
        return new Epoch(number, base, horizon, width, newReach);
    }
}
