package org.starling.store;

/** How far a job is. */
public enum JobStatus {
    /** It waits for the master. */
    QUEUED,
    /** A master has started it. */
    RUNNING,
    /** It ended as it should. */
    SUCCEEDED,
    /** It ended with an error, which its report tells. */
    FAILED,
    /** It was cancelled before its end. */
    CANCELLED;

    /**
     * Whether nothing will change any more.
     *
     * @return true for the last three
     */
    public boolean isEnd() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }
}
