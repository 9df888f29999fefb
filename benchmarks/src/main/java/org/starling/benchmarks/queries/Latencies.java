package org.starling.benchmarks.queries;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How long each of many questions took.
 *
 * @param sortedNanos ascending; at least one
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
record Latencies(long[] sortedNanos) {
    private static final int FIRST = 1 << 12;
    private static final double NANOS_PER_MICRO = 1e3;

    /**
     * Asks one question after another.
     *
     * @param warmUp so many are not counted
     * @param seconds how long to ask
     * @param question gets its number
     */
    static Latencies measure(int warmUp, long seconds, IntConsumer question) {
        for (int i = 0; i < warmUp; i++) {
            question.accept(i);
        }
        long[] nanos = new long[FIRST];
        int count = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long before = System.nanoTime();
        while (count == 0 || before < end) {
            question.accept(warmUp + count);
            long now = System.nanoTime();
            nanos = count == nanos.length ? Arrays.copyOf(nanos, 2 * count) : nanos;
            nanos[count++] = now - before;
            before = now;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return new Latencies(sorted);
    }

    /** The least time that so many of a hundred did not exceed. */
    double micros(double percent) {
        int index = (int) Math.ceil(percent / 100 * sortedNanos.length) - 1;
        return sortedNanos[Math.clamp(index, 0, sortedNanos.length - 1)] / NANOS_PER_MICRO;
    }

    /** As a JSON tree. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("questions", (long) sortedNanos.length);
        tree.put("p50Micros", micros(50));
        tree.put("p90Micros", micros(90));
        tree.put("p99Micros", micros(99));
        tree.put("maxMicros", micros(100));
        return tree;
    }
}
