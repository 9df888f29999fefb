package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JavaCommand;

/** A cluster of real processes whose only superpeer gets two others, dies, and is removed. */
@Tag("slow")
@Timeout(400)
final class MovedSuperpeerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    private static final String SCRIPT =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 8},
              {"task": "graph.wcc", "as": "cc", "graph": "g"}]}
            """;

    @TempDir Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void killAll() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void runsJobsWithoutItsFirstSuperpeer() throws Exception {
        Files.writeString(folder.resolve("s.json"), SCRIPT);
        int base = FreePorts.base();
        assertThat(starling("keys", "init", "keys").exitCode()).isZero();
        String first = "127.0.0.1:" + base;
        Process alpha = superpeer("alpha", base, base + 20, "");
        await("alpha");
        node("peer-1", base + 10, base + 90, "--seeds", first);
        node("peer-2", base + 11, base + 91, "--seeds", first);
        await("peer-1");
        await("peer-2");
        submit(base + 20);

        superpeer("beta", base + 1, base + 21, first);
        await("beta");
        superpeer("gamma", base + 2, base + 22, first);
        await("gamma");
        alpha.destroyForcibly().waitFor();
        String door = door(base + 21);
        awaitLeader(door);
        ProcessRun removed = cluster("remove", "0", door);

        assertThat(removed.err()).isEmpty();
        assertThat(removed.out()).contains("node 0 is removed");
        submit(base + 22);
        assertThat(cluster("status", "", door).out()).doesNotContain(first);
        ProcessRun last = cluster("remove", "0", door);
        assertThat(last.out()).contains("node 0 was removed before");
        Process back = superpeer("alpha", base, base + 20, first);
        assertThat(back.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(back.exitValue()).isNotZero();
        assertThat(log("alpha")).contains("superpeer 0 was removed from this cluster for good");
    }

    // what the test needs

    private Process superpeer(String name, int port, int restPort, String seeds)
            throws IOException {
        List<String> more =
                new ArrayList<>(List.of("--role", "superpeer", "--allow", folder.toString()));
        if (!seeds.isEmpty()) {
            more.addAll(List.of("--seeds", seeds));
        }
        return node(name, port, restPort, more.toArray(String[]::new));
    }

    private Process node(String name, int port, int restPort, String... more) throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--port",
                                String.valueOf(port),
                                "--rest-port",
                                String.valueOf(restPort),
                                "--keys",
                                "keys",
                                "--data",
                                "data-" + name,
                                "--memory",
                                "128MiB",
                                "--threads",
                                "1"));
        words.addAll(List.of(more));
        Process process =
                new ProcessBuilder(command(words))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve(name + ".log").toFile()))
                        .start();
        processes.add(process);
        return process;
    }

    private void await(String name) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!log(name).contains(" is node ")) {
            assertThat(System.nanoTime()).as("%s", log(name)).isLessThan(deadline);
            LockSupport.parkNanos(50_000_000);
        }
    }

    private void awaitLeader(String door) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (cluster("status", "", door).exitCode() != 0) {
            assertThat(System.nanoTime()).as("nobody leads").isLessThan(deadline);
        }
    }

    private String log(String name) throws IOException {
        Path file = folder.resolve(name + ".log");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private void submit(int restPort) throws Exception {
        ProcessRun run =
                starling("submit", "s.json", "--cluster", door(restPort), "--token", "keys/token");
        assertThat(run.exitCode()).as("%s%s", run.out(), run.err()).isZero();
    }

    private ProcessRun cluster(String verb, String node, String door) throws Exception {
        List<String> words = new ArrayList<>(List.of("cluster", verb));
        if (!node.isEmpty()) {
            words.add(node);
        }
        words.addAll(List.of("--cluster", door, "--token", "keys/token"));
        return starling(words.toArray(String[]::new));
    }

    private static String door(int restPort) {
        return "http://127.0.0.1:" + restPort;
    }

    private ProcessRun starling(String... words) throws Exception {
        return ProcessRun.of(command(List.of(words)), folder, Map.of("HOME", folder.toString()));
    }

    private static List<String> command(List<String> words) {
        return JavaCommand.of(
                Main.class, List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx384m"), words);
    }
}
