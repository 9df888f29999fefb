package org.starling.compute.internal.group;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarLoaders.Lease;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.jars.JobCode;

/**
 * The code of users that a job has loaded on a slave, by the terms of its masters: from the first
 * command that needs it until the job has ended, or a newer master leads. Owned by {@link
 * SlaveJob}; any thread.
 */
final class SlaveCode {
    private final JarLoaders loaders;
    private final WorkerTeam team;
    private final StuckWork stuck;

    /** Guarded by this. */
    private final Map<Long, Lease> leases = new HashMap<>();

    /** What has filled the heap, if anything has; guarded by this. */
    private @Nullable String exhausting;

    SlaveCode(JarLoaders loaders, WorkerTeam team, StuckWork stuck) {
        this.stuck = stuck;
        this.loaders = loaders;
        this.team = team;
    }

    /** What a job can name. */
    JobCode of(long term, List<String> jars) {
        if (jars.isEmpty()) {
            return JobCode.builtIn();
        }
        Lease fresh = loaders.acquire(jars);
        Lease other;
        synchronized (this) {
            other = leases.put(term, fresh);
        }
        if (other != null) { // the same jars, as a rule: then they stay loaded
            other.close();
        }
        return fresh.code();
    }

    /** Does something that calls code of users. */
    <R> R call(JobCode jobs, String what, Supplier<R> work) {
        try {
            return jobs.call(what, work);
        } catch (OutOfMemoryError full) {
            if (jobs.hasJars()) {
                exhaustedBy(what);
            }
            throw full;
        }
    }

    /**
     * Code of a jar has filled the heap. The process makes way when its job has ended; sooner, the
     * job's failure would be taken for the loss of this slave.
     */
    synchronized void exhaustedBy(String what) {
        exhausting = what;
    }

    /** A job has ended, and none of its runs is under way. */
    void release(long term) {
        Lease ended;
        synchronized (this) {
            ended = leases.remove(term);
        }
        close(ended == null ? List.of() : List.of(ended));
    }

    /** All jobs have ended. */
    void releaseAll() {
        List<Lease> ended;
        synchronized (this) {
            ended = List.copyOf(leases.values());
            leases.clear();
        }
        close(ended);
    }

    /** Threads go, too, and with them what code of users has left in their variables. */
    private void close(List<Lease> ended) {
        if (!ended.isEmpty()) {
            team.renewThreads();
            ended.forEach(Lease::close);
        }
        String filled;
        synchronized (this) {
            filled = exhausting;
            exhausting = null;
        }
        if (filled != null) {
            stuck.exhausted(filled);
        }
    }
}
