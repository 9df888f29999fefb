package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;
import org.starling.net.NativeMemory;

/** Graphs that are as long or as wide as graphs get. */
final class ExtremeGraphTest {
    private static final int LENGTH = 10_000;
    private static final int WINDOWS = 20;

    /** Goes along a path, one vertex in each superstep. */
    private static final class Wanderer implements VertexProgram {
        private VertexChannel call;
        private IntState step;

        @Override
        public void declare(Declaration graph) {
            call = graph.vertexChannel("call");
            step = graph.intState("step", -1);
            graph.startAt(0);
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            step.set(v, v.superstep());
            call.broadcast(v);
            v.settle();
        }
    }

    /** Notes what had been allocated when the run came by. */
    private static final class Meter implements JobListener {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final long[] allocatedBytes = new long[WINDOWS + 1];
        private final long[] reservedBytes = new long[WINDOWS + 1];
        private long mostActive;

        @Override
        public void progress(String what, long done, long total) {}

        @Override
        public void superstep(int superstep, long active, long messages) {
            mostActive = Math.max(mostActive, active);
            if (superstep % (LENGTH / WINDOWS) == 0) {
                int window = superstep / (LENGTH / WINDOWS);
                allocatedBytes[window] = threads.getTotalThreadAllocatedBytes();
                reservedBytes[window] = NativeMemory.reservedBytes();
            }
        }

        /** Bytes allocated in each of the windows. */
        private LongStream allocatedIn(int first, int end) {
            return IntStream.range(first, end)
                    .mapToLong(window -> allocatedBytes[window + 1] - allocatedBytes[window]);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void needsNoMoreMemoryInTheLastOfTenThousandSuperstepsThanInTheFirst(int peers) {
        TestEdges path = TestEdges.dense(0, LENGTH);
        for (int i = 1; i < LENGTH; i++) {
            path.edge(i - 1, i);
        }
        try (Clusters clusters = new Clusters()) {
            String graph = clusters.build(peers, path, BuildOptions.UNDIRECTED);
            Meter meter = new Meter();

            RunResult run =
                    clusters.cluster(peers)
                            .session(meter)
                            .run(graph, TestPrograms.NAME, TestPrograms.named(Wanderer::new));

            assertThat(run.supersteps()).isEqualTo(LENGTH + 1);
            assertThat(meter.mostActive).isEqualTo(1);
            assertThat(clusters.longsById(peers, graph, "step"))
                    .startsWith(0, 1, 2)
                    .endsWith(LENGTH - 2, LENGTH - 1);
            assertThat(meter.reservedBytes[WINDOWS - 4] - meter.reservedBytes[4])
                    .isLessThan(1 << 20);
            // a slow window allocates more, as the cluster's clocks go on meanwhile
            long early = meter.allocatedIn(2, 5).max().orElseThrow();
            long late = meter.allocatedIn(WINDOWS - 4, WINDOWS - 1).min().orElseThrow();
            assertThat(late).as("bytes, and %d before", early).isLessThan(2 * early);
        }
    }

    /** Everybody calls its neighbours, and adds up who called. */
    private static final class Roll implements VertexProgram {
        private IntChannel call;
        private LongAggregator sum;
        private LongAggregator most;

        @Override
        public void declare(Declaration graph) {
            call = graph.intChannel("call", IntCombiner.SUM);
            sum = graph.longAggregator("sum", LongCombiner.SUM);
            most = graph.longAggregator("most", LongCombiner.MAX);
        }

        @Override
        public void start(Vertex v) {
            call.broadcast(v, 1);
        }

        @Override
        public void compute(Vertex v) {
            sum.add(call.received(v));
            most.add(call.received(v));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void bearsAHubOfTenMillionNeighbours(int peers) {
        int rays = 10_000_000;
        ClusterOptions options = new ClusterOptions(peers, false, 2, 1L << 30);
        try (ComputeCluster cluster = ComputeCluster.start(options)) {
            GraphSession session = cluster.session(JobListener.SILENT);
            session.build(
                    "star",
                    StarEdges.NAME,
                    Parameters.of(StarEdges.RAYS, rays),
                    BuildOptions.UNDIRECTED);

            RunResult run = session.run("star", TestPrograms.NAME, TestPrograms.named(Roll::new));

            assertThat(session.info("star").edges()).isEqualTo(rays);
            assertThat(run.longAggregate("sum")).isEqualTo(2L * rays);
            assertThat(run.longAggregate("most")).isEqualTo(rays);
        }
    }

    @Test
    void bearsAHubThatHasOneShardForItself() {
        try (Clusters clusters = new Clusters()) {
            GraphSession session = clusters.session(3);
            session.build(
                    "star",
                    StarEdges.NAME,
                    Parameters.of(StarEdges.RAYS, 300_000),
                    BuildOptions.UNDIRECTED);

            RunResult run = session.run("star", TestPrograms.NAME, TestPrograms.named(Roll::new));

            assertThat(run.longAggregate("sum")).isEqualTo(600_000);
            assertThat(run.longAggregate("most")).isEqualTo(300_000);
        }
    }
}
