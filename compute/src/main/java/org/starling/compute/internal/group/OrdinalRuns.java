package org.starling.compute.internal.group;

import java.util.Arrays;
import java.util.List;

/**
 * Where runs of ordinals begin: a run for each group of degrees, and in it a piece for each slave's
 * range of ids. In a run, ids ascend. Immutable.
 */
final class OrdinalRuns {
    private final long[][] firsts;
    private final long[] starts;

    /**
     * Lays runs behind one another.
     *
     * @param groupSizes of each slave, in the order of their ids: vertices in each group
     */
    OrdinalRuns(List<long[]> groupSizes) {
        int groups = groupSizes.getFirst().length;
        firsts = new long[groupSizes.size()][groups];
        long[] nonEmpty = new long[groups];
        int runs = 0;
        long next = 0;
        for (int group = 0; group < groups; group++) {
            long start = next;
            for (int slave = 0; slave < firsts.length; slave++) {
                firsts[slave][group] = next;
                next += groupSizes.get(slave)[group];
            }
            if (next > start) {
                nonEmpty[runs++] = start;
            }
        }
        starts = Arrays.copyOf(nonEmpty, Math.max(1, runs)); // one empty run in an empty graph
    }

    /** Ordinal of a slave's first vertex of each group. */
    long[] firstsOf(int slave) {
        return firsts[slave].clone();
    }

    /** First ordinals of runs, ascending, at least one. */
    long[] starts() {
        return starts.clone();
    }
}
