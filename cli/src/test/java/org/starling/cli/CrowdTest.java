package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.script.JobRequest;
import org.starling.graph.InvalidInputException;

/**
 * Ten people send twenty jobs each at once, two of each faulty: all others come to their results,
 * and the cluster has behind it what it had before.
 */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class CrowdTest {
    private static final int CLIENTS = 10;
    private static final int JOBS = 20;

    /** Soon full, where somebody fills it. */
    private static final String HEAP = "-Xmx384m";

    /** Its pages are there from the start, so that what else grows is seen. */
    private static final String[] FLAGS = {"-Xms384m", HEAP, "-XX:+AlwaysPreTouch"};

    /** All jobs are there before the first is waited for. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private static final Duration QUIET = Duration.ofMinutes(3);

    private static final String KEEP =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "web", "generator": "kronecker", "scale": 10, "keep": true}]}
            """;

    /** By name; each client sends them in turns. */
    private static final Map<String, String> GOOD =
            new TreeMap<>(
                    Map.of(
                            "ranks",
                            """
                            {"tasks": [{"task": "graph.pagerank", "graph": "web", "iterations": 15}]}
                            """,
                            "search",
                            """
                            {"tasks": [{"task": "graph.bfs", "graph": "web", "source": 1}]}
                            """,
                            "gossip",
                            """
                            {"tasks": [{"task": "my.gossip", "as": "talk", "graph": "web", "rounds": 6}]}
                            """,
                            "own",
                            """
                            {"tasks": [
                              {"task": "graph.generate", "graph": "g", "generator": "uniform", "scale": 9},
                              {"task": "graph.wcc", "graph": "g"}]}
                            """));

    /** Scripts of faults with what their jobs say of them. */
    private static final Map<String, String> BAD =
            Map.of(
                    "throw", "thrown on purpose",
                    "loop", "time limit",
                    "eat", "OutOfMemoryError",
                    "open", "/etc/starling-was-here");

    @TempDir Path folder;
    private Path exit = Path.of("");
    private List<String> jars = List.of();

    @Test
    void leavesAllOthersRightAndTheClusterAsItWas() throws Exception {
        try (RealCluster cluster = RealCluster.supervised(folder, 3, 4, FLAGS)) {
            cluster.waitAtMost(PATIENCE);
            Path gossip = GossipJar.build(folder.resolve("gossip.jar"));
            Path faults = FaultyJar.build(folder.resolve("faults.jar"));
            exit = FaultyJar.buildExit(folder.resolve("exit.jar"));
            jars = List.of(bring(cluster, gossip), bring(cluster, faults));
            cluster.awaitEnd(cluster.submit(KEEP), Status.SUCCEEDED);
            Map<String, Object> expected = new LinkedHashMap<>();
            for (int warm = 0; warm < 3; warm++) {
                for (Map.Entry<String, String> good : GOOD.entrySet()) {
                    long id = submit(cluster, good.getKey(), good.getValue(), warm);
                    expected.put(good.getKey(), results(cluster.awaitEnd(id, Status.SUCCEEDED)));
                }
            }
            Figures before = Figures.of(cluster);

            List<Callable<@Nullable Void>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                clients.add(() -> {
                    sendAll(cluster, number, expected);
                    return null;
                });
            }
            try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
                for (Future<@Nullable Void> client : threads.invokeAll(clients)) {
                    client.get();
                }
            }

            cluster.await(() -> isWhole(cluster));
            for (Map.Entry<String, String> good : GOOD.entrySet()) {
                long id = submit(cluster, good.getKey(), good.getValue(), 9999);
                assertThat(results(cluster.awaitEnd(id, Status.SUCCEEDED)))
                        .isEqualTo(expected.get(good.getKey()));
            }
            cluster.waitAtMost(QUIET);
            cluster.await(() -> isQuiet(cluster, before));
            Figures after = Figures.of(cluster);
            System.out.printf("before %s%nafter  %s%n", before, after);
            after.assertAs(before);
        }
    }

    /** Sends twenty jobs and then waits for each. */
    private void sendAll(RealCluster cluster, int client, Map<String, Object> expected) {
        Map<Long, String> sent = new LinkedHashMap<>();
        List<String> names = List.copyOf(GOOD.keySet());
        for (int i = 0; i < JOBS; i++) {
            int number = client * JOBS + i;
            if (i == 7 || i == 13) {
                String kind =
                        List.of("throw", "loop", "eat", "open", "exit")
                                .get((client + (i == 7 ? 0 : 3)) % 5);
                if (kind.equals("exit")) {
                    assertThatThrownBy(() -> bring(cluster, exit))
                            .isInstanceOf(InvalidInputException.class)
                            .hasMessageContaining("System.exit");
                } else {
                    sent.put(submit(cluster, kind, bad(kind), 100 + number), kind);
                }
            } else {
                String name = names.get(i % names.size());
                sent.put(submit(cluster, name, GOOD.get(name), 100 + number), name);
            }
        }
        sent.forEach((id, name) -> {
            String fault = BAD.get(name);
            if (fault == null) {
                assertThat(results(cluster.awaitEnd(id, Status.SUCCEEDED)))
                        .as(name)
                        .isEqualTo(expected.get(name));
            } else {
                assertThat(String.valueOf(cluster.awaitEnd(id, Status.FAILED).get("error")))
                        .as(name)
                        .contains(fault);
            }
        });
    }

    private static String bad(String kind) {
        return """
        {"tasks": [{"task": "my.fault", "graph": "web", "kind": "%s", "timeLimit": "%s"}]}
        """
                .formatted(kind, kind.equals("loop") ? "2 s" : "5 min");
    }

    private long submit(RealCluster cluster, String name, @Nullable String script, long nonce) {
        JobRequest request =
                new JobRequest(name, Objects.requireNonNull(script), Map.of(), false, folder)
                        .withJars(jars);
        return cluster.client().submit(request, 1_000_000 + nonce * 100 + name.hashCode() % 100);
    }

    private static String bring(RealCluster cluster, Path jar) {
        String digest = digest(jar);
        cluster.client().jars().bring(digest, String.valueOf(jar.getFileName()), jar);
        return digest;
    }

    private static String digest(Path jar) {
        try {
            return JarInspection.digest(jar);
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
    }

    private static Object results(Map<?, ?> report) {
        List<Object> results = new ArrayList<>();
        for (Object task : (List<?>) Objects.requireNonNull(report.get("tasks"))) {
            Map<?, ?> members =
                    new TreeMap<>(
                            (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) task).get("result")));
            members.keySet().removeIf(name -> name.toString().endsWith("econds"));
            results.add(members);
        }
        return results;
    }

    /** Threads of servers and chunks of jobs that ended without their master go a little later. */
    private static boolean isQuiet(RealCluster cluster, Figures before) {
        try {
            long threads = 0;
            for (ClusterProcess process : cluster.processes().processes()) {
                threads += ProcessFigures.threads(process.pid());
            }
            long chunks = Figures.sum(cluster.client().networks(), "chunks");
            return chunks <= before.chunks + Figures.LEFT_CHUNKS
                    && threads <= before.threads() + Figures.MORE_THREADS;
        } catch (IOException gone) {
            return false;
        }
    }

    private static boolean isWhole(RealCluster cluster) {
        ClusterView view = cluster.client().status();
        return view.nodes().size() == 7 && view.allReplicated() && view.master() >= 0;
    }

    /**
     * What a cluster has, when nothing is to be done.
     *
     * @param chunks of all peers
     * @param chunkBytes their values
     * @param processes by name
     */
    private record Figures(long chunks, long chunkBytes, Map<String, ProcessFigures> processes) {
        /** Threads that come and go. */
        private static final long MORE_THREADS = 20;

        /**
         * Chunks did stay: in one run 64 of 44 bytes, checkpoints of four jobs whose programs never
         * came back in the process that led them. The next job removes those now; that nothing
         * stays at all has not been seen yet.
         */
        private static final long LEFT_CHUNKS = 100;

        private static final long LEFT_BYTES = 64 << 10;

        private static final long MORE_LIVE_BYTES = 8L << 20;
        private static final long MORE_NATIVE_BYTES = 64L << 20;

        long threads() {
            return processes.values().stream().mapToLong(ProcessFigures::threads).sum();
        }

        static Figures of(RealCluster cluster) throws Exception {
            Map<String, ProcessFigures> processes = new TreeMap<>();
            for (ClusterProcess process : cluster.processes().processes()) {
                processes.put(process.name(), ProcessFigures.of(process.pid()));
            }
            ClusterClient client = cluster.client();
            List<NetworkView> nodes = client.networks();
            assertThat(nodes).hasSize(7);
            return new Figures(sum(nodes, "chunks"), sum(nodes, "chunkPayloadBytes"), processes);
        }

        private static long sum(List<NetworkView> nodes, String name) {
            return nodes.stream()
                    .mapToLong(node -> node.figures().getOrDefault(name, 0).longValue())
                    .sum();
        }

        void assertAs(Figures before) {
            assertThat(chunks).as("chunks").isBetween(before.chunks, before.chunks + LEFT_CHUNKS);
            assertThat(chunkBytes)
                    .as("bytes of chunks")
                    .isLessThanOrEqualTo(before.chunkBytes + LEFT_BYTES);
            processes.forEach((name, now) -> {
                ProcessFigures then = Objects.requireNonNull(before.processes.get(name));
                assertThat(now.threads())
                        .as("threads of %s", name)
                        .isLessThanOrEqualTo(then.threads() + MORE_THREADS);
                assertThat(now.liveBytes())
                        .as("heap of %s", name)
                        .isLessThanOrEqualTo(then.liveBytes() + MORE_LIVE_BYTES);
                assertThat(now.nativeBytes())
                        .as("native memory of %s", name)
                        .isLessThanOrEqualTo(then.nativeBytes() + MORE_NATIVE_BYTES);
            });
        }
    }
}
