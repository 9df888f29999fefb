package org.starling.compute.internal.job;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.GroupName;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.group.Admission;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.job.MemoryLedger.Wait;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.QueryMessage.Activity;
import org.starling.compute.internal.protocol.QueryMessage.AskActivity;
import org.starling.compute.internal.protocol.QueryMessage.AskCourse;
import org.starling.compute.internal.protocol.QueryMessage.AskJobs;
import org.starling.compute.internal.protocol.QueryMessage.Course;
import org.starling.compute.internal.protocol.QueryMessage.JobNews;
import org.starling.compute.internal.protocol.QueryMessage.JobsNews;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.TaskCatalog;
import org.starling.net.Execution;
import org.starling.net.RecordMessage;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobRegistry;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * The master's part of a peer: while this node is the elected master it runs jobs, some at once in
 * each group, first those that a lost master has left running ({@link JobQueue}). Owned by whoever
 * started the node.
 *
 * <p>A thread of its own looks what is to be begun, and each job that runs has one: what code of
 * users leaves in variables of its thread goes with the job. The directory's thread for changes
 * tells when there is something to look at, and stops running jobs that are to be cancelled, or all
 * when another node is the master. What is to be done next is always derived from the directory
 * anew.
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

    /** How long a job waits for memory while others begin and take it. */
    private static final Duration MEMORY_PATIENCE = Duration.ofMinutes(1);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    /** Attempts of one job: a job that kills so many masters is not tried again. */
    private static final int MAX_ATTEMPTS = Math.min(100, Attempt.MAX_ATTEMPTS - 1);

    private final JobRegistry registry;
    private final Directory directory;
    private final JobSession.Opener engines;
    private final TaskCatalog tasks;
    private final JarLoaders loaders;
    private final Supplier<? extends BroughtFiles> brought;
    private final LossTimes losses;
    private final ThreadFactory threads;
    private final @Nullable Consumer<String> replace;
    private final Semaphore signal = new Semaphore(0);
    private final MemoryLedger memory = new MemoryLedger();
    private final JobCounts counts = new JobCounts();
    private final JobQueue queue;
    private final Thread thread;

    /** What waiting and running jobs need; the thread's, but for looks of others. */
    private final Map<Long, JobNeeds> needs = new ConcurrentHashMap<>();

    /** Why the last attempt of a job here came to nothing, if its master was not lost. */
    private final Map<Long, String> troubles = new ConcurrentHashMap<>();

    /** Jobs that run here, each until its thread has nothing more to do. */
    private final Map<Long, Running> running;

    private volatile boolean closed;

    /** A job with its thread. */
    record Running(JobRun run, Thread thread) {}

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

        /** Whether a group has peers that compute. */
        boolean hasPeers(GroupName group);
    }

    JobService(
            JobRegistry registry,
            Directory directory,
            JobSession.Opener engines,
            TaskCatalog tasks,
            JarLoaders loaders,
            Supplier<? extends BroughtFiles> brought,
            LossTimes losses,
            int maxRunning,
            Map<Long, Running> running,
            ThreadFactory threads,
            @Nullable Consumer<String> replace) {
        this.registry = registry;
        this.directory = directory;
        this.engines = engines;
        this.tasks = tasks;
        this.loaders = loaders;
        this.brought = brought;
        this.losses = losses;
        this.running = running;
        this.queue =
                new JobQueue(
                        maxRunning,
                        directory::hasPeers,
                        group -> memory.waitsFor(MEMORY_PATIENCE, group));
        this.threads = threads;
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
     * @param brought for a job that names files which were sent along
     * @param maxRunning most jobs of a group that run at once
     * @param replace hears why this process must make way for a new one; null if nobody can do that
     */
    public static JobService start(
            StoreNode store,
            long heapBytes,
            CheckpointOptions checkpoints,
            TaskCatalog tasks,
            JarLoaders loaders,
            Supplier<? extends BroughtFiles> brought,
            int maxRunning,
            @Nullable Consumer<String> replace) {
        LossTimes losses = new LossTimes();
        store.membership().onLoss(losses::lost);
        Map<Long, Running> running = new ConcurrentHashMap<>();
        JobService service =
                new JobService(
                        store.jobs(),
                        new NodeDirectory(store),
                        ClusterSession.on(store, heapBytes, checkpoints, running::containsKey),
                        tasks,
                        loaders,
                        brought,
                        losses,
                        maxRunning,
                        running,
                        Thread.ofPlatform().inheritInheritableThreadLocals(false).factory(),
                        replace);
        store.network()
                .serve(
                        RecordMessage.type(AskActivity.class),
                        Execution.WORKER,
                        (from, question) -> new Activity(service.activity(question.job())));
        store.network()
                .serve(
                        RecordMessage.type(AskCourse.class),
                        Execution.WORKER,
                        (from, question) -> new Course(service.course(question.job())));
        store.network()
                .serve(
                        RecordMessage.type(AskJobs.class),
                        Execution.WORKER,
                        (from, question) -> service.news());
        service.start();
        return service;
    }

    /** What a job does that this node leads, as JSON; empty if it does not lead it. */
    String activity(long job) {
        Running here = running.get(job);
        JobActivity now = here == null ? null : here.run.activity().now();
        return now == null ? "" : JsonText.write(RecordJson.PLAIN.tree(now));
    }

    /** How it has come there, likewise. */
    String course(long job) {
        Running here = running.get(job);
        return here == null
                ? ""
                : JsonText.write(RecordJson.PLAIN.tree(here.run.activity().course()));
    }

    void start() {
        thread.start();
        registry.onChange(this::changed);
    }

    /** Stops the running jobs without a word about them: another master takes them up. */
    @Override
    public void close() {
        closed = true;
        signal.release();
        running.values().forEach(job -> job.run.abandon());
        try {
            thread.join(STOP_TIMEOUT);
            List<Running> left = List.copyOf(running.values());
            left.forEach(job -> job.run.abandon());
            awaitEnds(left, ABANDON_TIMEOUT);
            left.forEach(job -> job.thread.interrupt());
            awaitEnds(left, STOP_TIMEOUT);
            if (left.stream().anyMatch(job -> job.thread.isAlive())) {
                replace("a task does not stop; its thread is left behind");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnds(List<Running> jobs, Duration patience)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (Running job : jobs) {
            job.thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
    }

    /** What the jobs have done that this node leads, or led; never waits. */
    public JobFigures figures() {
        return counts.figures(running.size());
    }

    /** What people want to know of jobs that have not ended, beside what the directory knows. */
    JobsNews news() {
        List<JobNews> news = new ArrayList<>();
        needs.forEach((id, need) -> {
            Optional<Wait> wait = queue.waitOf(id).or(() -> memory.waitOf(id));
            news.add(
                    new JobNews(
                            id,
                            need.group().text(),
                            need.priority().name(),
                            wait.map(Wait::why).orElse(""),
                            wait.map(w -> System.nanoTime() - w.sinceNanos()).orElse(0L)));
        });
        return new JobsNews(news);
    }

    private void changed() {
        signal.release();
        if (running.isEmpty() || closed) {
            return;
        }
        try {
            boolean leads = registry.master() == directory.self();
            Set<Long> cancelled =
                    leads
                            ? registry.jobs().stream()
                                    .filter(JobInfo::cancelRequested)
                                    .map(JobInfo::id)
                                    .collect(Collectors.toSet())
                            : Set.of();
            for (Running job : running.values()) {
                boolean first =
                        leads
                                ? cancelled.contains(job.run.id()) && job.run.cancel()
                                : job.run.abandon();
                if (first) {
                    Thread.ofVirtual()
                            .name("end of job " + job.run.id())
                            .start(() -> insist(job.run, job.thread));
                }
            }
        } catch (StoreException down) {
            LOG.info("jobs can't be looked at: {}", down.getMessage());
        }
    }

    /** Sees to it that a job which was told to end does, with or without its thread. */
    private void insist(JobRun run, Thread worker) {
        if (run.awaitEnd(CANCEL_PATIENCE)) {
            return;
        }
        worker.interrupt();
        if (!run.awaitEnd(INTERRUPT_PATIENCE) && worker.isAlive()) {
            StackTraceElement[] frames = worker.getStackTrace();
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
                await(registry.master() == directory.self() && !beginAll() ? RETRY_PAUSE : TICK);
            } catch (StoreException down) {
                LOG.info("jobs can't be led now: {}", down.getMessage());
                await(RETRY_PAUSE);
            } catch (RuntimeException | Error bug) { // a heap that is full for a moment, too
                LOG.error("a job could not be led", bug);
                await(RETRY_PAUSE);
            }
        }
    }

    /** Begins what is to run; false if something could not be begun now. */
    private boolean beginAll() {
        List<JobInfo> jobs = registry.jobs();
        Set<Long> open =
                jobs.stream()
                        .filter(job -> !job.status().isEnded())
                        .map(JobInfo::id)
                        .collect(Collectors.toSet());
        open.addAll(running.keySet());
        needs.keySet().retainAll(open);
        troubles.keySet().retainAll(open);
        boolean all = true;
        for (JobInfo job : queue.next(jobs, Set.copyOf(running.keySet()), this::needs)) {
            all &= !closed && begin(job);
        }
        return all;
    }

    private JobNeeds needs(long id) {
        return needs.computeIfAbsent(
                id, _ -> registry.job(id).map(JobNeeds::of).orElse(JobNeeds.USUAL));
    }

    private boolean begin(JobInfo info) {
        OptionalLong attempt = registry.start(info.id());
        Optional<Job> job = attempt.isPresent() ? registry.job(info.id()) : Optional.empty();
        if (attempt.isEmpty() || job.isEmpty()) {
            return false;
        }
        LOG.info("job {} ({}): attempt {}", info.id(), info.name(), attempt.getAsLong());
        JobCommits commits =
                new JobCommits(
                        registry,
                        directory.self(),
                        info.id(),
                        attempt.getAsLong(),
                        counts,
                        InstantSource.system());
        if (attempt.getAsLong() > MAX_ATTEMPTS) {
            String trouble = troubles.get(info.id());
            IllegalStateException enough =
                    new IllegalStateException(
                            trouble == null
                                    ? MAX_ATTEMPTS + " masters were lost with this job"
                                    : "%d attempts came to nothing; the last one: %s"
                                            .formatted(MAX_ATTEMPTS, trouble));
            commits.end(JobReport.failed(info.id(), info.name(), List.of(), enough));
            return true;
        }
        begin(job.get(), attempt.getAsLong(), commits);
        changed(); // what changed before there was a run to tell
        return true;
    }

    private void begin(Job job, long attempt, JobCommits commits) {
        long id = job.info().id();
        JobNeeds need = needs(id);
        boolean begun = false;
        try {
            Admission admission = memory.begin(id, need.group());
            JobRun run =
                    new JobRun(
                            job,
                            attempt,
                            tasks,
                            loaders,
                            brought,
                            commits,
                            (term, listener, sink) ->
                                    engines.open(
                                            term, need, admission, counts.counting(listener), sink),
                            losses,
                            this::leads);
            run.onStuck(why -> giveUp(run, why));
            Thread worker = threads.newThread(() -> execute(run));
            worker.setName("job-" + id);
            running.put(id, new Running(run, worker));
            worker.start();
            begun = true;
        } finally {
            if (!begun) { // no room for a thread: another attempt begins in a moment
                end(id);
            }
        }
    }

    /** Nothing of a job runs here any more. */
    private void end(long id) {
        running.remove(id);
        memory.end(id);
    }

    /** A job's thread from its beginning to its end. */
    private void execute(JobRun run) {
        try {
            run.execute();
            if (run.hasExhaustedHeap()) {
                replace("job %d has taken all room for objects of Java".formatted(run.id()));
            }
        } catch (StoreException down) {
            LOG.info("job {} can't be led now: {}", run.id(), down.getMessage());
            troubles.put(run.id(), String.valueOf(down.getMessage()));
            LockSupport.parkNanos(RETRY_PAUSE.toNanos());
        } catch (RuntimeException | Error bug) {
            LOG.error("job {} could not be led", run.id(), bug);
            troubles.put(run.id(), bug.toString());
            LockSupport.parkNanos(RETRY_PAUSE.toNanos());
        } finally {
            end(run.id());
            signal.release();
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

    /** The directory as a node sees it. */
    private record NodeDirectory(StoreNode store) implements Directory {
        @Override
        public int self() {
            return store.nodeId();
        }

        @Override
        public int masterNow() {
            return store.status().master();
        }

        @Override
        public boolean hasPeers(GroupName group) {
            return store.membership().nodes().stream().anyMatch(group::has);
        }
    }
}
