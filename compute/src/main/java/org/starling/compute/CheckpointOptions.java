package org.starling.compute;

import java.time.Duration;

/**
 * How often a job is checkpointed. Checkpoints are made only where chunks survive the loss of a
 * peer, and by time never so often that they would take more than a twentieth of it.
 *
 * @param interval time between checkpoints; a loss repeats about as much work
 * @param supersteps a checkpoint after so many supersteps of a run whatever the time; 0 for none
 *     but by time
 */
public record CheckpointOptions(Duration interval, int supersteps) {
    /** Every five seconds. */
    public static final CheckpointOptions DEFAULT = new CheckpointOptions(Duration.ofSeconds(5), 0);

    /** None at all: a loss repeats all runs since the graph was made. */
    public static final CheckpointOptions NONE = new CheckpointOptions(Duration.ofDays(365), 0);

    /** Checks the numbers. */
    public CheckpointOptions {
        if (interval.isNegative() || supersteps < 0) {
            throw new IllegalArgumentException("interval and supersteps must not be negative");
        }
    }
}
