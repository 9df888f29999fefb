package org.starling.compute.script;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task that has run.
 *
 * @param task its name
 * @param as name of its results; null if it has none
 * @param seconds how long it took
 * @param supersteps of all programs it ran
 * @param messages of all programs it ran, before combining
 * @param result its results by name
 */
public record TaskReport(
        String task,
        @Nullable String as,
        double seconds,
        long supersteps,
        long messages,
        Map<String, @Nullable Object> result) {

    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("task", task);
        if (as != null) {
            tree.put("as", as);
        }
        tree.put("seconds", seconds);
        tree.put("supersteps", supersteps);
        tree.put("messages", messages);
        tree.put("result", result);
        return tree;
    }
}
