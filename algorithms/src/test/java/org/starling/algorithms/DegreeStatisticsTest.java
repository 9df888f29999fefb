package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.degrees.DegreeStatistics;
import org.starling.graph.EdgeDirection;

@ExtendWith(Clusters.class)
final class DegreeStatisticsTest {

    @ParameterizedTest
    @MethodSource("shapes")
    void countsDegreesOfOracle(Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        try (Lab lab = Lab.of(2, shape)) {
            assertThat(run(lab, EdgeDirection.OUTGOING).histogram())
                    .isEqualTo(histogram(oracle, v -> oracle.outgoingEdgesOf(v).size()));
            assertThat(run(lab, EdgeDirection.INCOMING).histogram())
                    .isEqualTo(histogram(oracle, v -> oracle.incomingEdgesOf(v).size()));
            assertThat(run(lab, EdgeDirection.BOTH).histogram())
                    .isEqualTo(histogram(oracle, v -> oracle.edgesOf(v).size()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void findsTheSameWhenDegreesDoNotFitIntoOneWindow(EdgeDirection direction) {
        try (Lab lab = Lab.of(3, Shape.star(500, 300, true))) {
            DegreeStatistics.Result whole =
                    DegreeStatistics.run(lab.session(), lab.graph(), direction, true);

            DegreeStatistics.Result pieces =
                    DegreeStatistics.run(lab.session(), lab.graph(), direction, true, 7);

            assertThat(pieces).isEqualTo(whole);
        }
    }

    @Test
    void summarizesStar() {
        try (Lab lab = Lab.of(5, Shape.star(0, 300, false))) {

            DegreeStatistics.Result result = run(lab, EdgeDirection.OUTGOING);

            assertThat(result.minimum()).isEqualTo(1);
            assertThat(result.maximum()).isEqualTo(300);
            assertThat(result.average()).isCloseTo(600 / 301.0, within(1e-15));
            assertThat(result.histogram()).isEqualTo(Map.of(1L, 300L, 300L, 1L));
        }
    }

    private static DegreeStatistics.Result run(Lab lab, EdgeDirection direction) {
        return DegreeStatistics.run(lab.session(), lab.graph(), direction, true);
    }

    private static Map<Long, Long> histogram(
            Graph<Long, DefaultEdge> oracle, ToLongFunction<Long> degree) {
        return oracle.vertexSet().stream()
                .collect(
                        Collectors.groupingBy(
                                degree::applyAsLong, TreeMap::new, Collectors.counting()));
    }

    private static Stream<Shape> shapes() {
        return Stream.concat(Shape.undirected().stream(), Shape.directed().stream());
    }
}
