package org.starling.compute.internal.job;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.starling.compute.JobListener;
import org.starling.compute.RunRecord;
import org.starling.store.JobStatus;

/** What the jobs that one node leads have done since it was started. Any thread. */
final class JobCounts {
    private final Map<JobStatus, LongAdder> ended = new EnumMap<>(JobStatus.class);
    private final LongAdder supersteps = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder recoveries = new LongAdder();

    JobCounts() {
        for (JobStatus status : JobStatus.values()) {
            ended.put(status, new LongAdder());
        }
    }

    /** A job has ended, and that is committed. */
    void ended(JobReport report) {
        adder(report.status()).increment();
        recoveries.add(report.recoveries());
    }

    /** Counts what a job's listener hears, and passes it on. */
    JobListener counting(JobListener listener) {
        return new Counting(listener);
    }

    JobFigures figures(int running) {
        return new JobFigures(
                running,
                adder(JobStatus.SUCCEEDED).sum(),
                adder(JobStatus.FAILED).sum(),
                adder(JobStatus.CANCELLED).sum(),
                supersteps.sum(),
                messages.sum(),
                recoveries.sum());
    }

    private LongAdder adder(JobStatus status) {
        LongAdder adder = ended.get(status);
        if (adder == null) {
            throw new IllegalStateException("nobody counts " + status);
        }
        return adder;
    }

    /** Confined to the job's thread. */
    private final class Counting implements JobListener {
        private final JobListener listener;

        /** Messages of the run at hand that have been counted. */
        private long counted;

        Counting(JobListener listener) {
            this.listener = listener;
        }

        @Override
        public void progress(String what, long done, long total) {
            listener.progress(what, done, total);
        }

        @Override
        public void superstep(int superstep, long active, long runMessages) {
            supersteps.increment();
            messages.add(runMessages - counted);
            counted = runMessages;
            listener.superstep(superstep, active, runMessages);
        }

        @Override
        public void begins(long expected, long runMessages) {
            counted = runMessages;
            listener.begins(expected, runMessages);
        }

        @Override
        public void checkpointed() {
            listener.checkpointed();
        }

        @Override
        public void ran(RunRecord run) {
            listener.ran(run);
        }
    }
}
