package org.starling.store.internal.node;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.ClusterStatus;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobRefusedException;
import org.starling.store.JobRegistry;
import org.starling.store.JobStatus;
import org.starling.store.Recoveries;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.node.NodeMessage.LeaderAndMaster;

/**
 * The jobs that the directory keeps, as one node sees them. Nothing is remembered here but who the
 * master is and whether something has changed, both told by the superpeer. Any thread but receiving
 * ones; {@link #take} is for any.
 */
final class DirectoryJobs implements JobRegistry {
    private static final Logger LOG = LogManager.getLogger(DirectoryJobs.class);

    private final int self;
    private final DirectoryClient directory;

    /** Runs listeners, one after the other. */
    private final Executor listenerThread;

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Replaced as a whole; listeners read what it says from the directory. */
    private volatile LeaderAndMaster leaders =
            new LeaderAndMaster(NodeMessage.NOBODY, NodeMessage.NOBODY, 0, Long.MIN_VALUE);

    DirectoryJobs(int self, DirectoryClient directory, Executor listenerThread) {
        this.self = self;
        this.directory = directory;
        this.listenerThread = listenerThread;
    }

    @Override
    public long submit(long nonce, String name, byte[] payload) {
        checkLength("payload", payload, Job.MAX_PAYLOAD_BYTES);
        Result result = applyAsMember(new Command.SubmitJob(nonce, name, payload));
        if (result instanceof Result.Refused refused) {
            throw new JobRefusedException(refused.reason());
        }
        if (result instanceof Result.JobSubmitted submitted) {
            return submitted.job();
        }
        throw new StoreException("the directory did not queue the job: " + result);
    }

    @Override
    public List<JobInfo> jobs() {
        return directory.ask(new DirectoryQuery.Jobs(), DirectoryReply.JobList.class).jobs();
    }

    @Override
    public Optional<Job> job(long id) {
        return directory.ask(new DirectoryQuery.JobOf(id), DirectoryReply.JobIs.class).job();
    }

    @Override
    public boolean cancel(long id) {
        Result result = applyAsMember(new Command.CancelJob(id));
        return result instanceof Result.Done done && done.changed();
    }

    /**
     * The attempt so far is part of the command, so that one that comes twice starts the job once;
     * the directory answers a repeated one as it did before.
     */
    @Override
    public OptionalLong start(long id) {
        LeaderAndMaster now = leaders;
        Optional<Job> job = job(id);
        if (now.master() != self || job.isEmpty() || job.get().info().status().isEnded()) {
            return OptionalLong.empty();
        }
        long last = job.get().info().attempt();
        Result result = apply(new Command.StartJob(id, self, now.term(), last));
        return result instanceof Result.JobStarted started
                ? OptionalLong.of(started.attempt())
                : OptionalLong.empty();
    }

    @Override
    public boolean checkpoint(long id, long attempt, byte[] progress) {
        checkLength("progress", progress, Job.MAX_PROGRESS_BYTES);
        Optional<Job> job = job(id).filter(found -> isRunning(found, attempt));
        if (job.isEmpty()) {
            return false;
        }
        long number = job.get().checkpoints() + 1;
        return apply(new Command.CommitCheckpoint(id, attempt, number, progress))
                instanceof Result.Done;
    }

    @Override
    public boolean end(long id, long attempt, JobStatus status, byte[] report) {
        checkLength("report", report, Job.MAX_REPORT_BYTES);
        return apply(new Command.EndJob(id, attempt, status, report)) instanceof Result.Done;
    }

    @Override
    public int master() {
        return leaders.master();
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    // for the node

    ClusterStatus status() {
        return directory.ask(new DirectoryQuery.Status(), DirectoryReply.StatusIs.class).status();
    }

    Recoveries recoveries() {
        return directory
                .ask(new DirectoryQuery.RecoveriesOf(), DirectoryReply.RecoveriesAre.class)
                .recoveries();
    }

    /** The superpeer tells what everybody should know; if it differs, listeners hear of it. */
    void take(LeaderAndMaster told) {
        LeaderAndMaster before = leaders;
        if (told.equals(before)) {
            return;
        }
        leaders = told;
        if (told.jobChanges() != before.jobChanges() || told.master() != before.master()) {
            for (Runnable listener : listeners) {
                listenerThread.execute(() -> call(listener));
            }
        }
    }

    // private

    private Result applyAsMember(Command command) {
        return RemoteChunks.await(directory.applyAsMember(command), true);
    }

    /** Of a node that is no member nothing is running: its attempts are refused as old ones are. */
    private Result apply(Command command) {
        return RemoteChunks.await(directory.apply(command), true);
    }

    private static boolean isRunning(Job job, long attempt) {
        return job.info().status() == JobStatus.RUNNING && job.info().attempt() == attempt;
    }

    private static void checkLength(String what, byte[] bytes, int limit) {
        if (bytes.length > limit) {
            throw new IllegalArgumentException(
                    "the " + what + " of a job has " + bytes.length + " bytes, limit " + limit);
        }
    }

    private static void call(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.warn("a listener to changes of jobs failed", e);
        }
    }
}
