package org.starling.cli;

import org.apache.commons.cli.CommandLine;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.graph.InvalidInputException;

/** {@code cancel}: a queued job is cancelled at once, a running one within a superstep. */
final class CancelCommand extends ClientCommand {
    CancelCommand(ClusterLine.Finder clusters) {
        super(clusters, "cancel", "ID", "Asks a job to stop.");
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        ClusterService service = service(line, terminal);
        JobView job = JobLine.job(name(), line, service);
        if (!service.cancel(job.id())) {
            throw new InvalidInputException("job %d has ended already".formatted(job.id()));
        }
        JobView now = service.job(job.id()).orElse(job);
        String sentence = now.status().isEnd() ? "job %d is cancelled" : "job %d is stopping";
        terminal.tell(line.hasOption(Commands.JSON), now.tree(), sentence.formatted(job.id()));
        return ExitCode.DONE;
    }
}
