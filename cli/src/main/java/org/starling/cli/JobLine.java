package org.starling.cli;

import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.ScriptReport;
import org.starling.graph.InvalidInputException;

/** Jobs as commands name and show them. */
final class JobLine {
    private JobLine() {}

    /**
     * The job that a command's operand names.
     *
     * @throws UsageException if there is no number
     * @throws InvalidInputException if there is no such job
     */
    static JobView job(String command, CommandLine line, ClusterService service) {
        if (line.getArgList().size() != 1) {
            throw new UsageException(
                    "%s needs the number of one job; see starling %s --help"
                            .formatted(command, command));
        }
        String text = line.getArgList().getFirst();
        try {
            long id = Long.parseLong(text);
            return service.job(id)
                    .orElseThrow(() ->
                            new InvalidInputException(
                                    "there is no job %d, or it ended long ago".formatted(id)));
        } catch (NumberFormatException wrong) {
            throw new UsageException("a job has a number, found \"" + text + "\"");
        }
    }

    /** The same, after fetching the job's results if the command line wants them. */
    static ExitCode printAndFetch(
            JobView job, ClusterService service, CommandLine line, Terminal terminal) {
        if (FetchedResults.isWanted(line) && job.status() == JobView.Status.SUCCEEDED) {
            FetchedResults.into(line, terminal).fetch(job.id(), service.results(), terminal);
        }
        return print(job, service, line, terminal);
    }

    /**
     * Prints the report of a job that has ended.
     *
     * @return what its end means for the shell
     */
    static ExitCode print(
            JobView job, ClusterService service, CommandLine line, Terminal terminal) {
        Optional<String> text = service.report(job.id());
        if (text.isEmpty()) {
            throw new InvalidInputException(
                    job.status().isEnd()
                            ? "job %d was cancelled before it began: it has no report"
                                    .formatted(job.id())
                            : "job %d is %s: it has no report yet"
                                    .formatted(job.id(), Setting.written(job.status())));
        }
        ScriptReport report = ScriptReports.parse(text.get());
        boolean json = line.hasOption(Commands.JSON);
        terminal.out().print(json ? text.get() + "\n" : ReportText.of(report));
        return RunCommand.exitCode(report, terminal, line.hasOption(Commands.VERBOSE));
    }
}
