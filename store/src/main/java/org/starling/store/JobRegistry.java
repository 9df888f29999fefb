package org.starling.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The queue of jobs that the directory keeps: it survives every loss that the directory survives.
 * Any thread but receiving ones; every call asks the leading superpeer and throws {@link
 * StoreException} if none answers in time ({@link IndeterminateException} if a change may have
 * taken effect).
 */
public interface JobRegistry {
    /**
     * Puts a job into the queue.
     *
     * @param nonce chosen at random by the submitter; the same again gives the same job
     * @param name for people
     * @param payload what to do, at most {@link Job#MAX_PAYLOAD_BYTES}
     * @return its id
     * @throws JobRefusedException if too many jobs wait
     */
    long submit(long nonce, String name, byte[] payload);

    /**
     * The jobs that wait, run, or ended not long ago.
     *
     * @return by ascending id
     */
    List<JobInfo> jobs();

    /**
     * One job.
     *
     * @param id its id
     * @return the job, or nothing if there never was one or it ended long ago
     */
    Optional<Job> job(long id);

    /**
     * Cancels a job: one that waits ends at once, one that runs is asked to stop.
     *
     * @param id its id
     * @return whether there was anything to cancel
     */
    boolean cancel(long id);

    /**
     * Starts a job, or starts it again after its master was lost.
     *
     * @param id its id
     * @return the number of this attempt; nothing if this node is not the master or the job has
     *     ended
     */
    OptionalLong start(long id);

    /**
     * Commits a checkpoint: only then it counts.
     *
     * @param id of the job
     * @param attempt that took it
     * @param progress where the job stands, at most {@link Job#MAX_PROGRESS_BYTES}
     * @return false if the attempt is not the current one any more
     */
    boolean checkpoint(long id, long attempt, byte[] progress);

    /**
     * Ends a job.
     *
     * @param id of the job
     * @param attempt that ends it
     * @param status how it ended
     * @param report for its submitter, at most {@link Job#MAX_REPORT_BYTES}
     * @return false if the attempt is not the current one any more
     */
    boolean end(long id, long attempt, JobStatus status, byte[] report);

    /**
     * The node that runs jobs: elected among the peers that compute.
     *
     * @return node id, or −1 while there is none
     */
    int master();

    /**
     * Calls the listener whenever jobs or the master may have changed; on a thread of its own, a
     * few heartbeats late at most.
     *
     * @param listener reads what it wants to know
     */
    void onChange(Runnable listener);
}
