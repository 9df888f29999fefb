package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JobActivity;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;

/**
 * Runs every command and script of the guide's page about queries on a cluster of real processes;
 * then asks while a PageRank runs and while a slave is lost in it.
 */
@Tag("slow")
@Timeout(300)
final class QueriesGuideProcessTest {
    private static final Pattern BLOCK =
            Pattern.compile("```(json|console) ?(\\S*)\\n(.*?)\\n```", Pattern.DOTALL);
    private static final String COMMAND = "$ starling ";
    private static final String RANK =
            """
            {"tasks": [{"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 12},
                       {"task": "graph.pagerank", "graph": "g", "iterations": 1000000}]}
            """;

    @TempDir Path folder;

    private record Answers(Neighbours neighbours, VertexValue value, VertexPath path) {}

    @Test
    void answersWhatTheGuideAsksAndGoesOnWhileAJobRunsAndASlaveIsLost() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 4)) {
            runGuide(cluster);
            Answers alone = ask(cluster);
            long rank = cluster.submit(RANK);
            cluster.await(
                    cluster.job(
                            rank,
                            job -> {
                                JobActivity now = job.progress();
                                return now != null && now.name().equals("graph.pagerank");
                            }));

            for (int i = 0; i < 20; i++) {
                assertThat(ask(cluster)).as("while a PageRank runs").isEqualTo(alone);
            }
            cluster.processes().kill(cluster.slave().name());
            for (int i = 0; i < 20; i++) {
                assertThat(ask(cluster)).as("behind the loss of a slave").isEqualTo(alone);
            }

            cluster.client().cancel(rank);
            cluster.awaitEnd(rank, Status.CANCELLED);
            cluster.client().dropGraph("web");
            assertThatThrownBy(() -> ask(cluster))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("no graph \"web\" is kept; none is at all");
        }
    }

    private void runGuide(RealCluster cluster) throws IOException {
        String page = Files.readString(Checkout.root().resolve("docs/guide/queries.md"));
        List<String> commands = new ArrayList<>();
        for (var block : BLOCK.matcher(page).results().toList()) {
            String text = block.group(3);
            if (block.group(1).equals("console")) {
                text.lines()
                        .filter(line -> line.startsWith(COMMAND))
                        .forEach(line -> commands.add(line.substring(COMMAND.length())));
            } else if (!block.group(2).isEmpty()) {
                Files.writeString(folder.resolve(block.group(2)), text);
            } else if (text.contains("\"tasks\"")) {
                Files.writeString(folder.resolve("script.json"), text);
                commands.add("submit script.json");
            }
        }
        assertThat(commands).hasSizeGreaterThanOrEqualTo(8);
        for (String command : commands) {
            Screen screen = new Screen();
            String data = cluster.processes().plan().folder().toString();
            ExitCode code =
                    Commands.all()
                            .run(
                                    (command + " --data " + data).split(" "),
                                    screen.terminal(folder),
                                    new Interruption());

            assertThat(code).as(command + "\n" + screen.err()).isEqualTo(ExitCode.DONE);
            assertThat(screen.out()).as(command).isNotEmpty();
        }
    }

    private static Answers ask(RealCluster cluster) {
        GraphQueries queries = cluster.client().queries();
        VertexPath path = queries.path("web", 1, 5, 1000, Duration.ofSeconds(10));
        assertThat(path.isFound()).isTrue();
        return new Answers(
                queries.neighbours("web", 1, EdgeDirection.OUTGOING, 0, 1000),
                queries.value("web", "rank", 1),
                path);
    }
}
