package org.starling.benchmarks.faults;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.TempFolder;
import org.starling.compute.cluster.BenchJobs;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.cluster.ClusterBench;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;

/**
 * {@code bench job}: runs scripts on a cluster of real processes and kills slaves and masters in
 * the middle of them. Its figures are the first script's report, with what was lost and how long
 * that took. If asked to compare, it runs the scripts undisturbed first, on the same cluster, and
 * adds what the two runs have found differently. If asked for rounds it draws the kills itself, and
 * does that again and again ({@link KillRounds}).
 */
public final class JobBench implements ClusterBench {
    /** Number of rounds of drawn kills; 0 for one run with kills that are given. */
    public static final String ROUNDS = "rounds";

    /** What the kills of rounds are drawn from. */
    public static final String SEED = "seed";

    /** As the engine's fault points know it. */
    private static final String FOLDER_PROPERTY = "starling.faultFolder";

    /** As nodes know it. */
    private static final String CHECKPOINT_PROPERTY = "starling.checkpointSupersteps";

    private static final String CHECKPOINT = "checkpointSupersteps";

    @Override
    public String name() {
        return "job";
    }

    @Override
    public Map<String, @Nullable Object> run(BenchOrder order) {
        BenchJobs jobs = order.jobs();
        if (jobs == null) {
            throw new InvalidInputException("bench job needs a script");
        }
        List<KillOrder> kills = order.kills().stream().map(KillOrder::parse).toList();
        if (kills.size() >= order.plan().peers()) {
            throw new InvalidInputException(
                    "%d kills leave nobody of %d peers"
                            .formatted(kills.size(), order.plan().peers()));
        }
        order.progress().accept("starting " + order.plan().peers() + " peers");
        try (TempFolder faults = TempFolder.create("starling-faults");
                BenchCluster cluster =
                        BenchCluster.start(order.plan(), flags(order, faults.path()));
                ClusterClient service = cluster.processes().client()) {
            JobStage stage = new JobStage(cluster, service, faults.path(), order.progress());
            stage.awaitMaster();
            jobs.jars().forEach(jar -> service.jars().bring(jar.digest(), jar.name(), jar.file()));
            return run(jobs, kills, order, stage);
        }
    }

    private static Map<String, @Nullable Object> run(
            BenchJobs jobs, List<KillOrder> kills, BenchOrder order, JobStage stage) {
        JobRequest first = jobs.first();
        if (first != null) {
            stage.progress().accept("running what comes first");
            JobRuns before = stage.run(List.of(first), List.of(), () -> {});
            if (before.hasFailed()) {
                return before.figures();
            }
        }
        int rounds = Math.toIntExact(order.number(ROUNDS));
        if (!jobs.compares() && rounds == 0) {
            return stage.run(jobs.together(), kills, () -> {}).figures();
        }
        Set<Path> outputs = outputs(jobs, order.plan().roots());
        OutputComparison.removeOld(outputs);
        stage.progress().accept("running undisturbed");
        JobRuns undisturbed = stage.run(jobs.together(), List.of(), () -> {});
        if (undisturbed.hasFailed()) {
            return undisturbed.figures();
        }
        try (OutputComparison files = OutputComparison.take(outputs)) {
            return rounds == 0
                    ? compare(jobs, kills, stage, undisturbed, files)
                    : new KillRounds(jobs, stage, undisturbed, files, order.number(SEED))
                            .run(rounds);
        }
    }

    private static List<String> flags(BenchOrder order, Path faults) {
        return List.of(
                "-D" + FOLDER_PROPERTY + "=" + faults,
                "-D" + CHECKPOINT_PROPERTY + "=" + order.number(CHECKPOINT));
    }

    /** Files that the jobs may write. */
    private static Set<Path> outputs(BenchJobs jobs, List<Path> roots) {
        ExistingGraphs existing =
                jobs.first() == null ? ExistingGraphs.NONE : ExistingGraphs.UNKNOWN;
        Set<Path> outputs = new HashSet<>();
        try (JobCode code = JobCode.load(jobs.jars())) {
            TaskCatalog tasks = code.tasks(TaskCatalog.onClassPath());
            jobs.together()
                    .forEach(job -> outputs.addAll(job.parse(tasks, roots, existing).outputs()));
        }
        return outputs;
    }

    private static Map<String, @Nullable Object> compare(
            BenchJobs jobs,
            List<KillOrder> kills,
            JobStage stage,
            JobRuns undisturbed,
            OutputComparison files) {
        stage.progress().accept("running disturbed");
        JobRuns disturbed = stage.run(jobs.together(), kills, files::look);
        Differences differences = new Differences();
        disturbed.compare(undisturbed, differences);
        files.compare(differences);
        compareLosses(disturbed, differences);
        Map<String, @Nullable Object> figures = disturbed.figures();
        Map<String, @Nullable Object> compared = new LinkedHashMap<>();
        compared.put("undisturbedSeconds", undisturbed.figures().get("seconds"));
        compared.put("files", (long) files.files());
        tell(differences, compared);
        figures.put(BenchOrder.COMPARED, compared);
        return figures;
    }

    /** What was compared, and what was different. */
    static void tell(Differences differences, Map<String, @Nullable Object> compared) {
        compared.put("values", differences.values());
        compared.put(BenchOrder.DIFFERENCES, differences.count());
        compared.put("told", differences.told());
    }

    /**
     * The reports must name everybody who was killed, and somebody must have been at each place.
     */
    private static void compareLosses(JobRuns run, Differences differences) {
        run.squad().left().forEach(left -> differences.add("nobody was killed at " + left));
        Set<Object> named = new HashSet<>();
        for (Map<String, @Nullable Object> report : run.reports()) {
            if (report.get("recoveryEvents") instanceof List<?> events) {
                for (Object event : events) {
                    if (event instanceof Map<?, ?> members
                            && members.get("node") instanceof Long node) {
                        named.add(node.intValue());
                    }
                }
            }
        }
        for (KillSquad.Kill kill : run.squad().killed()) {
            if (!named.contains(kill.node())) {
                differences.add(
                        "no report tells of node %d, killed at %s"
                                .formatted(kill.node(), kill.words()));
            }
        }
    }
}
