package org.starling.compute.script;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Parameters;
import org.starling.graph.Task;

/** A part of a checked script. Immutable. */
sealed interface Step {
    /** JSON path of the step. */
    String path();

    /** How many tasks it runs at most. */
    default long taskRuns() {
        return switch (this) {
            case Call _ -> 1;
            case Choice choice -> Math.max(sum(choice.then), sum(choice.otherwise));
            case Rounds rounds -> times(rounds.rounds, sum(rounds.steps));
            case While loop -> times(loop.atMost, sum(loop.steps));
            case EachOf each -> times(each.atMost, sum(each.steps));
            case Guarded guarded -> times(guarded.rule.retries() + 1, guarded.step.taskRuns());
            case Block _, Each _, Parallel _, Include _ -> sum(inside());
        };
    }

    /** The steps in it, of all its branches, in the order in which they were written. */
    default List<Step> inside() {
        return switch (this) {
            case Call _ -> List.of();
            case Block block -> block.steps;
            case Choice choice -> flat(List.of(choice.then, choice.otherwise));
            case Rounds rounds -> rounds.steps;
            case While loop -> loop.steps;
            case Each each -> flat(each.bodies);
            case EachOf each -> each.steps;
            case Parallel parallel -> flat(parallel.branches);
            case Include include -> include.steps;
            case Guarded guarded -> List.of(guarded.step);
        };
    }

    /**
     * A task with its arguments.
     *
     * @param as name of its results; null if it has none
     * @param arguments checked, defaults filled in
     * @param open arguments with {@link Template}s, which are read when the task begins
     * @param files what its names of files stand for
     * @param timeLimit how long it may take; null if there is no limit
     */
    record Call(
            String path,
            Task task,
            @Nullable String as,
            Parameters arguments,
            Map<String, Object> open,
            ScriptFiles files,
            @Nullable Duration timeLimit)
            implements Step {}

    /** Steps one after another. */
    record Block(String path, List<Step> steps) implements Step {}

    /** Steps that run when a condition holds, and others that run when it does not. */
    record Choice(String path, Condition condition, List<Step> then, List<Step> otherwise)
            implements Step {}

    /** Steps that run several times. */
    record Rounds(String path, int rounds, List<Step> steps) implements Step {}

    /** Steps that run as long as a condition holds, but not more often than so many times. */
    record While(String path, Condition condition, int atMost, List<Step> steps) implements Step {}

    /**
     * Steps for each element of a list that stands in the script.
     *
     * @param bodies for each element its steps, with the variable's value filled in
     */
    record Each(
            String path, String variable, List<@Nullable Object> elements, List<List<Step>> bodies)
            implements Step {}

    /**
     * Steps for each element of a list that only the run knows.
     *
     * @param list a tree with {@link Template}s that becomes the list
     * @param atMost elements that it may have
     */
    record EachOf(String path, String variable, Object list, int atMost, List<Step> steps)
            implements Step {}

    /** Branches that know nothing of one another. */
    record Parallel(String path, List<List<Step>> branches) implements Step {}

    /**
     * The steps of another script, which has its own names for results.
     *
     * @param as name under which its results are known outside; null if they are not
     * @param open its parameters that only the run knows
     */
    record Include(
            String path,
            @Nullable String as,
            Map<String, ScriptParameters.Open> open,
            List<Step> steps)
            implements Step {}

    /**
     * A step whose failure is not the script's end.
     *
     * @param rule what is done then
     * @param as name of the step's results; null if it has none
     */
    record Guarded(String path, Step step, FailureRule rule, @Nullable String as) implements Step {}

    /** How many tasks a list of steps runs at most. */
    static long sum(List<Step> steps) {
        long sum = 0;
        for (Step step : steps) {
            long more = step.taskRuns();
            sum = more > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + more;
        }
        return sum;
    }

    private static long times(int rounds, long once) {
        return rounds > 0 && once > Long.MAX_VALUE / rounds ? Long.MAX_VALUE : rounds * once;
    }

    private static List<Step> flat(List<List<Step>> lists) {
        return lists.stream().flatMap(Collection::stream).toList();
    }
}
