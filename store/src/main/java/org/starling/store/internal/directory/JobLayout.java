package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;

/**
 * The bytes of jobs, in messages, commands and snapshots.
 *
 * <pre>
 * job info: id 8, name string, status 1, attempt 8, cancel requested 1
 * job: job info, checkpoints 8, payload bytes, progress bytes, report bytes
 * jobs of a list: count 4, each job info
 * a job that may be: known 1, job
 * </pre>
 */
public final class JobLayout {
    /** The fewest bytes of a job in a list. */
    private static final int MIN_INFO_BYTES = 20;

    /** By number. */
    private static final List<JobStatus> STATUSES =
            List.of(
                    JobStatus.QUEUED,
                    JobStatus.RUNNING,
                    JobStatus.SUCCEEDED,
                    JobStatus.FAILED,
                    JobStatus.CANCELLED);

    private JobLayout() {}

    /** The bytes of a list. */
    public static byte[] writeList(List<JobInfo> jobs) {
        ByteWriter out = new ByteWriter().putInt(jobs.size());
        jobs.forEach(job -> write(out, job));
        return out.toBytes();
    }

    /**
     * Reads what {@link #writeList} made.
     *
     * @throws IllegalArgumentException if the bytes are no list of jobs
     */
    public static List<JobInfo> readList(byte[] bytes) {
        ByteParser in = new ByteParser(bytes);
        int count = in.getCount(MIN_INFO_BYTES);
        List<JobInfo> jobs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            jobs.add(readInfo(in));
        }
        in.end();
        return jobs;
    }

    /** The bytes of a job that may be. */
    public static byte[] writeOptional(Optional<Job> job) {
        ByteWriter out = new ByteWriter().putFlag(job.isPresent());
        job.ifPresent(known -> write(out, known));
        return out.toBytes();
    }

    /**
     * Reads what {@link #writeOptional} made.
     *
     * @throws IllegalArgumentException if the bytes are no job
     */
    public static Optional<Job> readOptional(byte[] bytes) {
        ByteParser in = new ByteParser(bytes);
        Optional<Job> job = in.getFlag() ? Optional.of(readJob(in)) : Optional.empty();
        in.end();
        return job;
    }

    static void write(ByteWriter out, Job job) {
        write(out, job.info());
        out.putLong(job.checkpoints())
                .putBytes(job.payload())
                .putBytes(job.progress())
                .putBytes(job.report());
    }

    static Job readJob(ByteParser in) {
        return new Job(
                readInfo(in),
                in.getLong(),
                in.getBytes(Job.MAX_PAYLOAD_BYTES),
                in.getBytes(Job.MAX_PROGRESS_BYTES),
                in.getBytes(Job.MAX_REPORT_BYTES));
    }

    static int number(JobStatus status) {
        return STATUSES.indexOf(status);
    }

    static JobStatus status(int number) {
        if (number >= STATUSES.size()) {
            throw new IllegalArgumentException("unknown status of a job " + number);
        }
        return STATUSES.get(number);
    }

    private static void write(ByteWriter out, JobInfo info) {
        out.putLong(info.id())
                .putString(info.name())
                .putByte(number(info.status()))
                .putLong(info.attempt())
                .putFlag(info.cancelRequested());
    }

    private static JobInfo readInfo(ByteParser in) {
        return new JobInfo(
                in.getLong(), in.getString(), status(in.getByte()), in.getLong(), in.getFlag());
    }
}
