package org.starling.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.testkit.Faulty.Fault;

/** A trial passes programs that are right and finds what is wrong with the others. */
@Timeout(120)
final class TrialTest {
    static final TestGraph ROADS =
            TestGraph.undirected().edge(1, 2, 0.5).edge(2, 3, 1).edge(1, 3, 4).edge(3, 4, 2);

    @Test
    void givesWhatAProgramLeavesOnASmallGraph() {
        GraphResult result = Trial.on(ROADS).run(() -> new Hops(1));

        assertThat(result.state("distance")).isEqualTo(Map.of(1L, 0L, 2L, 0.5, 3L, 1.5, 4L, 3.5));
        assertThat(result.where()).isEqualTo("1 peer");
        assertThat(result.run().states()).containsExactly("distance");
    }

    @Test
    void passesAProgramThatLeavesTheSameEverywhere() {
        assertThatCode(() -> Trial.on(TestGraph.random(1, 400, 1_200)).run(TrialTest::right))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"FIELD", "ORDER", "ANY", "THREAD"})
    void findsAProgramThatDoesNot(Fault fault) {
        assertThatThrownBy(() -> Trial.on(ROADS).run(() -> new Faulty(fault)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("state \"sum\" at ")
                .hasMessageContaining("vertex ")
                .hasMessageContaining("peer");
    }

    @Test
    void namesTheSuperstepOfTheLossThatAProgramDoesNotSurvive() {
        assertThatThrownBy(() ->
                        Trial.on(TestGraph.random(1, 400, 1_200))
                                .onPeers(4)
                                .withoutShuffling()
                                .run(() -> new Faulty(Fault.FIELD)))
                .hasMessageMatching("(?s).*of which one is lost after superstep \\d.*");
    }

    @Test
    void namesTheWayInWhichAProgramThrows() {
        assertThatThrownBy(() -> Trial.on(ROADS).run(() -> new Faulty(Fault.THROWS)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the job fails")
                .hasMessageContaining("not at home");
        assertThat(Trial.on(ROADS).once().run(() -> new Hops(1)).states()).hasSize(1);
    }

    @Test
    void letsWhatIsAllowedToDifferDiffer() {
        assertThatCode(() -> Trial.on(ROADS).ignoring("sum").run(() -> new Faulty(Fault.ANY)))
                .doesNotThrowAnyException();
    }

    @Test
    void looksAtEveryElementOfVectors() {
        GraphResult result = Trial.on(ROADS).once().run(() -> new Pairs(false));

        GraphAssert.assertThat(result).vertex(3).has("pair[0]", 3).has("pair[1]", 6);
        assertThatThrownBy(() -> Trial.on(ROADS).run(() -> new Pairs(true)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("state \"pair[1]\" at ")
                .hasMessageNotContaining("state \"pair[0]\"");
        assertThatCode(() -> Trial.on(ROADS).ignoring("pair").run(() -> new Pairs(true)))
                .doesNotThrowAnyException();
    }

    @Test
    void endsAProgramThatNeverEnds() {
        assertThatThrownBy(() -> Trial.on(ROADS).atMost(3).run(TrialTest::right))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("3 supersteps");
    }

    @Test
    void saysThatAVertexIsMissing() {
        assertThatThrownBy(() -> Trial.on(ROADS).run(() -> new Hops(9)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no vertex 9");
    }

    @Test
    void spreadsAGrownGraphOverAllPeers() {
        GraphResult result =
                Trial.on(ROADS.grown(7))
                        .onPeers(5)
                        .withoutLosses()
                        .drive((session, graph) ->
                                session.shares(graph).stream()
                                        .filter(share -> share.vertices() > 0)
                                        .count());

        assertThat(result.returned()).contains(5L);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "3, 3", "8, 8", "40, 8"})
    void losesAPeerAfterEachSuperstepOfAShortJob(int supersteps, int losses) {
        assertThat(Trial.losses(supersteps, 8)).hasSize(losses).doesNotHaveDuplicates();
        if (losses > 0) {
            assertThat(Trial.losses(supersteps, 8)).startsWith(1);
        }
    }

    @Test
    void findsWhatADriverReturnsElsewhere() {
        assertThatThrownBy(() ->
                        Trial.on(ROADS).drive((session, graph) -> session.shares(graph).size()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("returned 1, but 3");
    }

    static Faulty right() {
        return new Faulty(Fault.NONE);
    }
}
