package org.starling.loaders;

import java.util.Arrays;

/**
 * Estimates how many different ids there are from a sample of the ends of edges. Those seen once in
 * a sample of a share q stand for √(1/q) vertices each: the "guaranteed-error estimator" (Charikar,
 * Chaudhuri, Motwani, Narasayya: Towards estimation error guarantees for distinct values, PODS
 * 2000), which is wrong by at most that factor whatever the distribution. There are no more
 * vertices than ends of edges, and no more than the span of the ids, as most files number their
 * vertices.
 */
final class DistinctIds {
    private DistinctIds() {}

    /**
     * The estimate.
     *
     * @param ids the sample, as unsigned numbers; is changed
     * @param scale how much larger than the sample the whole is, at least 1
     * @param edges edges of the whole
     */
    static long estimate(long[] ids, double scale, long edges) {
        for (int i = 0; i < ids.length; i++) {
            ids[i] ^= Long.MIN_VALUE;
        }
        Arrays.parallelSort(ids);
        long once = 0;
        long often = 0;
        for (int from = 0, to; from < ids.length; from = to) {
            to = from + 1;
            while (to < ids.length && ids[to] == ids[from]) {
                to++;
            }
            if (to == from + 1) {
                once++;
            } else {
                often++;
            }
        }
        long guess = Math.min(Math.round(Math.sqrt(scale) * once) + often, 2 * edges);
        long span = ids.length == 0 ? 0 : ids[ids.length - 1] - ids[0] + 1;
        return span > 0 ? Math.min(guess, span) : guess;
    }
}
