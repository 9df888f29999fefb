package org.starling.compute.inputs;

import org.starling.graph.JobCancelledException;

/** A job that is cancelled when a test says so. */
final class CancelWatch implements InputSpool.Watch {
    volatile boolean cancelled;

    @Override
    public void checkCancelled() {
        if (cancelled) {
            throw new JobCancelledException("cancelled");
        }
    }

    @Override
    public void progress(String name, long bytes, long of) {}
}
