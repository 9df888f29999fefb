package org.starling.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptReport;

/** {@code graph500}: a script of one task, {@code benchmark.graph500}. */
final class Graph500Command extends Command {
    private static final String TASK = "benchmark.graph500";
    private static final String BLOCK = "block";
    private static final String SCALE = "scale";
    private static final String EDGE_FACTOR = "edgefactor";
    private static final String ROOTS = "roots";
    private static final String SSSP = "sssp";
    private static final String SKIP_VALIDATION = "skip-validation";

    private final Cluster.Starter starter;

    Graph500Command(Cluster.Starter starter) {
        super(
                "graph500",
                "",
                "Runs the Graph500 benchmark by its rules and prints its output block.");
        this.starter = starter;
    }

    @Override
    Options options() {
        return ClusterOptionsLine.addTo(
                optionsOf(
                        valued(SCALE, "S", "the graph has 2^S vertices"),
                        valued(EDGE_FACTOR, "E", "edges per vertex (default 16)"),
                        valued(ROOTS, "K", "number of searches (default 64)"),
                        flag(SSSP, "shortest paths (kernel 3), too"),
                        flag(SKIP_VALIDATION, "leave out the checks of every search")));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("task", TASK);
        task.put(SCALE, Numbers.required(line, SCALE, 1, Integer.MAX_VALUE));
        Numbers.putIfGiven(line, EDGE_FACTOR, task);
        Numbers.putIfGiven(line, ROOTS, task);
        task.put(SSSP, line.hasOption(SSSP));
        task.put("skipValidation", line.hasOption(SKIP_VALIDATION));
        Settings settings = ClusterOptionsLine.settings(line, terminal);
        boolean verbose = line.hasOption(Commands.VERBOSE);
        Progress progress =
                new Progress(terminal, verbose, settings.get(Settings.PROGRESS_INTERVAL));
        Script script = InlineScript.of(name(), task, terminal);
        ScriptReport report = EmbeddedJob.run(script, settings, starter, progress, interruption);
        Exception failure = report.failure();
        if (failure != null) {
            return Failure.of(failure).print(terminal, verbose, line.hasOption(Commands.JSON));
        }
        print(report.tasks().getLast().result(), line.hasOption(Commands.JSON), terminal);
        return ExitCode.DONE;
    }

    private static void print(
            Map<String, @Nullable Object> result, boolean json, Terminal terminal) {
        if (json) {
            Map<String, @Nullable Object> figures = new LinkedHashMap<>(result);
            figures.remove(BLOCK);
            terminal.out().println(JsonText.write(figures));
        } else {
            terminal.out().println(String.valueOf(result.get(BLOCK)).stripTrailing());
        }
    }
}
