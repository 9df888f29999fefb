package org.starling.compute.internal.group;

import java.util.function.LongSupplier;
import org.starling.compute.CheckpointOptions;

/**
 * Says when a checkpoint is due: after the number of supersteps that was asked for, or after the
 * time, but by time never so soon that checkpoints would take more than a twentieth of it. Confined
 * to the job's thread.
 */
final class CheckpointPace {
    /** Time between checkpoints is at least so many times what the last one took. */
    private static final long COST_FACTOR = 19;

    private final CheckpointOptions options;
    private final LongSupplier nanoTime;
    private long last;
    private long lastCost;

    CheckpointPace(CheckpointOptions options, LongSupplier nanoTime) {
        this.options = options;
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong();
    }

    /** Whether a checkpoint is due by time. */
    boolean isDue() {
        long passed = nanoTime.getAsLong() - last;
        return passed >= Math.max(options.interval().toNanos(), COST_FACTOR * lastCost);
    }

    /** Whether one is due so many supersteps after the last one or the beginning of the run. */
    boolean isDue(int supersteps) {
        boolean byCount = options.supersteps() > 0 && supersteps >= options.supersteps();
        return byCount || isDue();
    }

    /** A checkpoint that began then has been made, or given up. */
    void made(long startNanos) {
        last = nanoTime.getAsLong();
        lastCost = last - startNanos;
    }

    /** Time, for {@link #made}. */
    long now() {
        return nanoTime.getAsLong();
    }
}
