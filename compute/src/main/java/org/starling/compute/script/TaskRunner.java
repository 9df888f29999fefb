package org.starling.compute.script;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.InputSpool;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.objects.ObjectName;
import org.starling.graph.Argument;
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
 * Runs single tasks of a script: fills their arguments, minds their time, says what went wrong.
 * Owned by a {@link ScriptRunner}, on its thread.
 */
final class TaskRunner implements AutoCloseable {
    static final String CANCELLED = "the job was cancelled";

    private final ScriptHost host;
    private final ScriptListener listener;
    private final BooleanSupplier cancelled;
    private final Context context = new Context();
    private final TaskLog log = new TaskLog();

    /** What the names of files of the task at hand stand for. */
    private @Nullable ScriptFiles files;

    /** Inputs that are no files; null as long as no task has wanted one. */
    private @Nullable InputSpool spool;

    /** Time limit of the task at hand. */
    private @Nullable TimeLimit limit;

    /**
     * A runner of tasks.
     *
     * @param cancelled whether the job was cancelled
     */
    TaskRunner(ScriptHost host, ScriptListener listener, BooleanSupplier cancelled) {
        this.host = host;
        this.listener = listener;
        this.cancelled = cancelled;
    }

    /** What tasks have said; any thread. */
    TaskLog log() {
        return log;
    }

    /** Throws if the job was cancelled, or the time of the task at hand is over. */
    void checkCancelled() {
        TimeLimit time = limit;
        if (cancelled.getAsBoolean() || (time != null && time.isOver())) {
            throw new JobCancelledException(CANCELLED);
        }
    }

    /**
     * Runs a task; failures say which task it was.
     *
     * @param values results and variables that its arguments may name
     * @param guarded whether the script may go on if it fails
     * @throws StepFailure if it fails
     */
    TaskResult run(Step.Call call, Map<String, ?> values, boolean guarded) {
        String where = "%s (%s): ".formatted(call.path(), call.task().signature().name());
        Set<String> before = guarded ? graphsBefore(call) : Set.of();
        try (TimeLimit time =
                TimeLimit.start(call.timeLimit(), host, why -> listener.taskStuck(where + why))) {
            limit = time;
            files = call.files();
            try {
                TaskResult result =
                        call.task()
                                .run(
                                        context,
                                        IdArguments.resolve(
                                                call.task().signature(),
                                                arguments(call, values),
                                                host::graphs));
                if (spool != null) {
                    spool.sendResults(context);
                }
                host.endStructures(true);
                return told(result);
            } catch (JobCancelledException stopped) {
                throw time.isOver() && !cancelled.getAsBoolean() ? tooLong(where, time) : stopped;
            } catch (RuntimeException | IOException broken) {
                throw time.isOver() && !cancelled.getAsBoolean()
                        ? tooLong(where, time)
                        : failure(where, broken, guarded);
            }
        } catch (StepFailure failed) {
            if (guarded) {
                host.endStructures(false);
                dropOf(call, before);
            }
            throw failed;
        } finally {
            limit = null;
            if (spool != null) {
                spool.dropResults();
            }
        }
    }

    /** Removes the files that other inputs were brought into. */
    @Override
    public void close() {
        if (spool != null) {
            spool.close();
        }
    }

    /** What is wrong, with the names that the script has for its inputs. */
    private @Nullable String told(Exception wrong) {
        return spool == null ? wrong.getMessage() : spool.told(wrong.getMessage());
    }

    /** Results with the names that the script has for its outputs. */
    private TaskResult told(TaskResult result) {
        InputSpool names = spool;
        if (names == null || !names.hasResults()) {
            return result;
        }
        TaskResult told = new TaskResult();
        result.asMap()
                .forEach((name, value) ->
                        told.put(
                                name,
                                JsonText.withLeaves(
                                        value,
                                        leaf ->
                                                leaf instanceof String text
                                                        ? names.told(text)
                                                        : leaf)));
        return told;
    }

    private static StepFailure tooLong(String where, TimeLimit time) {
        return new StepFailure(
                new JobFailedException(
                        where + "it has taken longer than its time limit of " + time.text()));
    }

    /** What a task has thrown, as its script's failure; what is no failure of the task stays. */
    private RuntimeException failure(String where, Exception broken, boolean guarded) {
        return switch (broken) {
            case StepFailure failed -> failed;
            case InvalidInputException bad ->
                    new StepFailure(new InvalidInputException(where + told(bad), bad));
            case JobFailedException failed ->
                    new StepFailure(new JobFailedException(where + told(failed), failed));
            case StoreException lost ->
                    new StepFailure(new JobFailedException(where + lost.getMessage(), lost));
            case NetException lost ->
                    new StepFailure(new JobFailedException(where + lost.getMessage(), lost));
            case IOException io ->
                    new StepFailure(new JobFailedException(where + FileTrouble.reason(io), io));
            case RuntimeException bug ->
                    guarded
                            ? new StepFailure(
                                    new JobFailedException(where + "internal error: " + bug, bug))
                            : bug;
            default -> throw new IllegalStateException(broken);
        };
    }

    /** The arguments, with what only the run knows. */
    private static Parameters arguments(Step.Call call, Map<String, ?> values) {
        if (call.open().isEmpty()) {
            return call.arguments();
        }
        ArgumentReader reader = new ArgumentReader(call.files(), TaskCatalog.JarNames.NONE);
        Parameters arguments = call.arguments();
        for (Argument argument : call.task().signature().arguments()) {
            String name = argument.name();
            if (call.open().containsKey(name)) {
                String path = call.path() + "." + name;
                try {
                    Object value = Template.fill(call.open().get(name), values);
                    arguments =
                            arguments.with(
                                    name,
                                    IdArguments.isAsWritten(argument, value)
                                            ? Objects.requireNonNull(value)
                                            : reader.read(
                                                    argument,
                                                    value,
                                                    new ScriptScope(ExistingGraphs.NONE)));
                } catch (InvalidInputException wrong) {
                    throw ScriptRunner.failure(path, wrong);
                }
            }
        }
        try {
            call.task().check(IdArguments.withoutTexts(call.task().signature(), arguments));
        } catch (InvalidInputException wrong) {
            throw ScriptRunner.failure(call.path(), wrong);
        }
        return arguments;
    }

    private Set<String> graphsBefore(Step.Call call) {
        boolean makesGraphs =
                call.task().signature().arguments().stream()
                        .anyMatch(argument -> argument.type() == Argument.Type.NEW_GRAPH);
        return makesGraphs ? Set.copyOf(host.graphs().graphs()) : Set.of();
    }

    /** A task that has failed leaves no graph behind that a second try would stumble over. */
    private void dropOf(Step.Call call, Set<String> before) {
        for (Argument argument : call.task().signature().arguments()) {
            if (argument.type() == Argument.Type.NEW_GRAPH
                    && call.arguments().has(argument.name())) {
                String graph = call.arguments().text(argument.name());
                if (!before.contains(graph) && host.graphs().graphs().contains(graph)) {
                    drop(graph);
                }
            }
        }
    }

    /**
     * Drops a graph of a step that failed; that it can't be dropped is no failure of the script.
     *
     * @return false if another job uses it: it is kept
     */
    boolean drop(String graph) {
        try {
            host.graphs().drop(graph);
            return true;
        } catch (InvalidInputException inUse) {
            context.log(
                    "a step that failed has made graph \"%s\", which stays: %s"
                            .formatted(graph, inUse.getMessage()));
            return false;
        }
    }

    /** What tasks see; confined to the running thread but for the flag it looks at. */
    private final class Context implements TaskContext, InputSpool.Watch {
        @Override
        public GraphSession graphs() {
            return host.graphs();
        }

        @Override
        public Path inputFile(String name) {
            return OtherInputs.isName(name) ? spool().file(name, this) : files().input(name);
        }

        @Override
        public List<Path> inputFiles(String name) {
            return OtherInputs.isName(name)
                    ? spool().files(name, ScriptBounds.MAX_INPUT_FILES, this)
                    : files().inputs(name);
        }

        private InputSpool spool() {
            InputSpool known = spool;
            if (known == null) {
                known = files().spool();
                spool = known;
            }
            return known;
        }

        @Override
        public Path outputFile(String name) {
            return ObjectName.isName(name) ? spool().result(name) : files().output(name);
        }

        private ScriptFiles files() {
            return Objects.requireNonNull(files, "a task runs");
        }

        @Override
        public void progress(String what, long done, long total) {
            listener.progress(what, done, total);
        }

        @Override
        public void log(String line) {
            log.add(line);
            listener.log(line);
        }

        @Override
        public void checkCancelled() {
            TaskRunner.this.checkCancelled();
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
