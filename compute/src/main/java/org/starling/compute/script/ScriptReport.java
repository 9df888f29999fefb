package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
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
 * @param recoveryEvents lost nodes that were made up for, in their order
 * @param tasks the tasks that have ended well, in the order in which they ran
 * @param failure why it ended early; null if it succeeded
 */
public record ScriptReport(
        String script,
        Status status,
        double seconds,
        int peers,
        boolean processes,
        List<RecoveryEvent> recoveryEvents,
        List<TaskReport> tasks,
        @Nullable Exception failure) {
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
        recoveryEvents = List.copyOf(recoveryEvents);
        tasks = List.copyOf(tasks);
    }

    /**
     * Reads what {@link #tree} made; other members are passed over.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static ScriptReport of(Map<?, ?> tree) {
        List<TaskReport> tasks = new ArrayList<>();
        for (Object task : ProgressTree.list(tree.get("tasks"))) {
            tasks.add(ProgressTree.task(ProgressTree.map(task)));
        }
        List<RecoveryEvent> events = new ArrayList<>();
        if (tree.containsKey("recoveryEvents")) {
            for (Object event : ProgressTree.list(tree.get("recoveryEvents"))) {
                events.add(ProgressTree.event(ProgressTree.map(event)));
            }
        }
        Status status = Status.valueOf(ProgressTree.text(tree, "status").toUpperCase(Locale.ROOT));
        String error = String.valueOf(tree.get("error"));
        return new ScriptReport(
                ProgressTree.text(tree, "script"),
                status,
                tree.containsKey("seconds") ? ProgressTree.number(tree, "seconds") : 0,
                tree.containsKey("peers") ? (int) ProgressTree.integer(tree, "peers") : 0,
                true,
                events,
                tasks,
                switch (status) {
                    case SUCCEEDED -> null;
                    case FAILED -> new JobFailedException(error);
                    case CANCELLED -> new JobCancelledException(error);
                });
    }

    /** The report as a JSON tree for {@link JsonText}; its form is a contract with programs. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("script", script);
        tree.put("status", status.name().toLowerCase(Locale.ROOT));
        tree.put("seconds", seconds);
        tree.put("peers", peers);
        tree.put("processes", processes);
        tree.put("recoveries", recoveryEvents.size());
        if (!recoveryEvents.isEmpty()) {
            tree.put("recoveryEvents", recoveryEvents.stream().map(RecoveryEvent::tree).toList());
        }
        tree.put("tasks", tasks.stream().map(TaskReport::tree).toList());
        if (failure != null) {
            tree.put("error", String.valueOf(failure.getMessage()));
        }
        return tree;
    }
}
