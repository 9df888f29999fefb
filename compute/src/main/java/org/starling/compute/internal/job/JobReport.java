package org.starling.compute.internal.job;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptReport;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.store.Job;
import org.starling.store.JobStatus;

/**
 * The report of a job as it is kept in the directory: that of its script, and the job's number in
 * front. Immutable.
 */
record JobReport(JobStatus status, Map<String, @Nullable Object> tree) {
    /** What came of a script. */
    static JobReport of(long id, ScriptReport report) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("job", id);
        tree.putAll(report.tree());
        return new JobReport(JobStatus.valueOf(report.status().name()), tree);
    }

    /** What came of a job whose script could not run, or was cancelled before it did. */
    static JobReport failed(long id, String name, List<String> jars, Throwable cause) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("job", id);
        tree.put("script", name);
        JobStatus status =
                cause instanceof JobCancelledException ? JobStatus.CANCELLED : JobStatus.FAILED;
        tree.put("status", status.name().toLowerCase(Locale.ROOT));
        if (!jars.isEmpty()) {
            tree.put("jars", jars);
        }
        tree.put("tasks", List.of());
        String message = cause.getMessage();
        tree.put("error", cause instanceof Error || message == null ? cause.toString() : message);
        if (cause instanceof InvalidInputException) {
            tree.put(ScriptReport.INVALID_INPUT, true);
        }
        return new JobReport(status, tree);
    }

    /** With the time at which the job ended, to a second. */
    JobReport endedAt(Instant time) {
        Map<String, @Nullable Object> timed = new LinkedHashMap<>(tree);
        timed.put("ended", time.truncatedTo(ChronoUnit.SECONDS).toString());
        return new JobReport(status, timed);
    }

    /** Losses of peers that the job got over. */
    long recoveries() {
        return tree.get("recoveries") instanceof Number number ? number.longValue() : 0;
    }

    /** As JSON; where it would be too long, parts of tasks are left out, and that is said. */
    byte[] bytes() {
        byte[] whole = json(tree);
        if (whole.length <= Job.MAX_REPORT_BYTES) {
            return whole;
        }
        String size = ": the report would have " + whole.length + " bytes";
        byte[] less = json(without("explained runs of tasks" + size, "runs"));
        if (less.length > Job.MAX_REPORT_BYTES) {
            less = json(without("results of tasks" + size, "runs", "result"));
        }
        if (less.length > Job.MAX_REPORT_BYTES) {
            Map<String, @Nullable Object> shortest = without("tasks" + size);
            shortest.put("tasks", List.of());
            less = json(shortest);
        }
        return less;
    }

    /** The report without some members of its tasks. */
    private Map<String, @Nullable Object> without(String leftOut, String... names) {
        Map<String, @Nullable Object> shorter = new LinkedHashMap<>(tree);
        shorter.put("leftOut", leftOut);
        List<Object> tasks = new ArrayList<>();
        if (tree.get("tasks") instanceof List<?> all) {
            for (Object task : all) {
                Map<String, @Nullable Object> kept = new LinkedHashMap<>();
                if (task instanceof Map<?, ?> members) {
                    members.forEach((name, value) -> kept.put(name.toString(), value));
                }
                kept.keySet().removeAll(List.of(names));
                tasks.add(kept);
            }
        }
        shorter.put("tasks", tasks);
        return shorter;
    }

    private static byte[] json(Map<String, @Nullable Object> tree) {
        return JsonText.write(tree).getBytes(StandardCharsets.UTF_8);
    }
}
