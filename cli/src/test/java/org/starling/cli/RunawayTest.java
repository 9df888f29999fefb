package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.JobView.Status;

/** Endless loops in code of users, on clusters of real processes. */
@Timeout(120)
final class RunawayTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    @SuppressWarnings("InlineFormatString") // a script, easier to read apart
    private static final String RUNAWAY =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 8},
              {"task": "test.run-away", "graph": "g", "place": "%s", "file": "begun"}]}
            """;

    private static final String NEXT =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 8},
              {"task": "graph.wcc", "graph": "g"}]}
            """;

    @TempDir Path folder;

    @Tag("slow")
    @Test
    void replacesTheSlaveThatDoesNotStop() throws IOException {
        endsInTimeAndGoesOnWithTheNextJob("compute");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"task", "master"})
    void replacesTheMasterThatDoesNotStop(String place) throws IOException {
        endsInTimeAndGoesOnWithTheNextJob(place);
    }

    private void endsInTimeAndGoesOnWithTheNextJob(String place) throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 3)) {
            List<Long> before = pids(cluster);
            long id = cluster.submit(RUNAWAY.formatted(place));
            cluster.await(() -> Files.exists(folder.resolve("begun")));

            long begin = System.nanoTime();
            assertThat(cluster.client().cancel(id)).isTrue();
            Map<?, ?> report = cluster.awaitEnd(id, Status.CANCELLED);
            assertThat(System.nanoTime() - begin).isLessThan(BOUND.toNanos());

            assertThat(report.get("status")).isEqualTo("cancelled");
            assertThat(String.valueOf(report.get("error")))
                    .startsWith("the job was cancelled; ")
                    .contains("does not stop", " is replaced");
            cluster.awaitEnd(cluster.submit(NEXT), Status.SUCCEEDED);
            cluster.await(() -> pids(cluster).stream().allMatch(pid -> pid != 0));
            assertThat(pids(cluster))
                    .hasSize(4)
                    .filteredOn(pid -> !before.contains(pid))
                    .hasSize(1);
        }
    }

    @Test
    @Tag("slow")
    void leavesNoSuccessorBehindThatNobodyKnowsWhenItIsStoppedMeanwhile() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 2)) {
            long id = cluster.submit(RUNAWAY.formatted("compute"));
            cluster.await(() -> Files.exists(folder.resolve("begun")));
            cluster.client().cancel(id);
            String error = String.valueOf(cluster.awaitEnd(id, Status.CANCELLED).get("error"));
            Matcher node = Pattern.compile("does not stop on node (\\d+)").matcher(error);
            assertThat(node.find()).as(error).isTrue();
            String peer = cluster.process(Integer.parseInt(node.group(1))).name();

            cluster.await(() -> {
                cluster.processes().stop(peer); // refused while the successor is being noted
                return true;
            });

            String data = "data=" + cluster.processes().data(peer) + "\0";
            assertThat(ProcessHandle.allProcesses().filter(process -> says(process, data)))
                    .isEmpty();
        }
    }

    private static boolean says(ProcessHandle process, String argument) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .contains(argument);
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<Long> pids(RealCluster cluster) {
        return cluster.processes().processes().stream().map(ClusterProcess::pid).toList();
    }
}
