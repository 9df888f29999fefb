package org.starling.compute.internal.protocol;

/**
 * Numbers of attempts: each attempt to make a graph, to run a program or to take a checkpoint has a
 * number that nothing else ever has. The upper half is the master's term, so that numbers of
 * different masters differ and those of newer masters are greater.
 */
public final class Attempt {
    /** The greatest term. */
    public static final long MAX_TERM = Integer.MAX_VALUE;

    /** Bits of a term that count the attempts of a job; the others leave room for 2^24 jobs. */
    private static final int JOB_SHIFT = 7;

    /** So many attempts of a job can be told apart. */
    public static final int MAX_ATTEMPTS = (1 << JOB_SHIFT) - 1;

    /** The job of a session that no directory knows of, in a cluster of its own. */
    public static final long EMBEDDED = 0;

    private Attempt() {}

    /** The number of a term's attempt. */
    public static long of(long term, int count) {
        if (term < 0 || term > MAX_TERM || count < 0) {
            throw new IllegalArgumentException("term " + term + ", attempt " + count);
        }
        return term << Integer.SIZE | count;
    }

    /**
     * The term of a master that leads an attempt of a job.
     *
     * @param job the job's number
     * @param attempt from 1 on; {@link #MAX_ATTEMPTS} is greater than all that were
     */
    public static long term(long job, long attempt) {
        if (attempt < 0 || attempt > MAX_ATTEMPTS) {
            throw new IllegalArgumentException("job " + job + ", attempt " + attempt);
        }
        return job << JOB_SHIFT | attempt;
    }

    /** The job of a term. */
    public static long job(long term) {
        return term >>> JOB_SHIFT;
    }

    /** The term of a number. */
    public static long term(long number) {
        return number >>> Integer.SIZE;
    }
}
