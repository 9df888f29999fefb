package org.starling.cli;

import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.ScriptRunner;
import org.starling.graph.GraphSession;

/** A script of one task that needs no cluster, run by a command that prints its results. */
final class LocalTask {
    private final Script script;

    LocalTask(Script script) {
        this.script = script;
    }

    /** Turns results into what people read. */
    @FunctionalInterface
    interface Text {
        String of(Map<String, ?> result);
    }

    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        return run(line, terminal, interruption, ReportText::results);
    }

    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption, Text text) {
        boolean verbose = line.hasOption(Commands.VERBOSE);
        boolean json = line.hasOption(Commands.JSON);
        Settings settings = Settings.DEFAULT;
        try (Progress progress =
                new Progress(terminal, verbose, settings.get(Settings.PROGRESS_INTERVAL))) {
            ScriptRunner runner = new ScriptRunner(script, LocalTask::noGraphs, progress);
            progress.expectTasks(script.taskRuns());
            interruption.onRequest(runner::cancel, settings.get(Settings.CANCEL_TIMEOUT));
            ScriptReport report = runner.run();
            Exception failure = report.failure();
            if (failure != null) {
                return Failure.of(failure).print(terminal, verbose, json);
            }
            Map<String, ?> result = report.tasks().getLast().result();
            terminal.out().print(json ? JsonText.write(result) + "\n" : text.of(result));
        }
        return ExitCode.DONE;
    }

    private static GraphSession noGraphs() {
        throw new IllegalStateException("this command runs without a cluster");
    }
}
