package org.starling.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.ForecastSession;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptFiles;
import org.starling.compute.script.ScriptPlan;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.TaskCatalog;

/** {@code run}: a script on a cluster that lives as long as it. */
final class RunCommand extends Command {
    private static final String CHECK = "check";

    private final Cluster.Starter starter;

    RunCommand(Cluster.Starter starter) {
        super("run", "SCRIPT", "Runs a script on an embedded cluster and reports what came of it.");
        this.starter = starter;
    }

    @Override
    Options options() {
        return with(
                ClusterOptionsLine.addTo(new Options()),
                ScriptLine.explainOption(),
                JarLine.option(),
                ScriptLine.parameterOption(),
                ScriptOutput.option("replaced if there"),
                flag(
                        CHECK,
                        "only check the script, and tell each step with the memory that it will take; nothing is run"),
                ScriptLine.allowOption(
                        "a folder that the script may use beside its own and the working directory"),
                ScriptLine.allowUrlOption("a web server that the script may read from"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        String file = operand(line, "script");
        Map<String, String> parameters = ScriptLine.parameters(line);
        Settings settings = ClusterOptionsLine.settings(line, terminal);
        boolean verbose = line.hasOption(Commands.VERBOSE);
        Progress progress =
                new Progress(terminal, verbose, settings.get(Settings.PROGRESS_INTERVAL));
        progress.line("reading " + file);
        List<JarContents> jars = JarLine.read(line, terminal, settings.jarRules());
        ScriptReport report;
        try (JobCode code = JarLine.load(jars)) {
            TaskCatalog tasks = code.tasks(TaskCatalog.onClassPath());
            Script script =
                    script(terminal.file(file), parameters, tasks, settings, line, terminal);
            if (line.hasOption(CHECK)) {
                return check(script, code, settings, line, terminal);
            }
            script = ScriptLine.isExplained(line) ? script.withExplanation() : script;
            report = EmbeddedJob.run(script, jars, settings, starter, progress, interruption);
        }
        terminal.print(line.hasOption(Commands.JSON), report.tree(), ReportText.of(report));
        return exitCode(report, terminal, verbose);
    }

    private static Script script(
            Path file,
            Map<String, String> parameters,
            TaskCatalog tasks,
            Settings settings,
            CommandLine line,
            Terminal terminal) {
        List<Path> allowed = ScriptLine.allowed(line, terminal);
        WebHosts hosts = settings.withHosts(ScriptLine.allowedHosts(line)).get(Settings.ALLOW_URLS);
        JobRequest read = JobRequest.read(file, parameters);
        ScriptFiles files =
                ScriptFiles.embedded(read.folder(), terminal.workingDirectory(), allowed)
                        .with(new OtherInputs(terminal.in(), hosts, "--allow-url HOST"));
        Script script = Script.parse(read.label(), read.script(), files, parameters, tasks);
        if (!line.hasOption(ScriptOutput.OUTPUT)) {
            return script;
        }
        return ScriptOutput.checked(
                read.script(),
                OutputLine.of(line.getOptionValue(ScriptOutput.OUTPUT), terminal).name(),
                tasks,
                text -> Script.parse(read.label(), text, files, parameters, tasks));
    }

    private static ExitCode check(
            Script script, JobCode code, Settings settings, CommandLine line, Terminal terminal) {
        int peers = settings.get(Settings.PEERS);
        try (ForecastSession session =
                new ForecastSession(peers, settings.get(Settings.THREADS), code)) {
            ScriptPlan plan = ScriptPlan.of(script, session);
            terminal.out()
                    .print(
                            line.hasOption(Commands.JSON)
                                    ? JsonText.write(plan.tree()) + "\n"
                                    : PlanText.of(plan, peers));
        }
        return ExitCode.DONE;
    }

    /** Says why a report is not a success. */
    static ExitCode exitCode(ScriptReport report, Terminal terminal, boolean verbose) {
        Exception cause = report.failure();
        if (cause == null) {
            return ExitCode.DONE;
        }
        Failure failure = Failure.of(cause);
        failure.explain(terminal, verbose);
        return failure.code();
    }
}
