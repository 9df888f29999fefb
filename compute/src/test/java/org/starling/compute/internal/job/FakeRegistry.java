package org.starling.compute.internal.job;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobRegistry;
import org.starling.store.JobStatus;
import org.starling.store.StoreException;

/**
 * The directory's jobs without a directory. Each peer has a view of its own ({@link #at}). Guarded
 * by itself; listeners are called outside, by whoever changed something.
 */
final class FakeRegistry {
    private static final int NOBODY = -1;
    private static final byte[] NONE = new byte[0];

    private final Map<Long, Job> jobs = new TreeMap<>();
    private final Map<Integer, Runnable> listeners = new TreeMap<>();
    private final List<String> history = new ArrayList<>();
    private int master = NOBODY;
    private int deaf = NOBODY;
    private int failures;

    /** The registry as one peer sees it. */
    JobRegistry at(int node) {
        return new View(node);
    }

    void elect(int node) {
        synchronized (this) {
            master = node;
            deaf = NOBODY;
        }
        tell();
    }

    /** Elects a master, and the one before hears of nothing until the next election. */
    synchronized void electUnheardBy(int deafNode, int node) {
        deaf = deafNode;
        master = node;
    }

    /** So many commits from now on find no leader. */
    synchronized void failCommits(int count) {
        failures = count;
    }

    synchronized int master() {
        return master;
    }

    synchronized Job job(long id) {
        return Objects.requireNonNull(jobs.get(id), "no such job");
    }

    /** Commits and ends in their order. */
    synchronized List<String> history() {
        return List.copyOf(history);
    }

    /** Lets a job look as another master has left it. */
    void put(Job job) {
        synchronized (this) {
            jobs.put(job.info().id(), job);
        }
        tell();
    }

    void await(long id, JobStatus status) throws InterruptedException {
        synchronized (this) {
            while (FakeRegistry.this.job(id).info().status() != status) {
                wait();
            }
        }
    }

    /** Calls all listeners; changes do that by themselves. */
    void tell() {
        List<Runnable> all;
        synchronized (this) {
            notifyAll();
            all = new ArrayList<>();
            listeners.forEach((node, listener) -> {
                if (node != deaf) {
                    all.add(listener);
                }
            });
        }
        all.forEach(Runnable::run);
    }

    private synchronized boolean isCurrent(long id, long attempt) {
        if (failures > 0) {
            failures--;
            throw new StoreException("no leader");
        }
        JobInfo info = FakeRegistry.this.job(id).info();
        return info.attempt() == attempt && info.status() == JobStatus.RUNNING;
    }

    private final class View implements JobRegistry {
        private final int node;

        private View(int node) {
            this.node = node;
        }

        @Override
        public long submit(long nonce, String name, byte[] payload) {
            long id;
            synchronized (FakeRegistry.this) {
                id = jobs.size() + 1L;
                JobInfo info = new JobInfo(id, name, JobStatus.QUEUED, 0, false);
                jobs.put(id, new Job(info, 0, payload, NONE, NONE));
            }
            tell();
            return id;
        }

        @Override
        public List<JobInfo> jobs() {
            synchronized (FakeRegistry.this) {
                return jobs.values().stream().map(Job::info).toList();
            }
        }

        @Override
        public Optional<Job> job(long id) {
            synchronized (FakeRegistry.this) {
                return Optional.ofNullable(jobs.get(id));
            }
        }

        @Override
        public boolean cancel(long id) {
            synchronized (FakeRegistry.this) {
                Job job = FakeRegistry.this.job(id);
                JobInfo info = job.info();
                boolean waits = info.status() == JobStatus.QUEUED;
                JobStatus status = waits ? JobStatus.CANCELLED : info.status();
                JobInfo changed = new JobInfo(id, info.name(), status, info.attempt(), true);
                jobs.put(
                        id,
                        new Job(
                                changed,
                                job.checkpoints(),
                                job.payload(),
                                job.progress(),
                                job.report()));
            }
            tell();
            return true;
        }

        @Override
        public OptionalLong start(long id) {
            synchronized (FakeRegistry.this) {
                Job job = FakeRegistry.this.job(id);
                JobInfo info = job.info();
                if (node != master || info.status().isEnded()) {
                    return OptionalLong.empty();
                }
                JobInfo started =
                        new JobInfo(
                                id,
                                info.name(),
                                JobStatus.RUNNING,
                                info.attempt() + 1,
                                info.cancelRequested());
                jobs.put(
                        id,
                        new Job(
                                started,
                                job.checkpoints(),
                                job.payload(),
                                job.progress(),
                                job.report()));
                history.add("start %d by %d".formatted(id, node));
                return OptionalLong.of(started.attempt());
            }
        }

        @Override
        public boolean checkpoint(long id, long attempt, byte[] progress) {
            synchronized (FakeRegistry.this) {
                if (!isCurrent(id, attempt)) {
                    return false;
                }
                Job job = FakeRegistry.this.job(id);
                jobs.put(
                        id,
                        new Job(
                                job.info(),
                                job.checkpoints(),
                                job.payload(),
                                progress,
                                job.report()));
                JobProgress decoded = JobProgress.of(progress);
                history.add(
                        "commit %d: %d tasks, engine %s"
                                .formatted(
                                        id,
                                        decoded.script().tasks().size(),
                                        new String(decoded.engine(), StandardCharsets.UTF_8)));
                return true;
            }
        }

        @Override
        public boolean end(long id, long attempt, JobStatus status, byte[] report) {
            synchronized (FakeRegistry.this) {
                if (!isCurrent(id, attempt)) {
                    return false;
                }
                Job job = FakeRegistry.this.job(id);
                JobInfo ended =
                        new JobInfo(
                                id,
                                job.info().name(),
                                status,
                                attempt,
                                job.info().cancelRequested());
                jobs.put(
                        id,
                        new Job(ended, job.checkpoints(), job.payload(), job.progress(), report));
                history.add("end %d %s".formatted(id, status));
            }
            tell();
            return true;
        }

        @Override
        public int master() {
            synchronized (FakeRegistry.this) {
                return node == deaf ? node : master;
            }
        }

        @Override
        public void onChange(Runnable listener) {
            synchronized (FakeRegistry.this) {
                listeners.put(node, listener);
            }
        }
    }
}
