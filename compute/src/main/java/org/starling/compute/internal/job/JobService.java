package org.starling.compute.internal.job;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.protocol.QueryMessage.Activity;
import org.starling.compute.internal.protocol.QueryMessage.AskActivity;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.TaskCatalog;
import org.starling.net.Execution;
import org.starling.net.RecordMessage;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobRegistry;
import org.starling.store.JobStatus;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * The master's part of a peer: while this node is the elected master it runs jobs, one at a time,
 * first those that a lost master has left running, then those that wait, in their order. Owned by
 * whoever started the node.
 *
 * <p>A thread of its own takes jobs up, and each job has one of its own: what code of users leaves
 * in variables of its thread goes with the job. The directory's thread for changes tells it when
 * there is something to look at, and stops the running job when it is to be cancelled or when
 * another node is the master. What is to be done next is always derived from the directory anew.
 */
public final class JobService implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(JobService.class);

    /** Changes are told; should one be missed, it is seen after this time. */
    private static final Duration TICK = Duration.ofSeconds(5);

    /** From one attempt to the next when the directory does not answer. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

    /** Within this time a job notices that it is abandoned; then its thread is interrupted. */
    private static final Duration ABANDON_TIMEOUT = Duration.ofMillis(500);

    /** How long a cancelled job may take to end; then its thread is interrupted. */
    private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(6);

    /** How long it may take then, before it is given up together with this process. */
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(2);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    /** Attempts of one job: a job that kills so many masters is not tried again. */
    private static final int MAX_ATTEMPTS = Math.min(100, JobRun.MAX_ATTEMPTS);

    private final JobRegistry registry;
    private final Directory directory;
    private final JobSession.Opener engines;
    private final TaskCatalog tasks;
    private final JarLoaders loaders;
    private final LossTimes losses;
    private final @Nullable Consumer<String> replace;
    private final Semaphore signal = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable JobRun current;

    /** That of the current run; set before it. */
    private volatile @Nullable Thread runner;

    /** What the service asks of the node that it runs on. */
    interface Directory {
        /** This node. */
        int self();

        /**
         * The master as the directory's leader knows it now, not as this node remembers it.
         *
         * @throws StoreException if there is no leader
         */
        int masterNow();
    }

    JobService(
            JobRegistry registry,
            Directory directory,
            JobSession.Opener engines,
            TaskCatalog tasks,
            JarLoaders loaders,
            LossTimes losses,
            @Nullable Consumer<String> replace) {
        this.registry = registry;
        this.directory = directory;
        this.engines = engines;
        this.tasks = tasks;
        this.loaders = loaders;
        this.losses = losses;
        this.replace = replace;
        this.thread = Thread.ofPlatform().name("jobs-" + directory.self()).unstarted(this::work);
    }

    /**
     * Starts the service of a node.
     *
     * @param heapBytes memory for chunks of this node
     * @param checkpoints of running programs
     * @param tasks that scripts can name
     * @param loaders of jars that jobs bring
     * @param replace hears why this process must make way for a new one; null if nobody can do that
     */
    public static JobService start(
            StoreNode store,
            long heapBytes,
            CheckpointOptions checkpoints,
            TaskCatalog tasks,
            JarLoaders loaders,
            @Nullable Consumer<String> replace) {
        LossTimes losses = new LossTimes();
        store.membership().onLoss(losses::lost);
        Directory directory =
                new Directory() {
                    @Override
                    public int self() {
                        return store.nodeId();
                    }

                    @Override
                    public int masterNow() {
                        return store.status().master();
                    }
                };
        JobService service =
                new JobService(
                        store.jobs(),
                        directory,
                        ClusterSession.on(store, heapBytes, checkpoints),
                        tasks,
                        loaders,
                        losses,
                        replace);
        store.network()
                .serve(
                        RecordMessage.type(AskActivity.class),
                        Execution.WORKER,
                        (from, question) -> new Activity(service.activity(question.job())));
        service.start();
        return service;
    }

    /** What a job does that this node leads, as JSON; empty if it does not lead it. */
    String activity(long job) {
        JobRun run = current;
        JobActivity now = run == null || run.id() != job ? null : run.activity().now();
        return now == null ? "" : JsonText.write(RecordJson.PLAIN.tree(now));
    }

    void start() {
        thread.start();
        registry.onChange(this::changed);
    }

    /** Stops the running job without a word about it: another master takes it up. */
    @Override
    public void close() {
        closed = true;
        JobRun run = current;
        if (run != null) {
            run.abandon();
        }
        signal.release();
        try {
            if (!thread.join(ABANDON_TIMEOUT)) {
                thread.interrupt();
                if (!thread.join(STOP_TIMEOUT)) {
                    replace("a task does not stop; its thread is left behind");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void changed() {
        signal.release();
        JobRun run = current;
        if (run == null || closed) {
            return;
        }
        try {
            boolean first = false;
            if (registry.master() != directory.self()) {
                first = run.abandon();
            } else if (registry.jobs().stream()
                    .anyMatch(job -> job.id() == run.id() && job.cancelRequested())) {
                first = run.cancel();
            }
            if (first) {
                Thread.ofVirtual().name("end of job " + run.id()).start(() -> insist(run));
            }
        } catch (StoreException down) {
            LOG.info("jobs can't be looked at: {}", down.getMessage());
        }
    }

    /** Sees to it that a job which was told to end does, with or without its thread. */
    private void insist(JobRun run) {
        if (run.awaitEnd(CANCEL_PATIENCE)) {
            return;
        }
        Thread itsThread = runner;
        if (itsThread == null || current != run) {
            return;
        }
        itsThread.interrupt();
        if (!run.awaitEnd(INTERRUPT_PATIENCE) && current == run) {
            StackTraceElement[] frames = itsThread.getStackTrace();
            giveUp(
                    run,
                    "a task does not stop" + (frames.length == 0 ? "" : ", it is at " + frames[0]));
        }
    }

    /** Ends a job without its thread, which this process can't get rid of but with itself. */
    private void giveUp(JobRun run, String what) {
        String why = "%s; the process of node %d is replaced".formatted(what, directory.self());
        try {
            run.giveUp(why);
        } catch (StoreException down) {
            LOG.warn("job {} is ended by the next master: {}", run.id(), down.getMessage());
        } finally {
            replace("job %d: %s".formatted(run.id(), why));
        }
    }

    private void replace(String why) {
        LOG.warn(why);
        if (replace != null) {
            replace.accept(why);
        }
    }

    private void work() {
        while (!closed) {
            try {
                Optional<JobInfo> next = next();
                if (next.isPresent()) {
                    attempt(next.get());
                } else {
                    await(TICK);
                }
            } catch (StoreException down) {
                LOG.info("jobs can't be led now: {}", down.getMessage());
                await(RETRY_PAUSE);
            } catch (RuntimeException bug) {
                LOG.error("a job could not be led", bug);
                await(RETRY_PAUSE);
            }
        }
    }

    private Optional<JobInfo> next() {
        if (registry.master() != directory.self()) {
            return Optional.empty();
        }
        return registry.jobs().stream()
                .filter(job ->
                        job.status() == JobStatus.RUNNING || job.status() == JobStatus.QUEUED)
                .min(
                        Comparator.comparing((JobInfo job) -> job.status() == JobStatus.QUEUED)
                                .thenComparingLong(JobInfo::id));
    }

    private void attempt(JobInfo info) {
        OptionalLong attempt = registry.start(info.id());
        Optional<Job> job = attempt.isPresent() ? registry.job(info.id()) : Optional.empty();
        if (attempt.isEmpty() || job.isEmpty()) {
            await(RETRY_PAUSE);
            return;
        }
        LOG.info("job {} ({}): attempt {}", info.id(), info.name(), attempt.getAsLong());
        JobCommits commits =
                new JobCommits(registry, directory.self(), info.id(), attempt.getAsLong());
        if (attempt.getAsLong() > MAX_ATTEMPTS) {
            IllegalStateException enough =
                    new IllegalStateException(MAX_ATTEMPTS + " masters were lost with this job");
            commits.end(
                    JobStatus.FAILED,
                    JobReport.failed(info.id(), info.name(), List.of(), enough).bytes());
            return;
        }
        JobRun run =
                new JobRun(
                        job.get(),
                        attempt.getAsLong(),
                        tasks,
                        loaders,
                        commits,
                        engines,
                        losses,
                        this::leads);
        run.onStuck(why -> giveUp(run, why));
        FutureTask<Void> work = new FutureTask<>(run::execute, null);
        Thread itsThread =
                Thread.ofPlatform()
                        .name("job-" + info.id())
                        .inheritInheritableThreadLocals(false)
                        .unstarted(work);
        runner = itsThread;
        current = run;
        try {
            if (closed) {
                run.abandon();
            }
            changed(); // what changed before there was a run to tell
            itsThread.start();
            awaitEnd(work, itsThread);
            if (run.hasExhaustedHeap()) {
                replace("job %d has taken all room for objects of Java".formatted(info.id()));
            }
        } finally {
            current = null;
            runner = null;
        }
    }

    /** Waits for a job's thread, whatever happens, and throws what it has thrown. */
    private static void awaitEnd(FutureTask<Void> work, Thread itsThread) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    work.get();
                    return;
                } catch (InterruptedException closing) {
                    interrupted = true;
                    itsThread.interrupt();
                }
            }
        } catch (ExecutionException thrown) {
            throw thrown.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(thrown.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean leads() {
        try {
            return directory.masterNow() == directory.self();
        } catch (StoreException down) {
            LOG.info("nobody can say who is the master: {}", down.getMessage());
            return false;
        }
    }

    /** Until there is a change, or the time is over. */
    private void await(Duration atMost) {
        try {
            if (signal.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                signal.drainPermits();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }
}
