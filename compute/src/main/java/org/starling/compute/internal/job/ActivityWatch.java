package org.starling.compute.internal.job;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.JobListener;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.TaskLog;

/**
 * Hears what a job does and tells it to whoever asks. It costs a few stores per superstep, and
 * nothing leaves the node unless somebody asks. Any thread; guarded by itself.
 */
final class ActivityWatch implements JobListener {
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanoTime;
    private final TaskLog log = new TaskLog();
    private final JobCourse.Log course = new JobCourse.Log();
    private long tasks;
    private int task;
    private String name = "";
    private @Nullable String as;
    private long taskNanos;
    private @Nullable String step;
    private long done;
    private long total;
    private long stepNanos;
    private int superstep = -1;
    private long active;
    private long messages;
    private long expected;
    private long runNanos;
    private int firstSuperstep;

    ActivityWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** So many tasks will run at most. */
    synchronized void expectTasks(long most) {
        tasks = most;
    }

    synchronized void taskStarted(int run, String taskName, @Nullable String taskAs) {
        task = run;
        name = taskName;
        as = taskAs;
        taskNanos = nanoTime.getAsLong();
        step = null;
        done = 0;
        total = 0;
        superstep = -1;
        active = 0;
        messages = 0;
        expected = 0;
    }

    void log(String line) {
        log.add(line);
    }

    @Override
    public synchronized void progress(String what, long newDone, long newTotal) {
        if (!what.equals(step)) {
            stepNanos = nanoTime.getAsLong();
        }
        step = what;
        done = newDone;
        total = newTotal;
    }

    @Override
    public synchronized void begins(long supersteps, long sent) {
        expected = supersteps;
        superstep = -1;
        active = 0;
        messages = sent;
        runNanos = nanoTime.getAsLong();
    }

    @Override
    public synchronized void superstep(int ended, long newActive, long newMessages) {
        if (superstep < 0) {
            firstSuperstep = ended; // not the first of all, if the run goes on from a checkpoint
        }
        course.add(
                new JobCourse.Point(
                        task, name, ended, ended, newActive, newMessages - messages, false));
        superstep = ended;
        active = newActive;
        messages = newMessages;
    }

    @Override
    public synchronized void checkpointed() {
        course.checkpointed();
    }

    /** What the job does now; null if no task has begun. */
    synchronized @Nullable JobActivity now() {
        if (task == 0) {
            return null;
        }
        return new JobActivity(
                task,
                tasks,
                name,
                as,
                secondsSince(taskNanos),
                step,
                done,
                total,
                superstep,
                active,
                messages,
                eta(),
                log.lines());
    }

    /** How the job has come here, as far as this master has seen it. */
    synchronized JobCourse course() {
        return course.course();
    }

    /** By the pace so far, of supersteps where their number is known, else of what is counted. */
    private @Nullable Double eta() {
        if (superstep >= 0 && expected > superstep) {
            double each = secondsSince(runNanos) / (superstep - firstSuperstep + 1);
            return each * (expected - superstep - 1);
        }
        return superstep < 0 && done > 0 && total >= done
                ? secondsSince(stepNanos) / done * (total - done)
                : null;
    }

    private double secondsSince(long nanos) {
        return (nanoTime.getAsLong() - nanos) / NANOS_PER_SECOND;
    }
}
