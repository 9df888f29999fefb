package org.starling.compute.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.jars.UserJar;
import org.starling.compute.script.JobRequest;

/**
 * Jobs that a {@link ClusterBench} runs.
 *
 * @param first runs before all others, undisturbed, as one that keeps graphs for them; null for
 *     none
 * @param together at least one; all at the same time
 * @param jars that the jobs name
 * @param compares whether the jobs are to be run undisturbed first, and results compared
 */
public record BenchJobs(
        @Nullable JobRequest first,
        List<JobRequest> together,
        List<UserJar> jars,
        boolean compares) {
    /** Copies the lists. */
    public BenchJobs {
        together = List.copyOf(together);
        jars = List.copyOf(jars);
        if (together.isEmpty()) {
            throw new IllegalArgumentException("there is no job");
        }
    }
}
