package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A superpeer and two peers on hosts that share no folder: each sees one of its own at the place
 * that scripts may use. Skipped where no hosts can be made.
 */
@Tag("slow")
@Timeout(300)
final class SentAcrossHostsTest {
    private static final int PEERS = 2;
    private static final List<String> FLAGS = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1");
    private static final int STORE = 100;
    private static final int VERTICES = 200_000;

    private static final String SCRIPT =
            """
            {"name": "sent", "tasks": [
              {"task": "graph.load", "graph": "ring", "file": "edges.txt"},
              {"task": "graph.pagerank", "graph": "ring", "iterations": 3},
              {"task": "graph.write", "graph": "ring", "state": "pagerank", "file": "ranks.txt"}]}
            """;

    @TempDir Path folder;
    private final Map<Integer, Process> processes = new LinkedHashMap<>();
    private @Nullable Hosts made;

    @BeforeEach
    void open() throws IOException {
        made = Hosts.open(1 + PEERS, 1);
    }

    @AfterEach
    void close() throws Exception {
        for (Process process : processes.values()) {
            process.destroyForcibly().waitFor();
        }
        hosts().close();
    }

    @Test
    void areCopiedFromHostToHostAndAreGoneWithTheJob() throws Exception {
        Files.createDirectory(folder.resolve("work"));
        Files.createDirectory(folder.resolve("home"));
        Files.writeString(folder.resolve("home/s.json"), SCRIPT);
        Files.writeString(
                folder.resolve("home/edges.txt"),
                IntStream.range(0, VERTICES)
                        .mapToObj(v -> v + " " + (v + 1) % VERTICES + "\n")
                        .collect(Collectors.joining()));
        for (int host = 0; host <= PEERS; host++) {
            Files.createDirectory(own(host));
        }
        startAll();

        ProcessRun run =
                starling(
                        "submit",
                        "s.json",
                        "--send",
                        "edges.txt",
                        "--fetch",
                        "out",
                        "--cluster",
                        "http://host-0:7500",
                        "--token",
                        "../keys/token");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("home/out/ranks.txt"))).hasSize(VERTICES);
        for (int peer = 1; peer <= PEERS; peer++) {
            assertThat(log(peer)).contains("edges.txt came from node");
        }
        for (int host = 0; host <= PEERS; host++) {
            Path uploads = own(host).resolve(".starling/uploads");
            awaitEmpty(uploads);
        }
        assertThat(folder.resolve("work")).isEmptyDirectory();
    }

    @Test
    void areFetchedFromAnObjectStoreByOneAndCopiedByTheOthers() throws Exception {
        Files.createDirectory(folder.resolve("work"));
        Path in = Files.createDirectories(folder.resolve("store/graphs/in"));
        Files.createDirectory(folder.resolve("home"));
        Files.writeString(
                folder.resolve("home/s.json"),
                SCRIPT.replace("\"file\": \"edges.txt\"", "\"edges\": \"s3://graphs/in/\"")
                        .replace("\"ranks.txt\"", "\"s3://graphs/out/ranks.txt\""));
        for (int part = 0; part < 2; part++) {
            int half = VERTICES / 2;
            Files.writeString(
                    in.resolve("part-" + part + ".txt"),
                    IntStream.range(part * half, (part + 1) * half)
                            .mapToObj(v -> v + " " + (v + 1) % VERTICES + "\n")
                            .collect(Collectors.joining()));
        }
        for (int host = 0; host <= PEERS; host++) {
            Files.createDirectory(own(host));
        }
        startStore();
        startAll();

        ProcessRun run =
                starling(
                        "submit",
                        "s.json",
                        "--fetch",
                        "out",
                        "--cluster",
                        "http://host-0:7500",
                        "--token",
                        "../keys/token");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("s3://graphs/out/ranks.txt");
        assertThat(Files.readAllLines(folder.resolve("store/graphs/out/ranks.txt")))
                .hasSize(VERTICES);
        assertThat(log(1) + log(2)).contains("part-0.txt came from node");
        for (int host = 0; host <= PEERS; host++) {
            assertThat(log(host)).doesNotContain(FolderObjects.SECRET, FolderObjects.ACCOUNT);
            Path inputs = own(host).resolve(".starling/inputs");
            if (Files.exists(inputs)) {
                awaitEmpty(inputs);
            }
        }
    }

    private void startStore() throws IOException {
        List<String> command = new ArrayList<>(hosts().starling(0, FLAGS));
        command.removeLast();
        command.addAll(
                List.of(
                        FolderObjects.class.getName(),
                        hosts().address(0),
                        "9000",
                        folder.resolve("store").toString()));
        processes.put(
                STORE,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(STORE + ".log").toFile())
                        .start());
        awaitLine(STORE, "serves");
    }

    private static void awaitEmpty(Path uploads) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try (var left = Files.list(uploads)) {
                List<Path> there = left.toList();
                if (there.isEmpty()) {
                    return;
                }
                assertThat(System.nanoTime()).as("%s", there).isLessThan(deadline);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private void startAll() throws Exception {
        assertThat(starling("keys", "init", "../keys").exitCode()).isZero();
        for (int host = 0; host <= PEERS; host++) {
            start(host);
            awaitLine(host, host == 0 ? "superpeer-0 is node 0" : "peer is node");
        }
    }

    private Path own(int host) {
        return folder.resolve("work-" + host);
    }

    private void start(int host) throws IOException {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--seeds",
                                "host-0:7400",
                                "--superpeers",
                                "1",
                                "--listen",
                                hosts().address(host),
                                "--advertise",
                                hosts().name(host),
                                "--keys",
                                "keys",
                                "--data",
                                "data-" + host,
                                "--memory",
                                "128MiB",
                                "--threads",
                                "1",
                                "--insecure",
                                "--allow",
                                folder.resolve("work").toString(),
                                "--allow-url",
                                "s3+write://graphs"));
        if (host == 0) {
            words.addAll(List.of("--role", "superpeer"));
        }
        File log = folder.resolve(host + ".log").toFile();
        List<String> command =
                hosts().starling(
                                host,
                                folder.resolve("work"),
                                own(host),
                                FLAGS,
                                words.toArray(String[]::new));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment()
                .putAll(
                        Map.of(
                                "AWS_ACCESS_KEY_ID", FolderObjects.ACCOUNT,
                                "AWS_SECRET_ACCESS_KEY", FolderObjects.SECRET,
                                "AWS_ENDPOINT_URL", "http://host-0:9000"));
        processes.put(host, builder.start());
    }

    private void awaitLine(int host, String text) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!log(host).contains(text)) {
            assertThat(System.nanoTime()).as("%s", log(host)).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private String log(int host) throws IOException {
        Path file = folder.resolve(host + ".log");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** A command of somebody on the first host, in a folder that no node may use. */
    private ProcessRun starling(String... words) throws Exception {
        return ProcessRun.of(
                hosts().starling(0, FLAGS, words),
                folder.resolve("home"),
                Map.of("PATH", System.getenv("PATH")));
    }

    private Hosts hosts() {
        return Objects.requireNonNull(made);
    }
}
