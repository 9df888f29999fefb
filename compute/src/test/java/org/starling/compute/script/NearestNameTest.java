package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NearestNameTest {
    private static final List<String> NAMES =
            List.of("graph.load", "graph.bfs", "graph.write", "graph.wcc", "graph.drop");

    @ParameterizedTest
    @CsvSource({
        "graph.laod, graph.load",
        "grahp.bfs, graph.bfs",
        "Graph.WCC, graph.wcc",
        "graph.writes, graph.write",
        "graph.dop, graph.drop"
    })
    void findsWhatWasMeant(String wanted, String meant) {
        assertThat(NearestName.of(wanted, NAMES)).contains(meant);
        assertThat(NearestName.hint(wanted, NAMES)).isEqualTo("; did you mean \"" + meant + "\"?");
    }

    @Test
    void takesTheFirstOfEquallyNearNames() {
        assertThat(NearestName.of("ac", List.of("ad", "ab"))).contains("ab");
    }

    @Test
    void suggestsNothingFarAway() {
        assertThat(NearestName.of("pagerank", List.of("graph", "source"))).isEmpty();
    }

    @Test
    void listsFewNamesWhenNoneIsNear() {
        assertThat(NearestName.hint("pagerank", List.of("source", "graph")))
                .isEqualTo("; valid: graph, source");
    }

    @Test
    void namesTheNearestOfManyWhenNoneIsNear() {
        List<String> many = IntStream.range(0, 20).mapToObj(i -> "quite.a.long.name." + i).toList();

        assertThat(NearestName.hint("name", many))
                .isEqualTo("; the nearest is \"quite.a.long.name.0\"");
    }

    @Test
    void hasNothingToSayWithoutNames() {
        assertThat(NearestName.hint("anything", List.of())).isEmpty();
    }

    @Test
    void doesNotCompareTextsOfAnyLength() {
        String endless = String.join("", Collections.nCopies(1_000, "graph.load"));

        assertThat(NearestName.of(endless, List.of(endless))).isEmpty();
    }
}
