package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.JobFailedException;
import org.starling.graph.Shard;
import org.starling.graph.StateCursor;
import org.starling.graph.Team;
import org.starling.graph.TeamProgram;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Sums of floating point numbers, which depend on the order in which they are added. */
@Timeout(60)
final class FloatingSumsTest {
    private static final int VERTICES = 40_000;
    private static final int SUMS = 16;

    /** Everybody sends a number to each of some vertices, which add them up as they come. */
    private static final class Crowd implements VertexProgram {
        private DoubleChannel numbers;
        private DoubleState sum;

        @Override
        public void declare(Declaration graph) {
            numbers = graph.doubleChannel("numbers", DoubleCombiner.SUM);
            sum = graph.doubleState("crowd", 0);
        }

        @Override
        public void start(Vertex v) {
            for (int target = 0; target < SUMS; target++) {
                numbers.send(target, Math.sin(12.9898 * v.ordinal() + target));
            }
        }

        @Override
        public void compute(Vertex v) {
            sum.set(v, numbers.received(v));
        }
    }

    @Test
    void valuesThatWereReportedStayWhatTheyAreBehindALoss() {
        try (TestGroup group = new TestGroup(4)) {
            MasterSession master = group.master(1, CheckpointOptions.NONE);
            master.begin(JobListener.SILENT, _ -> true);
            master.resume(new byte[0], -1, 0);
            master.beginTask(0);
            TestEdges edges = TestEdges.random(5, VERTICES, 80_000);
            master.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            master.run("g", TestPrograms.NAME, TestPrograms.named(Crowd::new));
            List<Double> reported = read(master);

            group.kill(2);

            assertThat(read(master)).as("while it is noticed").isEqualTo(reported);
            assertThat(master.recoveryEvents()).hasSize(1);
            assertThat(read(master)).isEqualTo(reported).anyMatch(sum -> sum != 0);
            master.endTask();
            master.endJob();
        }
    }

    private static List<Double> read(MasterSession master) {
        List<Double> values = new ArrayList<>();
        try (StateCursor cursor = master.read("g", "crowd")) {
            while (cursor.next()) {
                values.add(cursor.asDouble());
            }
        }
        return values;
    }

    /** Adds floating point numbers where workers come in any order. */
    private static final class Racers implements TeamProgram {
        private final DoubleCombiner combiner;
        private DoubleAggregator total;

        private Racers(DoubleCombiner combiner) {
            this.combiner = combiner;
        }

        @Override
        public void declare(Declaration graph) {
            total = graph.doubleAggregator("total", combiner);
        }

        @Override
        public void compute(Shard shard) {
            total.add(0.1);
        }

        @Override
        public void together(Team team) {
            total.add(0.1);
        }
    }

    @Test
    void refusesSumsInTheWorkOfATeam() {
        try (TestGroup group = new TestGroup(3)) {
            MasterSession master = group.master(1, CheckpointOptions.NONE);
            master.begin(JobListener.SILENT);
            TestEdges edges = TestEdges.random(5, VERTICES, 80_000);
            master.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);

            for (DoubleCombiner unordered :
                    new DoubleCombiner[] {DoubleCombiner.SUM, DoubleCombiner.ANY}) {
                assertThatThrownBy(() ->
                                master.run(
                                        "g",
                                        TestPrograms.NAME,
                                        TestPrograms.named(() -> new Racers(unordered))))
                        .isInstanceOf(JobFailedException.class)
                        .hasMessageContaining("aggregator \"total\"")
                        .hasMessageContaining("order");
            }
            assertThat(
                            master.run(
                                            "g",
                                            TestPrograms.NAME,
                                            TestPrograms.named(
                                                    () -> new Racers(DoubleCombiner.MAX)))
                                    .doubleAggregate("total"))
                    .isEqualTo(0.1);
            master.endJob();
        }
    }
}
