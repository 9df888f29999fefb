package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options, descriptions and exceptions. */
@Timeout(10)
class ValuesTest {

    private static final Path FILE = Path.of("out.txt");

    @Test
    void defaultRunsHaveNoOutputsAndABound() {
        assertThat(RunOptions.DEFAULT.outputs()).isEmpty();
        assertThat(RunOptions.DEFAULT.maxSupersteps()).isEqualTo(10_000_000);
    }

    @Test
    void oneMoreOutputLeavesTheOptionsItWasAddedToAlone() {
        RunOptions one = new RunOptions(7, Map.of()).withOutput("cliques", FILE);
        RunOptions two = one.withOutput("log", Path.of("log.txt"));

        assertThat(one.outputs()).containsExactly(Map.entry("cliques", FILE));
        assertThat(two.outputs()).containsOnlyKeys("cliques", "log");
        assertThat(two.maxSupersteps()).isEqualTo(7);
        assertThat(one.withOutput("cliques", Path.of("b")).outputs())
                .containsExactly(Map.entry("cliques", Path.of("b")));
    }

    @Test
    void runOptionsCopyTheirOutputs() {
        Map<String, Path> outputs = new HashMap<>(Map.of("a", FILE));
        RunOptions options = new RunOptions(1, outputs);

        outputs.clear();

        assertThat(options.outputs()).containsOnlyKeys("a");
        assertThatThrownBy(() -> options.outputs().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "-1, 1, 1", "1, -1, 1", "1, 1, -1"})
    void refusesSourcesWithoutPartsOrWithNegativeCounts(int parts, long vertices, long edges) {
        assertThatThrownBy(() -> new SourceDescription(parts, true, 0, vertices, edges, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parts " + parts + ", vertices " + vertices + ", edges " + edges);
    }

    @Test
    void describesEmptySourcesAndIdsOfAnySize() {
        SourceDescription empty = new SourceDescription(1, false, 0, 0, 0, false);
        SourceDescription far = new SourceDescription(4, true, 1L << 60, 10, 20, true);

        assertThat(empty.vertexCount()).isZero();
        assertThat(empty.edgeCount()).isZero();
        assertThat(far.firstId()).isEqualTo(1L << 60);
        assertThat(far.parts()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"true, 5, 5", "false, 5, 10", "true, 0, 0", "false, 0, 0"})
    void storesAnUndirectedEdgeInTheRowsOfBothEnds(boolean directed, long edges, long stored) {
        GraphInfo info = new GraphInfo("g", 10, edges, directed, false, true, 4, 1);

        assertThat(info.storedEdges()).isEqualTo(stored);
    }

    @Test
    void countsStoredEdgesPastTheRangeOfAnInt() {
        GraphInfo info = new GraphInfo("g", 1L << 32, 3L << 31, false, true, true, 8, 100);

        assertThat(info.storedEdges()).isEqualTo(3L << 32);
    }

    @Test
    void theTwoOrdinaryBuildsDifferInDirectionOnly() {
        assertThat(BuildOptions.DIRECTED).isEqualTo(new BuildOptions(true, false));
        assertThat(BuildOptions.UNDIRECTED).isEqualTo(new BuildOptions(false, false));
        assertThat(BuildOptions.INPUT_DEGREE).isEqualTo("inputDegree");
    }

    @Test
    void leavesIncomingEdgesOutOnlyWhereNobodyAskedForThem() {
        BuildOptions outgoing = BuildOptions.DIRECTED.withoutIncoming();

        assertThat(outgoing).isEqualTo(new BuildOptions(true, false, false, false));
        assertThat(outgoing.withWideNeighbours())
                .isEqualTo(new BuildOptions(true, false, false, true));
        assertThatThrownBy(BuildOptions.UNDIRECTED::withoutIncoming)
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BuildOptions(true, true).withoutIncoming())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void exceptionsCarryTheirSentenceAndWhatWasFoundUnderneath() {
        Exception cause = new IllegalStateException("below");

        assertThat(new InvalidInputException("edges.txt:3: two ids expected"))
                .hasMessage("edges.txt:3: two ids expected")
                .hasNoCause();
        assertThat(new InvalidInputException("bad file", cause))
                .hasMessage("bad file")
                .hasCause(cause);
        assertThat(new JobFailedException("vertex 7 threw")).hasMessage("vertex 7 threw");
        assertThat(new JobFailedException("vertex 7 threw", cause)).hasCause(cause);
        assertThat(new JobCancelledException("cancelled in superstep 3"))
                .hasMessage("cancelled in superstep 3");
    }

    /** Who catches bad input must not catch a failed job, and a cancelled one is neither. */
    @Test
    void exceptionsOfOneKindAreNotOfAnother() {
        assertThat(new JobFailedException("")).isNotInstanceOf(InvalidInputException.class);
        assertThat(new JobCancelledException("")).isNotInstanceOf(JobFailedException.class);
        assertThat(new InvalidInputException("")).isNotInstanceOf(IllegalArgumentException.class);
    }
}
