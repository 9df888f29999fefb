package org.starling.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.testkit.GraphAssert.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.starling.graph.GraphInfo;
import org.starling.graph.VertexId;

/** What a result holds, and the sentence where it does not. */
final class GraphAssertTest {
    private final GraphResult result = result(Map.of(1L, 0L, 2L, 0.5, -1L, 7L));

    private static GraphResult result(Map<Long, Number> values) {
        TreeMap<Long, Number> sorted = new TreeMap<>(VertexId.ASCENDING);
        sorted.putAll(values);
        return new GraphResult(
                "1 peer",
                new GraphInfo("trial", values.size(), 2, false, false, true, 4, 1),
                new TreeMap<>(Map.of("x", sorted)),
                new TreeMap<>(),
                List.of(),
                Map.of("sum", 7.5, "top", List.of(List.of(1L, 2.0))));
    }

    @Test
    void holdsWhatIsThere() {
        assertThat(result)
                .as("all")
                .hasVertices(3)
                .hasEdges(2)
                .hasState("x")
                .hasState("x", Map.of(1, 0, 2, 0.5, -1L, 7))
                .hasSameStateAs(result(Map.of(1L, 0L, 2L, 0.5, -1L, 7L)), "x")
                .hasSameStatesAs(result)
                .everyVertex("x", "less than 8", x -> x.doubleValue() < 8)
                .returned("sum", 7.5)
                .returned("sum", 7.4, 0.1)
                .returned("top", List.of(List.of(1, 2)))
                .isConvergedWithin(0)
                .vertex(1)
                .has("x", 0)
                .vertex(2)
                .has("x", 0.5f)
                .has("x", 0.4, 0.2)
                .graph()
                .vertex(-1)
                .has("x", 7.0);
    }

    @Test
    void saysWhatAVertexHas() {
        assertThatThrownBy(() -> assertThat(result).as("first").vertex(2).has("x", 3))
                .isInstanceOf(AssertionError.class)
                .hasMessage("[first] state \"x\" of vertex 2: expected 3, found 0.5");
        assertThatThrownBy(() -> assertThat(result).vertex(2).has("x", 1, 0.25))
                .hasMessageContaining("expected 1.0 within 0.25, found 0.5");
        assertThatThrownBy(() -> assertThat(result).vertex(5).has("x", 3))
                .hasMessage("the graph has no vertex 5");
        assertThatThrownBy(() -> assertThat(result).vertex(1).has("y", 3))
                .hasMessage("there is no state \"y\"; programs left [x]");
        assertThatThrownBy(
                        () -> assertThat(result).everyVertex("x", "small", x -> x.intValue() < 5))
                .hasMessage("state \"x\" of vertex 18446744073709551615: expected small, found 7");
    }

    @Test
    void saysWhatTheGraphHas() {
        assertThatThrownBy(() -> assertThat(result).hasVertices(4))
                .hasMessage("expected 4 vertices, found 3");
        assertThatThrownBy(() -> assertThat(result).hasEdges(4))
                .hasMessage("expected 4 edges, found 2");
        assertThatThrownBy(() -> assertThat(result).returned("sum", 8))
                .hasMessage("result \"sum\": expected 8, found 7.5");
        assertThatThrownBy(() -> assertThat(result).returned("avg", 8))
                .hasMessageContaining("there is no result \"avg\"");
        assertThatThrownBy(() -> assertThat(result).hasAggregate("sum", 8))
                .hasMessageContaining("the job ran 0 programs");
    }

    @Test
    void saysWhereTwoStatesDiffer() {
        GraphResult other = result(Map.of(1L, 0L, 2L, 0.5001, -1L, 8L));

        assertThatThrownBy(() -> assertThat(result).hasSameStateAs(other, "x"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("state \"x\" at 2 of 3 vertices")
                .hasMessageContaining("vertex 2: 0.5001, but 0.5");
        assertThat(result).hasSameStateAs(other, "x", 0.2);
        assertThatThrownBy(() -> assertThat(result).hasState("x", Map.of(1, 0)))
                .hasMessageContaining("state \"x\" of 1 vertices, but of 3");
    }
}
