package org.starling.cli;

import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;

/** {@code report}: what came of a job. */
final class ReportCommand extends ClientCommand {
    ReportCommand(ClusterLine.Finder clusters) {
        super(clusters, "report", "ID", "Prints the report of a job that has ended.");
    }

    @Override
    Options options() {
        return super.options().addOption(FetchedResults.option());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        ClusterService service = service(line, terminal);
        JobView job = JobLine.job(name(), line, service);
        return JobLine.printAndFetch(job, service, line, terminal);
    }
}
