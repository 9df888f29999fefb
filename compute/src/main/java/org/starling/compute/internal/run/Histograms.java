package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums of histograms as they travel: for each its length and its counts. Static functions only. */
public final class Histograms {
    private Histograms() {}

    /** Sums; an empty array stands for histograms without counts. */
    public static long[] sum(List<long[]> flats) {
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
        return flat(sums);
    }

    /** Counts of some histograms as they travel. */
    static long[] flat(List<long[]> histograms) {
        long[] result = {};
        for (long[] counts : histograms) {
            int at = result.length;
            result = Arrays.copyOf(result, at + 1 + counts.length);
            result[at] = counts.length;
            System.arraycopy(counts, 0, result, at + 1, counts.length);
        }
        return result;
    }

    /** Histograms by name. */
    public static Map<String, long[]> byName(List<String> names, long[] flat) {
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
