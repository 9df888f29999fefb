package org.starling.examples.roads;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.starling.testkit.GraphAssert.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.testkit.GraphResult;
import org.starling.testkit.ServiceFiles;
import org.starling.testkit.TestGraph;
import org.starling.testkit.Trial;

/** Each trial also runs on several peers, with messages in any order and with lost peers. */
class RoadsTest {
    private static final TestGraph ROADS =
            TestGraph.undirected()
                    .edge(1, 2, 0.5)
                    .edge(2, 3, 1)
                    .edge(1, 3, 4)
                    .edge(3, 4, 2)
                    .vertex(5);

    @Tag("thorough")
    @Test
    void takesTheDetourThatIsShorter() {
        GraphResult result = Trial.on(ROADS).run(() -> new ShortestPaths(1));

        assertThat(result)
                .isConvergedWithin(5)
                .vertex(1)
                .has("distance", 0)
                .vertex(3)
                .has("distance", 1.5)
                .vertex(5)
                .has("distance", Float.POSITIVE_INFINITY);
    }

    @Test
    void findsTheFarthestVertex() {
        GraphResult result = Trial.on(TestGraph.grid(10, 10)).run(new FindFarthest(), from(1));

        assertThat(result)
                .returned("reached", 100)
                .returned("farthest", 100)
                .returned("distance", 18);
    }

    @Test
    void refusesASourceThatIsNotThere() {
        assertThrows(
                InvalidInputException.class,
                () -> Trial.on(ROADS).run(new FindFarthest(), from(9)));
    }

    @Test
    void isFoundByClusters() {
        ServiceFiles.assertComplete();
    }

    private static Parameters from(long source) {
        return Parameters.of("source", source);
    }
}
