package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.BenchJobs;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.cluster.ClusterBench;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.TaskCatalog;

/** Benches that start a cluster of processes of their own and kill some of them. */
final class ClusterBenchLine {
    private static final String RECOVERY = "recovery";
    private static final String JOB = "job";

    private static final String CHUNKS = "chunks";
    private static final String BYTES = "bytes";
    private static final String KILL = "kill";
    private static final String COMPARE = "compare";
    private static final String CHECKPOINT = "checkpoint-supersteps";
    private static final String SCRIPT = "script";
    private static final String FIRST = "first";
    private static final String ROUNDS = "rounds";
    private static final String SEED = "seed";
    private static final String LOST = "lost";
    private static final String WRONG = "wrong";

    private static final long MAX_CHUNKS = 1L << 32;
    private static final int MAX_BYTES = 16 << 20;
    private static final int MAX_SUPERSTEPS = 1 << 20;
    private static final int MAX_ROUNDS = 1_000_000;
    private static final int DEFAULT_PEERS = 4;

    private ClusterBenchLine() {}

    /** Adds the options of all of them. */
    static void addTo(Options options) {
        options.addOption(
                Command.valued(CHUNKS, "N", "recovery: chunks to write (default 1000000)"));
        BenchLine.add(options, Command.valued(BYTES, "N", "recovery: bytes of each (default 64)"));
        options.addOption(
                Command.valued(
                        SCRIPT,
                        "FILE",
                        "job: the script to run; may be given several times for jobs that run at"
                                + " the same time"));
        options.addOption(
                Command.valued(
                        FIRST,
                        "FILE",
                        "job: a script to run before, undisturbed: it may keep graphs for others"));
        options.addOption(
                Command.valued(
                        ROUNDS,
                        "N",
                        "job: run the scripts N times with two drawn kills each, and compare all"
                                + " results with those of an undisturbed run"));
        BenchLine.add(options, Command.valued(SEED, "N", "job: what kills are drawn from"));
        BenchLine.add(options, JarLine.option());
        options.addOption(
                Command.valued(
                        KILL,
                        "WHO",
                        "recovery: owner, two, superpeer, or nobody: then zones are handed over;"
                                + " job: slave@PLACE or master@PLACE, may be given"
                                + " several times; PLACE: task=N, superstep=N, write=N (piece of a"
                                + " file), task=N,superstep=N, task=N,write=N or millis=N"));
        options.addOption(
                Command.valued(
                        CHECKPOINT,
                        "N",
                        "job: a checkpoint after every N supersteps, whatever it costs (default 0:"
                                + " by time alone)"));
        options.addOption(
                Command.flag(
                        COMPARE,
                        "job: run the script undisturbed first, and compare all results and"
                                + " files"));
        options.addOption(
                Command.valued(
                        ClusterOptionsLine.SUPERPEERS,
                        "1|3",
                        "recovery, job: number of superpeers (default 1)"));
        BenchLine.add(
                options,
                Command.valued(
                        ClusterOptionsLine.PEERS,
                        "P",
                        "recovery, job: number of peers (default 4)"));
        options.addOption(ScriptLine.parameterOption());
        options.addOption(ClusterOptionsLine.configOption());
    }

    /** Runs one of them. */
    static ExitCode run(
            ClusterBench bench, CommandLine line, Terminal terminal, Interruption interruption) {
        BenchLine.refuseOthers(bench.name(), optionsOf(bench.name()), line);
        BenchOrder order = order(bench.name(), line, terminal);
        Thread runner = Thread.currentThread();
        interruption.onRequest(
                runner::interrupt,
                ClusterOptionsLine.configured(line, terminal).get(Settings.CANCEL_TIMEOUT));
        Map<String, @Nullable Object> figures = bench.run(order);
        String json = JsonText.write(figures);
        if (bench.name().equals(JOB)) {
            ScriptReport report = ScriptReports.parse(json);
            terminal.out()
                    .print(line.hasOption(Commands.JSON) ? json + "\n" : ReportText.of(report));
            boolean good = report.failure() == null && sayComparison(line, figures, terminal);
            return good ? ExitCode.DONE : ExitCode.JOB_FAILED;
        }
        if (line.hasOption(Commands.JSON)) {
            terminal.out().println(json);
        } else {
            figures.forEach((name, value) -> terminal.out().printf("%-18s %s%n", name, value));
        }
        return isZero(figures.get(LOST)) && isZero(figures.get(WRONG))
                ? ExitCode.DONE
                : ExitCode.JOB_FAILED;
    }

    /** False if the results were to be compared and differ. */
    private static boolean sayComparison(
            CommandLine line, Map<String, @Nullable Object> figures, Terminal terminal) {
        if (!line.hasOption(COMPARE) && !line.hasOption(ROUNDS)) {
            return true;
        }
        if (!(figures.get(BenchOrder.COMPARED) instanceof Map<?, ?> compared)) {
            return false;
        }
        if (!line.hasOption(Commands.JSON)) {
            terminal.out().println();
            compared.forEach((name, value) -> terminal.out().printf("%-18s %s%n", name, value));
        }
        return isZero(compared.get(BenchOrder.DIFFERENCES));
    }

    private static Set<String> optionsOf(String bench) {
        return bench.equals(JOB)
                ? Set.of(
                        SCRIPT,
                        FIRST,
                        ROUNDS,
                        SEED,
                        JarLine.JAR,
                        KILL,
                        COMPARE,
                        CHECKPOINT,
                        ClusterOptionsLine.SUPERPEERS,
                        ClusterOptionsLine.PEERS,
                        ClusterOptionsLine.CONFIG,
                        ScriptLine.PARAMETER)
                : Set.of(
                        CHUNKS,
                        BYTES,
                        KILL,
                        ClusterOptionsLine.SUPERPEERS,
                        ClusterOptionsLine.PEERS,
                        ClusterOptionsLine.CONFIG);
    }

    private static BenchOrder order(String bench, CommandLine line, Terminal terminal) {
        Map<String, Long> numbers = new HashMap<>();
        numbers.put(CHUNKS, Numbers.integer(line, CHUNKS, 1_000_000, 1, MAX_CHUNKS));
        numbers.put(
                "checkpointSupersteps", Numbers.integer(line, CHECKPOINT, 0, 0, MAX_SUPERSTEPS));
        numbers.put(ROUNDS, Numbers.integer(line, ROUNDS, 0, 1, MAX_ROUNDS));
        numbers.put(
                SEED,
                Numbers.integer(line, SEED, System.nanoTime(), Long.MIN_VALUE, Long.MAX_VALUE));
        numbers.put(BYTES, Numbers.integer(line, BYTES, 64, 0, MAX_BYTES));
        List<String> words = ScriptLine.values(line, KILL);
        if (bench.equals(RECOVERY) && words.isEmpty()) {
            words = List.of("owner");
        }
        words.forEach(word -> checkKill(bench, word));
        Settings settings =
                ClusterOptionsLine.withNodes(
                        line,
                        ClusterOptionsLine.configured(line, terminal)
                                .with(Settings.PROCESSES, true)
                                .with(Settings.PEERS, DEFAULT_PEERS)
                                .with(Settings.SUPERPEERS, 1));
        settings.checkTransport();
        Path folder =
                Path.of(System.getProperty("java.io.tmpdir"))
                        .resolve("starling-bench-" + ProcessHandle.current().pid());
        BenchJobs jobs = bench.equals(JOB) ? jobs(line, terminal, settings) : null;
        return new BenchOrder(
                settings.plan(folder, jobs == null ? List.of() : roots(terminal, jobs), false),
                numbers,
                words,
                jobs,
                text -> terminal.err().println("bench " + bench + ": " + text));
    }

    private static BenchJobs jobs(CommandLine line, Terminal terminal, Settings settings) {
        List<String> scripts = ScriptLine.values(line, SCRIPT);
        if (scripts.isEmpty()) {
            throw new UsageException("--script is missing");
        }
        List<JarContents> jars = JarLine.read(line, terminal, settings.jarRules());
        try (JobCode code = JarLine.load(jars)) {
            TaskCatalog tasks = code.tasks(TaskCatalog.onClassPath());
            String first = line.getOptionValue(FIRST);
            ExistingGraphs existing = first == null ? ExistingGraphs.NONE : ExistingGraphs.UNKNOWN;
            List<JobRequest> together = new ArrayList<>();
            for (String script : scripts) {
                together.add(
                        job(script, line, terminal, tasks, existing)
                                .withJars(JarLine.digests(jars)));
            }
            return new BenchJobs(
                    first == null ? null : job(first, line, terminal, tasks, ExistingGraphs.NONE),
                    together,
                    jars.stream().map(JarContents::jar).toList(),
                    line.hasOption(COMPARE));
        }
    }

    private static JobRequest job(
            String script,
            CommandLine line,
            Terminal terminal,
            TaskCatalog tasks,
            ExistingGraphs existing) {
        JobRequest request =
                JobRequest.read(terminal.file(script), ScriptLine.parameters(line))
                        .withIncludes(tasks);
        List<Path> roots = List.of(terminal.workingDirectory(), request.folder());
        request.parse(tasks, roots, existing);
        return request;
    }

    private static List<Path> roots(Terminal terminal, BenchJobs jobs) {
        Set<Path> roots = new LinkedHashSet<>(List.of(terminal.workingDirectory()));
        jobs.together().forEach(job -> roots.add(job.folder()));
        JobRequest first = jobs.first();
        if (first != null) {
            roots.add(first.folder());
        }
        return List.copyOf(roots);
    }

    private static void checkKill(String bench, String word) {
        String known =
                bench.equals(RECOVERY)
                        ? "owner|two|superpeer|nobody"
                        : "(slave|master)@(millis=\\d{1,9}|task=\\d{1,9}|(task=\\d{1,9},)?(superstep|write)=\\d{1,9})";
        if (!word.matches(known)) {
            throw new UsageException(
                    "bench %s does not know --kill \"%s\"; see starling bench --help"
                            .formatted(bench, word));
        }
    }

    private static boolean isZero(@Nullable Object figure) {
        return figure instanceof Long number && number == 0;
    }
}
