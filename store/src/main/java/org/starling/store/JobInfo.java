package org.starling.store;

/**
 * What a list says of a job.
 *
 * @param id its id, counted from 1 in the order of submission
 * @param name what people call it
 * @param status where it stands
 * @param attempt how often it has been started; 0 before the first start
 * @param cancelRequested whether somebody has asked the master to stop it
 */
public record JobInfo(
        long id, String name, JobStatus status, long attempt, boolean cancelRequested) {}
