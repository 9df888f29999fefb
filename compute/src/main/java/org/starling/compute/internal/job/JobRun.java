package org.starling.compute.internal.job;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.TemporaryFolder;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptFiles;
import org.starling.compute.script.ScriptListener;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.ScriptRunner;
import org.starling.compute.script.TaskCatalog;
import org.starling.compute.script.TaskReport;
import org.starling.graph.JobCancelledException;
import org.starling.store.Job;
import org.starling.store.JobStatus;
import org.starling.store.StoreException;

/**
 * One attempt of one job: runs its script from where the last commit left it, and commits what it
 * does and how it ends. Used once, by the job's thread; {@link #cancel}, {@link #abandon} and
 * {@link #giveUp} by any.
 */
final class JobRun {
    private static final Logger LOG = LogManager.getLogger(JobRun.class);

    private final Job job;
    private final long id;
    private final long attempt;
    private final TaskCatalog tasks;
    private final JarLoaders loaders;
    private final Supplier<? extends BroughtFiles> brought;
    private final JobCommits commits;
    private final Opening opening;
    private final LossTimes losses;

    /** Asks the directory whether this node leads jobs now. */
    private final BooleanSupplier leads;

    /** What stops the script and the engine; guarded by this. */
    private @Nullable Runnable stop;

    /** Guarded by this. */
    private boolean stopped;

    private volatile boolean abandoned;

    private final ActivityWatch activity = new ActivityWatch(System::nanoTime);

    /** Hears why a task that is over its time does not stop; set before the run begins. */
    private Consumer<String> onStuck = _ -> {};

    /** Whether the job's thread has found no room for objects of Java; written by it. */
    private volatile boolean exhausted;

    /** Set when the script begins; read by whoever gives the job up. */
    private volatile @Nullable ScriptRunner script;

    /** Counted down when the job's end is committed, or will not be. */
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Makes the session of the attempt. */
    interface Opening {
        JobSession open(long term, JobListener listener, CheckpointSink sink);
    }

    JobRun(
            Job job,
            long attempt,
            TaskCatalog tasks,
            JarLoaders loaders,
            Supplier<? extends BroughtFiles> brought,
            JobCommits commits,
            Opening opening,
            LossTimes losses,
            BooleanSupplier leads) {
        this.job = job;
        this.id = job.info().id();
        this.attempt = attempt;
        this.tasks = tasks;
        this.loaders = loaders;
        this.brought = brought;
        this.commits = commits;
        this.opening = opening;
        this.losses = losses;
        this.leads = leads;
    }

    /** Who hears that a task which is over its time does not stop; to be called before the run. */
    void onStuck(Consumer<String> listener) {
        onStuck = listener;
    }

    long id() {
        return id;
    }

    /** What it does now; any thread. */
    ActivityWatch activity() {
        return activity;
    }

    /**
     * Somebody wants the job to stop: it ends as cancelled. What it tidies up behind its end goes
     * on: that the job was to be cancelled is said again with each news of jobs, its end included.
     *
     * @return whether this is the first time
     */
    synchronized boolean cancel() {
        return stop(ended.getCount() > 0);
    }

    /**
     * This node is not the one to run the job any more: it stops, and commits nothing more.
     *
     * @return whether it was running until now
     */
    synchronized boolean abandon() {
        abandoned = true;
        return stop(true);
    }

    private boolean stop(boolean atOnce) {
        boolean first = !stopped;
        stopped = true;
        if (atOnce && stop != null) {
            stop.run();
        }
        return first;
    }

    /** Waits until the job has ended here; false if it has not even then. */
    boolean awaitEnd(Duration patience) {
        try {
            return ended.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether code of the job's jars has taken all room for objects of Java in this process. */
    boolean hasExhaustedHeap() {
        return exhausted;
    }

    /** The job's thread does not come back: commits the end of the job without it. */
    void giveUp(String why) {
        ScriptRunner running = script;
        if (abandoned || ended.getCount() == 0) {
            return;
        }
        JobReport report =
                running == null // its jars do not come back from being loaded
                        ? JobReport.failed(id, job.info().name(), List.of(), cancelled(why))
                        : JobReport.of(id, running.givenUp(why));
        if (!commits.end(report)) {
            LOG.info("job {}: attempt {} has no end here", id, attempt);
        }
        ended.countDown();
    }

    private static JobCancelledException cancelled(String why) {
        return new JobCancelledException("the job was cancelled; " + why);
    }

    /** Runs to the end, good or bad. */
    void execute() {
        try {
            attempt();
        } finally {
            ended.countDown();
        }
    }

    private void attempt() {
        QueuedJob queued;
        JobProgress from;
        JarLoaders.Lease lease;
        try {
            from = JobProgress.of(job.progress());
            if (!commits.begin(from)) {
                return;
            }
            queued = queued();
        } catch (RuntimeException failed) {
            finish(failed(List.of(), failed), null, false);
            return;
        }
        try {
            lease = loaders.acquire(queued.request().jars());
        } catch (StoreException later) {
            throw later; // the jars are there, but can't be had now: the job is taken up again
        } catch (RuntimeException failed) {
            finish(failed(queued.request().jars(), failed), null, false);
            return;
        }
        try (lease) {
            attempt(queued, lease.code(), from);
        }
    }

    /** Never throws: the job has its end, or another attempt gives it one. */
    private void attempt(QueuedJob queued, JobCode code, JobProgress from) {
        JobSession session = null;
        JobReport report;
        boolean fetch = queued.request().fetch();
        try (TemporaryFolder results =
                        fetch ? TemporaryFolder.make(TemporaryFolder.RESULTS) : null;
                BroughtFiles files = brought.get()) {
            JobSession opened = opening.open(Attempt.term(id, attempt), activity, commits::engine);
            Path folder = results == null ? ScriptFiles.NOWHERE : results.path();
            onStop(files::close);
            Script parsed = queued.script(code.tasks(tasks), files, existing(opened), folder);
            session = opened;
            if (code.hasJars()) {
                session.use(code);
            }
            if (fetch) {
                session.removeResults(from.script().tasks().size());
            }
            ScriptReport came = run(parsed, session, from, results);
            exhausted = code.hasJars() && isExhaustion(came.failure());
            report = JobReport.of(id, came);
        } catch (RuntimeException | Error failed) {
            exhausted = code.hasJars() && isExhaustion(failed);
            report = failed(queued.request().jars(), failed);
        }
        finish(report, session, fetch);
    }

    private static boolean isExhaustion(@Nullable Throwable failed) {
        for (Throwable at = failed; at != null; at = at.getCause()) {
            if (at instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }

    private JobReport failed(List<String> jars, Throwable failed) {
        LOG.warn("job {} could not run", id, failed);
        return JobReport.failed(id, job.info().name(), jars, failed);
    }

    /** A later attempt finds graphs that an earlier one has kept or dropped: it asks as it goes. */
    private ExistingGraphs existing(JobSession opened) {
        return attempt == 1 ? ExistingGraphs.of(opened.keptGraphs()) : ExistingGraphs.UNKNOWN;
    }

    private ScriptReport run(
            Script parsed,
            JobSession session,
            JobProgress from,
            @Nullable TemporaryFolder results) {
        int earlier = attempt == 1 ? -1 : from.master();
        session.resume(from.engine(), earlier, losses.of(earlier));
        Commits listener = new Commits(session, results);
        ScriptRunner runner = new ScriptRunner(parsed, session, listener, from.script());
        listener.runner = runner;
        activity.expectTasks(parsed.taskRuns());
        this.script = runner;
        onStop(() -> {
            runner.cancel();
            session.cancel();
        });
        return runner.run();
    }

    /** A failure may be the consequence of this node's own loss: then it is not the job's. */
    private void finish(JobReport report, @Nullable JobSession session, boolean fetch) {
        if (!abandoned && Thread.interrupted()) {
            LOG.info("job {}: its thread had to be interrupted", id);
        }
        boolean good = report.status() == JobStatus.SUCCEEDED;
        boolean ours = !abandoned && !commits.isLeft() && (good || leads.getAsBoolean());
        if (!ours || !commits.end(report)) {
            LOG.info("job {}: attempt {} has no end here", id, attempt);
            return;
        }
        LOG.info("job {}: {} at attempt {}", id, report.status(), attempt);
        synchronized (this) { // no cancel is under way any more
            ended.countDown();
        }
        if (session != null) {
            tidy(session, fetch && !good);
        }
    }

    /** What can't be removed now is removed by the next job. */
    private void tidy(JobSession session, boolean resultsToo) {
        try {
            session.endJob();
            if (resultsToo) {
                session.removeResults(0);
            }
        } catch (RuntimeException left) {
            LOG.warn("job {} could not remove all that it made", id, left);
        }
    }

    private QueuedJob queued() {
        return QueuedJob.parse(new String(job.payload(), StandardCharsets.UTF_8));
    }

    private void onStop(Runnable action) {
        boolean late;
        synchronized (this) {
            stop = action;
            late = stopped;
        }
        if (late) {
            action.run();
        }
    }

    /**
     * Commits the script's position at the end of each task, good or bad. Confined to the job's
     * thread.
     */
    private final class Commits implements ScriptListener {
        private final JobSession session;
        private final @Nullable TemporaryFolder results;
        private @Nullable ScriptRunner runner;
        private int task;

        private Commits(JobSession session, @Nullable TemporaryFolder results) {
            this.session = session;
            this.results = results;
        }

        @Override
        public void taskStarted(int run, String task, @Nullable String as) {
            LOG.info("job {}: task {} ({})", id, run, task);
            activity.taskStarted(run, task, as);
            this.task = run - 1;
            session.beginTask(run - 1);
        }

        @Override
        public void progress(String what, long done, long total) {
            activity.progress(what, done, total);
        }

        @Override
        public void taskStuck(String why) {
            onStuck.accept(why);
        }

        @Override
        public void log(String line) {
            activity.log(line);
        }

        /** A failure that may be the consequence of this node's own loss is not the task's. */
        @Override
        public void taskFailed(TaskReport report) {
            if (!leads.getAsBoolean()) {
                throw new IllegalStateException(
                        "this node does not lead the job any more, in which a task failed: "
                                + report.error());
            }
            if (results != null) {
                results.clear();
            }
            taskEnded(report);
        }

        @Override
        public void taskEnded(TaskReport report) {
            if (results != null) {
                session.putResults(results.path(), task);
            }
            ScriptRunner running = runner;
            if (running != null) {
                commits.move(running.progress());
            }
            session.endTask();
        }
    }
}
