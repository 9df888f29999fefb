package org.starling.benchmarks.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What jobs that ran at the same time have said at their ends, and what was done to them.
 *
 * @param reports of each, as JSON trees, in the order in which they were submitted
 * @param squad who has killed processes meanwhile
 */
record JobRuns(List<Map<String, @Nullable Object>> reports, KillSquad squad) {
    private static final String SUCCEEDED = "succeeded";
    private static final String STATUS = "status";

    /** Whether one of them has not succeeded. */
    boolean hasFailed() {
        return reports.stream().anyMatch(report -> !SUCCEEDED.equals(report.get(STATUS)));
    }

    /** Of the first of them that has failed, or simply of the first. */
    Map<String, @Nullable Object> figures() {
        return reports.stream()
                .filter(report -> !SUCCEEDED.equals(report.get(STATUS)))
                .findFirst()
                .orElse(reports.getFirst());
    }

    /** Compares ends and results with those of an undisturbed run. */
    void compare(JobRuns undisturbed, Differences differences) {
        for (int i = 0; i < reports.size(); i++) {
            Map<String, @Nullable Object> report = reports.get(i);
            if (!SUCCEEDED.equals(report.get(STATUS))) {
                differences.add(
                        "job %d is %s: %s".formatted(i, report.get(STATUS), report.get("error")));
            }
            differences.compare("tasks", results(undisturbed.reports.get(i)), results(report));
        }
    }

    /** Names, supersteps and results of all tasks; messages depend on who holds what. */
    private static List<Map<String, @Nullable Object>> results(
            Map<String, @Nullable Object> report) {
        List<Map<String, @Nullable Object>> results = new ArrayList<>();
        if (report.get("tasks") instanceof List<?> tasks) {
            for (Object task : tasks) {
                if (task instanceof Map<?, ?> members) {
                    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
                    for (String name : List.of("task", "supersteps", "result")) {
                        kept.put(name, members.get(name));
                    }
                    results.add(kept);
                }
            }
        }
        return results;
    }
}
