package org.starling.store.internal.directory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.internal.directory.Command.CancelJob;
import org.starling.store.internal.directory.Command.CommitCheckpoint;
import org.starling.store.internal.directory.Command.ElectMaster;
import org.starling.store.internal.directory.Command.EndJob;
import org.starling.store.internal.directory.Command.StartJob;
import org.starling.store.internal.directory.Command.SubmitJob;

/**
 * The master and its jobs. A part of the {@link Directory} and guarded like it. The bytes of jobs
 * that have not ended are bounded together, and so are the reports of those that have: the oldest
 * are forgotten.
 */
final class JobTable {
    /** The most jobs that wait or run. */
    static final int MAX_OPEN_JOBS = 1024;

    /** The most bytes of their payloads together. */
    static final long MAX_OPEN_BYTES = 64L << 20;

    /** The most jobs that have ended and are still known. */
    static final int MAX_ENDED_JOBS = 100;

    /** The most bytes of their reports together; the last one is always kept. */
    static final long MAX_REPORT_BYTES = 64L << 20;

    private static final byte[] NONE = {};

    /**
     * One job.
     *
     * @param term the term of the master that started its current attempt
     */
    record Entry(Job job, long term) {}

    private final NodeTable nodes;
    private final TreeMap<Long, Entry> jobs = new TreeMap<>();

    /** Jobs that have ended, in that order. */
    private final ArrayDeque<Long> ended = new ArrayDeque<>();

    private final RecentNonces nonces = new RecentNonces();
    private MasterInfo master = new MasterInfo(MasterInfo.NOBODY, 0);
    private long nextJob = 1;

    // follow from the jobs
    private long openBytes;
    private long reportBytes;

    JobTable(NodeTable nodes) {
        this.nodes = nodes;
    }

    // the master

    Result elect(ElectMaster command) {
        if (master.node() != MasterInfo.NOBODY) {
            return new Result.MasterElected(master.node(), master.term(), false);
        }
        if (!nodes.isComputing(command.node())) {
            return new Result.Refused("node " + command.node() + " is no member that computes");
        }
        if (nodes.isLeaving(command.node())) {
            return new Result.Refused("node " + command.node() + " is about to leave");
        }
        master = new MasterInfo(command.node(), master.term() + 1);
        return new Result.MasterElected(master.node(), master.term(), true);
    }

    /** After a node has ceased to be a member. */
    void left(int node) {
        if (master.node() == node) {
            master = new MasterInfo(MasterInfo.NOBODY, master.term());
        }
    }

    // jobs

    Result submit(SubmitJob command) {
        OptionalLong known = nonces.idOf(command.nonce());
        if (known.isPresent()) {
            return new Result.JobSubmitted(known.getAsLong());
        }
        int nameBytes = command.name().getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes == 0 || nameBytes > Job.MAX_NAME_BYTES) {
            return new Result.Refused(
                    "a job's name has 1 to " + Job.MAX_NAME_BYTES + " bytes, not " + nameBytes);
        }
        if (command.payload().length > Job.MAX_PAYLOAD_BYTES) {
            return tooLong("payload", command.payload(), Job.MAX_PAYLOAD_BYTES);
        }
        if (jobs.size() - ended.size() >= MAX_OPEN_JOBS
                || openBytes + command.payload().length > MAX_OPEN_BYTES) {
            return new Result.Refused(full(command.payload().length));
        }
        long id = nextJob++;
        JobInfo info = new JobInfo(id, command.name(), JobStatus.QUEUED, 0, false);
        put(new Job(info, 0, command.payload(), NONE, NONE), 0);
        nonces.remember(command.nonce(), id);
        return new Result.JobSubmitted(id);
    }

    private String full(int bytes) {
        return "there is no room for a job of %d bytes: %d jobs with %d bytes wait or run, of at most %d jobs with %d bytes; submit again when one of them has ended, or cancel one"
                .formatted(
                        bytes,
                        jobs.size() - ended.size(),
                        openBytes,
                        MAX_OPEN_JOBS,
                        MAX_OPEN_BYTES);
    }

    Result start(StartJob command) {
        if (master.node() != command.node() || master.term() != command.term()) {
            return new Result.Refused(
                    "node " + command.node() + " is not master of term " + command.term());
        }
        Entry entry = jobs.get(command.job());
        if (entry == null) {
            return unknown(command.job());
        }
        JobInfo info = entry.job.info();
        if (info.status().isEnded()) {
            return new Result.Refused("job " + info.id() + " has ended");
        }
        if (info.attempt() == command.lastAttempt()) {
            long attempt = info.attempt() + 1;
            put(with(entry.job, JobStatus.RUNNING, attempt), command.term());
            return new Result.JobStarted(attempt);
        }
        if (info.attempt() == command.lastAttempt() + 1 && entry.term == command.term()) {
            return new Result.JobStarted(info.attempt());
        }
        return wrongAttempt(info);
    }

    Result commit(CommitCheckpoint command) {
        if (command.progress().length > Job.MAX_PROGRESS_BYTES) {
            return tooLong("progress", command.progress(), Job.MAX_PROGRESS_BYTES);
        }
        Entry entry = jobs.get(command.job());
        if (entry == null) {
            return unknown(command.job());
        }
        Job job = entry.job;
        Result refusal = refusal(job.info(), command.attempt());
        if (refusal != null) {
            return refusal;
        }
        if (command.number() == job.checkpoints()
                && Arrays.equals(command.progress(), job.progress())) {
            return new Result.Done(false);
        }
        if (command.number() != job.checkpoints() + 1) {
            return new Result.Refused(
                    "job " + job.info().id() + " has " + job.checkpoints() + " checkpoints");
        }
        put(
                new Job(job.info(), command.number(), job.payload(), command.progress(), NONE),
                entry.term);
        return new Result.Done(true);
    }

    Result end(EndJob command) {
        if (!command.status().isEnded()) {
            return new Result.Refused("a job does not end as " + command.status());
        }
        if (command.report().length > Job.MAX_REPORT_BYTES) {
            return tooLong("report", command.report(), Job.MAX_REPORT_BYTES);
        }
        Entry entry = jobs.get(command.job());
        if (entry == null) {
            return unknown(command.job());
        }
        JobInfo info = entry.job.info();
        if (info.attempt() == command.attempt() && info.status() == command.status()) {
            return new Result.Done(false);
        }
        Result refusal = refusal(info, command.attempt());
        if (refusal != null) {
            return refusal;
        }
        end(entry, command.status(), command.report());
        return new Result.Done(true);
    }

    Result cancel(CancelJob command) {
        Entry entry = jobs.get(command.job());
        if (entry == null) {
            return unknown(command.job());
        }
        Job job = entry.job;
        JobInfo info = job.info();
        return switch (info.status()) {
            case QUEUED -> {
                end(entry, JobStatus.CANCELLED, NONE);
                yield new Result.Done(true);
            }
            case RUNNING -> {
                JobInfo marked =
                        new JobInfo(info.id(), info.name(), info.status(), info.attempt(), true);
                put(
                        new Job(marked, job.checkpoints(), job.payload(), job.progress(), NONE),
                        entry.term);
                yield new Result.Done(!info.cancelRequested());
            }
            case SUCCEEDED, FAILED, CANCELLED -> new Result.Done(false);
        };
    }

    // queries

    MasterInfo master() {
        return master;
    }

    @Nullable Job job(long id) {
        Entry entry = jobs.get(id);
        return entry == null ? null : entry.job;
    }

    List<JobInfo> infos() {
        return jobs.values().stream().map(entry -> entry.job.info()).toList();
    }

    // for the snapshot

    SortedMap<Long, Entry> all() {
        return jobs;
    }

    Collection<Long> ended() {
        return ended;
    }

    RecentNonces nonces() {
        return nonces;
    }

    long nextJob() {
        return nextJob;
    }

    void restore(MasterInfo elected, long next) {
        master = elected;
        nextJob = next;
    }

    void restore(Job job, long term) {
        put(job, term);
        reportBytes += job.report().length;
    }

    void restoreEnded(long job) {
        ended.add(job);
    }

    // private

    private void put(Job job, long term) {
        Entry before = jobs.put(job.info().id(), new Entry(job, term));
        openBytes += job.payload().length - (before == null ? 0 : before.job.payload().length);
    }

    private void end(Entry entry, JobStatus status, byte[] report) {
        JobInfo info = entry.job.info();
        JobInfo now =
                new JobInfo(info.id(), info.name(), status, info.attempt(), info.cancelRequested());
        put(new Job(now, entry.job.checkpoints(), NONE, NONE, report), entry.term);
        ended.add(info.id());
        reportBytes += report.length;
        while (ended.size() > MAX_ENDED_JOBS
                || (reportBytes > MAX_REPORT_BYTES && ended.size() > 1)) {
            Entry oldest = jobs.remove(ended.remove());
            reportBytes -= oldest == null ? 0 : oldest.job.report().length;
        }
    }

    private static Job with(Job job, JobStatus status, long attempt) {
        JobInfo info = job.info();
        return new Job(
                new JobInfo(info.id(), info.name(), status, attempt, info.cancelRequested()),
                job.checkpoints(),
                job.payload(),
                job.progress(),
                job.report());
    }

    private static @Nullable Result refusal(JobInfo job, long attempt) {
        if (job.status() != JobStatus.RUNNING) {
            return new Result.Refused("job " + job.id() + " does not run");
        }
        return job.attempt() == attempt ? null : wrongAttempt(job);
    }

    private static Result wrongAttempt(JobInfo job) {
        return new Result.Refused("job " + job.id() + " is in attempt " + job.attempt());
    }

    private static Result unknown(long job) {
        return new Result.Refused("job " + job + " is not known");
    }

    private static Result tooLong(String what, byte[] bytes, int most) {
        return new Result.Refused(
                "a job's " + what + " has at most " + most + " bytes, not " + bytes.length);
    }
}
