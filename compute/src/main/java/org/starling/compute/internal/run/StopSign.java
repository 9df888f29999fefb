package org.starling.compute.internal.run;

import org.starling.graph.JobCancelledException;

/**
 * Tells workers in the middle of a long shard that the run is over. Raised by any thread, read by
 * workers.
 */
public final class StopSign {
    private volatile boolean raised;

    /** Lets the next {@link #check} throw. */
    public void raise() {
        raised = true;
    }

    /** True if raised. */
    public boolean isRaised() {
        return raised;
    }

    /**
     * Ends the caller if the run is over.
     *
     * @throws JobCancelledException if so
     */
    public void check() {
        if (raised) {
            throw new JobCancelledException("the run was stopped");
        }
    }
}
