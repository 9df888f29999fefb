package org.starling.compute.internal.group;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether one of several jobs may take memory now. All methods are the job thread's.
 *
 * <p>What a job needs is looked at together with what others were promised and have not taken yet.
 * Where it does not fit the job waits until others have given memory back; when nobody else is
 * there, it is admitted, and finds out by itself whether it fits.
 */
public interface Admission {
    /** A job that has no neighbours. */
    Admission ALONE =
            new Admission() {
                @Override
                public <N extends Need> Admitted<N> await(
                        Supplier<N> look, Runnable checkCancelled) {
                    N need = look.get();
                    return new Admitted<>(need, need.bytes(Promises.NONE, 1));
                }

                @Override
                public void release() {
                    // nothing was promised
                }
            };

    /** What a job wants to take, and what was free when it looked. Immutable. */
    interface Need {
        /** Whether it is for a graph, in the memory for chunks. */
        boolean isGraph();

        /**
         * Bytes that it may take, by node.
         *
         * @param others what others may still take
         * @param share of what is left beside that and beside what was foretold, for a need of
         *     which not all can be foretold; 0 to 1
         */
        Map<Integer, Long> bytes(Promises others, double share);

        /**
         * Why it does not fit.
         *
         * @param others what others may still take
         */
        Optional<String> shortage(Promises others);
    }

    /**
     * A need that can be met.
     *
     * @param need what was seen last
     * @param bytes that the job may take, by node
     */
    record Admitted<N extends Need>(N need, Map<Integer, Long> bytes) {}

    /**
     * Waits until a need can be met, or nobody else is there; it is promised then.
     *
     * @param look asked again when something may have changed
     * @param checkCancelled throws if the job is to end
     * @throws org.starling.graph.JobCancelledException if the job is cancelled meanwhile
     * @throws org.starling.graph.JobFailedException if jobs wait for one another, and this one has
     *     to give way
     */
    <N extends Need> Admitted<N> await(Supplier<N> look, Runnable checkCancelled);

    /** What was promised is not needed any more, or can be seen to be taken. */
    void release();
}
