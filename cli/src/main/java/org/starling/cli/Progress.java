package org.starling.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.starling.compute.JobListener;
import org.starling.compute.script.ScriptListener;
import org.starling.compute.script.TaskReport;

/**
 * Tells people how far a script is: lines on standard error, at most one per interval between those
 * of a task's beginning and end; on a terminal a bar in between. All methods may be called from any
 * thread; guarded by this.
 */
final class Progress implements ScriptListener, JobListener, AutoCloseable {
    private static final int BAR_COLUMNS = 100;
    private static final int BAR_UPDATE_MILLIS = 100;

    private final PrintStream out;
    private final boolean interactive;
    private final boolean verbose;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private long lastLineNanos;
    private long expectedTasks;
    private @Nullable ProgressBar bar;
    private String barTitle = "";

    Progress(Terminal terminal, boolean verbose, Duration interval) {
        this(terminal.err(), terminal.interactive(), verbose, interval, System::nanoTime);
    }

    Progress(
            PrintStream out,
            boolean interactive,
            boolean verbose,
            Duration interval,
            LongSupplier nanoTime) {
        this.out = out;
        this.interactive = interactive;
        this.verbose = verbose;
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
        this.lastLineNanos = nanoTime.getAsLong();
    }

    /** A line of its own. */
    synchronized void line(String text) {
        closeBar();
        out.println(text);
        out.flush();
        lastLineNanos = nanoTime.getAsLong();
    }

    /** How many tasks will run at most. */
    synchronized void expectTasks(long tasks) {
        expectedTasks = tasks;
    }

    @Override
    public synchronized void taskStarted(int run, String task, @Nullable String as) {
        line("[%d/%d] %s".formatted(run, expectedTasks, ReportText.title(task, as)));
    }

    @Override
    public synchronized void progress(String what, long done, long total) {
        if (interactive && total > 0) {
            showBar(what, done, total);
        } else if (isDue()) {
            line(
                    total > 0
                            ? "      %s: %,d of %,d (%d %%)"
                                    .formatted(what, done, total, percent(done, total))
                            : "      %s: %,d".formatted(what, done));
        }
    }

    /** A superstep has ended. One that had nothing to do says nothing, unless asked for all. */
    @Override
    public synchronized void superstep(int superstep, long active, long messages) {
        boolean idle = active == 0 && messages == 0;
        if (verbose || (!idle && isDue())) {
            line(
                    "      superstep %d: %,d active, %,d messages so far"
                            .formatted(superstep, active, messages));
        }
    }

    @Override
    public synchronized void log(String line) {
        line("      | " + line);
    }

    @Override
    public synchronized void taskStuck(String why) {
        line("      " + why);
    }

    @Override
    public synchronized void taskFailed(TaskReport report) {
        line("      failed: " + report.error());
    }

    @Override
    public synchronized void taskEnded(TaskReport report) {
        line("      done in " + ReportText.cost(report));
    }

    @Override
    public synchronized void close() {
        closeBar();
    }

    private boolean isDue() {
        return nanoTime.getAsLong() - lastLineNanos >= intervalNanos;
    }

    private static int percent(long done, long total) {
        return (int) Math.min(100, Math.round(100.0 * done / total));
    }

    private void showBar(String what, long done, long total) {
        ProgressBar shown = bar;
        if (shown == null || !barTitle.equals(what) || shown.getMax() != total) {
            closeBar();
            barTitle = what;
            shown =
                    new ProgressBarBuilder()
                            .setTaskName("      " + what)
                            .setInitialMax(total)
                            .setStyle(ProgressBarStyle.ASCII)
                            .setUpdateIntervalMillis(BAR_UPDATE_MILLIS)
                            .setConsumer(new ConsoleProgressBarConsumer(out, BAR_COLUMNS))
                            .clearDisplayOnFinish()
                            .build();
            bar = shown;
        }
        shown.stepTo(done);
    }

    private void closeBar() {
        ProgressBar shown = bar;
        if (shown != null) {
            shown.close();
            bar = null;
        }
    }
}
