package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.walks.RandomWalks;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class RandomWalksTest {
    private static final RandomWalks.Options OPTIONS = new RandomWalks.Options(7, 3, 42, false);

    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Shape#directed")
    void followsEdgesFromEveryVertexUntilItEndsOrThereIsNone(Shape shape) throws IOException {
        Graph<Long, DefaultEdge> oracle = shape.oracle();

        List<String> lines = walk(2, shape, OPTIONS);

        List<Long> firsts = new ArrayList<>();
        for (String line : lines) {
            List<Long> walk = Arrays.stream(line.split(" ")).map(Long::valueOf).toList();
            firsts.add(walk.getFirst());
            for (int step = 1; step < walk.size(); step++) {
                assertThat(oracle.containsEdge(walk.get(step - 1), walk.get(step))).isTrue();
            }
            assertThat(walk.size() == 8 || oracle.outDegreeOf(walk.getLast()) == 0).isTrue();
        }
        assertThat(firsts)
                .containsExactlyInAnyOrderElementsOf(
                        shape.ids().stream()
                                .flatMap(id -> Collections.nCopies(3, id).stream())
                                .toList());
    }

    @Test
    void walksTheSameWayWithAnyNumberOfPeers() throws IOException {
        Shape shape = Shape.hubs(600, 2500, true);
        List<String> alone = walk(1, shape, OPTIONS);

        for (int peers : new int[] {2, 3, 5}) {
            assertThat(walk(peers, shape, OPTIONS)).as("%d peers", peers).isEqualTo(alone);
        }
    }

    @Test
    void walksAnotherWayWithAnotherSeed() throws IOException {
        Shape shape = Shape.grid(10, 10);

        List<String> one = walk(1, shape, OPTIONS);
        List<String> other = walk(1, shape, new RandomWalks.Options(7, 3, 43, false));

        assertThat(one).doesNotHaveDuplicates();
        assertThat(other).doesNotContainAnyElementsOf(one);
    }

    @Test
    void takesEveryEdgeEquallyOften() throws IOException {
        List<String> lines =
                walk(1, Shape.star(0, 4, false), new RandomWalks.Options(1, 10_000, 5, false));

        for (int ray = 1; ray <= 4; ray++) {
            // 2500 expected, standard deviation 43
            assertThat(Collections.frequency(lines, "0 " + ray)).isBetween(2300, 2700);
        }
    }

    @Test
    void takesEdgesAsOftenAsTheyWeigh() throws IOException {
        List<Long> ends = List.of(0L, 1L, 0L, 2L, 0L, 3L, 0L, 4L);
        RandomWalks.Options options = new RandomWalks.Options(2, 12_000, 5, true);
        try (Lab lab = listed(ends, 1f, 2f, 3f, 0f)) {
            List<String> lines = walk(lab, options);

            List<String> steps =
                    lines.stream()
                            .filter(line -> line.startsWith("0 "))
                            .map(line -> line.substring(0, 3))
                            .toList();
            // 2000, 4000 and 6000 expected, standard deviations 41, 52 and 55
            assertThat(Collections.frequency(steps, "0 1")).isBetween(1800, 2200);
            assertThat(Collections.frequency(steps, "0 2")).isBetween(3740, 4260);
            assertThat(Collections.frequency(steps, "0 3")).isBetween(5730, 6270);
            assertThat(steps).hasSize(12_000).doesNotContain("0 4");
            assertThat(lines).contains("4");
        }
    }

    @ParameterizedTest
    @EnumSource(Weighting.class)
    void walksByWeightsTheSameWayWithSeveralPeers(Weighting weighting) throws IOException {
        assertWalksTheSameWay(weighting, 1, 3);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Weighting.class)
    void walksByWeightsTheSameWayWithAnyNumberOfPeers(Weighting weighting) throws IOException {
        assertWalksTheSameWay(weighting, 1, 2, 3, 5);
    }

    private void assertWalksTheSameWay(Weighting weighting, int... numbersOfPeers)
            throws IOException {
        Shape shape = Shape.hubs(600, 2500, true);
        RandomWalks.Options options = new RandomWalks.Options(7, 3, 42, true);
        List<List<String>> walks = new ArrayList<>();
        for (int peers : numbersOfPeers) {
            try (Lab lab = weighting.lab(peers, shape)) {
                walks.add(walk(lab, options));
            }
        }

        assertThat(walks).containsOnly(walks.getFirst());
    }

    @Test
    void refusesWeightsThatAreNoShares() {
        for (float bad : new float[] {-1, Float.NaN, Float.POSITIVE_INFINITY}) {
            try (Lab lab = listed(List.of(0L, 1L, 1L, 2L), 1f, bad)) {
                assertThatThrownBy(() -> walk(lab, new RandomWalks.Options(2, 1, 5, true)))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("whose weight is");
            }
        }
    }

    @Test
    void checkRefusesStepThatWasNotDrawn() throws IOException {
        for (boolean weighted : new boolean[] {false, true}) {
            RandomWalks.Options options = new RandomWalks.Options(1, 1, 5, weighted);
            try (Lab lab = Weighting.UNIFORM.lab(2, Shape.star(0, 9, false))) {
                List<String> lines = walk(lab, options);
                String other = lines.getFirst().equals("0 1") ? "0 2" : "0 1";
                Path file = folder.resolve("forged");
                Files.write(file, Stream.concat(Stream.of(other), lines.stream().skip(1)).toList());

                RandomWalks.Result result = new RandomWalks.Result(10, 10);
                assertThatThrownBy(() ->
                                RandomWalks.check(
                                        lab.session(), lab.graph(), options, file, result))
                        .isInstanceOf(JobFailedException.class)
                        .hasMessageContaining(
                                "vertex 0 was left along another edge than was drawn");
            }
        }
    }

    @Test
    void checkRefusesLinesInAnotherOrder() throws IOException {
        assertRefused(
                Shape.path(4, true),
                List.of("1 2 3", "0 1 2", "2 3", "3"),
                4,
                5,
                "line 2 begins at another vertex");
    }

    private static Lab listed(List<Long> ends, Float... weights) {
        List<Long> bits =
                Arrays.stream(weights).map(w -> (long) Float.floatToRawIntBits(w)).toList();
        return Lab.of(
                2,
                ListedEdges.NAME,
                ListedEdges.parameters(List.of(), ends, 3).with(ListedEdges.WEIGHTS, bits),
                BuildOptions.UNDIRECTED);
    }

    @Test
    void checkRefusesFileThatDoesNotFit() throws IOException {
        Shape path = Shape.path(4, true);

        // lines are in the order of ordinals, and 1 and 2 have most edges
        assertRefused(path, List.of("1 2 3", "2 3", "0 1 2", "3"), 4, 5, "");
        assertRefused(
                path, List.of("1 2 3", "2 3", "0 1 2"), 4, 5, "3 lines were written for 4 walks");
        assertRefused(
                path, List.of("1 2 3", "2 3", "0 1 2", "3"), 4, 6, "5 steps were written, but 6");
        assertRefused(
                path, List.of("1 2 3", "2 0", "0 1 2", "3"), 4, 5, "vertex 2 was left along an");
        assertRefused(
                path, List.of("1 2 3", "2 3", "0 1", "3"), 4, 4, "vertex 1 has edges, but a walk");
        assertRefused(path, List.of("1 2 3", "2 3", "0 1 2 3", "3"), 4, 6, "line 3 has 3 steps");
        assertRefused(path, List.of("1 2 3", "2 3", "0 1 7", "3"), 4, 5, "7 is no vertex");
    }

    @Test
    void refusesLengthsAndNumbersThatMakeNoSense() {
        assertThatThrownBy(() -> new RandomWalks.Options(0, 1, 1, false))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("length must be from 1 to 1000000, found 0");
        assertThatThrownBy(() -> new RandomWalks.Options(1, 1_000_001, 1, false))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("walks per vertex must be from 1 to 1000000");
    }

    private void assertRefused(
            Shape shape, List<String> lines, long walks, long steps, String reason)
            throws IOException {
        Path file = Files.write(folder.resolve("forged"), lines);
        RandomWalks.Options options = new RandomWalks.Options(2, 1, 1, false);
        RandomWalks.Result result = new RandomWalks.Result(walks, steps);
        try (Lab lab = Lab.of(2, shape)) {
            if (reason.isEmpty()) {
                RandomWalks.check(lab.session(), lab.graph(), options, file, result);
                return;
            }
            assertThatThrownBy(() ->
                            RandomWalks.check(lab.session(), lab.graph(), options, file, result))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("random walks of graph")
                    .hasMessageContaining(reason);
        }
    }

    private List<String> walk(int peers, Shape shape, RandomWalks.Options options)
            throws IOException {
        try (Lab lab = Lab.of(peers, shape)) {
            return walk(lab, options);
        }
    }

    private List<String> walk(Lab lab, RandomWalks.Options options) throws IOException {
        Path file = folder.resolve("walks-" + lab.graph());

        RandomWalks.Result result =
                RandomWalks.run(lab.session(), lab.graph(), options, file, true);

        List<String> lines = Files.readAllLines(file);
        long ids = lines.stream().mapToLong(line -> line.split(" ", -1).length).sum();
        assertThat(result).isEqualTo(new RandomWalks.Result(lines.size(), ids - lines.size()));
        return lines;
    }
}
