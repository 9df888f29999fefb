package org.starling.compute.internal.group;

import java.util.concurrent.Semaphore;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * What a master leads: one attempt of a job, over which slaves. Immutable.
 *
 * @param term of the attempt; slaves refuse commands of older ones of its job
 * @param weight how much of the slaves' cores the job gets, beside others
 * @param slaves nodes that compute, asked at the beginning of each task
 * @param over whether another job has ended and nobody removes what it has left
 * @param removal one permit for all jobs of a node: whoever holds it removes what others have left
 * @param memoryBytes memory of all slaves together
 * @param admission whether the job may take memory now
 */
public record Leadership(
        long term,
        int weight,
        Supplier<int[]> slaves,
        LongPredicate over,
        Semaphore removal,
        long memoryBytes,
        Admission admission) {
    /** Of a job that has its slaves for itself. */
    public static Leadership alone(long term, Supplier<int[]> slaves, long memoryBytes) {
        return new Leadership(
                term, 1, slaves, _ -> false, new Semaphore(1), memoryBytes, Admission.ALONE);
    }
}
