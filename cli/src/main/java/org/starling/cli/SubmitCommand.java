package org.starling.cli;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.JobCancelledException;

/**
 * {@code submit}: a script for a running cluster. It is checked here before the cluster sees it.
 */
final class SubmitCommand extends Command {
    private static final String DETACH = "detach";
    private static final Duration POLL = Duration.ofMillis(200);

    private final ClusterLine.Finder clusters;

    SubmitCommand(ClusterLine.Finder clusters) {
        super("submit", "SCRIPT", "Runs a script on a running cluster, and waits for its report.");
        this.clusters = clusters;
    }

    @Override
    Options options() {
        return ClusterLine.addTo(new Options())
                .addOption(ScriptLine.parameterOption())
                .addOption(ScriptLine.explainOption())
                .addOption(JarLine.option())
                .addOption(flag(DETACH, "print the job's number and do not wait for its end"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        String file = operand(line, "script");
        Settings settings = ClusterOptionsLine.configured(line, terminal);
        JobRequest request = JobRequest.read(terminal.file(file), ScriptLine.parameters(line));
        request = ScriptLine.isExplained(line) ? request.withExplanation() : request;
        List<JarContents> jars = JarLine.read(line, terminal, settings.jarRules());
        request = request.withJars(JarLine.digests(jars));
        try (JobCode code = JarLine.load(jars)) {
            request = request.withIncludes(code.tasks(TaskCatalog.onClassPath()));
        }
        ClusterService service = clusters.find(line, terminal);
        JarLine.bring(jars, service.jars(), terminal);
        long id = service.submit(request, new SecureRandom().nextLong());
        boolean json = line.hasOption(Commands.JSON);
        if (line.hasOption(DETACH)) {
            terminal.out().println(json ? JsonText.write(Map.of("id", id)) : "job " + id);
            return ExitCode.DONE;
        }
        terminal.err().println("job " + id);
        interruption.onRequest(
                () -> cancel(service, id, terminal), settings.get(Settings.CANCEL_TIMEOUT));
        JobView job = new JobWatch(service, terminal, POLL).awaitEnd(id);
        if (job.status() == JobView.Status.CANCELLED && service.report(id).isEmpty()) {
            throw new JobCancelledException("the job was cancelled");
        }
        return JobLine.print(job, service, line, terminal);
    }

    private static void cancel(ClusterService service, long id, Terminal terminal) {
        try {
            service.cancel(id);
        } catch (ClusterException down) {
            terminal.err().println("starling: job " + id + " goes on: " + down.getMessage());
        }
    }
}
