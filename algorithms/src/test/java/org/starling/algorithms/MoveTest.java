package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.compute.JobListener;
import org.starling.compute.internal.group.MasterSession;
import org.starling.graph.GraphSession;

/** A peer joins in the middle of an algorithm, and another one leaves: the result is the same. */
@Timeout(60)
final class MoveTest {
    private static final String GRAPH = "g";

    /** What a job comes to. */
    interface Job extends BiFunction<GraphSession, String, Object> {}

    @TempDir private static Path root;

    static Stream<Arguments> jobs() {
        Shape net = Shape.random("net", 2_000, 3_000, 3, false);
        Shape arcs = Shape.random("arcs", 2_000, 6_000, 3, true);
        return Stream.of(
                job("search", net, Weighting.NONE, (session, g) -> Bfs.run(session, g, 3, true)),
                job(
                        "paths",
                        net,
                        Weighting.WILD,
                        (session, g) ->
                                Sssp.run(session, g, 3, new Sssp.Options("far", true, true))),
                job(
                        "components",
                        arcs,
                        Weighting.NONE,
                        (session, g) -> ConnectedComponents.run(session, g, true)),
                job(
                        "labels",
                        net,
                        Weighting.NONE,
                        (session, g) -> LabelPropagation.run(session, g, 8, "label", true)),
                job("cores", net, Weighting.NONE, (session, g) -> KCore.run(session, g, true)),
                job(
                        "ranks",
                        arcs,
                        Weighting.NONE,
                        (session, g) ->
                                PageRank.run(
                                        session, g, new PageRank.Options(0.85, 9, 0, 3), true)));
    }

    private static Arguments job(String name, Shape shape, Weighting weighting, Job job) {
        return Arguments.of(name, shape, weighting, job);
    }

    static Stream<Arguments> twoJobs() {
        return Scenarios.two(jobs());
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0}")
    @MethodSource("jobs")
    void changesNoResultOfAnyJob(String name, Shape shape, Weighting weighting, Job job)
            throws IOException {
        changesNoResult(name + " of all", shape, weighting, job);
    }

    @Tag("thorough")
    @ParameterizedTest(name = "{0}")
    @MethodSource("twoJobs")
    void changesNoResult(String name, Shape shape, Weighting weighting, Job job)
            throws IOException {
        Places places = new Places(-1, () -> {}, -1, () -> {});
        List<Object> expected;
        try (LossyGroup group = new LossyGroup(root, name)) {
            expected = left(group.elasticMaster(places), weighting, shape, job);
        }
        List<Integer> middles = places.middles();
        assertThat(middles).as("middles of " + name).hasSizeGreaterThan(1);
        int first = middles.get(middles.size() / 4);
        int second = middles.get(middles.size() / 4 + 1);
        try (LossyGroup group = new LossyGroup(root, name + " with others")) {
            Places change = new Places(first, group::join, second, () -> group.letLeave(1));
            MasterSession session = group.elasticMaster(change);

            List<Object> left = left(session, weighting, shape, job);

            assertThat(left).usingRecursiveComparison().isEqualTo(expected);
            assertThat(session.moves()).isEqualTo(2);
            assertThat(session.recoveryEvents()).isEmpty();
            for (int i = 0; i + 1 < change.seen.size(); i++) {
                assertThat(change.seen.get(i + 1))
                        .as("no superstep is done twice")
                        .isIn(0, change.seen.get(i) + 1);
            }
        }
    }

    /** The result; algorithms check all states themselves. */
    private static List<Object> left(
            MasterSession session, Weighting weighting, Shape shape, Job job) throws IOException {
        weighting.build(session, GRAPH, shape);
        List<Object> left = new ArrayList<>();
        left.add(job.apply(session, GRAPH));
        return left;
    }

    /** Hears supersteps, and acts behind two of them. */
    private static final class Places implements JobListener {
        private final List<Integer> seen = new ArrayList<>();
        private final int first;
        private final Runnable act;
        private final int second;
        private final Runnable then;

        Places(int first, Runnable act, int second, Runnable then) {
            this.first = first;
            this.act = act;
            this.second = second;
            this.then = then;
        }

        @Override
        public void progress(String what, long done, long total) {}

        @Override
        public void superstep(int superstep, long active, long messages) {
            seen.add(superstep);
            if (seen.size() == first + 1) {
                act.run();
            } else if (seen.size() == second + 1) {
                then.run();
            }
        }

        /** Places of supersteps behind which the same run goes on. */
        List<Integer> middles() {
            List<Integer> middles = new ArrayList<>();
            for (int i = 0; i + 1 < seen.size(); i++) {
                if (seen.get(i + 1) == seen.get(i) + 1) {
                    middles.add(i);
                }
            }
            return middles;
        }
    }
}
