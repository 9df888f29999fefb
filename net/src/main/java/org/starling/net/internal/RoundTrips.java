package org.starling.net.internal;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetStatistics;

/**
 * How long answers took, from the request's entry in the table to its answer on the receiving
 * thread; to 1 %. Recorded by the receiving thread, which neither allocates nor waits for it; read
 * by any thread. {@code total} and {@code interval} are guarded by this.
 */
final class RoundTrips {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 2;
    private static final double NANOS_PER_MICRO = 1e3;

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(1, MAX_NANOS, DIGITS);
    private final Histogram total = new Histogram(1, MAX_NANOS, DIGITS);
    private @Nullable Histogram interval;

    /** On the receiving thread. */
    void record(long nanos) {
        recorder.recordValue(Math.clamp(nanos, 1, MAX_NANOS));
    }

    /** All round trips so far. */
    synchronized NetStatistics.RoundTrips figures() {
        Histogram fresh = recorder.getIntervalHistogram(interval);
        interval = fresh;
        total.add(fresh);
        return new NetStatistics.RoundTrips(
                total.getTotalCount(),
                total.getValueAtPercentile(50) / NANOS_PER_MICRO,
                total.getValueAtPercentile(99) / NANOS_PER_MICRO,
                total.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
                total.getMaxValue() / NANOS_PER_MICRO);
    }
}
