package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jgrapht.alg.scoring.BetweennessCentrality;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.algorithms.betweenness.BetweennessProgram;
import org.starling.algorithms.betweenness.BetweennessPrograms;
import org.starling.graph.DoubleMirror;
import org.starling.graph.DoubleState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.RunResult;
import org.starling.graph.ShardProgram;

@ExtendWith(Clusters.class)
final class BetweennessTest {

    private static final List<Shape> SMALL_SHAPES =
            List.of(
                    Shape.path(1, false).vertex(42),
                    Shape.star(30, 60, false),
                    Shape.path(20, false),
                    Shape.cliques(3, 6),
                    Shape.grid(7, 6),
                    Shape.bipartite(20, 30, 90),
                    Shape.random("random", 70, 110, 3, false),
                    Shape.hubs(80, 300, false),
                    Shape.star(30, 40, true),
                    Shape.path(20, true),
                    Shape.random("random", 70, 200, 3, true),
                    Shape.hubs(80, 300, true));

    static Stream<Arguments> smallShapes() {
        return Scenarios.byTurns(SMALL_SHAPES);
    }

    static Stream<Arguments> allSmallShapes() {
        return Scenarios.product(SMALL_SHAPES);
    }

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("smallShapes")
    void isWhatTheOracleSays(int peers, Shape shape) {
        try (Lab lab = Lab.of(peers, shape)) {
            Betweenness.Result result = Betweenness.all().run(lab.session(), lab.graph(), 3, true);

            Map<Long, Double> oracle = new BetweennessCentrality<>(shape.oracle()).getScores();
            List<Double> scores = lab.numbers(Betweenness.BETWEENNESS);
            List<Long> ids = shape.ids();
            for (int v = 0; v < ids.size(); v++) {
                double wanted = oracle.getOrDefault(ids.get(v), Double.NaN);
                assertThat(scores.get(v))
                        .as("vertex %d", ids.get(v))
                        .isCloseTo(wanted, Offset.offset(1e-9 * Math.max(1, wanted)));
            }
            assertThat(result.sources()).isEqualTo(ids.size());
            assertThat(result.top().getFirst().score()).isEqualTo(Collections.max(scores));
            assertThat(result.verified()).isTrue();
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("allSmallShapes")
    void isWhatTheOracleSaysOnAnyNumberOfPeers(int peers, Shape shape) {
        isWhatTheOracleSays(peers, shape);
    }

    @Test
    void doesNotDependOnPeersBitByBit() {
        Shape shape = Shape.hubs(600, 3000, false);
        List<Double> alone = sampled(1, shape);

        assertThat(sampled(2, shape)).isEqualTo(alone);
        assertThat(sampled(3, shape)).isEqualTo(alone);
    }

    @Test
    void sampleOfAllVerticesIsExact() {
        Shape shape = Shape.random("random", 60, 120, 1, false);
        try (Lab lab = Lab.of(2, shape)) {
            Betweenness.all().run(lab.session(), lab.graph(), 0, false);
            List<Double> exact = lab.numbers(Betweenness.BETWEENNESS);

            Betweenness.samples(1000, 5).run(lab.session(), lab.graph(), 0, true);

            assertThat(lab.numbers(Betweenness.BETWEENNESS)).isEqualTo(exact);
        }
    }

    @Test
    void givenSourcesCountTheirPathsOnly() {
        try (Lab lab = Lab.of(2, Shape.path(5, false))) {
            Betweenness.Result result =
                    Betweenness.from(4, 0).run(lab.session(), lab.graph(), 2, true);

            assertThat(lab.numbers(Betweenness.BETWEENNESS)).containsExactly(0d, 4d, 4d, 4d, 0d);
            assertThat(result.top()).containsExactly(new Score(1, 4), new Score(2, 4));
            assertThat(result.sum()).isEqualTo(12);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void goesThroughLongPath(int peers) {
        goThroughPath(peers, 300);
    }

    @Test
    @Tag("slow")
    void goesThroughVeryLongPath() {
        goThroughPath(2, 10_000);
    }

    private static void goThroughPath(int peers, int length) {
        try (Lab lab = Lab.of(peers, Shape.path(length, false))) {
            Betweenness.from(0).run(lab.session(), lab.graph(), 0, false);

            assertThat(lab.numbers(Betweenness.BETWEENNESS))
                    .startsWith(0d, length - 2d, length - 3d)
                    .endsWith(2d, 1d, 0d);
        }
    }

    @Test
    void refusesSourcesThatMakeNoSense() {
        try (Lab lab = Lab.of(2, Shape.path(5, false))) {
            assertThatThrownBy(() -> Betweenness.from(5).run(lab.session(), lab.graph(), 0, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no vertex 5");
        }
        assertThatThrownBy(() -> Betweenness.from(1, 1)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> Betweenness.samples(0, 1))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void saysSoWhenThereAreTooManyPathsToCount() {
        // 350 layers of 8 vertices, each joined with all of the next layer: 8^349 shortest paths
        Shape chain = Shape.path(1, false).vertex(0);
        for (long edge = 0; edge < 349 * 64; edge++) {
            long layer = edge / 64;
            chain.edge(8 * layer + edge % 8, 8 * (layer + 1) + edge / 8 % 8);
        }
        try (Lab lab = Lab.of(1, chain)) {
            assertThatThrownBy(() -> Betweenness.from(0).run(lab.session(), lab.graph(), 0, false))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("more than 1.8e308 shortest paths");
        }
    }

    @Test
    void checkRefusesScoresThatAreNoneOrDoNotAddUp() {
        assertRefused(List.of(0d, 3d, 5d, 3d, 0d), "add up to 11.0, but distances demand 10.0");
        assertRefused(List.of(0d, 3d, -1d, 3d, 0d), "vertex 2 has a score that is none");
        assertRefused(List.of(0d, 3d, Double.NaN, 3d, 0d), "vertex 2 has a score that is none");
        assertRefused(List.of(0d, 3d, 4d, 2d, 1d), "vertex 4 has a score although no path");
    }

    /**
     * From vertex 0 alone, and vertex 1 (ordinal 0) gets what is vertex 2's (ordinal 1), so that
     * the sum is right.
     */
    public static final class LyingScores implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of("test.betweenness.lyingScores", parameters -> create(parameters));
        }

        private static Program create(Parameters parameters) {
            return new Meddling<>(
                    program(parameters), DoubleState.class, BetweennessProgram.BETWEENNESS) {
                @Override
                DoubleState lying(DoubleState honest) {
                    return new DoubleState() {
                        @Override
                        public double get(long ordinal) {
                            return honest.get(ordinal);
                        }

                        @Override
                        public void set(long ordinal, double value) {
                            honest.set(ordinal, value + lie(ordinal));
                        }
                    };
                }

                // Levels 3 to 1 of a path of 4 are gone through in supersteps 5 to 7.
                private double lie(long ordinal) {
                    return superstep() == 6 && ordinal == 1
                            ? -1
                            : superstep() == 7 && ordinal == 0 ? 1 : 0;
                }
            };
        }
    }

    /** From vertex 0 alone, and vertex 6 (ordinal 4) is told of three paths to it. */
    public static final class LyingPaths implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of("test.betweenness.lyingPaths", parameters -> create(parameters));
        }

        private static Program create(Parameters parameters) {
            return new Meddling<>(program(parameters), DoubleMirror.class, "paths") {
                @Override
                DoubleMirror lying(DoubleMirror honest) {
                    return new DoubleMirror() {
                        @Override
                        public double read(long ordinal) {
                            return honest.read(ordinal);
                        }

                        @Override
                        public void publish(long ordinal, double value) {
                            honest.publish(ordinal, value == 0 || ordinal != 4 ? value : 3);
                        }
                    };
                }
            };
        }
    }

    private static ShardProgram program(Parameters parameters) {
        ProgramFactory factory = new BetweennessPrograms().programs().get(BetweennessProgram.NAME);
        return (ShardProgram) Objects.requireNonNull(factory).create(parameters);
    }

    @Test
    void checkRefusesSharesThatAreNotTheirsAlthoughTheSumIsRight() {
        Shape path = Shape.path(4, false);
        assertShareRefused("test.betweenness.lyingScores", path, "vertex 1 has another share");

        try (Lab lab = Lab.of(1, path)) {
            judged(lab, "test.betweenness.lyingScores");

            Parameters source = Parameters.of(BetweennessProgram.SOURCES, ordinalOfZero(lab));
            assertThatCode(() -> Betweenness.require(lab.session(), lab.graph(), source, 1))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void checkRefusesFalseNumberOfPaths() {
        // a grid of 5 columns: vertex 6 is reached over 1 and over 5
        assertShareRefused("test.betweenness.lyingPaths", openGrid(5, 4), "vertex 6 has another");
    }

    private static void assertShareRefused(String program, Shape shape, String reason) {
        try (Lab lab = Lab.of(1, shape)) {
            RunResult run = judged(lab, program);

            assertThatThrownBy(() -> Betweenness.requireShares(lab.session(), lab.graph(), run))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining(reason);
        }
    }

    private static RunResult judged(Lab lab, String program) {
        Parameters parameters =
                Parameters.of(BetweennessProgram.SOURCES, ordinalOfZero(lab))
                        .with(BetweennessProgram.FACTOR, 1.0)
                        .with(BetweennessProgram.VERIFY, true);
        return lab.session().run(lab.graph(), program, parameters);
    }

    private static long[] ordinalOfZero(Lab lab) {
        return new long[] {lab.session().ordinal(lab.graph(), 0)};
    }

    private static Shape openGrid(int columns, int rows) {
        Shape grid = Shape.edges("open grid", false);
        for (long v = 0; v < (long) columns * rows; v++) {
            if (v % columns + 1 < columns) {
                grid.edge(v, v + 1);
            }
            if (v + columns < (long) columns * rows) {
                grid.edge(v, v + columns);
            }
        }
        return grid;
    }

    private static void assertRefused(List<Double> scores, String reason) {
        try (Lab lab = Lab.of(2, Shape.path(5, false))) {
            Betweenness.all().run(lab.session(), lab.graph(), 0, true);
            lab.forge(ForgedColumn.doubles(Betweenness.BETWEENNESS, scores));

            assertThatThrownBy(() ->
                            Betweenness.require(lab.session(), lab.graph(), Parameters.NONE, 0.5))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("betweenness of graph")
                    .hasMessageContaining(reason);
        }
    }

    private static List<Double> sampled(int peers, Shape shape) {
        try (Lab lab = Lab.of(peers, shape)) {
            Betweenness.samples(12, 42).run(lab.session(), lab.graph(), 0, true);
            return lab.numbers(Betweenness.BETWEENNESS);
        }
    }
}
