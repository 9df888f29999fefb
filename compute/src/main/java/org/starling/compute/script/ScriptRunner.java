package org.starling.compute.script;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.script.ScriptReport.Status;
import org.starling.graph.FileTrouble;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.net.NetException;
import org.starling.store.StoreException;

/**
 * Runs the tasks of one script, one after another, on the thread that calls {@link #run}. Used
 * once. {@link #cancel()} may be called from any thread; it stops the script before the next task
 * or where a task looks, so whoever cancels also tells the engine.
 */
public final class ScriptRunner {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String CANCELLED = "the job was cancelled";

    private final Script script;
    private final ScriptHost host;
    private final ScriptListener listener;
    private final LongSupplier nanoTime;
    private final ScriptProgress earlier;
    private final TaskContext context = new Context();

    /** Results by the {@code as} of their tasks; confined to the running thread. */
    private final Map<String, Map<String, @Nullable Object>> results = new HashMap<>();

    /** Tasks that ended well; written by the running thread, read by any. */
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
        } catch (IOException | RuntimeException broken) {
            status = cancelled ? Status.CANCELLED : Status.FAILED;
            failure = cancelled ? new JobCancelledException(CANCELLED) : broken;
        }
        return report(status, host.recoveryEvents(), failure);
    }

    /**
     * The report of a script that was cancelled and whose task does not come back; any thread.
     *
     * @param why a sentence
     */
    public ScriptReport givenUp(String why) {
        return report(
                Status.CANCELLED, List.of(), new JobCancelledException(CANCELLED + "; " + why));
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
                recoveries,
                reports,
                failure);
    }

    private void runAll(List<Step> steps) throws IOException {
        for (Step step : steps) {
            switch (step) {
                case Step.Call call -> run(call);
                case Step.Choice choice ->
                        runAll(holds(choice) ? choice.then() : choice.otherwise());
                case Step.Rounds rounds -> {
                    for (int round = 0; round < rounds.rounds(); round++) {
                        runAll(rounds.steps());
                    }
                }
            }
        }
    }

    private boolean holds(Step.Choice choice) {
        try {
            return choice.condition().holds(results);
        } catch (InvalidInputException unanswerable) {
            throw new InvalidInputException(
                    choice.path() + ".if: " + unanswerable.getMessage(), unanswerable);
        }
    }

    private void run(Step.Call call) throws IOException {
        context.checkCancelled();
        String name = call.task().signature().name();
        if (begun < earlier.tasks().size()) {
            keep(call, name, earlier.tasks().get(begun++));
            return;
        }
        listener.taskStarted(++begun, name, call.as());
        host.takeRuns();
        long taskStart = nanoTime.getAsLong();
        long supersteps = host.supersteps();
        long messages = host.messages();
        TaskResult result = run(call, name);
        TaskReport report =
                new TaskReport(
                        name,
                        call.as(),
                        secondsSince(taskStart),
                        host.supersteps() - supersteps,
                        host.messages() - messages,
                        result.asMap(),
                        script.explained() ? host.takeRuns() : List.of());
        if (call.as() != null) {
            results.put(call.as(), result.asMap());
        }
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
        if (call.as() != null) {
            results.put(call.as(), report.result());
        }
        reports.add(report);
    }

    /** Runs a task; failures say which task it was. */
    private TaskResult run(Step.Call call, String name) throws IOException {
        String where = call.path() + " (" + name + "): ";
        Parameters arguments = call.arguments();
        try {
            return call.task().run(context, arguments);
        } catch (InvalidInputException bad) {
            throw new InvalidInputException(where + bad.getMessage(), bad);
        } catch (JobFailedException failed) {
            throw new JobFailedException(where + failed.getMessage(), failed);
        } catch (StoreException | NetException broken) {
            throw new JobFailedException(where + broken.getMessage(), broken);
        } catch (IOException broken) {
            throw new JobFailedException(where + FileTrouble.reason(broken), broken);
        }
    }

    private double secondsSince(long start) {
        return (nanoTime.getAsLong() - start) / NANOS_PER_SECOND;
    }

    /** What tasks see; confined to the running thread but for the flag it looks at. */
    private final class Context implements TaskContext {
        @Override
        public GraphSession graphs() {
            return host.graphs();
        }

        @Override
        public Path inputFile(String name) {
            return script.files().input(name);
        }

        @Override
        public Path outputFile(String name) {
            return script.files().output(name);
        }

        @Override
        public void progress(String what, long done, long total) {
            listener.progress(what, done, total);
        }

        @Override
        public void checkCancelled() {
            if (cancelled) {
                throw new JobCancelledException(CANCELLED);
            }
        }

        @Override
        public int peers() {
            return host.peers();
        }

        @Override
        public boolean separateProcesses() {
            return host.separateProcesses();
        }

        @Override
        public List<Long> peakResidentBytes() {
            return host.peakResidentBytes();
        }
    }
}
