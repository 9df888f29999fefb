package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskSignature;

class Graph500TaskTest {

    private static final Parameters ARGUMENTS =
            Parameters.of(
                    Map.of("scale", 10, "edgefactor", 16, "roots", 64, "skipValidation", false));

    // The first keys that the reference picks at scale 10, and the edges it counts.
    private static final List<Long> FIRST_KEYS = List.of(458L, 214L, 220L, 966L, 395L);
    private static final long EDGES = 16239;

    private final FakeSession session = new FakeSession(3);
    private final FakeContext context = new FakeContext(session, Path.of("."));

    @Test
    void givesTheFiguresOfARun() {
        Map<String, ?> result = new Graph500Task().run(context, ARGUMENTS).asMap();

        assertThat(result.keySet())
                .containsExactly(
                        "scale",
                        "edgefactor",
                        "peers",
                        "processes",
                        "generationSeconds",
                        "constructionSeconds",
                        "roots",
                        "validated",
                        "bfs",
                        "sssp",
                        "peakResidentBytes",
                        "block");
        assertThat(result.get("scale")).isEqualTo(10L);
        assertThat(result.get("peers")).isEqualTo(3L);
        assertThat(result.get("processes")).isEqualTo(true);
        assertThat(result.get("generationSeconds")).isEqualTo(1.5);
        assertThat(result.get("constructionSeconds")).isEqualTo(0.75);
        assertThat(result.get("roots")).isEqualTo(64L);
        assertThat(result.get("validated")).isEqualTo(true);
        assertThat(result.get("sssp")).isNull();
        assertThat(result.get("peakResidentBytes")).isEqualTo(List.of(1000L, 2000L));
        Map<?, ?> bfs = (Map<?, ?>) Objects.requireNonNull(result.get("bfs"));
        assertThat(bfs.keySet().stream().map(Object::toString))
                .containsExactly(
                        "harmonicMeanTeps",
                        "minTeps",
                        "firstQuartileTeps",
                        "medianTeps",
                        "thirdQuartileTeps",
                        "maxTeps",
                        "harmonicStddevTeps",
                        "meanSeconds");
        assertThat((Double) bfs.get("maxTeps"))
                .isCloseTo(EDGES / FakeSession.SEARCH_SECONDS, within(1e-6));
        assertThat(String.valueOf(result.get("block")))
                .contains("bfs  max_TEPS:                  32478\n")
                .contains("max_nedge:                      16239\n");
    }

    @Test
    void searchesFromTheKeysOfTheReferenceAfterOneToWarmUp() {
        new Graph500Task().run(context, ARGUMENTS);

        assertThat(session.searched).hasSize(65);
        assertThat(session.searched.get(0)).isEqualTo(FIRST_KEYS.get(0));
        assertThat(session.searched.subList(1, 6)).isEqualTo(FIRST_KEYS);
        assertThat(context.told.getLast()).isEqualTo("Searching 64/64");
    }

    @Test
    void dropsTheGraphWhateverHappens() {
        new Graph500Task().run(context, ARGUMENTS.with("roots", 2));
        assertThat(session.graphs()).isEmpty();

        context.cancel();
        assertThatThrownBy(() -> new Graph500Task().run(context, ARGUMENTS))
                .isInstanceOf(JobCancelledException.class);
        assertThat(session.graphs()).isEmpty();
    }

    @Test
    void printsNothingOfAnInvalidRun() {
        session.searchingBy((graph, root) -> {
            graph.search(root);
            long[] parents = graph.longs(Kernels.PARENT);
            Arrays.setAll(parents, v -> parents[v] >= 0 && v != root ? -1 : parents[v]);
        });

        assertThatThrownBy(() -> new Graph500Task().run(context, ARGUMENTS))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("No results printed for invalid run. Reason: ")
                .hasMessageContaining("the search from key 458 breaks rule");
    }

    @Test
    void doesNotCheckWhenToldNotTo() {
        session.searchingBy((graph, root) -> {
            graph.search(root);
            Arrays.fill(graph.ints(Kernels.LEVEL), 0);
        });

        Map<String, ?> result =
                new Graph500Task().run(context, ARGUMENTS.with("skipValidation", true)).asMap();

        assertThat(result.get("validated")).isEqualTo(false);
        assertThat(String.valueOf(result.get("block")))
                .contains("bfs  mean_validate:             -1\n");
    }

    @Test
    void runsTheSmallestGraph() {
        Map<String, ?> result =
                new Graph500Task()
                        .run(context, ARGUMENTS.with("scale", 1).with("roots", 3))
                        .asMap();

        assertThat(result.get("validated")).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource({
        "scale,0,\"scale\" must be from 1 to 42",
        "scale,31,\"scale\" of the benchmark must be up to 30",
        "scale,63,\"scale\" must be from 1 to 42",
        "edgefactor,0,\"edgefactor\" must be from 1",
        "roots,0,\"roots\" must be from 1",
        "roots,65537,\"roots\" must be from 1 to 65536"
    })
    void refusesWhatMakesNoSense(String argument, long value, String reason) {
        assertThatThrownBy(() -> new Graph500Task().check(ARGUMENTS.with(argument, value)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("found " + value);
    }

    @Test
    void isFoundByName() {
        List<String> names =
                ServiceLoader.load(Task.class).stream()
                        .map(provider -> provider.get().signature())
                        .map(TaskSignature::name)
                        .toList();

        assertThat(names).contains("benchmark.graph500");
    }
}
