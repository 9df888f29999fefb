package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.NearestName;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptReport;
import org.starling.graph.InvalidInputException;

/** {@code graphalytics}: a script of one task, {@code benchmark.graphalytics}. */
final class GraphalyticsCommand extends Command {
    /** Names of the suite's algorithms. */
    static final List<String> SUITE = List.of("bfs", "cdlp", "lcc", "pr", "sssp", "wcc");

    private static final String TASK = "benchmark.graphalytics";
    private static final String PROPERTIES = ".properties";
    private static final String ALGORITHMS = "algorithms";
    private static final String OUTPUT = "output";

    private final Cluster.Starter starter;

    GraphalyticsCommand(Cluster.Starter starter) {
        super(
                "graphalytics",
                "PREFIX",
                "Runs the LDBC Graphalytics suite on PREFIX.v, .e and .properties, and checks it.");
        this.starter = starter;
    }

    @Override
    Options options() {
        return ClusterOptionsLine.addTo(
                optionsOf(
                        valued(
                                ALGORITHMS,
                                "A,B",
                                "some of "
                                        + String.join(", ", SUITE)
                                        + " (default: those that the properties list)"),
                        valued(OUTPUT, "DIR", "folder for results, as NAME-BFS and so on")));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        boolean verbose = line.hasOption(Commands.VERBOSE);
        boolean json = line.hasOption(Commands.JSON);
        Script script = script(line, terminal);
        Settings settings = ClusterOptionsLine.settings(line, terminal);
        Progress progress =
                new Progress(terminal, verbose, settings.get(Settings.PROGRESS_INTERVAL));
        ScriptReport report = EmbeddedJob.run(script, settings, starter, progress, interruption);
        Exception failure = report.failure();
        if (failure != null) {
            return Failure.of(failure).print(terminal, verbose, json);
        }
        Map<String, @Nullable Object> result = report.tasks().getLast().result();
        List<Map<?, ?>> algorithms = algorithms(result);
        terminal.print(json, tree(result, algorithms), text(algorithms));
        return exitCode(algorithms, terminal);
    }

    private Script script(CommandLine line, Terminal terminal) {
        String prefix = operand(line, "PREFIX");
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("task", TASK);
        List<Path> named = new ArrayList<>();
        named.add(terminal.file(prefix + PROPERTIES));
        task.put("properties", named.getFirst().toString());
        if (line.hasOption(ALGORITHMS)) {
            task.put(ALGORITHMS, String.join(",", selected(line.getOptionValue(ALGORITHMS))));
        }
        requireFolder(named.getFirst());
        if (line.hasOption(OUTPUT)) {
            Path folder = made(terminal.file(line.getOptionValue(OUTPUT)));
            task.put(OUTPUT, folder.toString());
            named.add(folder.resolve(OUTPUT));
        }
        return InlineScript.of(name(), task, terminal, named.toArray(Path[]::new));
    }

    private static List<String> selected(String words) {
        List<String> selected = Arrays.stream(words.split(",", -1)).map(String::strip).toList();
        for (String word : selected) {
            if (!SUITE.contains(word)) {
                throw new UsageException(
                        "--%s: unknown algorithm \"%s\"%s"
                                .formatted(ALGORITHMS, word, NearestName.hint(word, SUITE)));
            }
        }
        return selected;
    }

    /** A missing folder is a mistake in the prefix, and should read like one. */
    private static void requireFolder(Path properties) {
        Path folder = properties.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new InvalidInputException("there is no file " + properties);
        }
    }

    private static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException refused) {
            throw new InvalidInputException(
                    "cannot make the folder %s: %s".formatted(folder, refused), refused);
        }
    }

    private static List<Map<?, ?>> algorithms(Map<String, @Nullable Object> result) {
        List<Map<?, ?>> algorithms = new ArrayList<>();
        for (Object algorithm : (List<?>) Objects.requireNonNull(result.get(ALGORITHMS))) {
            algorithms.add((Map<?, ?>) algorithm);
        }
        return algorithms;
    }

    private static Map<String, @Nullable Object> tree(
            Map<String, @Nullable Object> result, List<Map<?, ?>> algorithms) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (Map<?, ?> algorithm : algorithms) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("algorithm", algorithm.get("algorithm"));
            row.put("seconds", algorithm.get("seconds"));
            row.put("valid", algorithm.get("valid"));
            rows.add(row);
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("graph", result.get("graph"));
        tree.put(ALGORITHMS, rows);
        return tree;
    }

    private static String text(List<Map<?, ?>> algorithms) {
        StringBuilder text = new StringBuilder();
        for (Map<?, ?> algorithm : algorithms) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-5s %10.4f s  %s%n",
                            algorithm.get("algorithm"),
                            (Double) Objects.requireNonNull(algorithm.get("seconds")),
                            verdict(algorithm.get("valid"))));
        }
        return text.toString();
    }

    private static String verdict(@Nullable Object valid) {
        return valid == null ? "not checked: no reference" : valid.equals(true) ? "valid" : "WRONG";
    }

    private static ExitCode exitCode(List<Map<?, ?>> algorithms, Terminal terminal) {
        ExitCode code = ExitCode.DONE;
        for (Map<?, ?> algorithm : algorithms) {
            if (algorithm.get("problem") != null) {
                terminal.err()
                        .println(
                                "starling: %s is wrong: %s"
                                        .formatted(
                                                algorithm.get("algorithm"),
                                                algorithm.get("problem")));
                code = ExitCode.JOB_FAILED;
            }
        }
        return code;
    }
}
