package org.starling.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;
import org.starling.graph.Task;

/** The example's program on the engine, with two peers in this process. */
final class FriendshipParadoxTest {
    private static final Path CLUB = Path.of("scripts/karate.graph").toAbsolutePath();

    private static ComputeCluster cluster;

    @TempDir Path folder;

    @BeforeAll
    static void startCluster() {
        cluster = ComputeCluster.start(ClusterOptions.of(2, false));
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void holdsInZacharysClub() throws IOException {
        GraphSession session = cluster.session(JobListener.SILENT);
        session.build(
                "club", "metis", Parameters.of("file", CLUB.toString()), BuildOptions.UNDIRECTED);

        Map<String, Object> result = run(session, "club");

        assertThat(result).containsEntry("friends", 78 * 2 / 34.0).containsEntry("holds", true);
        assertThat((Double) result.get("friendsOfFriends"))
                .isCloseTo(9.6102100153787, within(1e-9));
        assertThat(state(session, "club", 1)).isCloseTo(4.3125, within(1e-12));
        assertThat(state(session, "club", 34)).isCloseTo(65 / 17.0, within(1e-12));
        session.drop("club");
    }

    @Test
    void doesNotHoldWhereAllHaveEquallyMany() throws IOException {
        GraphSession session = cluster.session(JobListener.SILENT);
        Path file = Files.writeString(folder.resolve("ring"), "1 2\n2 3\n3 4\n4 1\n");
        session.build(
                "ring",
                "edgelist",
                Parameters.of("file", file.toString()),
                BuildOptions.UNDIRECTED);

        assertThat(run(session, "ring"))
                .isEqualTo(Map.of("friends", 2.0, "friendsOfFriends", 2.0, "holds", false));
        session.drop("ring");
    }

    @Test
    void refusesOneSidedFriendship() throws IOException {
        GraphSession session = cluster.session(JobListener.SILENT);
        Path file = Files.writeString(folder.resolve("fans"), "1 2\n2 3\n");
        session.build(
                "fans", "edgelist", Parameters.of("file", file.toString()), BuildOptions.DIRECTED);

        assertThatThrownBy(() -> run(session, "fans"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("friendship goes both ways");
        session.drop("fans");
    }

    private static Map<String, Object> run(GraphSession session, String graph) throws IOException {
        Task task = new FriendshipParadox();
        return task.run(new GraphsOnly(session), Parameters.of("graph", graph)).asMap();
    }

    private static double state(GraphSession session, String graph, long id) {
        try (StateCursor cursor = session.read(graph, "friendsOfFriends")) {
            while (cursor.next()) {
                if (cursor.id() == id) {
                    return cursor.asDouble();
                }
            }
        }
        throw new AssertionError("no vertex " + id);
    }
}
