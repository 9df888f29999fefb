package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.GraphDetail;
import org.starling.compute.cluster.GraphView;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.InvalidScriptException;
import org.starling.graph.InvalidInputException;

/**
 * A graph that stays in a cluster of real processes: through jobs, a cold start, and the loss of a
 * slave and of the master in the middle of a job.
 */
@Tag("slow")
@Timeout(300)
final class KeptGraphProcessTest {
    private static final String LOAD =
            """
            {"name": "load", "tasks": [
              {"task": "graph.generate", "graph": "web", "generator": "kronecker", "scale": 13, "keep": true},
              {"task": "graph.bfs", "graph": "web", "source": 1},
              {"task": "graph.pagerank", "graph": "web", "iterations": 60},
              {"task": "graph.publish", "graph": "web", "state": "pagerank", "as": "rank"},
              {"task": "graph.write", "graph": "web", "state": "level", "file": "levels-0.txt"},
              {"task": "graph.write", "graph": "web", "state": "pagerank", "file": "ranks-0.txt"}]}
            """;
    private static final String USE =
            """
            {"name": "use", "tasks": [
              {"task": "graph.bfs", "graph": "web", "source": 1},
              {"task": "graph.pagerank", "graph": "web", "iterations": 60},
              {"task": "graph.write", "graph": "web", "state": "rank", "file": "kept-%1$d.txt"},
              {"task": "graph.write", "graph": "web", "state": "level", "file": "levels-%1$d.txt"},
              {"task": "graph.write", "graph": "web", "state": "pagerank", "file": "ranks-%1$d.txt"}]}
            """;

    /** Uses the graph, then waits for its cancel. */
    private static final String WAIT =
            """
            {"name": "wait", "tasks": [
              {"task": "graph.degrees", "graph": "web"},
              {"task": "test.obey", "order": "wait", "file": "begun"}]}
            """;

    private static final String KEEP_AGAIN =
            """
            {"tasks": [{"task": "graph.generate", "graph": "web", "generator": "grid", "scale": 4, "keep": true}]}
            """;

    @TempDir Path folder;

    @Test
    void servesJobsThroughAColdStartAndLosses() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, 5)) {
            cluster.awaitEnd(cluster.submit(LOAD), Status.SUCCEEDED);
            assertThatThrownBy(() -> cluster.submit(KEEP_AGAIN))
                    .isInstanceOf(InvalidScriptException.class)
                    .hasMessageContaining("\"web\" already exists");
            assertThatThrownBy(() -> cluster.submit(USE.formatted(1).replace("web", "wep")))
                    .isInstanceOf(InvalidScriptException.class)
                    .hasMessageContaining("did you mean \"web\"?");
            refusesToDropWhatAJobUses(cluster);
            letsOneOfTwoCopiersWin(cluster);

            cluster.processes().stop();
            cluster.startAgain();

            cluster.awaitEnd(cluster.submit(USE.formatted(1)), Status.SUCCEEDED);
            requireEqualResults(1);
            GraphDetail web = cluster.client().graph("web").orElseThrow();
            assertThat(web.graph().columns())
                    .containsExactly(new GraphView.Column("rank", "double", "vertex"));
            assertThat(web.peers().stream().mapToLong(GraphDetail.Share::vertices).sum())
                    .isEqualTo(web.graph().vertices());

            goesOnWithoutASlaveAndTheMaster(cluster);
            cluster.client().dropGraph("web");
            cluster.client().dropGraph("copy");
            assertThat(cluster.client().graphs()).isEmpty();
        }
    }

    private void refusesToDropWhatAJobUses(RealCluster cluster) {
        ClusterClient client = cluster.client();
        long waiting = cluster.submit(WAIT);
        cluster.await(() -> Files.exists(folder.resolve("begun")));

        assertThat(client.graph("web").orElseThrow().jobs()).containsExactly(waiting);
        assertThatThrownBy(() -> client.dropGraph("web"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("job %d (wait) uses it", waiting);
        assertThatThrownBy(() -> client.renameGraph("web", "net"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("job %d", waiting);

        client.cancel(waiting);
        cluster.awaitEnd(waiting, Status.CANCELLED);
        client.renameGraph("web", "net");
        client.renameGraph("net", "web");
    }

    private static void letsOneOfTwoCopiersWin(RealCluster cluster) throws Exception {
        Callable<String> copy =
                () -> {
                    try {
                        cluster.client().copyGraph("web", "copy");
                        return "won";
                    } catch (InvalidInputException late) {
                        return String.valueOf(late.getMessage());
                    }
                };
        try (var threads = Executors.newFixedThreadPool(2)) {
            List<Future<String>> copies = List.of(threads.submit(copy), threads.submit(copy));
            assertThat(List.of(copies.get(0).get(), copies.get(1).get()))
                    .containsExactlyInAnyOrder(
                            "won",
                            "graph \"copy\" is kept already; drop it first or take another name");
        }
    }

    private void goesOnWithoutASlaveAndTheMaster(RealCluster cluster) throws IOException {
        long id = cluster.submit(USE.formatted(2));
        cluster.await(() -> cluster.client().graph("web").orElseThrow().jobs().contains(id));
        cluster.processes().kill(cluster.slave().name());
        int master = cluster.client().status().master();
        cluster.processes().kill(cluster.process(master).name());

        Map<?, ?> report = cluster.awaitEnd(id, Status.SUCCEEDED);

        assertThat((Long) Objects.requireNonNull(report.get("recoveries"))).isPositive();
        requireEqualResults(2);
        cluster.await(() -> cluster.client().graph("web").orElseThrow().jobs().isEmpty());
    }

    private void requireEqualResults(int run) {
        Path levels = folder.resolve("levels-0.txt");
        Path ranks = folder.resolve("ranks-0.txt");
        assertThat(folder.resolve("levels-%d.txt".formatted(run))).hasSameTextualContentAs(levels);
        assertThat(folder.resolve("ranks-%d.txt".formatted(run))).hasSameTextualContentAs(ranks);
        assertThat(folder.resolve("kept-%d.txt".formatted(run))).hasSameTextualContentAs(ranks);
    }
}
