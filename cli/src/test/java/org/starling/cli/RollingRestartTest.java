package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.cluster.LocalCluster;

/**
 * Every node of a cluster is restarted in order, or replaced by one with an empty disk, one after
 * the other, under jobs and a stream of writes. So often as {@code -Dstarling.rounds} says; prints
 * how long writers were without answers at each node.
 */
@Tag("slow")
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class RollingRestartTest {
    private static final int ROUNDS = Integer.getInteger("starling.rounds", 1);
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 4;
    private static final int WRITERS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String RANKS =
            """
            {"name": "ranks", "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 12},
              {"task": "graph.wcc", "as": "cc", "graph": "g"},
              {"task": "graph.pagerank", "as": "pr", "graph": "g", "iterations": 1000, "top": 5},
              {"task": "graph.bfs", "as": "bfs", "graph": "g", "source": 1}]}
            """;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losesNoAcknowledgedWriteAndNoJobWhileEveryNodeTakesItsTurn(boolean isReplaced)
            throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, SUPERPEERS, PEERS);
                CountingWriters writers = CountingWriters.start(cluster.processes(), WRITERS)) {
            cluster.waitAtMost(PATIENCE);
            List<?> undisturbed =
                    results(cluster.awaitEnd(cluster.submit(RANKS), Status.SUCCEEDED));
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<List<Map<?, ?>>> jobs =
                    CompletableFuture.supplyAsync(() -> runJobs(cluster, isOver));
            say("undisturbed", "", writers);

            for (int round = 0; round < ROUNDS; round++) {
                for (ClusterProcess process : cluster.processes().processes()) {
                    restart(cluster, process, writers, isReplaced);
                }
            }
            isOver.set(true);

            List<Map<?, ?>> reports = jobs.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(writers.end()).isEmpty();
            assertThat(reports)
                    .isNotEmpty()
                    .allSatisfy(report -> assertThat(results(report)).isEqualTo(undisturbed));
            assertThat(writers.answers()).isPositive();
            System.out.printf(
                    "%d jobs, %d recoveries, %d writes, %d failed attempts%n",
                    reports.size(),
                    reports.stream().mapToLong(report -> (Long) report.get("recoveries")).sum(),
                    writers.answers(),
                    writers.failures());
        }
    }

    /** One job after the other, so that one is always under way. */
    private static List<Map<?, ?>> runJobs(RealCluster cluster, AtomicBoolean isOver) {
        List<Map<?, ?>> reports = new ArrayList<>();
        do {
            reports.add(cluster.awaitEnd(cluster.submit(RANKS), Status.SUCCEEDED));
        } while (!isOver.get());
        return reports;
    }

    private static void restart(
            RealCluster cluster,
            ClusterProcess process,
            CountingWriters writers,
            boolean isReplaced)
            throws IOException {
        LocalCluster processes = cluster.processes();
        Duration _ = writers.longestSilence();
        processes.stop(process.name());
        String end =
                Files.readAllLines(processes.log(process.name())).stream()
                        .filter(line -> line.contains("hand"))
                        .reduce((first, last) -> last)
                        .map(line -> line.substring(line.indexOf("node")))
                        .orElse("");
        if (isReplaced) {
            empty(processes.data(process.name()));
        }
        processes.restart(process.name());
        cluster.await(() ->
                cluster.client().status().allReplicated()
                        && members(cluster) == SUPERPEERS + PEERS);
        say(process.name(), end, writers);
    }

    /** A disk with nothing on it. */
    private static void empty(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Without the node that writes. */
    private static long members(RealCluster cluster) {
        return cluster.processes().processes().stream()
                .filter(process -> StatusText.node(process, cluster.client().status()).isPresent())
                .count();
    }

    private static void say(String name, String end, CountingWriters writers) {
        System.out.printf(
                "%-12s a writer was without an answer for up to %.2f s  %s  (%d answers; %s)%n",
                name,
                writers.longestSilence().toMillis() / 1e3,
                end,
                writers.answers(),
                writers.lastFailure());
    }

    private static List<?> results(Map<?, ?> report) {
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        return tasks.stream().map(task -> ((Map<?, ?>) task).get("result")).toList();
    }
}
