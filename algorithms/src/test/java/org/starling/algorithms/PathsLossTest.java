package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.algorithms.sssp.SsspProgram;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.group.MasterSession;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/** A search for shortest paths that loses a slave goes on in the middle, to the same end. */
@Tag("thorough")
@Timeout(120)
final class PathsLossTest {
    private static final Shape SHAPE = Shape.hubs(900, 4_000, false);
    private static final double SMALL_WIDTH = 0.01;

    @TempDir private Path root;

    /** What a search left. */
    private record Left(int supersteps, List<Double> distances, List<Long> parents) {}

    private static JobListener after(int superstep, Runnable act) {
        return new JobListener() {
            private boolean acted;

            @Override
            public void progress(String what, long done, long total) {}

            @Override
            public void superstep(int now, long active, long messages) {
                if (now == superstep && !acted) {
                    acted = true;
                    act.run();
                }
            }
        };
    }

    private static Left search(MasterSession session, Weighting weighting) {
        weighting.build(session, "g", SHAPE);
        Parameters search =
                Parameters.of(SsspProgram.SOURCE, SHAPE.ids().get(3))
                        .with(SsspProgram.PARENTS, Sssp.PARENT)
                        .with(SsspProgram.WIDTH, SMALL_WIDTH);
        int supersteps = session.run("g", SsspProgram.NAME, search).supersteps();
        List<Double> distances = new ArrayList<>();
        List<Long> parents = new ArrayList<>();
        try (StateCursor distance = session.read("g", Sssp.DISTANCE);
                StateCursor parent = session.read("g", Sssp.PARENT)) {
            while (distance.next() && parent.next()) {
                distances.add(distance.asDouble());
                parents.add(parent.asLong());
            }
        }
        return new Left(supersteps, distances, parents);
    }

    private Left undisturbed(Weighting weighting) throws IOException {
        try (LossyGroup group = new LossyGroup(root, "undisturbed")) {
            return search(group.elasticMaster(JobListener.SILENT), weighting);
        }
    }

    private void loses(Weighting weighting, Left expected, int superstep) throws IOException {
        try (LossyGroup group = new LossyGroup(root, "killed-" + superstep)) {
            int victim = superstep % LossyGroup.PEERS;
            MasterSession session = group.master(after(superstep, () -> group.kill(victim)));

            Left left = search(session, weighting);

            String when = "lost after superstep " + superstep + " of " + expected.supersteps;
            assertThat(left.distances).as(when).isEqualTo(expected.distances);
            assertThat(left.parents).as(when).isEqualTo(expected.parents);
            assertThat(session.recoveryEvents())
                    .as(when)
                    .singleElement()
                    .extracting(RecoveryEvent::resumedAt)
                    .isEqualTo(superstep);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "WILD"})
    void goesOnInTheMiddle(Weighting weighting) throws IOException {
        Left expected = undisturbed(weighting);
        assertThat(expected.supersteps).isGreaterThan(8);
        int place = ThreadLocalRandom.current().nextInt(1, expected.supersteps - 1);
        loses(weighting, expected, place);
    }

    @Tag("slow")
    @Timeout(1_200)
    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "WILD"})
    void goesOnWhereverItHappens(Weighting weighting) throws IOException {
        Left expected = undisturbed(weighting);
        for (int superstep = 1; superstep < expected.supersteps - 1; superstep++) {
            loses(weighting, expected, superstep);
        }
    }
}
