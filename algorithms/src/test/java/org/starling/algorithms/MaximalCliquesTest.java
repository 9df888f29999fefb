package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jgrapht.alg.clique.PivotBronKerboschCliqueFinder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.cliques.CliquesProgram;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;

@Timeout(60)
@ExtendWith(Clusters.class)
final class MaximalCliquesTest {
    private static final MaximalCliques.Result FIVE =
            new MaximalCliques.Result(5, 3, new TreeMap<>(Map.of(2, 4L, 3, 1L)));

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#peersAndUndirectedShapes")
    void writesAndCountsCliquesOfOracle(int peers, Shape shape, @TempDir Path folder)
            throws IOException {
        List<String> expected = oracle(shape, 1);
        Path file = folder.resolve("cliques.txt");
        try (Lab lab = Lab.of(peers, shape)) {

            MaximalCliques.Result result =
                    MaximalCliques.run(lab.session(), lab.graph(), 1, file, true);

            assertThat(sorted(Files.readAllLines(file))).isEqualTo(expected);
            assertThat(result).isEqualTo(summary(expected));
            assertThat(MaximalCliques.run(lab.session(), lab.graph(), 1, null, true))
                    .as("without a file")
                    .isEqualTo(result);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#allPeersAndUndirectedShapes")
    void writesAndCountsCliquesOnAnyNumberOfPeers(int peers, Shape shape, @TempDir Path folder)
            throws IOException {
        writesAndCountsCliquesOfOracle(peers, shape, folder);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3", "3, 4", "2, 100"})
    void leavesSmallCliquesOutOfCountAndFile(int peers, int minimumSize, @TempDir Path folder)
            throws IOException {
        Shape shape = Shape.hubs(600, 3000, false);
        List<String> expected = oracle(shape, minimumSize);
        Path file = folder.resolve("cliques.txt");
        try (Lab lab = Lab.of(peers, shape)) {

            MaximalCliques.Result result =
                    MaximalCliques.run(lab.session(), lab.graph(), minimumSize, file, true);

            assertThat(sorted(Files.readAllLines(file))).isEqualTo(expected);
            assertThat(result).isEqualTo(summary(expected));
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"1, true", "2, false", "3, true", "5, true"})
    void findsTheSameWhenAllShardsShareLongProblems(int peers, boolean writes, @TempDir Path folder)
            throws IOException {
        Shape shape = Shape.random("dense random", 150, 3000, 1, false);
        breaksOff(peers, shape, 5, writes, folder);
    }

    /**
     * The hubs' shard has a share of more problems than vertices, and cannot break them all off.
     */
    @Test
    void findsTheSameWhenAShardHasMoreProblemsThanVertices(@TempDir Path folder)
            throws IOException {
        breaksOff(3, Shape.hubs(3000, 20_000, false), 1, true, folder);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, true", "3, false"})
    void findsTheSameWithMoreProblemsThanVerticesAloneAndWithoutAFile(
            int peers, boolean writes, @TempDir Path folder) throws IOException {
        breaksOff(peers, Shape.hubs(3000, 20_000, false), 1, writes, folder);
    }

    private static void breaksOff(int peers, Shape shape, int maxCalls, boolean writes, Path folder)
            throws IOException {
        List<String> expected = oracle(shape, 1);
        Path file = folder.resolve("cliques.txt");
        try (Lab lab = Lab.of(peers, shape)) {
            Parameters parameters =
                    Parameters.of(CliquesProgram.MINIMUM_SIZE, 1)
                            .with(CliquesProgram.WRITE, writes)
                            .with(CliquesProgram.VERIFY, true)
                            .with(CliquesProgram.SEED, 1)
                            .with(CliquesProgram.MAX_CALLS, maxCalls);
            RunOptions options = RunOptions.DEFAULT;

            RunResult run =
                    lab.session()
                            .run(
                                    lab.graph(),
                                    CliquesProgram.NAME,
                                    parameters,
                                    writes
                                            ? options.withOutput(CliquesProgram.CLIQUES, file)
                                            : options);

            assertThat(run.supersteps()).isEqualTo(writes ? 3 : 2);
            assertThat(Arrays.stream(run.histogram(CliquesProgram.SIZES)).sum())
                    .isEqualTo(expected.size())
                    .isEqualTo(run.longAggregate(CliquesProgram.FOUND));
            assertThat(run.longAggregate(CliquesProgram.RECOUNTED)).isPositive();
            assertThat(run.longAggregate(CliquesProgram.WRONG)).isZero();
            if (writes) {
                assertThat(sorted(Files.readAllLines(file))).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "karate.graph, 1",
        "karate.graph, 3",
        "lesmis.graph, 2",
        "jazz.graph, 1",
        "jazz.graph, 2",
        "power.graph, 3",
        "PGPgiantcompo.graph, 2",
        "astro-ph.graph, 1",
        "astro-ph.graph, 2",
        "wiki-Vote.txt, 1",
        "wiki-Vote.txt, 3"
    })
    void findsFiguresOfReferenceGraphs(String name, int peers) throws IOException {
        ReferenceFigures figures = ReferenceFigures.of(name);
        try (Lab lab = figures.lab(peers)) {

            MaximalCliques.Result result =
                    MaximalCliques.run(lab.session(), lab.graph(), 1, null, true);

            assertThat(result.maximalCliques()).isEqualTo(figures.integer("maximal_cliques"));
            assertThat(result.maximumSize()).isEqualTo(figures.integer("max_clique_size"));
            assertThat(result.sizeHistogram())
                    .isEqualTo(figures.histogram("maximal_clique_size_histogram"));
        }
    }

    @Test
    void refusesDirectedGraphAndSizeBelowOne() {
        try (Lab directed = Lab.of(1, Shape.path(3, true));
                Lab undirected = Lab.of(1, Shape.path(3, false))) {
            assertThatThrownBy(() ->
                            MaximalCliques.run(
                                    directed.session(), directed.graph(), 1, null, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("is directed, but clique search works on undirected");
            assertThatThrownBy(() ->
                            MaximalCliques.run(
                                    undirected.session(), undirected.graph(), 0, null, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("is 0, it must be at least 1");
        }
    }

    @Test
    void checkAcceptsWhatFitsTogether() {
        assertThatNoException().isThrownBy(() -> verify(new ClaimedRun(5, 0, 0), FIVE, 5L));
        assertThatNoException().isThrownBy(() -> verify(new ClaimedRun(5, 0, 0), FIVE, null));
    }

    @Test
    void checkRefusesWhatDoesNotFitTogether() {
        assertRefused(new ClaimedRun(5, 1, 0), 5L, "1 sets of a sample are no cliques");
        assertRefused(new ClaimedRun(5, 0, 2), 5L, "2 of 7 sub-problems solved again");
        assertRefused(new ClaimedRun(6, 0, 0), 6L, "the sizes add up to 5 cliques, but 6");
        assertRefused(new ClaimedRun(5, 0, 0), 4L, "4 lines were written for 5 cliques");
    }

    /** A run that says that its samples held so many wrong cliques and sub-problems. */
    private record ClaimedRun(long found, long wrong, long miscounted) implements RunResult {
        @Override
        public SortedSet<String> states() {
            return new TreeSet<>();
        }

        @Override
        public int supersteps() {
            return 1;
        }

        @Override
        public long messages() {
            return 0;
        }

        @Override
        public double seconds() {
            return 0;
        }

        @Override
        public SortedMap<String, Number> aggregates() {
            return new TreeMap<>();
        }

        @Override
        public long longAggregate(String name) {
            return switch (name) {
                case CliquesProgram.FOUND -> found;
                case CliquesProgram.WRONG -> wrong;
                case CliquesProgram.MISCOUNTED -> miscounted;
                case CliquesProgram.RECOUNTED -> 7;
                default -> throw new IllegalArgumentException(name);
            };
        }

        @Override
        public double doubleAggregate(String name) {
            throw new IllegalArgumentException(name);
        }

        @Override
        public long[] histogram(String name) {
            throw new IllegalArgumentException(name);
        }
    }

    private static void verify(RunResult run, MaximalCliques.Result result, @Nullable Long lines) {
        MaximalCliques.verify(
                new Verdict(Clusters.session(1), "g", "maximal cliques", run), run, result, lines);
    }

    private static void assertRefused(RunResult run, Long lines, String reason) {
        assertThatThrownBy(() -> verify(run, FIVE, lines))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("maximal cliques of graph \"g\"")
                .hasMessageContaining(reason);
    }

    private static List<String> oracle(Shape shape, int minimumSize) {
        List<String> lines = new ArrayList<>();
        for (Set<Long> clique : new PivotBronKerboschCliqueFinder<>(shape.oracle())) {
            if (clique.size() >= minimumSize) {
                lines.add(
                        new TreeSet<>(clique)
                                .stream().map(String::valueOf).collect(Collectors.joining(" ")));
            }
        }
        return sorted(lines);
    }

    private static MaximalCliques.Result summary(List<String> lines) {
        TreeMap<Integer, Long> histogram =
                lines.stream()
                        .collect(
                                Collectors.groupingBy(
                                        line -> line.split(" ", -1).length,
                                        TreeMap::new,
                                        Collectors.counting()));
        return new MaximalCliques.Result(
                lines.size(), histogram.isEmpty() ? 0 : histogram.lastKey(), histogram);
    }

    private static List<String> sorted(List<String> lines) {
        List<String> copy = new ArrayList<>(lines);
        Collections.sort(copy);
        return copy;
    }
}
