package org.starling.store;

import java.util.Objects;

/**
 * One job in few words, as the directory knows it.
 *
 * @param id number of the job, from 1 on in the order of submission
 * @param name what its submitter called it
 * @param status how far it is
 * @param attempt how often it has been started
 * @param cancelRequested whether somebody wants it to stop
 */
public record JobInfo(
        long id, String name, JobStatus status, long attempt, boolean cancelRequested) {
    /** Checks the fields. */
    public JobInfo {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(status, "status");
    }
}
