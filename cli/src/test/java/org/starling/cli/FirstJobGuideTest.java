package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.script.JobRequest;

/** The commands of docs/guide/first-job.md, word by word, and what becomes of their jar. */
final class FirstJobGuideTest {
    private static final int MOST_COMMANDS = 10;
    private static final long MINUTES = 9;

    /** As many supersteps, so that somebody can be killed in their middle. */
    private static final int ROAD = 2500;

    private static final String LOAD =
            """
            {"tasks": [{"task": "graph.load", "graph": "roads", "file": "road.edges", "keep": true}]}
            """;

    @SuppressWarnings("InlineFormatString") // a script, easier to read apart
    private static final String USE =
            """
            {"tasks": [
              {"task": "myjob.farthest", "graph": "roads", "source": 1},
              {"task": "graph.write", "graph": "roads", "state": "distance", "file": "%s.txt"}]}
            """;

    @TempDir Path folder;

    @Test
    void hasTenCommandsAtMost() throws IOException {
        assertThat(new GuideRun("first-job.md", folder).commands())
                .hasSizeBetween(5, MOST_COMMANDS)
                .first()
                .asString()
                .contains("PATH");
    }

    /**
     * Maven asks no other repository, and gets what is installed from one of the test's own, which
     * shows all the rest of the usual one.
     */
    @Test
    @Tag("slow")
    @Timeout(value = MINUTES + 5, unit = TimeUnit.MINUTES)
    void leadsFromAnEmptyFolderToAJarThatServesAClusterThroughLosses() throws Exception {
        GuideRun guide = new GuideRun("first-job.md", folder);
        Path repository = repository();
        guide.tool(
                "mvn",
                "exec %s -o -q -B -Dmaven.repo.local=%s \"$@\"".formatted(maven(), repository));
        guide.launcher(
                "[[ \"$1\" != install ]] || set -- install --repository '%s'"
                        .formatted(repository));

        guide.follow(MINUTES);

        Path project = guide.work().resolve("my-job");
        assertThat(project.resolve("scripts/distances.txt"))
                .hasContent("1 0.0\n2 0.5\n3 1.5\n4 3.5\n5 3.75");
        servesAClusterThroughLosses(project.resolve("target/my-job.jar"));
    }

    /** The graph was loaded the day before. */
    private void servesAClusterThroughLosses(Path jar) throws Exception {
        Path files = Files.createDirectory(folder.resolve("files"));
        StringBuilder road = new StringBuilder();
        for (int place = 1; place < ROAD; place++) {
            road.append("%d %d %s\n".formatted(place, place + 1, 0.25 * (place % 3 + 1)));
        }
        Files.writeString(files.resolve("road.edges"), road);
        try (RealCluster cluster = RealCluster.start(files, 3, 4)) {
            cluster.awaitEnd(cluster.submit(LOAD), Status.SUCCEEDED);
            cluster.processes().stop();
            cluster.startAgain();
            String digest = JarInspection.digest(jar);
            cluster.client().jars().bring(digest, "my-job.jar", jar);

            Map<?, ?> undisturbed =
                    cluster.awaitEnd(
                            submit(cluster, digest, "undisturbed", files), Status.SUCCEEDED);
            long id = submit(cluster, digest, "disturbed", files);
            awaitTheMiddle(cluster, id);
            cluster.processes().kill(cluster.slave().name());
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            awaitTheMiddle(cluster, id);
            cluster.processes().kill(cluster.process(cluster.client().status().master()).name());
            Map<?, ?> disturbed = cluster.awaitEnd(id, Status.SUCCEEDED);

            assertThat((Long) disturbed.get("recoveries")).isGreaterThanOrEqualTo(2);
            assertThat(farthest(disturbed))
                    .isEqualTo(farthest(undisturbed))
                    .containsEntry("reached", (long) ROAD)
                    .containsEntry("farthest", (long) ROAD);
            assertThat(files.resolve("disturbed.txt"))
                    .hasSameTextualContentAs(files.resolve("undisturbed.txt"));
        }
    }

    private static long submit(RealCluster cluster, String digest, String name, Path files) {
        JobRequest request =
                new JobRequest(name, USE.formatted(name), Map.of(), false, files)
                        .withJars(List.of(digest));
        return cluster.client().submit(request, name.hashCode());
    }

    private static void awaitTheMiddle(RealCluster cluster, long id) {
        cluster.await(
                cluster.job(
                        id,
                        job ->
                                job.status() == Status.RUNNING
                                        && job.progress() != null
                                        && String.valueOf(job.progress()).contains("myjob.farthest")
                                        && job.progress().superstep() > ROAD / 20));
    }

    private static Map<Object, Object> farthest(Map<?, ?> report) {
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        Map<?, ?> first = (Map<?, ?>) tasks.getFirst();
        return Map.copyOf((Map<?, ?>) Objects.requireNonNull(first.get("result")));
    }

    /** A repository in which links stand for everything but Starling. */
    private Path repository() throws IOException {
        Path usual = Path.of(System.getProperty("user.home"), ".m2", "repository");
        Path repository = Files.createDirectories(folder.resolve("repository"));
        Files.createDirectory(repository.resolve("org"));
        for (String level : List.of("", "org")) {
            List<Path> entries = new ArrayList<>();
            try (Stream<Path> files = Files.list(usual.resolve(level))) {
                files.forEach(entries::add);
            }
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!name.equals(level.isEmpty() ? "org" : "starling")) {
                    Files.createSymbolicLink(repository.resolve(level).resolve(name), entry);
                }
            }
        }
        return repository;
    }

    private static String maven() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getenv("PATH"))
                .map(place -> Path.of(place, "mvn"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow()
                .toString();
    }
}
