package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JsonText;

/** {@code jobs}: what waits, runs and has ended not long ago. */
final class JobsCommand extends Command {
    private static final int INDENT = 2;
    private static final int GAP = 2;

    private final ClusterLine.Finder clusters;

    JobsCommand(ClusterLine.Finder clusters) {
        super("jobs", "", "Lists the jobs of a running cluster.");
        this.clusters = clusters;
    }

    @Override
    Options options() {
        return ClusterLine.addTo(new Options());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        List<JobView> jobs = clusters.find(line, terminal).jobs();
        if (line.hasOption(Commands.JSON)) {
            terminal.out()
                    .println(
                            JsonText.write(
                                    Map.of("jobs", jobs.stream().map(JobView::tree).toList())));
            return ExitCode.DONE;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("job", "status", "attempts", "name"));
        for (JobView job : jobs) {
            String asked =
                    job.cancelRequested() && !job.status().isEnd() ? ", to be cancelled" : "";
            rows.add(
                    List.of(
                            Long.toString(job.id()),
                            Setting.written(job.status()) + asked,
                            Long.toString(job.attempt()),
                            job.name()));
        }
        terminal.out()
                .print(jobs.isEmpty() ? "there are no jobs\n" : Columns.left(rows, INDENT, GAP));
        return ExitCode.DONE;
    }
}
