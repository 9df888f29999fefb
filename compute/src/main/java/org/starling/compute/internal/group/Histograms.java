package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums of histograms as they travel: for each its length and its counts. Static functions only. */
final class Histograms {
    private Histograms() {}

    /** Sums; an empty array stands for histograms without counts. */
    static long[] sum(List<long[]> flats) {
        List<long[]> sums = new ArrayList<>();
        for (long[] flat : flats) {
            int at = 0;
            for (int h = 0; at < flat.length; h++) {
                int length = Math.toIntExact(flat[at++]);
                if (h == sums.size()) {
                    sums.add(new long[0]);
                }
                long[] sum = sums.get(h);
                sum = sum.length < length ? Arrays.copyOf(sum, length) : sum;
                for (int i = 0; i < length; i++) {
                    sum[i] += flat[at++];
                }
                sums.set(h, sum);
            }
        }
        long[] result = {};
        for (long[] sum : sums) {
            int at = result.length;
            result = Arrays.copyOf(result, at + 1 + sum.length);
            result[at] = sum.length;
            System.arraycopy(sum, 0, result, at + 1, sum.length);
        }
        return result;
    }

    /** Histograms by name. */
    static Map<String, long[]> byName(List<String> names, long[] flat) {
        Map<String, long[]> result = new HashMap<>();
        int at = 0;
        for (String name : names) {
            int length = at < flat.length ? Math.toIntExact(flat[at++]) : 0;
            result.put(name, Arrays.copyOfRange(flat, at, at + length));
            at += length;
        }
        return result;
    }
}
