package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunRecord;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.TaskReport;

/** A script's report for people. */
final class ReportText {
    private static final int MAX_VALUE_CHARACTERS = 100;
    private static final int TASK_INDENT = 2;
    private static final int RESULT_INDENT = 6;
    private static final int GAP = 2;

    private ReportText() {}

    /** The whole report. */
    static String of(ScriptReport report) {
        StringBuilder text = new StringBuilder();
        text.append(
                "%s: %s in %s on %d %s%n"
                        .formatted(
                                report.script(),
                                report.status().name().toLowerCase(Locale.ROOT),
                                seconds(report.seconds()),
                                report.peers(),
                                peers(report.peers(), report.processes())));
        for (RecoveryEvent event : report.recoveryEvents()) {
            text.append("  ").append(recovery(event)).append('\n');
        }
        if (report.tasks().isEmpty()) {
            return text.toString();
        }
        text.append('\n').append(table(report.tasks()));
        for (TaskReport task : report.tasks()) {
            if (task.error() != null) {
                text.append('\n').append(title(task.task(), task.as())).append(" failed\n");
                text.append("      ").append(task.error()).append('\n');
            }
            if (!task.result().isEmpty()) {
                text.append('\n').append(title(task.task(), task.as())).append('\n');
                text.append(results(task.result()));
            }
            for (RunRecord run : task.runs()) {
                text.append('\n').append(Explanation.of(run));
            }
        }
        if (!report.log().isEmpty()) {
            text.append("\nsaid by tasks\n");
            report.log().forEach(line -> text.append("      ").append(line).append('\n'));
        }
        return text.toString();
    }

    /** "peers in one process", and the like. */
    static String peers(int count, boolean processes) {
        String noun = count == 1 ? "peer" : "peers";
        if (processes) {
            return noun + (count == 1 ? " in a process of its own" : " in processes of their own");
        }
        return noun + " in this process";
    }

    /** A task as people call it. */
    static String title(String task, @Nullable String as) {
        return as == null ? task : task + " (" + as + ")";
    }

    /** What a task took, in words. */
    static String cost(TaskReport task) {
        String time = seconds(task.seconds());
        return task.supersteps() == 0
                ? time
                : "%s: %,d %s, %,d messages"
                        .formatted(
                                time,
                                task.supersteps(),
                                task.supersteps() == 1 ? "superstep" : "supersteps",
                                task.messages());
    }

    /** Results, one per line. */
    static String results(Map<String, ?> result) {
        List<List<String>> rows = new ArrayList<>();
        result.forEach((name, value) -> rows.add(List.of(name, value(value))));
        return Columns.left(rows, RESULT_INDENT, GAP);
    }

    private static String recovery(RecoveryEvent event) {
        String where =
                event.superstep() < 0
                        ? "between supersteps"
                        : "in superstep %d".formatted(event.superstep());
        String again =
                event.resumedAt() < 0
                        ? "its task began anew"
                        : "went on with superstep %d".formatted(event.resumedAt());
        String what =
                event.node() == RecoveryEvent.NO_NODE
                        ? "messages between peers"
                        : "node %d (%s)".formatted(event.node(), event.role());
        return "lost %s %s; %s after %s".formatted(what, where, again, seconds(event.seconds()));
    }

    private static String table(List<TaskReport> tasks) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("task", "seconds", "supersteps", "messages"));
        for (TaskReport task : tasks) {
            rows.add(
                    List.of(
                            title(task.task(), task.as())
                                    + (task.error() == null ? "" : ", failed"),
                            "%.3f".formatted(task.seconds()),
                            "%,d".formatted(task.supersteps()),
                            "%,d".formatted(task.messages())));
        }
        return Columns.aligned(rows, TASK_INDENT, GAP, 1);
    }

    private static String value(@Nullable Object value) {
        String text =
                switch (value) {
                    case Long integer -> "%,d".formatted(integer);
                    case String plain -> plain;
                    case null, default -> JsonText.write(value);
                };
        return text.length() <= MAX_VALUE_CHARACTERS
                ? text
                : text.substring(0, MAX_VALUE_CHARACTERS) + "…";
    }

    private static String seconds(double seconds) {
        return "%.2f s".formatted(seconds);
    }
}
