package org.starling.benchmarks.queries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.faults.BenchCluster;
import org.starling.benchmarks.harness.TempFolder;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.bench.BenchResult;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * {@code bench queries}: questions about single vertices on a cluster of real processes, first
 * alone and then while a PageRank runs that never ends by itself. Asked by a task on the peer that
 * leads it, and, where graphs can be kept, over REST by this process.
 */
public final class QueryBench implements Bench {
    private static final String PEERS = "peers";
    private static final String SCALE = "scale";
    private static final String SECONDS = "seconds";
    private static final int MAX_SCALE = 24;
    private static final int MAX_PEERS = 16;
    private static final int MAX_SECONDS = 60;

    /** With fewer peers no cluster promises that a graph stays. */
    private static final int KEEPING_PEERS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    @Override
    public String name() {
        return "queries";
    }

    @Override
    public List<BenchOption> options() {
        return List.of(
                new BenchOption.Whole(PEERS, "number of peers", 3, 1, MAX_PEERS),
                new BenchOption.Whole(SCALE, "logarithm of the vertices", 16, 8, MAX_SCALE),
                new BenchOption.Whole(
                        SECONDS, "how long to ask questions of each kind", 5, 1, MAX_SECONDS));
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        int peers = (int) choices.number(PEERS);
        try (TempFolder scripts = TempFolder.create("starling-bench-queries");
                BenchCluster cluster = start(peers, scripts.path());
                ClusterClient client = cluster.processes().client()) {
            Stage stage =
                    new Stage(
                            client,
                            scripts.path(),
                            choices.number(SCALE),
                            choices.number(SECONDS),
                            peers >= KEEPING_PEERS);
            return stage.measure(progress);
        }
    }

    private static BenchCluster start(int peers, Path scripts) {
        Path folder =
                Path.of(System.getProperty("java.io.tmpdir"))
                        .resolve("starling-bench-" + ProcessHandle.current().pid());
        ClusterPlan plan = ClusterPlan.of(folder, 1, peers).withRoots(List.of(scripts));
        return BenchCluster.start(plan, List.of());
    }

    /** A running cluster, and what to ask of it. */
    private record Stage(
            ClusterClient client, Path scripts, long scale, long seconds, boolean keeps) {
        private BenchResult measure(Consumer<String> progress) {
            Map<String, @Nullable Object> figures = new LinkedHashMap<>();
            if (keeps) {
                progress.accept("making a graph of scale " + scale);
                end(submit("load", "[" + graph("kept", ", \"keep\": true") + "]"));
            }
            progress.accept("asking while nothing else runs");
            figures.put("alone", ask());
            long rank =
                    submit(
                            "rank",
                            """
                            [%s, {"task": "graph.pagerank", "graph": "p", "iterations": 1000000}]
                            """
                                    .formatted(graph("p", "")));
            await(
                    rank,
                    job -> {
                        JobActivity now = job.progress();
                        return now != null && "graph.pagerank".equals(now.name());
                    });
            progress.accept("asking while a PageRank runs");
            figures.put("withPageRank", ask());
            boolean running = client.job(rank).filter(job -> !job.status().isEnd()).isPresent();
            if (!running) {
                throw new JobFailedException("the PageRank ended before the questions did");
            }
            client.cancel(rank);
            return new BenchResult(figures, table(figures));
        }

        private Map<String, @Nullable Object> ask() {
            Map<String, @Nullable Object> figures = new LinkedHashMap<>();
            String make = keeps ? "" : graph("q", "") + ", ";
            long asker =
                    submit(
                            "ask",
                            "[%s{\"task\": \"benchmark.queries\", \"graph\": \"%s\", \"seconds\": %d, \"as\": \"q\"}]"
                                    .formatted(make, keeps ? "kept" : "q", seconds));
            Map<?, ?> result = end(asker);
            figures.put("neighbours on a peer", result.get(QueryTask.NEIGHBOURS));
            figures.put("paths on a peer", result.get(QueryTask.PATHS));
            if (keeps) {
                long vertices = 1L << scale;
                GraphQueries queries = client.queries();
                Latencies rest =
                        Latencies.measure(
                                QueryTask.WARM_UP,
                                seconds,
                                i -> {
                                    var _ =
                                            queries.neighbours(
                                                    "kept",
                                                    QueryTask.vertex(i, vertices),
                                                    EdgeDirection.OUTGOING,
                                                    0,
                                                    QueryTask.LIMIT);
                                });
                figures.put("neighbours over REST", rest.tree());
            }
            return figures;
        }

        private String graph(String name, String more) {
            return "{\"task\": \"graph.generate\", \"graph\": \"%s\", \"generator\": \"kronecker\", \"scale\": %d%s}"
                    .formatted(name, scale, more);
        }

        private long submit(String name, String tasks) {
            try {
                Path script =
                        Files.writeString(
                                scripts.resolve(name + ".json"),
                                "{\"name\": \"%s\", \"tasks\": %s}".formatted(name, tasks));
                return client.submit(
                        JobRequest.read(script, Map.of()), new SecureRandom().nextLong());
            } catch (IOException broken) {
                throw new UncheckedIOException("a script can't be written", broken);
            }
        }

        /** Result of a job's last task. */
        private Map<?, ?> end(long id) {
            await(id, job -> job.status().isEnd());
            String report = client.report(id).orElse("");
            if (!report.isEmpty()
                    && JsonText.parse(report) instanceof Map<?, ?> tree
                    && "succeeded".equals(tree.get("status"))
                    && tree.get("tasks") instanceof List<?> tasks
                    && tasks.getLast() instanceof Map<?, ?> last
                    && last.get("result") instanceof Map<?, ?> result) {
                return result;
            }
            throw new JobFailedException("a job of the bench did not succeed: " + report);
        }

        private void await(long id, Predicate<JobView> state) {
            long start = System.nanoTime();
            while (client.job(id).filter(state).isEmpty()) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new JobFailedException(
                            "job %d is not as far as it should be within %d min"
                                    .formatted(id, PATIENCE.toMinutes()));
                }
                LockSupport.parkNanos(POLL_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    throw new JobCancelledException("the bench was interrupted");
                }
            }
        }
    }

    private static String table(Map<String, @Nullable Object> figures) {
        StringBuilder table = new StringBuilder();
        figures.forEach((when, kinds) ->
                ((Map<?, ?>) Objects.requireNonNull(kinds))
                        .forEach((kind, figure) -> {
                            if (figure instanceof Map<?, ?> told) {
                                table.append(
                                        String.format(
                                                Locale.ROOT,
                                                "%-13s %-21s %,9.0f questions, p50 %,8.0f, p90 %,8.0f, p99 %,8.0f, max %,9.0f µs%n",
                                                when,
                                                kind,
                                                number(told, "questions"),
                                                number(told, "p50Micros"),
                                                number(told, "p90Micros"),
                                                number(told, "p99Micros"),
                                                number(told, "maxMicros")));
                            }
                        }));
        return table.toString();
    }

    private static double number(Map<?, ?> figures, String name) {
        return figures.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
