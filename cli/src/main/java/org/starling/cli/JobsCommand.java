package org.starling.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JobPriority;

/** {@code jobs}: what waits, runs and has ended not long ago. */
final class JobsCommand extends ClientCommand {
    private static final String WATCH = "watch";
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Clears a terminal and begins at its top. */
    private static final String CLEAR = "\u001b[H\u001b[2J";

    JobsCommand(ClusterLine.Finder clusters) {
        super(clusters, "jobs", "", "Lists the jobs of a running cluster.");
    }

    @Override
    Options options() {
        return super.options()
                .addOption(flag(WATCH, "list them again each second, until it is interrupted"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        boolean watches = line.hasOption(WATCH);
        if (watches && line.hasOption(Commands.JSON)) {
            throw new UsageException("--watch and --json exclude each other; give one");
        }
        ClusterService service = service(line, terminal);
        if (watches) {
            watch(service, terminal, interruption);
        } else {
            List<JobView> jobs = service.jobs();
            terminal.print(
                    line.hasOption(Commands.JSON),
                    Map.of("jobs", jobs.stream().map(JobView::tree).toList()),
                    table(jobs));
        }
        return ExitCode.DONE;
    }

    /** Again and again until somebody wants the command to end. */
    private static void watch(
            ClusterService service, Terminal terminal, Interruption interruption) {
        CountDownLatch end = new CountDownLatch(1);
        interruption.onRequest(end::countDown, INTERVAL.plus(INTERVAL));
        try {
            do {
                String table = table(service.jobs());
                terminal.out().print(terminal.interactive() ? CLEAR + table : table + "\n");
                terminal.out().flush();
            } while (!end.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String table(List<JobView> jobs) {
        List<List<String>> rows = new ArrayList<>();
        boolean places = jobs.stream().anyMatch(job -> job.group() != null);
        List<String> head = List.of("job", "status", "attempts", "task", "at", "to go", "name");
        rows.add(places ? joined(head, List.of("group", "priority", "waits for")) : head);
        for (JobView job : jobs) {
            rows.add(places ? joined(row(job), place(job)) : row(job));
        }
        return jobs.isEmpty() ? "there are no jobs\n" : Columns.left(rows);
    }

    private static List<String> row(JobView job) {
        JobActivity now = job.progress();
        String asked = job.cancelRequested() && !job.status().isEnd() ? ", to be cancelled" : "";
        return List.of(
                Long.toString(job.id()),
                Setting.written(job.status()) + asked,
                Long.toString(job.attempt()),
                now == null ? "" : ActivityText.task(now),
                now == null ? "" : ActivityText.at(now),
                now == null ? "" : ActivityText.remaining(now),
                job.name());
    }

    private static List<String> place(JobView job) {
        JobPriority priority = job.priority();
        return List.of(
                Objects.requireNonNullElse(job.group(), ""),
                priority == null ? "" : Setting.written(priority),
                job.waitsFor() == null
                        ? ""
                        : "%s (for %.0f s)".formatted(job.waitsFor(), job.waitingSeconds()));
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }
}
