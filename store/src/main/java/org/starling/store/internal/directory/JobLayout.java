package org.starling.store.internal.directory;

import java.util.List;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;

/**
 * The bytes of jobs, in messages, commands and snapshots.
 *
 * <pre>
 * job info: id 8, name string, status 1, attempt 8, cancel requested 1
 * job: job info, checkpoints 8, payload bytes, progress bytes, report bytes
 * </pre>
 */
public final class JobLayout {
    /** By number. */
    private static final List<JobStatus> STATUSES =
            List.of(
                    JobStatus.QUEUED,
                    JobStatus.RUNNING,
                    JobStatus.SUCCEEDED,
                    JobStatus.FAILED,
                    JobStatus.CANCELLED);

    private JobLayout() {}

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
