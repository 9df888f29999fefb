package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.algorithms.degrees.DegreeStatistics;
import org.starling.algorithms.substructure.CommonSubstructure;
import org.starling.algorithms.substructure.CommonSubstructure.Labelled;
import org.starling.algorithms.substructure.CommonSubstructure.Pair;
import org.starling.algorithms.walks.RandomWalks;
import org.starling.graph.EdgeDirection;

/** Graphs of no vertex and of one, which has a loop that is dropped. */
@ExtendWith(Clusters.class)
final class AlmostNothingTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"1, false, 0", "2, true, 0", "1, true, 1", "3, false, 1"})
    void isNoTrouble(int peers, boolean directed, int vertices) throws IOException {
        Shape shape = Shape.edges("almost nothing", directed);
        Shape graph = vertices == 0 ? shape : shape.edge(7, 7);
        Path file = folder.resolve("walks");
        try (Lab lab = Lab.of(peers, graph)) {
            assertThat(StronglyConnectedComponents.run(lab.session(), lab.graph(), true))
                    .isEqualTo(new ConnectedComponents.Result(vertices, vertices));
            assertThat(DegreeStatistics.run(lab.session(), lab.graph(), EdgeDirection.BOTH, true))
                    .isEqualTo(
                            new DegreeStatistics.Result(
                                    0, 0, 0, vertices == 0 ? new TreeMap<>() : one()));
            assertThat(
                            RandomWalks.run(
                                    lab.session(),
                                    lab.graph(),
                                    new RandomWalks.Options(3, 1, 1, false),
                                    file,
                                    true))
                    .isEqualTo(new RandomWalks.Result(vertices, 0));
            assertThat(Files.readAllLines(file))
                    .isEqualTo(vertices == 0 ? List.of() : List.of("7"));
            Labelled labelled = new Labelled(lab.graph(), Map.of());
            assertThat(
                            CommonSubstructure.run(
                                    lab.session(), labelled, labelled, true, true, () -> {}))
                    .isEqualTo(
                            new CommonSubstructure.Result(
                                    vertices,
                                    vertices == 0 ? List.of() : List.of(new Pair(7, 7)),
                                    true));
            if (!directed) {
                assertThat(MaximumClique.run(lab.session(), lab.graph(), true))
                        .isEqualTo(
                                new MaximumClique.Result(
                                        vertices, vertices == 0 ? List.of() : List.of(7L), true));
            }
        }
    }

    private static SortedMap<Long, Long> one() {
        return new TreeMap<>(Map.of(0L, 1L));
    }
}
