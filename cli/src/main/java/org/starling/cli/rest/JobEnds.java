package org.starling.cli.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JsonText;

/**
 * Jobs as the page lists them: what a list says of each, and of those that have ended how long they
 * took ({@code seconds}), when that was ({@code ended}) and why they failed ({@code error}), as
 * their reports say. Each report is read once. Confined to the thread that looks.
 */
final class JobEnds {
    /** Reports that are read in one look, the newest first: the page fills with the next ones. */
    static final int MAX_READS = 20;

    /** Most characters of a reason; the report has all of it. */
    static final int MAX_ERROR = 300;

    private static final List<String> TOLD = List.of("seconds", "ended", "error");

    private final LongFunction<Optional<String>> reports;
    private Map<Long, Map<String, Object>> known = new TreeMap<>();

    /**
     * @param reports gives the report of a job as JSON
     */
    JobEnds(LongFunction<Optional<String>> reports) {
        this.reports = reports;
    }

    /** Each job as JSON, by {@code job/ID}. */
    Map<String, String> tell(List<JobView> jobs) {
        Map<Long, Map<String, Object>> still = new TreeMap<>();
        Map<String, String> told = new TreeMap<>();
        int reads = 0;
        for (JobView job : jobs.reversed()) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>(job.tree());
            if (job.status().isEnd()) {
                Map<String, Object> end = known.get(job.id());
                if (end == null && reads < MAX_READS) {
                    reads++;
                    end = read(job.id());
                }
                if (end != null) {
                    still.put(job.id(), end);
                    tree.putAll(end);
                }
            }
            told.put("job/" + job.id(), JsonText.write(tree));
        }
        known = still;
        return told;
    }

    /** Nothing of a job that was cancelled before it began: it has no report. */
    private Map<String, Object> read(long id) {
        Map<String, Object> end = new LinkedHashMap<>();
        Optional<String> report = reports.apply(id);
        if (report.isPresent() && JsonText.parse(report.get()) instanceof Map<?, ?> tree) {
            for (String name : TOLD) {
                Object value = tree.get(name);
                if (value != null) {
                    end.put(name, value instanceof String text ? shortened(text) : value);
                }
            }
        }
        return end;
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_ERROR
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_ERROR - 1)) + "…";
    }
}
