package org.starling.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** A trial finds programs and graphs by their names, and compares what tasks return. */
@Timeout(120)
final class NamedTrialTest {
    private static final TestGraph ROADS = TrialTest.ROADS;

    @Tag("thorough")
    @Test
    void findsProgramsByNameThroughTheirServiceFile() {
        GraphResult result = Trial.on(ROADS).run("test.hops", Parameters.of("source", 1));

        GraphAssert.assertThat(result).vertex(4).has("distance", 3.5);
    }

    @Test
    void saysWhichServiceFileLacksALine() {
        assertThatThrownBy(() -> Trial.on(ROADS).run("test.forgotten", Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no program \"test.forgotten\"")
                .hasMessageContaining("org.starling.testkit.ForgottenProvider")
                .hasMessageContaining("META-INF/services/org.starling.graph.ProgramProvider");
        assertThatThrownBy(ServiceFiles::assertComplete)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ForgottenProvider")
                .hasMessageNotContaining("HopsProvider");
    }

    @Tag("thorough")
    @Test
    void comparesWhatTasksReturn() {
        GraphResult result = Trial.on(ROADS).run(new FarthestTask(), Parameters.of("source", 1));

        GraphAssert.assertThat(result)
                .returned("farthest", 4)
                .returned("distance", 3.5)
                .vertex(4)
                .has("distance", 3.5);
        assertThatThrownBy(() -> Trial.on(ROADS).run(new FarthestTask(), Parameters.NONE))
                .hasMessageContaining("needs the argument \"source\"");
        assertThatThrownBy(() ->
                        Trial.on(ROADS)
                                .run(
                                        new FarthestTask(),
                                        Parameters.of("source", 1).with("sauce", 2)))
                .hasMessageContaining("no argument \"sauce\"");
    }

    @Test
    void takesGraphsOfSourcesThatServicesGive() {
        TestGraph grid = TestGraph.of("grid", Parameters.of("scale", 8), BuildOptions.UNDIRECTED);

        GraphAssert.assertThat(Trial.on(grid).once().run(TrialTest::right)).hasVertices(256);
    }
}
