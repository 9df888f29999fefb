package org.starling.compute;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A listener that keeps the latest runs until somebody takes them, and tells another one all that
 * it hears. Confined to the job's thread.
 */
public final class RunLog implements JobListener {
    /** Most runs that are kept; of more, the latest. */
    public static final int MAX_RUNS = 256;

    private final JobListener next;
    private final Deque<RunRecord> runs = new ArrayDeque<>();

    /** A log that tells {@code next} what it hears. */
    public RunLog(JobListener next) {
        this.next = next;
    }

    /** Runs that have ended since this was asked last, in their order. */
    public List<RunRecord> take() {
        List<RunRecord> taken = List.copyOf(runs);
        runs.clear();
        return taken;
    }

    @Override
    public void progress(String what, long done, long total) {
        next.progress(what, done, total);
    }

    @Override
    public void superstep(int superstep, long active, long messages) {
        next.superstep(superstep, active, messages);
    }

    @Override
    public void begins(long supersteps, long messages) {
        next.begins(supersteps, messages);
    }

    @Override
    public void checkpointed() {
        next.checkpointed();
    }

    @Override
    public void ran(RunRecord record) {
        if (runs.size() == MAX_RUNS) {
            runs.removeFirst();
        }
        runs.addLast(record);
        next.ran(record);
    }
}
