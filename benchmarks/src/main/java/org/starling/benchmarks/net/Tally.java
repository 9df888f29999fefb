package org.starling.benchmarks.net;

import org.starling.benchmarks.harness.WrongResultException;

/**
 * Messages, counted and summed up.
 *
 * @param messages how many
 * @param sum of what {@link Payload} says of each
 */
record Tally(long messages, long sum) {
    Tally plus(Tally other) {
        return new Tally(messages + other.messages, sum + other.sum);
    }

    /** Compares what came with this, which was sent. */
    void requireArrived(Object flow, Tally arrived) {
        if (!equals(arrived)) {
            throw new WrongResultException(
                    "%s: %s were sent, %s came".formatted(flow, this, arrived));
        }
    }

    @Override
    public String toString() {
        return "%d messages with sum %016x".formatted(messages, sum);
    }
}
