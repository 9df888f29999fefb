package org.starling.store;

/** Where a job stands. */
public enum JobStatus {
    /** Waits for the master to start it. */
    QUEUED,
    /** The master runs it. */
    RUNNING,
    /** It has ended and its report says with what. */
    SUCCEEDED,
    /** It has ended without a result; its report says why. */
    FAILED,
    /** It has ended because somebody asked for that. */
    CANCELLED;

    /**
     * Whether it will not change any more.
     *
     * @return true for jobs that have ended
     */
    public boolean isEnded() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case SUCCEEDED, FAILED, CANCELLED -> true;
        };
    }
}
