package org.starling.benchmarks.net;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.starling.graph.JobFailedException;

/**
 * What one contender did in one repetition, or one host of it.
 *
 * @param messages that arrived; round trip: answers
 * @param nanos from the first message until the last one was known to have arrived
 * @param writes in which the messages left; 0 if that is not known
 * @param cost of all its processes; nothing if that is not known
 * @param roundTrips in nanoseconds; empty unless round trips were measured
 */
public record Repetition(long messages, long nanos, long writes, Cost cost, Histogram roundTrips) {
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Repetition NOTHING = new Repetition(0, 0, 0, Cost.NONE, histogram());

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
        return new Repetition(messages, nanos, writes, Cost.NONE, histogram());
    }

    /** What {@link #beside} adds to. */
    static Repetition nothing() {
        return NOTHING;
    }

    /** Messages, or answers, in a second. */
    public double messagesPerSecond() {
        return messages * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos);
    }

    /** Cores that were busy on average. */
    public double busyCores() {
        return (double) cost.processorNanos() / Math.max(1, nanos);
    }

    /** Bytes taken on Java heaps for each message. */
    public double allocatedBytes() {
        return (double) cost.allocatedBytes() / Math.max(1, messages);
    }

    /** Messages in each write; 0 if that is not known. */
    double aggregationFactor() {
        return writes == 0 ? 0 : (double) messages / writes;
    }

    /** Mean of the round trips in microseconds. */
    public double meanMicros() {
        return roundTrips.getMean() / NANOS_PER_MICRO;
    }

    /** A percentile of the round trips in microseconds; 0 if none were measured. */
    double micros(double percentile) {
        return roundTrips.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /** A percentile of the round trips of several repetitions in microseconds. */
    public static double micros(Collection<Repetition> all, double percentile) {
        return all.stream().reduce(NOTHING, Repetition::beside).micros(percentile);
    }

    /** Both together, at the same time: messages are added, the time is the longer one. */
    Repetition beside(Repetition other) {
        Histogram both = roundTrips.copy();
        both.add(other.roundTrips);
        return new Repetition(
                messages + other.messages,
                Math.max(nanos, other.nanos),
                writes + other.writes,
                cost.plus(other.cost),
                both);
    }

    /** The same, with what all its processes used up. */
    Repetition using(Cost ofAll) {
        return new Repetition(messages, nanos, writes, ofAll, roundTrips);
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
                    Cost.NONE,
                    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), MAX_NANOS));
        } catch (DataFormatException broken) {
            throw new JobFailedException("a histogram can't be read", broken);
        }
    }
}
