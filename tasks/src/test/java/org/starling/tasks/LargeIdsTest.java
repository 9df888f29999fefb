package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Ids on both sides of 2^63, where a signed number turns negative: they stay what they are. */
final class LargeIdsTest {
    private static final String HALF = "9223372036854775808";
    private static final String LAST = "18446744073709551615";
    private static final BigInteger HALF_ID = new BigInteger(HALF);
    private static final BigInteger LAST_ID = new BigInteger(LAST);

    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    /** A triangle of 5, 2^63 and 2^64 - 1 with a tail from the last one to 7. */
    @BeforeEach
    void loadTriangleWithTail() throws IOException {
        String edges = String.join("\n", "5 " + HALF, HALF + " " + LAST, LAST + " 5", LAST + " 7");
        Files.writeString(folder.resolve("edges"), edges + "\n");
        run("graph.load", Map.of("file", "edges", "format", "edgelist"));
    }

    @AfterEach
    void dropIt() throws IOException {
        run("graph.drop", Map.of());
    }

    @Test
    void standInResultsInAscendingOrder() throws IOException {
        assertThat(run("graph.maximumClique", Map.of("verify", true)))
                .containsEntry("members", List.of(5L, HALF_ID, LAST_ID));
        assertThat(run("graph.betweenness", Map.of("top", 1, "verify", true)))
                .containsEntry("top", List.of(List.of(LAST_ID, 2.0)));
        assertThat(run("graph.pagerank", Map.of("top", 1)).toString()).contains("[[" + LAST);
        Map<String, Object> common =
                run(
                        "graph.commonSubstructure",
                        Map.of("graphs", List.of("g", "g"), "connected", true, "verify", true));
        assertThat(common).containsEntry("size", 4L);
        assertThat(String.valueOf(common.get("pairs"))).contains(HALF, LAST).doesNotContain("-");
    }

    @Test
    void areFoundAsSources() throws IOException {
        for (long id : new long[] {5, 7, HALF_ID.longValue(), LAST_ID.longValue()}) {
            Map<String, Object> hops = Map.of("source", id, "verify", true);
            Map<String, Object> paths = Map.of("source", id, "state", "d", "verify", true);

            assertThat(run("graph.bfs", hops)).containsEntry("reached", 4L);
            assertThat(run("graph.sssp", paths))
                    .containsEntry("reached", 4L)
                    .containsEntry("source", id < 0 ? new BigInteger(bits(id)) : id);
        }
    }

    @Test
    void areWrittenToFilesInAscendingOrder() throws IOException {
        run("graph.cliques", Map.of("minimumSize", 3, "file", "cliques", "verify", true));
        run("graph.walk", Map.of("length", 3, "file", "walks", "verify", true));

        assertThat(Files.readAllLines(folder.resolve("cliques")))
                .containsExactly("5 " + HALF + " " + LAST);
        assertThat(Files.readAllLines(folder.resolve("walks")))
                .hasSize(4)
                .noneMatch(line -> line.contains("-"));
    }

    @Test
    void standInMessages() throws IOException {
        assertThatThrownBy(() -> run("graph.bfs", Map.of("source", -2L, "verify", false)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no vertex 18446744073709551614");
        assertThatThrownBy(() -> run("graph.betweenness", Map.of("sources", List.of(-1L, -1L))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("found [" + LAST + ", " + LAST + "]");
    }

    private static String bits(long id) {
        return Long.toUnsignedString(id);
    }

    private Map<String, Object> run(String task, Map<String, ?> arguments) throws IOException {
        Parameters parameters = Parameters.of("graph", "g");
        for (Argument argument : TasksTest.task(task).signature().arguments()) {
            if (argument.otherwise() != null) {
                parameters = parameters.with(argument.name(), argument.otherwise());
            }
        }
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            parameters = parameters.with(argument.getKey(), argument.getValue());
        }
        return TasksTest.task(task)
                .run(new FolderContext(PEERS.session(), folder), parameters)
                .asMap();
    }
}
