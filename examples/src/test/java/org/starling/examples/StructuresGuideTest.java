package org.starling.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.Parameters;
import org.starling.testkit.GraphResult;
import org.starling.testkit.TestGraph;
import org.starling.testkit.Trial;

/** The example of the guide about structures does what it says, and stands there as it is. */
final class StructuresGuideTest {
    @Test
    void theTallyIsTheSameOnAnyNumberOfPeers() {
        TestGraph star = TestGraph.undirected().edge(1, 2).edge(1, 3).edge(1, 4).edge(4, 5);

        GraphResult result = Trial.on(star).run(new TallyDegrees(), Parameters.of("many", 2));

        assertThat(result.returned()).contains(Map.of("known", 5L, "hubs", 1L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TallyDegrees", "Hubs"})
    void theGuideShowsTheCodeAsItIs(String name) throws IOException {
        String code =
                Files.readString(Path.of("src/main/java/org/starling/examples/" + name + ".java"));
        String shown = code.substring(code.indexOf("/**"));

        assertThat(Files.readString(Path.of("../docs/guide/structures.md"))).contains(shown);
    }
}
