package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/** A jar's whole life on a cluster of processes, through the commands. */
@Tag("slow")
@Timeout(400)
final class UserJarProcessTest {
    private static final long VERTICES = 1000;

    /** Supersteps take so long at least, so that the kills come in their middle. */
    private static final long PAUSE_MILLIS = 20;

    private static final String HOG =
            """
            package my;
            import java.util.Map;
            import org.starling.graph.*;
            public final class Hog implements Task {
                @Override public TaskSignature signature() { return TaskSignature.of("my.hog", "Eats."); }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    context.graphs().build("h", "my.ring", Parameters.of("vertices", 8), BuildOptions.UNDIRECTED);
                    context.graphs().run("h", "my.hog", Parameters.NONE);
                    return new TaskResult();
                }
                public static final class Provider implements ProgramProvider {
                    @Override public Map<String, ProgramFactory> programs() {
                        return Map.of("my.hog", parameters -> new Program());
                    }
                }
                private static final class Program implements VertexProgram {
                    @Override public void declare(Declaration graph) {}
                    @Override public void start(Vertex v) {
                        if (v.id() == 0 && new long[Integer.MAX_VALUE - 8].length == 0) {
                            throw new AssertionError();
                        }
                    }
                    @Override public void compute(Vertex v) {}
                }
            }
            """;

    @TempDir Path folder;
    private RealCluster cluster;
    private String err = "";

    @BeforeEach
    void start() throws IOException {
        cluster = RealCluster.start(folder, 1, 4);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void outlivesColdStartsAndLossesAndGoesOnlyWhenNobodyNeedsIt() throws IOException {
        Path jar = RingJar.build(folder.resolve("ring.jar"), "processes");
        String digest = JarInspection.digest(jar);
        Files.writeString(folder.resolve("small.json"), RingJar.script(100));
        Map<?, ?> first = succeed("submit", "small.json", "--jar", "ring.jar");
        assertAnswer(first, 100, digest);
        assertThat(err).contains("bringing ring.jar");
        succeed("submit", "small.json", "--jar", "ring.jar");
        assertThat(err).doesNotContain("bringing");

        cluster.processes().stop();
        cluster.startAgain();

        assertThat(JsonText.write(succeed("jars", "list"))).contains(digest, "ring.jar");
        long id = submit(digest, RingJar.script(VERTICES, PAUSE_MILLIS));
        cluster.await(cluster.job(id, job -> job.status() == Status.RUNNING));
        LockSupport.parkNanos(2_000_000_000);
        killAndRestart(cluster.slave().name());
        assertThat(run(ExitCode.BAD_INPUT, "jars", "remove", digest).get("error"))
                .asString()
                .contains("job " + id, "needs the jar");
        killAndRestart(cluster.process(cluster.client().status().master()).name());

        Map<?, ?> report = cluster.awaitEnd(id, Status.SUCCEEDED);
        assertAnswer(report, VERTICES, digest);
        assertThat((Long) report.get("recoveries")).isGreaterThanOrEqualTo(2);

        replacesThePeerWhoseHeapIsFull();

        succeed("jars", "remove", digest);
        assertThat(cluster.client().jars().list()).hasSize(1);
        assertThat(run(ExitCode.BAD_INPUT, "jars", "remove", digest).get("error"))
                .asString()
                .contains("the cluster has no jar " + digest);
    }

    /** What it asks for is more than any heap has. */
    private void replacesThePeerWhoseHeapIsFull() throws IOException {
        RingJar.builder()
                .source("my.Hog", HOG)
                .service(Task.class, "my.FindDistances", "my.Hog")
                .service(ProgramProvider.class, "my.Distances", "my.Hog$Provider")
                .build(folder.resolve("hog.jar"));
        Files.writeString(folder.resolve("hog.json"), "{\"tasks\": [{\"task\": \"my.hog\"}]}");
        cluster.await(this::isWhole);
        List<Long> before = pids();

        Map<?, ?> failed = run(ExitCode.JOB_FAILED, "submit", "hog.json", "--jar", "hog.jar");

        assertThat(failed.get("error")).asString().contains("OutOfMemoryError");
        cluster.await(() -> pids().stream().filter(pid -> !before.contains(pid)).count() == 1);
        cluster.await(() -> !pids().contains(0L));
        assertAnswer(
                succeed("submit", "small.json", "--jar", "ring.jar"),
                100,
                JarInspection.digest(folder.resolve("ring.jar")));
    }

    /** With too few peers nothing could be written with durability. */
    private void killAndRestart(String name) {
        cluster.processes().kill(name);
        cluster.processes().restart(name);
        cluster.await(this::isWhole);
    }

    private boolean isWhole() {
        ClusterView view = cluster.client().status();
        return view.nodes().size() == 5 && view.allReplicated();
    }

    private List<Long> pids() {
        return cluster.processes().processes().stream().map(ClusterProcess::pid).toList();
    }

    private long submit(String digest, String script) {
        JobRequest request =
                new JobRequest("long", script, Map.of(), false, folder).withJars(List.of(digest));
        return cluster.client().submit(request, 4711);
    }

    private static void assertAnswer(Map<?, ?> report, long vertices, String digest) {
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        Map<?, ?> result = (Map<?, ?>) ((Map<?, ?>) tasks.getFirst()).get("result");
        assertThat(result).isNotNull();
        assertThat(result.get("states")).isEqualTo(RingJar.sum(vertices));
        assertThat(report.get("jars")).isEqualTo(List.of(digest));
    }

    private Map<?, ?> succeed(String... words) {
        return run(ExitCode.DONE, words);
    }

    private Map<?, ?> run(ExitCode expected, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--data", "cluster", "--json"));
        Screen screen = new Screen();
        ExitCode code =
                Commands.all()
                        .run(
                                all.toArray(String[]::new),
                                screen.terminal(folder),
                                new Interruption());
        err = screen.err();
        assertThat(code).as(err).isEqualTo(expected);
        return (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
    }
}
