package org.starling.compute.script;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Parameters;
import org.starling.graph.Task;

/** A part of a checked script. Immutable. */
sealed interface Step {
    /** JSON path of the step. */
    String path();

    /** How many tasks it runs at most. */
    long taskRuns();

    /**
     * A task with its arguments.
     *
     * @param as name of its results; null if it has none
     * @param arguments checked, defaults filled in
     */
    record Call(String path, Task task, @Nullable String as, Parameters arguments) implements Step {
        @Override
        public long taskRuns() {
            return 1;
        }
    }

    /** Steps that run when a condition holds, and others that run when it does not. */
    record Choice(String path, Condition condition, List<Step> then, List<Step> otherwise)
            implements Step {
        @Override
        public long taskRuns() {
            return Math.max(sum(then), sum(otherwise));
        }
    }

    /** Steps that run several times. */
    record Rounds(String path, int rounds, List<Step> steps) implements Step {
        @Override
        public long taskRuns() {
            long once = sum(steps);
            return once > Long.MAX_VALUE / rounds ? Long.MAX_VALUE : rounds * once;
        }
    }

    /** How many tasks a list of steps runs at most. */
    static long sum(List<Step> steps) {
        long sum = 0;
        for (Step step : steps) {
            long more = step.taskRuns();
            sum = more > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + more;
        }
        return sum;
    }
}
