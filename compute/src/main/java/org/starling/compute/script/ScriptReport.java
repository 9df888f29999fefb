package org.starling.compute.script;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * What came of a script.
 *
 * @param script its name
 * @param status how it ended
 * @param seconds how long it took
 * @param peers number of peers that computed
 * @param processes whether they were separate processes
 * @param jars digests of the jars that it could name tasks of
 * @param recoveryEvents lost nodes that were made up for, in their order
 * @param tasks the tasks that have ended, in the order in which they ran; of those that failed only
 *     those behind which the script could go on
 * @param log the last lines that its tasks have said to this master
 * @param failure why it ended early; null if it succeeded
 */
public record ScriptReport(
        String script,
        Status status,
        double seconds,
        int peers,
        boolean processes,
        List<String> jars,
        List<RecoveryEvent> recoveryEvents,
        List<TaskReport> tasks,
        List<String> log,
        @Nullable Exception failure) {
    /** Beside an error: whether it is about what was asked for, which another try won't change. */
    public static final String INVALID_INPUT = "invalidInput";

    /** How a script ended. */
    public enum Status {
        /** All its tasks have run. */
        SUCCEEDED,
        /** A task failed. */
        FAILED,
        /** Somebody cancelled it. */
        CANCELLED
    }

    /** Copies the lists. */
    public ScriptReport {
        jars = List.copyOf(jars);
        recoveryEvents = List.copyOf(recoveryEvents);
        tasks = List.copyOf(tasks);
        log = List.copyOf(log);
    }

    /**
     * Reads what {@link #tree} made; other members are passed over.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static ScriptReport of(Map<?, ?> tree) {
        Read read = RecordJson.PLAIN.of(Read.class, tree);
        String error = String.valueOf(read.error);
        return new ScriptReport(
                read.script,
                read.status,
                tree.get("seconds") instanceof Double seconds ? seconds : 0,
                tree.get("peers") instanceof Long peers ? peers.intValue() : 0,
                true,
                read.jars,
                read.recoveryEvents,
                read.tasks,
                read.log,
                switch (read.status) {
                    case SUCCEEDED -> null;
                    case FAILED ->
                            Boolean.TRUE.equals(tree.get(INVALID_INPUT))
                                    ? new InvalidInputException(error)
                                    : new JobFailedException(error);
                    case CANCELLED -> new JobCancelledException(error);
                });
    }

    /** What every report has, also that of a script which could not run. */
    private record Read(
            String script,
            Status status,
            List<String> jars,
            List<RecoveryEvent> recoveryEvents,
            List<TaskReport> tasks,
            List<String> log,
            @Nullable String error) {}

    /** The report as a JSON tree for {@link JsonText}; its form is a contract with programs. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("script", script);
        tree.put("status", status.name().toLowerCase(Locale.ROOT));
        tree.put("seconds", seconds);
        tree.put("peers", peers);
        tree.put("processes", processes);
        if (!jars.isEmpty()) {
            tree.put("jars", jars);
        }
        tree.put("recoveries", recoveryEvents.size());
        if (!recoveryEvents.isEmpty()) {
            tree.put(
                    "recoveryEvents", recoveryEvents.stream().map(RecordJson.PLAIN::tree).toList());
        }
        tree.put("tasks", tasks.stream().map(TaskReport::tree).toList());
        if (!log.isEmpty()) {
            tree.put("log", log);
        }
        if (failure != null) {
            tree.put("error", String.valueOf(failure.getMessage()));
            if (failure instanceof InvalidInputException) {
                tree.put(INVALID_INPUT, true);
            }
        }
        return tree;
    }
}
