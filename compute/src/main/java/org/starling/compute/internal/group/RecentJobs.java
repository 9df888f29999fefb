package org.starling.compute.internal.group;

import java.util.LinkedHashSet;
import java.util.Set;

/** Numbers of the jobs that have ended last. Guarded by itself; any thread. */
final class RecentJobs {
    /** A command that comes later than so many ends of jobs is taken for one of a new job. */
    private static final int MAX_JOBS = 4096;

    private final Set<Long> numbers = new LinkedHashSet<>();

    synchronized void add(long number) {
        if (numbers.add(number) && numbers.size() > MAX_JOBS) {
            numbers.remove(numbers.iterator().next());
        }
    }

    synchronized boolean contains(long number) {
        return numbers.contains(number);
    }
}
