package org.starling.compute.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.script.ScriptReport.Status;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.TaskResult;

/**
 * Runs the tasks of one script, one after another, on the thread that calls {@link #run}. Used
 * once. {@link #cancel()} may be called from any thread; it stops the script before the next task
 * or where a task looks, so whoever cancels also tells the engine.
 */
public final class ScriptRunner {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Script script;
    private final ScriptHost host;
    private final ScriptListener listener;
    private final LongSupplier nanoTime;
    private final ScriptProgress earlier;
    private final TaskRunner tasks;

    /**
     * Results and variables of the script at hand, which may be an included one; confined to the
     * running thread, as all up to {@link #start}.
     */
    private Map<String, @Nullable Object> values = new HashMap<>();

    /** Graphs that steps have made and not dropped, the oldest first. */
    private final List<String> made = new ArrayList<>();

    /** Graphs that blocks which failed have made; dropped before the next task. */
    private final Set<String> undone = new LinkedHashSet<>();

    /** Steps around the one at hand whose failure is not the script's end. */
    private int guards;

    /** Tasks that have ended; written by the running thread, read by any. */
    private final List<TaskReport> reports = new CopyOnWriteArrayList<>();

    /** Tasks that have begun; confined to the running thread. */
    private int begun;

    private final long start;

    private volatile boolean cancelled;

    /** A runner that measures time with {@link System#nanoTime()}. */
    public ScriptRunner(Script script, ScriptHost host, ScriptListener listener) {
        this(script, host, listener, ScriptProgress.NONE);
    }

    /** A runner that goes on where another one has been: it runs only what comes after. */
    public ScriptRunner(
            Script script, ScriptHost host, ScriptListener listener, ScriptProgress earlier) {
        this(script, host, listener, earlier, System::nanoTime);
    }

    ScriptRunner(
            Script script,
            ScriptHost host,
            ScriptListener listener,
            ScriptProgress earlier,
            LongSupplier nanoTime) {
        this.script = script;
        this.host = host;
        this.listener = listener;
        this.earlier = earlier;
        this.nanoTime = nanoTime;
        this.tasks = new TaskRunner(host, listener, () -> cancelled);
        this.start = nanoTime.getAsLong();
    }

    /** Runs the script to its end, good or bad; what went wrong is in the report. */
    public ScriptReport run() {
        Status status = Status.SUCCEEDED;
        Exception failure = null;
        try {
            runAll(script.steps());
        } catch (JobCancelledException stopped) {
            status = Status.CANCELLED;
            failure = stopped;
        } catch (RuntimeException broken) {
            status = cancelled ? Status.CANCELLED : Status.FAILED;
            failure = broken instanceof StepFailure failed ? failed.reason() : broken;
            failure = cancelled ? new JobCancelledException(TaskRunner.CANCELLED) : failure;
        } finally {
            tasks.close();
        }
        return report(status, host.recoveryEvents(), failure);
    }

    /**
     * The report of a script whose task does not come back, because it was cancelled or its time is
     * over; any thread.
     *
     * @param why a sentence
     */
    public ScriptReport givenUp(String why) {
        return cancelled
                ? report(
                        Status.CANCELLED,
                        List.of(),
                        new JobCancelledException(TaskRunner.CANCELLED + "; " + why))
                : report(Status.FAILED, List.of(), new JobFailedException(why));
    }

    /** How far the script is, for example when a task has ended. */
    public ScriptProgress progress() {
        return new ScriptProgress(reports, earlier.seconds() + secondsSince(start));
    }

    /** Stops the script before its next task, or in the middle of one that looks. */
    public void cancel() {
        cancelled = true;
    }

    private ScriptReport report(
            Status status, List<RecoveryEvent> recoveries, @Nullable Exception failure) {
        return new ScriptReport(
                script.name(),
                status,
                progress().seconds(),
                host.peers(),
                host.separateProcesses(),
                script.jars(),
                recoveries,
                reports,
                tasks.log().lines(),
                failure);
    }

    private void runAll(List<Step> steps) {
        steps.forEach(this::run);
    }

    private void run(Step step) {
        switch (step) {
            case Step.Call call -> run(call);
            case Step.Block block -> runAll(block.steps());
            case Step.Choice choice ->
                    runAll(
                            holds(choice.path() + ".if", choice.condition())
                                    ? choice.then()
                                    : choice.otherwise());
            case Step.Rounds rounds -> {
                for (int round = 0; round < rounds.rounds(); round++) {
                    runAll(rounds.steps());
                }
            }
            case Step.While loop -> {
                for (int round = 0;
                        round < loop.atMost() && holds(loop.path() + ".while", loop.condition());
                        round++) {
                    runAll(loop.steps());
                }
            }
            case Step.Each each -> {
                for (int i = 0; i < each.bodies().size(); i++) {
                    runWith(each.variable(), each.elements().get(i), each.bodies().get(i));
                }
            }
            case Step.EachOf each -> {
                for (Object element : elements(each)) {
                    runWith(each.variable(), element, each.steps());
                }
            }
            case Step.Parallel parallel -> parallel.branches().forEach(this::runAll);
            case Step.Include include -> run(include);
            case Step.Guarded guarded -> run(guarded);
        }
    }

    private boolean holds(String path, Condition condition) {
        try {
            return condition.holds(values);
        } catch (InvalidInputException unanswerable) {
            throw failure(path, unanswerable);
        }
    }

    static StepFailure failure(String path, InvalidInputException wrong) {
        return new StepFailure(new InvalidInputException(path + ": " + wrong.getMessage(), wrong));
    }

    private void runWith(String variable, @Nullable Object value, List<Step> steps) {
        values.put(variable, value);
        try {
            runAll(steps);
        } finally {
            values.remove(variable);
        }
    }

    private List<?> elements(Step.EachOf each) {
        String path = each.path() + ".in";
        try {
            if (!(Template.fill(each.list(), values) instanceof List<?> list)) {
                throw new InvalidInputException(
                        "expected a list, found " + Found.of(Template.fill(each.list(), values)));
            }
            if (list.size() > each.atMost()) {
                throw new InvalidInputException(
                        "%d elements, more than %d; say how many there may be: \"atMost\": %d"
                                .formatted(list.size(), each.atMost(), list.size()));
            }
            return list;
        } catch (InvalidInputException wrong) {
            throw failure(path, wrong);
        }
    }

    /** An included script knows its parameters and what its own tasks find. */
    private void run(Step.Include include) {
        Map<String, @Nullable Object> outer = values;
        Map<String, @Nullable Object> inner = new HashMap<>();
        try {
            include.open().forEach((name, open) -> inner.put(name, open.in(outer)));
        } catch (InvalidInputException wrong) {
            throw new StepFailure(wrong);
        }
        values = inner;
        try {
            runAll(include.steps());
        } finally {
            values = outer;
        }
        if (include.as() != null) {
            inner.keySet().removeAll(include.open().keySet());
            outer.put(include.as(), inner);
        }
    }

    private void run(Step.Guarded guarded) {
        for (int retries = 0; ; retries++) {
            int before = made.size();
            guards++;
            try {
                run(guarded.step());
                tell(guarded, null);
                return;
            } catch (StepFailure failed) {
                tasks.checkCancelled();
                List<String> since = made.subList(Math.min(before, made.size()), made.size());
                undone.addAll(since);
                since.clear();
                if (retries == guarded.rule().retries()) {
                    if (!guarded.rule().goesOn()) {
                        throw failed;
                    }
                    tell(guarded, failed.getMessage());
                    return;
                }
            } finally {
                guards--;
            }
        }
    }

    /** What a step is called says whether it has failed, if the script goes on behind that. */
    private void tell(Step.Guarded guarded, @Nullable String error) {
        if (guarded.as() == null || !guarded.rule().goesOn()) {
            return;
        }
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        if (error == null && values.get(guarded.as()) instanceof Map<?, ?> results) {
            results.forEach((name, value) -> told.put(name.toString(), value));
        }
        told.put(FailureRule.FAILED, error != null);
        told.put(FailureRule.ERROR, error);
        values.put(guarded.as(), told);
    }

    private void run(Step.Call call) {
        tasks.checkCancelled();
        String name = call.task().signature().name();
        if (begun < earlier.tasks().size()) {
            keep(call, name, earlier.tasks().get(begun++));
            return;
        }
        listener.taskStarted(++begun, name, call.as());
        dropUndone();
        host.takeRuns();
        Cost cost = new Cost();
        TaskResult result;
        try {
            result = tasks.run(call, values, guards > 0);
        } catch (StepFailure failed) {
            if (guards > 0) {
                TaskReport report = cost.report(call, Map.of(), failed.getMessage());
                reports.add(report);
                listener.taskFailed(report);
            }
            throw failed;
        }
        TaskReport report = cost.report(call, Finite.only(result.asMap()), null);
        keepResult(call, report.result());
        reports.add(report);
        listener.taskEnded(report);
    }

    /** Takes over what a task has given to an earlier runner. */
    private void keep(Step.Call call, String name, TaskReport report) {
        if (!report.task().equals(name) || !Objects.equals(report.as(), call.as())) {
            throw new IllegalStateException(
                    "%s: the progress of this script says %s as %s, the script %s as %s"
                            .formatted(call.path(), report.task(), report.as(), name, call.as()));
        }
        reports.add(report);
        String error = report.error();
        if (error != null) {
            throw new StepFailure(new JobFailedException(error));
        }
        keepResult(call, report.result());
    }

    private void keepResult(Step.Call call, Map<String, @Nullable Object> result) {
        if (call.as() != null) {
            values.put(call.as(), result);
        }
        for (Argument argument : call.task().signature().arguments()) {
            if (argument.type() == Argument.Type.NEW_GRAPH
                    && call.arguments().has(argument.name())) {
                made.add(call.arguments().text(argument.name()));
                undone.remove(made.getLast());
            } else if (argument.type() == Argument.Type.DROPPED_GRAPH) {
                made.remove(call.arguments().text(argument.name()));
            }
        }
    }

    /**
     * Graphs of blocks that failed go before the next task, which may want their names; a kept one
     * that another job uses may go before a later one.
     */
    private void dropUndone() {
        if (!undone.isEmpty()) {
            undone.retainAll(host.graphs().graphs());
            undone.removeIf(tasks::drop);
        }
    }

    private double secondsSince(long start) {
        return (nanoTime.getAsLong() - start) / NANOS_PER_SECOND;
    }

    /** What a task has taken since it began. */
    private final class Cost {
        private final long begin = nanoTime.getAsLong();
        private final long supersteps = host.supersteps();
        private final long messages = host.messages();

        TaskReport report(
                Step.Call call, Map<String, @Nullable Object> result, @Nullable String error) {
            return new TaskReport(
                    call.task().signature().name(),
                    call.as(),
                    secondsSince(begin),
                    host.supersteps() - supersteps,
                    host.messages() - messages,
                    result,
                    script.explained() ? host.takeRuns() : List.of(),
                    error);
        }
    }
}
