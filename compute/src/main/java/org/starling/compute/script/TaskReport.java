package org.starling.compute.script;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RunRecord;

/**
 * A task that has run.
 *
 * @param task its name
 * @param as name of its results; null if it has none
 * @param seconds how long it took
 * @param supersteps of all programs it ran
 * @param messages of all programs it ran, before combining
 * @param result its results by name
 * @param runs the programs it ran, if the script wants them explained
 * @param error why it failed, where the script went on or tried again; null if it ended well
 */
public record TaskReport(
        String task,
        @Nullable String as,
        double seconds,
        long supersteps,
        long messages,
        Map<String, @Nullable Object> result,
        List<RunRecord> runs,
        @Nullable String error) {
    /** Copies the list. */
    public TaskReport {
        runs = List.copyOf(runs);
    }

    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(this);
        tree.remove("runs");
        if (!runs.isEmpty()) {
            tree.put("runs", runs.stream().map(TaskReport::tree).toList());
        }
        return tree;
    }

    private static Map<String, @Nullable Object> tree(RunRecord run) {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(run);
        tree.put("mostMessages", run.mostMessages());
        tree.put("resumes", run.resumes());
        return tree;
    }
}
