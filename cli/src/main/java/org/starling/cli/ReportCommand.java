package org.starling.cli;

import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterDesk;
import org.starling.compute.cluster.JobView;

/** {@code report}: what came of a job. */
final class ReportCommand implements Command {
    private final ClusterLine.Finder clusters;

    ReportCommand(ClusterLine.Finder clusters) {
        this.clusters = clusters;
    }

    @Override
    public String name() {
        return "report";
    }

    @Override
    public String operands() {
        return "ID";
    }

    @Override
    public String summary() {
        return "Prints the report of a job that has ended.";
    }

    @Override
    public Options options() {
        return ClusterLine.addTo(new Options());
    }

    @Override
    public ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        ClusterDesk desk = clusters.find(line, terminal);
        JobView job = JobLine.job(name(), line, desk);
        return JobLine.print(job, desk, line, terminal);
    }
}
