package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Nodes that are started by hand on one host, over IPv6 with TLS, peers on ports that are free. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class Ipv6NodesTest {
    private static final List<String> FLAGS =
            List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx256m");

    private static final String SCRIPT =
            """
            {"tasks": [{"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 10},
                       {"task": "graph.bfs", "graph": "g", "source": 1, "verify": true}]}
            """;

    @TempDir Path folder;
    private final List<Process> nodes = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process node : nodes) {
            node.destroyForcibly().waitFor();
        }
    }

    @Test
    void findEachOtherAndRunAJob() throws Exception {
        assumeTrue(hasIpv6(), "this machine has no IPv6");
        int port = FreePorts.base();
        assertThat(starling("keys", "init", "keys").exitCode()).isZero();
        assertThat(starling("keys", "issue", "keys", "--for", "::1").exitCode()).isZero();
        Path issued = folder.resolve("keys/::1");
        assertThat(issued).isDirectory();
        start(
                "one",
                port,
                "--role",
                "superpeer",
                "--port",
                "" + port,
                "--rest-port",
                "" + (port + 90));
        awaitLine("one", "at [0:0:0:0:0:0:0:1]:" + port);
        start("two", port, "--port", "%d-%d".formatted(port, port + 10));
        awaitLine("two", "peer is node 1");
        start("three", port, "--port", "0");
        awaitLine("three", "peer is node 2");

        ProcessRun run =
                starling(
                        "submit",
                        Files.writeString(folder.resolve("s.json"), SCRIPT).toString(),
                        "--cluster",
                        "https://[::1]:" + (port + 90),
                        "--token",
                        "keys/token");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("succeeded", "2 peers");
    }

    private static boolean hasIpv6() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
            return true;
        } catch (IOException none) {
            return false;
        }
    }

    private void start(String name, int port, String... more) throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--seeds",
                                "[::1]:" + port,
                                "--listen",
                                "::1",
                                "--keys",
                                "keys/::1",
                                "--data",
                                name,
                                "--memory",
                                "128MiB",
                                "--threads",
                                "1"));
        words.addAll(List.of(more));
        nodes.add(
                new ProcessBuilder(JavaCommand.of(Main.class, FLAGS, words))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(name + ".log").toFile())
                        .start());
    }

    private void awaitLine(String name, String text) throws IOException {
        Path log = folder.resolve(name + ".log");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!Files.readString(log).contains(text)) {
            assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private ProcessRun starling(String... words) throws Exception {
        return ProcessRun.of(
                JavaCommand.of(Main.class, FLAGS, List.of(words)),
                folder,
                Map.of("PATH", System.getenv("PATH")));
    }
}
