package org.starling.examples;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.testkit.GraphAssert.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.testkit.GraphResult;
import org.starling.testkit.TestGraph;
import org.starling.testkit.Trial;

/** The example's task and program, on one peer and on several. */
final class FriendshipParadoxTest {
    private static final Path CLUB = Path.of("scripts/karate.graph").toAbsolutePath();

    @Test
    void holdsInZacharysClub() {
        TestGraph club =
                TestGraph.of(
                        "metis", Parameters.of("file", CLUB.toString()), BuildOptions.UNDIRECTED);

        GraphResult result = run(club);

        assertThat(result)
                .returned("friends", 78 * 2 / 34.0)
                .returned("holds", true)
                .returned("friendsOfFriends", 9.6102100153787, 1e-9)
                .vertex(1)
                .has("friendsOfFriends", 4.3125, 1e-12)
                .vertex(34)
                .has("friendsOfFriends", 65 / 17.0, 1e-12);
    }

    @Tag("thorough")
    @Test
    void doesNotHoldWhereAllHaveEquallyMany() {
        assertThat(run(TestGraph.ring(4)))
                .returned("friends", 2)
                .returned("friendsOfFriends", 2)
                .returned("holds", false);
    }

    @Test
    void refusesOneSidedFriendship() {
        assertThatThrownBy(() -> run(TestGraph.path(3).oneWay()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("friendship goes both ways");
    }

    private static GraphResult run(TestGraph graph) {
        return Trial.on(graph).run(new FriendshipParadox(), Parameters.NONE);
    }
}
