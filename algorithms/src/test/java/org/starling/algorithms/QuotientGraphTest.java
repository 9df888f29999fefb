package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.groups.QuotientGraph;
import org.starling.algorithms.groups.QuotientGraph.Between;
import org.starling.algorithms.groups.QuotientGraph.Group;
import org.starling.graph.InvalidInputException;

@ExtendWith(Clusters.class)
final class QuotientGraphTest {
    private static final String LABELS = "community";

    @ParameterizedTest
    @MethodSource("shapes")
    void countsVerticesAndEdgesOfGroupsAsTheOracleDoes(Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        try (Lab lab = Lab.of(2, shape)) {
            LabelPropagation.run(lab.session(), lab.graph(), 2, LABELS, false);
            List<Long> values = lab.integers(LABELS);
            List<Long> ids = oracle.vertexSet().stream().sorted(Long::compareUnsigned).toList();
            Map<Long, Long> labels = new TreeMap<>();
            for (int i = 0; i < ids.size(); i++) {
                labels.put(ids.get(i), values.get(i));
            }

            QuotientGraph.Result all =
                    QuotientGraph.run(lab.session(), lab.graph(), LABELS, 200, true);
            QuotientGraph.Result one =
                    QuotientGraph.run(lab.session(), lab.graph(), LABELS, 1, true);

            assertThat(sizes(all))
                    .isEqualTo(
                            values.stream()
                                    .collect(
                                            Collectors.groupingBy(
                                                    Function.identity(), Collectors.counting())));
            assertThat(named(all)).isEqualTo(expected(oracle, labels, all));
            assertThat(all.others()).isZero();
            assertThat(one.values()).isEqualTo(all.values());
            if (!all.groups().isEmpty()) {
                assertThat(one.groups()).containsExactly(all.groups().getFirst());
                assertThat(one.others())
                        .isEqualTo(values.size() - one.groups().getFirst().vertices());
            }
        }
    }

    /** Edges of the oracle by the places of the groups of their ends. */
    private static Map<List<Integer>, Long> expected(
            Graph<Long, DefaultEdge> oracle, Map<Long, Long> labels, QuotientGraph.Result all) {
        List<Long> order = all.groups().stream().map(group -> (Long) group.value()).toList();
        Map<List<Integer>, Long> expected = new HashMap<>();
        for (DefaultEdge edge : oracle.edgeSet()) {
            int from = order.indexOf(labels.get(oracle.getEdgeSource(edge)));
            int to = order.indexOf(labels.get(oracle.getEdgeTarget(edge)));
            List<Integer> pair =
                    oracle.getType().isDirected() || from <= to
                            ? List.of(from, to)
                            : List.of(to, from);
            expected.merge(pair, 1L, Long::sum);
        }
        return expected;
    }

    @Test
    void callsGroupsOfVerticesByIdsAndPutsSmallOnesTogether() {
        try (Lab lab = Lab.of(3, Shape.cliques(3, 4))) {
            ConnectedComponents.run(lab.session(), lab.graph(), false);

            QuotientGraph.Result found =
                    QuotientGraph.run(lab.session(), lab.graph(), "component", 2, true);

            assertThat(found.values()).isEqualTo(3);
            assertThat(found.groups()).hasSize(2).allMatch(group -> group.vertices() == 4);
            assertThat(found.groups())
                    .allSatisfy(group -> assertThat((Long) group.value()).isBetween(0L, 11L));
            assertThat(found.others()).isEqualTo(4);
            assertThat(found.between())
                    .containsExactly(
                            new Between(0, 0, 6),
                            new Between(1, 1, 6),
                            new Between(QuotientGraph.OTHERS, QuotientGraph.OTHERS, 6));
        }
    }

    @Test
    void refusesValuesThatMakeNoGroups() {
        try (Lab lab = Lab.of(2, Shape.star(0, 20, false))) {
            PageRank.run(lab.session(), lab.graph(), new PageRank.Options(0.85, 3, 0, 0), false);

            assertThatThrownBy(() ->
                            QuotientGraph.run(lab.session(), lab.graph(), "pagerank", 5, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("has values of type double; groups are made of");
            assertThatThrownBy(() ->
                            QuotientGraph.run(lab.session(), lab.graph(), "pagerank", 201, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("from 1 to 200");
        }
    }

    private static Map<Long, Long> sizes(QuotientGraph.Result found) {
        return found.groups().stream()
                .collect(Collectors.toMap(group -> (Long) group.value(), Group::vertices));
    }

    private static Map<List<Integer>, Long> named(QuotientGraph.Result found) {
        return found.between().stream()
                .collect(Collectors.toMap(pair -> List.of(pair.from(), pair.to()), Between::edges));
    }

    private static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(Shape.hubs(200, 900, true));
        shapes.add(Shape.random("random", 150, 500, 7, false));
        shapes.add(Shape.cliques(5, 4));
        shapes.add(Shape.chainOfCycles(3, 5));
        return shapes;
    }
}
