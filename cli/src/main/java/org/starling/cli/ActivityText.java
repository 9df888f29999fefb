package org.starling.cli;

import java.util.Locale;
import org.starling.compute.script.JobActivity;

/** What a running job does, in words. */
final class ActivityText {
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double MINUTES_PER_HOUR = 60;

    private ActivityText() {}

    /** All on one line: task, what it is at, and how long it will go on. */
    static String of(JobActivity now) {
        StringBuilder text = new StringBuilder(task(now));
        String at = at(now);
        if (!at.isEmpty()) {
            text.append(": ").append(at);
        }
        String remaining = remaining(now);
        return remaining.isEmpty() ? text.toString() : text + ", about " + remaining + " to go";
    }

    /** Which task it is. */
    static String task(JobActivity now) {
        return "[%d/%d] %s"
                .formatted(now.task(), now.tasks(), ReportText.title(now.name(), now.as()));
    }

    /** What the task is at. */
    static String at(JobActivity now) {
        if (now.superstep() >= 0) {
            return "superstep %d, %,d active, %,d messages"
                    .formatted(now.superstep(), now.active(), now.messages());
        }
        String step = now.step();
        if (step == null) {
            return "";
        }
        return now.total() > 0 ? "%s, %,d of %,d".formatted(step, now.done(), now.total()) : step;
    }

    /** How long the step goes on, or nothing. */
    static String remaining(JobActivity now) {
        Number seconds = now.etaSeconds();
        return seconds == null ? "" : span(seconds.doubleValue());
    }

    private static String span(double seconds) {
        if (seconds < SECONDS_PER_MINUTE) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        double minutes = seconds / SECONDS_PER_MINUTE;
        return minutes < MINUTES_PER_HOUR
                ? String.format(Locale.ROOT, "%.0f min", minutes)
                : String.format(Locale.ROOT, "%.1f h", minutes / MINUTES_PER_HOUR);
    }
}
