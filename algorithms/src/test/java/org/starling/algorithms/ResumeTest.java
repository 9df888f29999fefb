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
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.compute.JobListener;
import org.starling.compute.internal.group.MasterSession;
import org.starling.graph.GraphSession;

/** Algorithms whose runs have a middle go on there, their checkers included. */
@Tag("thorough")
@Timeout(60)
final class ResumeTest {
    private static final String GRAPH = "g";

    /** What a job comes to, in words. */
    interface Job extends BiFunction<GraphSession, String, Object> {}

    @TempDir private static Path root;

    static Stream<Arguments> jobs() {
        Shape net = Shape.random("net", 120, 260, 3, false);
        Shape arcs = Shape.random("arcs", 120, 300, 3, true);
        return Stream.of(
                Arguments.of("betweenness", net, Weighting.NONE, (Job) ResumeTest::betweenness),
                Arguments.of("zero weights", net, Weighting.WILD, (Job) ResumeTest::shortestPaths),
                Arguments.of(
                        "components",
                        arcs,
                        Weighting.NONE,
                        (Job) (session, graph) -> ConnectedComponents.run(session, graph, true)),
                Arguments.of(
                        "strong components",
                        arcs,
                        Weighting.NONE,
                        (Job)
                                (session, graph) ->
                                        StronglyConnectedComponents.run(session, graph, 1, true)),
                Arguments.of(
                        "cores",
                        net,
                        Weighting.NONE,
                        (Job) (session, graph) -> KCore.run(session, graph, true)),
                Arguments.of(
                        "labels",
                        net,
                        Weighting.NONE,
                        (Job)
                                (session, graph) ->
                                        LabelPropagation.run(session, graph, 6, "label", true)),
                Arguments.of(
                        "ranks",
                        arcs,
                        Weighting.NONE,
                        (Job)
                                (session, graph) ->
                                        PageRank.run(
                                                session,
                                                graph,
                                                new PageRank.Options(0.85, 6, 0, 3),
                                                true)));
    }

    private static Object betweenness(GraphSession session, String graph) {
        return Betweenness.samples(3, 3).run(session, graph, 5, true);
    }

    private static Object shortestPaths(GraphSession session, String graph) {
        return Sssp.run(session, graph, 3, new Sssp.Options("far", true, true));
    }

    static Stream<Arguments> twoJobs() {
        return Scenarios.two(jobs());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("twoJobs")
    void goesOnInTheMiddle(String name, Shape shape, Weighting weighting, Job job)
            throws IOException {
        loses(name, shape, weighting, job, 1);
    }

    @Tag("slow")
    @Timeout(1_200)
    @ParameterizedTest(name = "{0}")
    @MethodSource("jobs")
    void goesOnWhereverItHappens(String name, Shape shape, Weighting weighting, Job job)
            throws IOException {
        loses(name + " everywhere", shape, weighting, job, 12);
    }

    private static void loses(String name, Shape shape, Weighting weighting, Job job, int places)
            throws IOException {
        Watch watch = new Watch(Integer.MAX_VALUE, () -> {});
        Object expected;
        try (LossyGroup group = new LossyGroup(root, name)) {
            MasterSession session = group.elasticMaster(watch);
            weighting.build(session, GRAPH, shape);
            expected = job.apply(session, GRAPH);
        }
        List<Integer> middles = watch.middles();
        assertThat(middles).as("supersteps in the middle of " + name).isNotEmpty();
        for (int i = 1; i <= places; i++) {
            int place = middles.get(i * middles.size() / (places + 1));
            try (LossyGroup group = new LossyGroup(root, name + " without a peer at " + i)) {
                Watch killer = new Watch(place, () -> group.kill(place % LossyGroup.PEERS));
                MasterSession session = group.master(killer);
                weighting.build(session, GRAPH, shape);

                Object left = job.apply(session, GRAPH);

                assertThat(left).as(name + ", lost at " + place).isEqualTo(expected);
                assertThat(session.recoveryEvents())
                        .singleElement()
                        .satisfies(event ->
                                assertThat(event.resumedAt()).isEqualTo(watch.seen.get(place)));
            }
        }
    }

    /** Hears supersteps, and acts once behind one of them. */
    private static final class Watch implements JobListener {
        private final List<Integer> seen = new ArrayList<>();
        private final int place;
        private final Runnable act;

        Watch(int place, Runnable act) {
            this.place = place;
            this.act = act;
        }

        @Override
        public void progress(String what, long done, long total) {}

        @Override
        public void superstep(int superstep, long active, long messages) {
            seen.add(superstep);
            if (seen.size() == place + 1) {
                act.run();
            }
        }

        /** Places of supersteps behind which the same run goes on, and before which it was. */
        List<Integer> middles() {
            List<Integer> middles = new ArrayList<>();
            for (int i = 0; i + 1 < seen.size(); i++) {
                if (seen.get(i) > 0 && seen.get(i + 1) == seen.get(i) + 1) {
                    middles.add(i);
                }
            }
            return middles;
        }
    }
}
