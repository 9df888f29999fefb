package org.starling.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.cli.plot.Panel;
import org.starling.cli.plot.Point;
import org.starling.cli.plot.Series;
import org.starling.compute.RunRecord;
import org.starling.compute.SuperstepRecord;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.TaskReport;

/**
 * What a report has to look at: of every explained run frontier and messages by superstep; of
 * results the numbers of vertices by level, by degree or another whole number, and the best
 * vertices by rank. Runs in which nothing was sent and no vertex computed are left out and counted.
 * Used by one thread.
 */
final class ReportPanels {
    private static final String VERTICES = "vertices";

    private final List<Panel> panels = new ArrayList<>();
    private int stillRuns;

    private ReportPanels() {}

    /**
     * The panels of a report's tasks.
     *
     * @param task the only task that is looked at, by its name or that of its results; all if null
     */
    static ReportPanels of(ScriptReport report, @Nullable String task) {
        ReportPanels found = new ReportPanels();
        for (TaskReport each : report.tasks()) {
            if (task == null || task.equals(each.task()) || task.equals(each.as())) {
                found.add(each);
            }
        }
        return found;
    }

    List<Panel> panels() {
        return List.copyOf(panels);
    }

    /** How many runs had nothing to show. */
    int stillRuns() {
        return stillRuns;
    }

    private void add(TaskReport task) {
        String title = ReportText.title(task.task(), task.as());
        task.runs().forEach(run -> add(title, run));
        task.result().forEach((name, value) -> add(title + ": " + name, name, value));
    }

    private void add(String title, RunRecord run) {
        List<Point> frontier = new ArrayList<>();
        List<Point> messages = new ArrayList<>();
        boolean still = true;
        for (SuperstepRecord record : run.history()) {
            double supersteps = record.last() - record.first() + 1;
            frontier.add(new Point(record.first(), record.frontier() / supersteps));
            messages.add(new Point(record.first(), record.messages() / supersteps));
            still &= record.frontier() == 0 && record.messages() == 0;
        }
        if (still) {
            stillRuns++;
            return;
        }
        panels.add(
                new Panel(
                        "%s: %s on %s".formatted(title, run.program(), run.graph()),
                        "superstep",
                        "number",
                        Panel.Shape.STEPS,
                        List.of(
                                new Series("frontier", frontier),
                                new Series("messages", messages))));
    }

    private void add(String title, String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            distribution(title, name, map);
        } else if (value instanceof List<?> list && name.equals("levels")) {
            levels(title, list);
        } else if (value instanceof List<?> list) {
            ranks(title, list);
        }
    }

    private void distribution(String title, String name, Map<?, ?> counts) {
        List<Point> points = new ArrayList<>();
        for (Map.Entry<?, ?> entry : counts.entrySet()) {
            String key = entry.getKey().toString();
            if (!(entry.getValue() instanceof Number count) || !key.matches("\\d{1,15}")) {
                return;
            }
            points.add(new Point(Long.parseLong(key), count.doubleValue()));
        }
        points.sort(Comparator.comparingDouble(Point::x));
        boolean degrees = name.equals("histogram");
        addBars(title, degrees ? "degree" : "value", degrees ? VERTICES : "number", points);
    }

    private void levels(String title, List<?> counts) {
        List<Point> points = new ArrayList<>();
        for (Object each : counts) {
            if (!(each instanceof Number count)) {
                return;
            }
            points.add(new Point(points.size(), count.doubleValue()));
        }
        addBars(title, "level", VERTICES, points);
    }

    private void addBars(String title, String xLabel, String yLabel, List<Point> points) {
        Series series = new Series(yLabel, points);
        if (!series.points().isEmpty()) {
            panels.add(new Panel(title, xLabel, yLabel, Panel.Shape.BARS, List.of(series)));
        }
    }

    /** Pairs of an id and a number, best first. */
    private void ranks(String title, List<?> pairs) {
        List<Point> points = new ArrayList<>();
        for (Object each : pairs) {
            if (!(each instanceof List<?> pair)
                    || pair.size() != 2
                    || !(pair.get(1) instanceof Number score)) {
                return;
            }
            points.add(
                    new Point(
                            points.size() + 1.0, score.doubleValue(), String.valueOf(pair.get(0))));
        }
        Series series = new Series("score", points);
        if (!series.points().isEmpty()) {
            panels.add(new Panel(title, "rank", "score", Panel.Shape.LINES, List.of(series)));
        }
    }
}
