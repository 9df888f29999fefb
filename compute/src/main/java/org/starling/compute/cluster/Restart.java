package org.starling.compute.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the supervisor did about a process that had died.
 *
 * @param process its name
 * @param at when, as in ISO 8601
 * @param pid what the process id of the dead one was
 * @param report where its JVM wrote why it crashed; empty if it was killed, or ended by itself
 * @param outcome one sentence
 */
public record Restart(String process, String at, long pid, String report, String outcome) {
    /** As a JSON tree. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("process", process);
        tree.put("at", at);
        tree.put("pid", pid);
        tree.put("report", report);
        tree.put("outcome", outcome);
        return tree;
    }

    static Restart of(Map<?, ?> tree) {
        return new Restart(
                ClusterJson.text(tree, "process"),
                ClusterJson.text(tree, "at"),
                ClusterJson.number(tree, "pid"),
                ClusterJson.text(tree, "report"),
                ClusterJson.text(tree, "outcome"));
    }
}
