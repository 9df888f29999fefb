package org.starling.compute.cluster;

import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JsonRecord;

/**
 * A job as people see it.
 *
 * @param id its number
 * @param name of its script
 * @param status where it is
 * @param attempt how many masters have taken it up
 * @param cancelRequested whether somebody wants it to stop
 * @param progress what it does now; null if it does not run, or its master does not answer
 * @param group whose peers it runs on; null where the master does not say, as of what has ended
 * @param priority beside other jobs, likewise
 * @param waitsFor why it waits; null if it does not
 * @param waitingSeconds how long it has waited for that
 */
public record JobView(
        long id,
        String name,
        Status status,
        long attempt,
        boolean cancelRequested,
        @Nullable JobActivity progress,
        @Nullable String group,
        @Nullable JobPriority priority,
        @Nullable String waitsFor,
        double waitingSeconds)
        implements JsonRecord {
    /** Where a job is. */
    public enum Status {
        /** Nobody has begun with it. */
        QUEUED,
        /** A master works on it. */
        RUNNING,
        /** It has done all it should. */
        SUCCEEDED,
        /** It could not go on. */
        FAILED,
        /** It was told to stop. */
        CANCELLED;

        /** Whether nothing more will happen. */
        public boolean isEnd() {
            return this != QUEUED && this != RUNNING;
        }
    }
}
