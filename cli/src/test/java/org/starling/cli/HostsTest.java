package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.script.JsonText;

/** A cluster on several hosts, each node started by hand with {@code starling node}. */
@Tag("slow")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class HostsTest {
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 5;

    /** How often a node is killed under a user's job, and how large the benchmark's graph is. */
    private static final int KILLS = Integer.getInteger("starling.kills", 2);

    private static final int SCALE = Integer.getInteger("starling.scale", 18);
    private static final List<String> FLAGS =
            List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx512m");

    private static final String SCRIPT =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 15},
              {"task": "graph.bfs", "as": "search", "graph": "g", "source": 1, "verify": true},
              {"task": "graph.pagerank", "as": "ranks", "graph": "g", "iterations": %d, "top": 3},
              {"task": "graph.wcc", "as": "parts", "graph": "g", "verify": true},
              {"task": "graph.write", "graph": "g", "state": "level", "file": "levels.txt"}]}
            """;

    private static final String KEPT =
            """
            {"tasks": [{"task": "graph.generate", "graph": "web", "generator": "kronecker", "scale": 13, "keep": true}]}
            """;

    private static final String GOSSIP =
            """
            {"tasks": [{"task": "my.gossip", "as": "g", "graph": "web", "rounds": 40, "pauseMillis": 100}]}
            """;

    @TempDir Path folder;

    private final Map<Integer, Process> processes = new LinkedHashMap<>();
    private boolean isSecure;
    private @Nullable Hosts made;

    @BeforeEach
    void open() throws Exception {
        made = Hosts.open(SUPERPEERS + PEERS, SUPERPEERS);
    }

    @AfterEach
    void end() throws Exception {
        processes.values().forEach(Process::destroyForcibly);
        for (Process process : processes.values()) {
            process.waitFor();
        }
        if (made != null) {
            made.close();
        }
    }

    @Test
    void runsJobsThroughTheLossOfAPeerAndOfASuperpeerThatComesBackElsewhere() throws Exception {
        assertThat(starling(0, "keys", "init", "keys").exitCode()).isZero();
        startAll(false);

        assertThat(Files.getPosixFilePermissions(folder.resolve(hosts().name(0)).resolve("data")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        Map<?, ?> undisturbed = submit(SCRIPT.formatted(20), 0);
        String levels = Files.readString(folder.resolve("levels.txt"));

        ProcessRun status = starling(SUPERPEERS + 1, words("cluster status", 2));
        assertThat(status.out()).contains("8 members", "host-3:7400", "leads the directory");

        // a peer dies in the middle of a job, which does not notice
        Thread job = Thread.ofPlatform().start(() -> disturbed = tried(SCRIPT.formatted(400), 1));
        awaitLine(SUPERPEERS, "task 3", SUPERPEERS + PEERS);
        process(SUPERPEERS + PEERS - 1).destroyForcibly().waitFor();
        job.join();
        assertThat((Object) disturbed.get("status")).isEqualTo("succeeded");
        assertThat(result(disturbed, "search")).isEqualTo(result(undisturbed, "search"));
        assertThat(result(disturbed, "parts")).isEqualTo(result(undisturbed, "parts"));
        assertThat(Files.readString(folder.resolve("levels.txt"))).isEqualTo(levels);

        // a superpeer comes back at another address, under its name
        process(1).destroyForcibly().waitFor();
        hosts().move(1, 91);
        Files.delete(folder.resolve(hosts().name(1) + ".log"));
        start(1, false);
        awaitReady(1);
        assertThat(result(submit(SCRIPT.formatted(20), 1), "search"))
                .isEqualTo(result(undisturbed, "search"));

        // and whoever is asked to end does so in order
        for (int host = SUPERPEERS + PEERS - 2; host >= 0; host--) {
            process(host).destroy();
            assertThat(process(host).waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(log(host)).contains("has left the cluster");
        }
    }

    @Test
    void runsTheBenchmarkAndAUsersJobsOnAKeptGraphWhoeverIsKilled() throws Exception {
        issueAll();
        startAll(true);
        Path scripts = Checkout.root().resolve("examples/scripts");
        Files.copy(scripts.resolve("karate.graph"), folder.resolve("karate.graph"));
        GossipJar.build(folder.resolve("gossip.jar"));

        Map<?, ?> flight = submit(Files.readString(scripts.resolve("first-flight.json")), 0);
        assertThat((Object) flight.get("status")).isEqualTo("succeeded");
        Map<?, ?> rules = (Map<?, ?>) result(submit(graph500(SCALE), 1), "bench");
        assertThat((Object) rules.get("validated")).isEqualTo(true);
        assertThat((Object) rules.get("roots")).isEqualTo(64L);
        assertThat((Object) rules.get("peers")).isEqualTo((long) PEERS);
        submit(KEPT, 2);
        Object undisturbed = gossip(0);

        Random random = new Random(KILLS);
        for (int i = 0; i < KILLS; i++) {
            int victim = random.nextInt(SUPERPEERS + PEERS);
            int askedHost = victim == 0 ? 1 : 0;
            CompletableFuture<Object> job = CompletableFuture.supplyAsync(() -> tried(askedHost));
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2 + random.nextInt(3)));
            process(victim).destroyForcibly().waitFor();
            assertThat(job.get(5, TimeUnit.MINUTES)).as("host %d", victim).isEqualTo(undisturbed);

            Files.delete(folder.resolve(hosts().name(victim) + ".log"));
            start(victim, true);
            awaitLine(victim, "is node", victim + 1);
        }
    }

    private Object tried(int host) {
        try {
            return gossip(host);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    /** What a user's program makes of a kept graph, slowly enough for a kill in its middle. */
    private Object gossip(int host) throws Exception {
        return result(submit(GOSSIP, host, "--jar", folder.resolve("gossip.jar").toString()), "g");
    }

    private void issueAll() throws Exception {
        assertThat(starling(0, "keys", "init", "keys").exitCode()).isZero();
        for (int host = 0; host < SUPERPEERS + PEERS; host++) {
            String names = hosts().name(host) + "," + hosts().address(host);
            String nodes = host < SUPERPEERS ? "" + host : SUPERPEERS + "-65535";
            assertThat(
                            starling(0, "keys", "issue", "keys", "--for", names, "--nodes", nodes)
                                    .exitCode())
                    .isZero();
        }
    }

    @Test
    void provesItselfByCertificates() throws Exception {
        issueAll();
        startAll(true);

        Map<?, ?> report = submit(SCRIPT.formatted(20), 2);

        assertThat((Object) report.get("status")).isEqualTo("succeeded");

        // another authority, other certificates, and the earlier authority goes, without a restart
        for (String step : List.of("--new-authority", "--days=30", "--drop-old")) {
            assertThat(starling(0, "keys", "rotate", "keys", step).exitCode()).isZero();
            submit(SCRIPT.formatted(20), 0);
        }
        // whoever comes back connects anew to all the others
        process(1).destroyForcibly().waitFor();
        Files.delete(folder.resolve(hosts().name(1) + ".log"));
        start(1, true);
        awaitReady(1);
        submit(SCRIPT.formatted(20), 1);

        // without a certificate nobody joins
        ProcessRun stranger =
                starling(
                        SUPERPEERS,
                        "node",
                        "--seeds",
                        seeds(),
                        "--keys",
                        "keys",
                        "--listen",
                        hosts().address(SUPERPEERS));
        assertThat(stranger.exitCode()).isEqualTo(ExitCode.BAD_INPUT.number());
        assertThat(stranger.err()).contains("without TLS");
        process(SUPERPEERS).destroyForcibly().waitFor();
        Files.delete(folder.resolve(hosts().name(SUPERPEERS) + ".log"));
        start(SUPERPEERS, false);
        awaitLine(SUPERPEERS, "refused the handshake", SUPERPEERS + 1);
    }

    /** Written by the thread that waits for the job. */
    private volatile Map<?, ?> disturbed = Map.of();

    private Map<?, ?> tried(String script, int host) {
        try {
            return submit(script, host);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    private void startAll(boolean tls) throws IOException {
        for (int host = 0; host < SUPERPEERS + PEERS; host++) {
            start(host, tls);
        }
        for (int host = 0; host < SUPERPEERS; host++) {
            awaitReady(host);
        }
        for (int host = SUPERPEERS; host < SUPERPEERS + PEERS; host++) {
            awaitLine(host, "peer is node", host + 1);
        }
    }

    private void start(int host, boolean tls) throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--seeds",
                                host < SUPERPEERS ? seeds() : "dns:" + Hosts.SUPERPEERS + ":7400",
                                "--superpeers",
                                Integer.toString(SUPERPEERS),
                                "--listen",
                                hosts().address(host),
                                "--advertise",
                                hosts().name(host),
                                "--keys",
                                tls ? "keys/" + hosts().name(host) : "keys",
                                "--data",
                                hosts().name(host) + "/data",
                                "--memory",
                                "256MiB",
                                "--threads",
                                "1",
                                "--allow",
                                folder.toString()));
        if (host < SUPERPEERS) {
            words.addAll(List.of("--role", "superpeer"));
        }
        isSecure = tls;
        if (!tls) {
            words.add("--insecure");
        }
        File log = folder.resolve(hosts().name(host) + ".log").toFile();
        processes.put(
                host,
                new ProcessBuilder(hosts().starling(host, FLAGS, words.toArray(String[]::new)))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                        .start());
    }

    private Hosts hosts() {
        return Objects.requireNonNull(made);
    }

    private Process process(int host) {
        return Objects.requireNonNull(processes.get(host));
    }

    private String seeds() {
        return String.join(
                ",",
                IntStream.range(0, SUPERPEERS).mapToObj(i -> hosts().name(i) + ":7400").toList());
    }

    private void awaitReady(int host) throws IOException {
        awaitLine(host, "superpeer-" + host + " is node " + host, host + 1);
    }

    /** Until one of some hosts has logged a text. */
    private void awaitLine(int first, String text, int end) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (true) {
            for (int host = first; host < end; host++) {
                if (log(host).contains(text)) {
                    return;
                }
            }
            assertThat(System.nanoTime())
                    .as("\"%s\" in the log of host %d: %s", text, first, log(first))
                    .isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private String log(int host) throws IOException {
        Path file = folder.resolve(hosts().name(host) + ".log");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static String graph500(int scale) {
        return "{\"tasks\": [{\"task\": \"benchmark.graph500\", \"as\": \"bench\", \"scale\": %d}]}"
                .formatted(scale);
    }

    private Map<?, ?> submit(String script, int host, String... more) throws Exception {
        Path file = folder.resolve("script-" + host + ".json");
        Files.writeString(file, script);
        String command = "submit %s --json %s".formatted(file, String.join(" ", more)).strip();
        ProcessRun run = starling(SUPERPEERS, words(command, host));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return (Map<?, ?>) Objects.requireNonNull(JsonText.parse(run.out()));
    }

    /** A command to a superpeer. */
    private String[] words(String command, int host) {
        return "%s --cluster %s://%s:7500 --token keys/token"
                .formatted(command, isSecure ? "https" : "http", hosts().name(host))
                .split(" ", -1);
    }

    private static Object result(Map<?, ?> report, String name) {
        return ((List<?>) Objects.requireNonNull(report.get("tasks")))
                .stream()
                        .map(Map.class::cast)
                        .filter(task -> name.equals(task.get("as")))
                        .map(task -> task.get("result"))
                        .findFirst()
                        .orElseThrow();
    }

    private ProcessRun starling(int host, String... words) throws Exception {
        return ProcessRun.of(
                hosts().starling(host, FLAGS, words),
                folder,
                Map.of("PATH", System.getenv("PATH")));
    }
}
