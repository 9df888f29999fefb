package org.starling.cli;

import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.TaskCatalog;

/** {@code run}: a script on a cluster that lives as long as it. */
final class RunCommand extends Command {
    private final Cluster.Starter starter;

    RunCommand(Cluster.Starter starter) {
        super("run", "SCRIPT", "Runs a script on an embedded cluster and reports what came of it.");
        this.starter = starter;
    }

    @Override
    Options options() {
        Options options = ClusterOptionsLine.addTo(new Options());
        return options.addOption(ScriptLine.explainOption())
                .addOption(ScriptLine.parameterOption())
                .addOption(
                        ScriptLine.allowOption(
                                "a folder that the script may use beside its own and the working directory"));
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
        Script script =
                Script.read(
                        terminal.file(file),
                        terminal.workingDirectory(),
                        ScriptLine.allowed(line, terminal),
                        parameters,
                        TaskCatalog.onClassPath());
        script = ScriptLine.isExplained(line) ? script.withExplanation() : script;
        ScriptReport report = EmbeddedJob.run(script, settings, starter, progress, interruption);
        if (line.hasOption(Commands.JSON)) {
            terminal.out().println(JsonText.write(report.tree()));
        } else {
            terminal.out().print(ReportText.of(report));
        }
        return exitCode(report, terminal, verbose);
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
