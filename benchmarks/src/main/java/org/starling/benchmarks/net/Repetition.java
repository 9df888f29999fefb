package org.starling.benchmarks.net;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What one contender did in one repetition, or one host of it.
 *
 * @param messages that arrived; round trip: answers
 * @param nanos from the first message until the last one was known to have arrived
 * @param writes in which the messages left; 0 if that is not known
 * @param roundTrips in nanoseconds; empty unless round trips were measured
 */
record Repetition(long messages, long nanos, long writes, Histogram roundTrips) {
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;
    private static final Repetition NOTHING = new Repetition(0, 0, 0, histogram());

    /** An empty histogram; longer times than a minute count as one. */
    static Histogram histogram() {
        return new Histogram(MAX_NANOS, DIGITS);
    }

    /** Records a time. */
    static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(nanos, MAX_NANOS));
    }

    /** Of one way. */
    static Repetition of(long messages, long nanos, long writes) {
        return new Repetition(messages, nanos, writes, histogram());
    }

    double messagesPerSecond() {
        return messages * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos);
    }

    /** Messages in each write; 0 if that is not known. */
    double aggregationFactor() {
        return writes == 0 ? 0 : (double) messages / writes;
    }

    /** Both together, at the same time: messages are added, the time is the longer one. */
    Repetition beside(Repetition other) {
        Histogram both = roundTrips.copy();
        both.add(other.roundTrips);
        return new Repetition(
                messages + other.messages,
                Math.max(nanos, other.nanos),
                writes + other.writes,
                both);
    }

    /** What {@link #beside} adds to. */
    static Repetition nothing() {
        return NOTHING;
    }

    /** On one line. */
    String line() {
        ByteBuffer bytes = ByteBuffer.allocate(roundTrips.getNeededByteBufferCapacity());
        int length = roundTrips.encodeIntoCompressedByteBuffer(bytes);
        byte[] encoded = new byte[length];
        bytes.flip().get(encoded);
        return "%d %d %d %s"
                .formatted(messages, nanos, writes, Base64.getEncoder().encodeToString(encoded));
    }

    /** What {@link #line} wrote. */
    static Repetition parse(String line) {
        String[] words = line.split(" ", -1);
        byte[] encoded = Base64.getDecoder().decode(words[3]);
        try {
            return new Repetition(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Histogram.decodeFromCompressedByteBuffer(
                            ByteBuffer.wrap(encoded), MAX_NANOS));
        } catch (DataFormatException broken) {
            throw new ChildFailedException("a histogram can't be read", broken);
        }
    }
}
