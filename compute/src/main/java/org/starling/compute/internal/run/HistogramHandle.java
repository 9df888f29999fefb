package org.starling.compute.internal.run;

import java.util.Arrays;
import java.util.Objects;
import org.starling.graph.Histogram;

/** Counts of one worker, over the whole run. Confined to the worker's thread while it works. */
final class HistogramHandle implements Histogram {
    private final String name;
    private final StopSign stop;
    private long[] counts = new long[16];

    HistogramHandle(String name, StopSign stop) {
        this.name = name;
        this.stop = stop;
    }

    /** Name in the program. */
    String name() {
        return name;
    }

    @Override
    public void add(int bucket, long count) {
        Objects.checkIndex(bucket, MAX_BUCKETS);
        stop.check();
        if (bucket >= counts.length) {
            counts =
                    Arrays.copyOf(
                            counts, Math.min(MAX_BUCKETS, Math.max(2 * counts.length, bucket + 1)));
        }
        counts[bucket] += count;
    }

    /** The counts up to the last one that is not 0. */
    long[] counts() {
        int length = counts.length;
        while (length > 0 && counts[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(counts, length);
    }
}
