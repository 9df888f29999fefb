package org.starling.cli;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.GroupName;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.QueueFullException;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;

/**
 * {@code submit}: a script for a running cluster. It is checked here before the cluster sees it.
 */
final class SubmitCommand extends ClientCommand {
    private static final String DETACH = "detach";
    private static final String GROUP = "group";
    private static final String PRIORITY = "priority";
    private static final Duration POLL = Duration.ofMillis(200);

    SubmitCommand(ClusterLine.Finder clusters) {
        super(
                clusters,
                "submit",
                "SCRIPT",
                "Runs a script on a running cluster, and waits for its report.");
    }

    @Override
    Options options() {
        return with(
                super.options(),
                ScriptLine.parameterOption(),
                ScriptLine.explainOption(),
                JarLine.option(),
                SentFiles.option(),
                FetchedResults.option(),
                ScriptOutput.option(
                        "fetched into its folder here, with all else that the script writes"),
                valued(GROUP, "NAME", "compute group whose peers it runs on"),
                valued(
                        PRIORITY,
                        "low|normal|high",
                        "how urgent it is beside other jobs (default normal)"),
                flag(DETACH, "print the job's number and do not wait for its end"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        String file = operand(line, "script");
        if (FetchedResults.isWanted(line) && line.hasOption(DETACH)) {
            throw new UsageException(
                    "%s waits for the job's end and --detach does not: give one of them"
                            .formatted(ScriptOutput.isFile(line) ? "--output" : "--fetch"));
        }
        Settings settings = ClusterOptionsLine.configured(line, terminal);
        JobRequest request = JobRequest.read(terminal.file(file), ScriptLine.parameters(line));
        request = ScriptLine.isExplained(line) ? request.withExplanation() : request;
        request =
                request.to(
                        new GroupName(line.getOptionValue(GROUP, GroupName.DEFAULT.text())),
                        priority(line));
        if (FetchedResults.isWanted(line)) {
            FetchedResults.into(line, terminal);
            FetchedResults.refuseTakenOutput(line, terminal);
            request = request.withFetch();
        }
        SentFiles sent = SentFiles.of(line, terminal);
        List<JarContents> jars = JarLine.read(line, terminal, settings.jarRules());
        request = request.withJars(JarLine.digests(jars));
        try (JobCode code = JarLine.load(jars)) {
            request = checked(request, code.tasks(TaskCatalog.onClassPath()), line, terminal);
        }
        ClusterService service = service(line, terminal);
        JarLine.bring(jars, service.jars(), terminal);
        long id = submit(request, sent, service);
        return line.hasOption(DETACH)
                ? detached(id, line, terminal)
                : awaited(id, sent, service, line, terminal, interruption, settings);
    }

    /** Without an answer the job may have been taken, so its files stay. */
    private static long submit(JobRequest request, SentFiles sent, ClusterService service) {
        boolean mayBeTaken = false;
        try {
            JobRequest whole = request.withSent(sent.bring(service.uploads()));
            mayBeTaken = true;
            return service.submit(whole, new SecureRandom().nextLong());
        } catch (InvalidInputException | QueueFullException refused) {
            mayBeTaken = false;
            throw refused;
        } finally {
            if (!mayBeTaken) {
                sent.remove(service.uploads());
            }
        }
    }

    private static ExitCode detached(long id, CommandLine line, Terminal terminal) {
        terminal.tell(line.hasOption(Commands.JSON), Map.of("id", id), "job " + id);
        return ExitCode.DONE;
    }

    private static ExitCode awaited(
            long id,
            SentFiles sent,
            ClusterService service,
            CommandLine line,
            Terminal terminal,
            Interruption interruption,
            Settings settings) {
        terminal.err().println("job " + id);
        interruption.onRequest(
                () -> cancel(service, id, terminal), settings.get(Settings.CANCEL_TIMEOUT));
        JobView job = new JobWatch(service, terminal, POLL).awaitEnd(id);
        sent.remove(service.uploads()); // not before, as work may be done again
        if (job.status() == JobView.Status.CANCELLED && service.report(id).isEmpty()) {
            throw new JobCancelledException("the job was cancelled");
        }
        return JobLine.printAndFetch(job, service, line, terminal);
    }

    private static JobRequest checked(
            JobRequest request, TaskCatalog tasks, CommandLine line, Terminal terminal) {
        JobRequest asItIs = request.withIncludes(tasks);
        if (!line.hasOption(ScriptOutput.OUTPUT)) {
            return asItIs;
        }
        String named = line.getOptionValue(ScriptOutput.OUTPUT);
        return ScriptOutput.checked(
                request.script(),
                ScriptOutput.isFile(line)
                        ? String.valueOf(terminal.file(named).getFileName())
                        : named,
                tasks,
                text -> request.withScript(text).withIncludes(tasks));
    }

    private static JobPriority priority(CommandLine line) {
        String word = line.getOptionValue(PRIORITY, Setting.written(JobPriority.NORMAL));
        for (JobPriority priority : JobPriority.values()) {
            if (Setting.written(priority).equals(word)) {
                return priority;
            }
        }
        throw new UsageException(
                "--priority must be low, normal or high, found \"%s\"".formatted(word));
    }

    private static void cancel(ClusterService service, long id, Terminal terminal) {
        try {
            service.cancel(id);
        } catch (ClusterException down) {
            terminal.err().println("starling: job " + id + " goes on: " + down.getMessage());
        }
    }
}
