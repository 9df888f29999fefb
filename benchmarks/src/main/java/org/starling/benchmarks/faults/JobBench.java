package org.starling.benchmarks.faults;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.TempFolder;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.cluster.ClusterBench;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;

/**
 * {@code bench job}: runs a script on a cluster of real processes and kills slaves and masters in
 * the middle of it. Its figures are the script's report, with what was lost and how long that took.
 * If asked to compare, it runs the script undisturbed first, on the same cluster, and adds what the
 * two runs have found differently.
 */
public final class JobBench implements ClusterBench {
    /** As the engine's fault points know it. */
    private static final String FOLDER_PROPERTY = "starling.faultFolder";

    /** As nodes know it. */
    private static final String CHECKPOINT_PROPERTY = "starling.checkpointSupersteps";

    private static final String CHECKPOINT = "checkpointSupersteps";
    private static final String STATUS = "status";
    private static final String SUCCEEDED = "succeeded";

    private static final Duration MASTER_PATIENCE = Duration.ofSeconds(20);

    /** Longest silence of the cluster. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final Duration JOB_PATIENCE = Duration.ofHours(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    @Override
    public String name() {
        return "job";
    }

    @Override
    public Map<String, @Nullable Object> run(BenchOrder order) {
        JobRequest job = order.job();
        if (job == null) {
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
            awaitMaster(service);
            Stage stage = new Stage(cluster, service, faults.path(), order.progress());
            return order.compares()
                    ? compare(job, kills, stage)
                    : disturb(job, kills, stage, () -> {}).report;
        }
    }

    private static List<String> flags(BenchOrder order, Path faults) {
        return List.of(
                "-D" + FOLDER_PROPERTY + "=" + faults,
                "-D" + CHECKPOINT_PROPERTY + "=" + order.number(CHECKPOINT));
    }

    /** Where jobs run and processes are killed. */
    private record Stage(
            BenchCluster cluster, ClusterClient service, Path faults, Consumer<String> progress) {}

    /** What a job has said at its end, and what was done to it. */
    private record Run(Map<String, @Nullable Object> report, KillSquad squad) {}

    private static Map<String, @Nullable Object> compare(
            JobRequest job, List<KillOrder> kills, Stage stage) {
        Set<Path> outputs =
                job.parse(
                                TaskCatalog.onClassPath(),
                                stage.cluster.processes().plan().roots(),
                                ExistingGraphs.NONE)
                        .outputs();
        OutputComparison.removeOld(outputs);
        stage.progress.accept("running undisturbed");
        Run undisturbed = disturb(job, List.of(), stage, () -> {});
        if (!SUCCEEDED.equals(undisturbed.report.get(STATUS))) {
            return undisturbed.report;
        }
        try (OutputComparison files = OutputComparison.take(outputs)) {
            stage.progress.accept("running disturbed");
            Run disturbed = disturb(job, kills, stage, files::look);
            Differences differences = new Differences();
            differences.compare("tasks", results(undisturbed.report), results(disturbed.report));
            files.compare(differences);
            compareLosses(disturbed, differences);
            Map<String, @Nullable Object> compared = new LinkedHashMap<>();
            compared.put("undisturbedSeconds", undisturbed.report.get("seconds"));
            compared.put("files", (long) files.files());
            compared.put("values", differences.values());
            compared.put(BenchOrder.DIFFERENCES, differences.count());
            compared.put("told", differences.told());
            disturbed.report.put(BenchOrder.COMPARED, compared);
            return disturbed.report;
        }
    }

    /** The report must name everybody who was killed, and somebody must have been at each place. */
    private static void compareLosses(Run run, Differences differences) {
        run.squad.left().forEach(left -> differences.add("nobody was killed at " + left));
        Set<Object> named = new HashSet<>();
        if (run.report.get("recoveryEvents") instanceof List<?> events) {
            for (Object event : events) {
                if (event instanceof Map<?, ?> members
                        && members.get("node") instanceof Long node) {
                    named.add(node.intValue());
                }
            }
        }
        for (KillSquad.Kill kill : run.squad.killed()) {
            if (!named.contains(kill.node())) {
                differences.add(
                        "the report does not tell of node %d, killed at %s"
                                .formatted(kill.node(), kill.words()));
            }
        }
    }

    /** Names, supersteps and results of all tasks; messages depend on who holds what. */
    private static List<Map<String, @Nullable Object>> results(
            Map<String, @Nullable Object> report) {
        List<Map<String, @Nullable Object>> results = new ArrayList<>();
        if (report.get("tasks") instanceof List<?> tasks) {
            for (Object task : tasks) {
                if (task instanceof Map<?, ?> members) {
                    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
                    for (String name : List.of("task", "supersteps", "result")) {
                        kept.put(name, members.get(name));
                    }
                    results.add(kept);
                }
            }
        }
        return results;
    }

    private static Run disturb(JobRequest job, List<KillOrder> kills, Stage stage, Runnable look) {
        KillSquad squad = new KillSquad(stage.cluster, stage.service, stage.faults, stage.progress);
        squad.assign(kills);
        return run(job, squad, stage, look);
    }

    private static Run run(JobRequest job, KillSquad squad, Stage stage, Runnable look) {
        long id = stage.service.submit(job, new SecureRandom().nextLong());
        JobView end = awaitEnd(stage.service, id, squad, look);
        for (String left : squad.left()) {
            stage.progress.accept(left + " was never reached");
        }
        return new Run(report(stage.service, end), squad);
    }

    private static void awaitMaster(ClusterClient service) {
        long start = System.nanoTime();
        while (service.status().master() < 0) {
            pause(start, MASTER_PATIENCE, "no peer leads jobs");
        }
    }

    private static JobView awaitEnd(
            ClusterClient service, long id, KillSquad squad, Runnable look) {
        long start = System.nanoTime();
        long heard = start;
        while (true) {
            try {
                look.run();
                squad.step();
                Optional<JobView> job = service.job(id);
                if (job.isPresent() && job.get().status().isEnd()) {
                    return job.get();
                }
                heard = System.nanoTime();
            } catch (ClusterException down) {
                if (System.nanoTime() - heard > SILENCE.toNanos()) {
                    throw down;
                }
            }
            pause(start, JOB_PATIENCE, "the job does not end");
        }
    }

    private static Map<String, @Nullable Object> report(ClusterClient service, JobView end) {
        String text =
                service.report(end.id())
                        .orElseThrow(() ->
                                new ClusterException(
                                        "the job ended as %s without a report"
                                                .formatted(end.status())));
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (JsonText.parse(text) instanceof Map<?, ?> report) {
            report.forEach((name, value) -> tree.put(String.valueOf(name), value));
        }
        return tree;
    }

    private static void pause(long start, Duration patience, String complaint) {
        if (System.nanoTime() - start > patience.toNanos()) {
            throw new ClusterException(complaint + " within " + patience);
        }
        LockSupport.parkNanos(POLL_NANOS);
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new ClusterException("the bench was interrupted");
        }
    }
}
