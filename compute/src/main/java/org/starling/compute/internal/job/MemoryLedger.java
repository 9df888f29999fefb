package org.starling.compute.internal.job;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.starling.compute.GroupName;
import org.starling.compute.internal.group.Admission;
import org.starling.compute.internal.group.Admission.Admitted;
import org.starling.compute.internal.group.Promises;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * Which of the jobs that run side by side may take memory, and which wait for it.
 *
 * <p>A job that needs more than is free waits as long as another job of its group is at work: that
 * one will end, or come to wait itself. When all of them wait, nothing more will become free, and
 * the youngest fails with a sentence, which gives its memory back. So the oldest always gets to
 * where it fits or is alone, and no job waits for one that waits for it.
 *
 * <p>Who waits looks again when something has changed ({@link #change}): others are taken to wait
 * only if they have looked since the last change and still did not fit. Guarded by its own lock,
 * which nobody holds while looking; any thread.
 */
final class MemoryLedger {
    /** Memory also changes by what nobody tells of. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Of what is left a job gets so much where it can't say what it needs: others come, too. */
    private static final double SHARE = 0.5;

    private static final Duration CANCEL_CHECK = Duration.ofMillis(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Jobs that run, ascending; guarded by the lock, as all below. */
    private final TreeMap<Long, Entry> jobs = new TreeMap<>();

    private long change;

    /** Why a job waits. */
    record Wait(String why, long sinceNanos) {}

    private static final class Entry {
        final GroupName group;
        Map<Integer, Long> promised = Map.of();

        /** Whether it was promised for a graph. */
        boolean toGraph;

        Optional<Wait> wait = Optional.empty();

        /** The change after which it looked last. */
        long looked = -1;

        Entry(GroupName group) {
            this.group = group;
        }
    }

    /** A job begins. */
    Admission begin(long job, GroupName group) {
        lock.lock();
        try {
            jobs.put(job, new Entry(group));
            changed();
        } finally {
            lock.unlock();
        }
        return new Admission() {
            @Override
            public <N extends Need> Admitted<N> await(Supplier<N> look, Runnable checkCancelled) {
                return admit(job, look, checkCancelled);
            }

            @Override
            public void release() {
                MemoryLedger.this.release(job);
            }
        };
    }

    /** A job has ended, and has given back what it had. */
    void end(long job) {
        lock.lock();
        try {
            jobs.remove(job);
            changed();
        } finally {
            lock.unlock();
        }
    }

    /** Why a job waits; empty if it does not. */
    Optional<Wait> waitOf(long job) {
        lock.lock();
        try {
            return Optional.ofNullable(jobs.get(job)).flatMap(entry -> entry.wait);
        } finally {
            lock.unlock();
        }
    }

    /** The oldest job of a group that has waited for so long; empty if there is none. */
    Optional<Long> waitsFor(Duration atLeast, GroupName group) {
        long since = System.nanoTime() - atLeast.toNanos();
        lock.lock();
        try {
            return jobs.entrySet().stream()
                    .filter(job -> job.getValue().group.equals(group))
                    .filter(job ->
                            job.getValue().wait.stream().anyMatch(w -> w.sinceNanos - since <= 0))
                    .map(Map.Entry::getKey)
                    .findFirst();
        } finally {
            lock.unlock();
        }
    }

    private <N extends Admission.Need> Admitted<N> admit(
            long job, Supplier<N> look, Runnable checkCancelled) {
        try {
            while (true) {
                checkCancelled.run();
                long seen = current();
                N need = look.get();
                Optional<Map<Integer, Long>> bytes = promise(job, need, seen);
                if (bytes.isPresent()) {
                    return new Admitted<>(need, bytes.get());
                }
                pause(seen, checkCancelled);
            }
        } finally {
            waitsNoMore(job);
        }
    }

    private long current() {
        lock.lock();
        try {
            return change;
        } finally {
            lock.unlock();
        }
    }

    /** Promises a job what it needs, or notes that it waits. */
    private Optional<Map<Integer, Long>> promise(long job, Admission.Need need, long seen) {
        lock.lock();
        try {
            Entry entry = jobs.get(job);
            if (entry == null) {
                return Optional.of(Map.of()); // its end was told; it finds out by itself
            }
            Promises others = promisedToOthers(job);
            Optional<String> shortage = need.shortage(others);
            if (shortage.isEmpty() || !hasNeighbours(job, entry)) {
                entry.promised = Map.copyOf(need.bytes(others, SHARE));
                entry.toGraph = need.isGraph();
                return Optional.of(entry.promised);
            }
            boolean begins = entry.wait.isEmpty();
            long since = entry.wait.map(Wait::sinceNanos).orElseGet(System::nanoTime);
            entry.wait = Optional.of(new Wait(shortage.get(), since));
            entry.looked = seen;
            if (begins) {
                changed(); // what others could not see, while this one was at work
            } else if (allWaitFor(entry)) {
                throw giveWay(shortage.get());
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody of the group is at work, and this is the youngest of them. */
    private boolean allWaitFor(Entry entry) {
        Entry youngest = entry;
        for (Entry other : jobs.values()) {
            if (other.group.equals(entry.group)) {
                if (other.wait.isEmpty() || other.looked != change) {
                    return false;
                }
                youngest = other;
            }
        }
        return youngest == entry;
    }

    private static JobFailedException giveWay(String shortage) {
        return new JobFailedException(
                shortage
                        + "; all jobs of the group wait for memory of one another, and this one is"
                        + " the youngest: submit it again when they have ended");
    }

    private Promises promisedToOthers(long job) {
        Promises sum = Promises.NONE;
        for (Map.Entry<Long, Entry> other : jobs.entrySet()) {
            if (other.getKey() != job) {
                sum = sum.with(other.getValue().toGraph, other.getValue().promised);
            }
        }
        return sum;
    }

    private boolean hasNeighbours(long job, Entry entry) {
        return jobs.entrySet().stream()
                .anyMatch(other ->
                        other.getKey() != job && other.getValue().group.equals(entry.group));
    }

    private void release(long job) {
        lock.lock();
        try {
            Entry entry = jobs.get(job);
            if (entry != null && !entry.promised.isEmpty()) {
                entry.promised = Map.of();
                changed();
            }
        } finally {
            lock.unlock();
        }
    }

    private void waitsNoMore(long job) {
        lock.lock();
        try {
            Entry entry = jobs.get(job);
            if (entry != null && entry.wait.isPresent()) {
                entry.wait = Optional.empty();
                changed();
            }
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        change++;
        changed.signalAll();
    }

    /** Until something has changed, or it is time to look again. */
    private void pause(long seen, Runnable checkCancelled) {
        long end = System.nanoTime() + LOOK.toNanos();
        lock.lock();
        try {
            while (change == seen && System.nanoTime() < end) {
                checkCancelled.run();
                changed.await(CANCEL_CHECK.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the job's thread was interrupted");
        } finally {
            lock.unlock();
        }
    }
}
