package org.starling.benchmarks.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.cluster.ClusterBench;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;

/**
 * {@code bench job}: runs a script on a cluster of real processes and kills slaves and masters in
 * the middle of it. Its figures are the script's report, with what was lost and how long that took.
 */
public final class JobBench implements ClusterBench {
    /** As the engine's fault points know it. */
    private static final String FOLDER_PROPERTY = "starling.faultFolder";

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
        Path faults = folder();
        try (BenchCluster cluster =
                        BenchCluster.start(
                                order.plan(), List.of("-D" + FOLDER_PROPERTY + "=" + faults));
                ClusterClient desk = new ClusterClient(cluster.processes().urls())) {
            awaitMaster(desk);
            KillSquad squad = new KillSquad(cluster, desk, faults, order.progress());
            squad.assign(kills);
            long id = desk.submit(job, new SecureRandom().nextLong());
            JobView end = awaitEnd(desk, id, squad);
            for (String left : squad.left()) {
                order.progress().accept(left + " was never reached");
            }
            return report(desk, end);
        } finally {
            remove(faults);
        }
    }

    private static void awaitMaster(ClusterClient desk) {
        long start = System.nanoTime();
        while (desk.status().master() < 0) {
            pause(start, MASTER_PATIENCE, "no peer leads jobs");
        }
    }

    private static JobView awaitEnd(ClusterClient desk, long id, KillSquad squad) {
        long start = System.nanoTime();
        long heard = start;
        while (true) {
            try {
                squad.step();
                Optional<JobView> job = desk.job(id);
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

    private static Map<String, @Nullable Object> report(ClusterClient desk, JobView end) {
        String text =
                desk.report(end.id())
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

    private static Path folder() {
        try {
            return Files.createTempDirectory("starling-faults");
        } catch (IOException broken) {
            throw new UncheckedIOException("no folder for fault points can be made", broken);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException broken) {
            throw new UncheckedIOException(folder + " can't be removed", broken);
        }
    }
}
