package org.starling.compute.internal.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.starling.compute.GroupName;
import org.starling.compute.internal.job.MemoryLedger.Wait;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;

/**
 * Which jobs a master begins next, and why the others wait: in each group so many run at once,
 * first those that a lost master has left running, then by priority, then in the order in which
 * they came. Where one that runs has waited for memory for long, no other begins: those that run
 * will end, and leave it theirs. Derived from the directory's list each time. Confined to the
 * service's thread, but for {@link #waitOf}.
 */
final class JobQueue {
    private final int maxRunning;
    private final Groups groups;
    private final Hunger hunger;
    private final Map<Long, Wait> waits = new ConcurrentHashMap<>();

    /** Peers of groups now. */
    @FunctionalInterface
    interface Groups {
        /** Whether a group has peers that compute. */
        boolean hasPeers(GroupName group);
    }

    /** Jobs that run but have waited for memory for long. */
    @FunctionalInterface
    interface Hunger {
        /** One of a group, if there is any. */
        Optional<Long> in(GroupName group);
    }

    JobQueue(int maxRunning, Groups groups, Hunger hunger) {
        this.maxRunning = maxRunning;
        this.groups = groups;
        this.hunger = hunger;
    }

    /**
     * Jobs to begin now.
     *
     * @param jobs what the directory lists
     * @param running those that this master runs
     * @param needs of a job
     */
    List<JobInfo> next(List<JobInfo> jobs, Set<Long> running, LongFunction<JobNeeds> needs) {
        Map<GroupName, Integer> counts = new HashMap<>();
        running.forEach(job -> counts.merge(needs.apply(job).group(), 1, Integer::sum));
        List<JobInfo> next = new ArrayList<>();
        List<JobInfo> open =
                jobs.stream()
                        .filter(job -> !job.status().isEnded() && !running.contains(job.id()))
                        .sorted(
                                Comparator.comparing(JobInfo::status)
                                        .reversed() // those that run, first
                                        .thenComparing(
                                                job -> needs.apply(job.id()).priority(),
                                                Comparator.reverseOrder())
                                        .thenComparingLong(JobInfo::id))
                        .toList();
        waits.keySet().retainAll(open.stream().map(JobInfo::id).toList());
        for (JobInfo job : open) {
            GroupName group = needs.apply(job.id()).group();
            int count = counts.getOrDefault(group, 0);
            if (!groups.hasPeers(group)) {
                waits(job.id(), "no peer of group " + group + " is there");
            } else if (count >= maxRunning) {
                waits(
                        job.id(),
                        "%d jobs run in group %s, which are as many as may at once"
                                .formatted(count, group));
            } else if (job.status() == JobStatus.QUEUED && hunger.in(group).isPresent()) {
                waits(
                        job.id(),
                        "job %d has waited for memory for long, and gets it before others begin"
                                .formatted(hunger.in(group).get()));
            } else {
                counts.put(group, count + 1);
                waits.remove(job.id());
                next.add(job);
            }
        }
        return next;
    }

    /** Why a job waits; empty if it does not. Any thread. */
    Optional<Wait> waitOf(long job) {
        return Optional.ofNullable(waits.get(job));
    }

    private void waits(long job, String why) {
        waits.merge(
                job,
                new Wait(why, System.nanoTime()),
                (old, now) -> new Wait(now.why(), old.sinceNanos()));
    }
}
