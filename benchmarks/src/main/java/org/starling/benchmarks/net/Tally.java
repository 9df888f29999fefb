package org.starling.benchmarks.net;

/**
 * Messages, counted and summed up.
 *
 * @param messages how many
 * @param sum of what {@link Payload} says of each
 */
record Tally(long messages, long sum) {
    static final Tally NONE = new Tally(0, 0);

    Tally plus(Tally other) {
        return new Tally(messages + other.messages, sum + other.sum);
    }

    @Override
    public String toString() {
        return "%d messages with sum %016x".formatted(messages, sum);
    }
}
