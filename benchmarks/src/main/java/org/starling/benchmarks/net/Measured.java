package org.starling.benchmarks.net;

import org.jspecify.annotations.Nullable;

/**
 * One repetition of one contender.
 *
 * @param messagesPerSecond that arrived, of all nodes; round trip: answers
 * @param roundTrip null unless round trips were measured
 * @param aggregationFactor messages in each write; 0 if that is not known
 */
record Measured(
        double messagesPerSecond, @Nullable RoundTripMicros roundTrip, double aggregationFactor) {
    /** From what the hosts counted. */
    static Measured of(Repetition repetition) {
        return new Measured(
                repetition.messagesPerSecond(),
                repetition.roundTrips().getTotalCount() == 0
                        ? null
                        : RoundTripMicros.of(repetition.roundTrips()),
                repetition.aggregationFactor());
    }
}
