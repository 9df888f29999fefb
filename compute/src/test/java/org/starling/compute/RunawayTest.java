package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.GraphSession;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Code of users that never ends, where its process can't be replaced. */
@Timeout(60)
final class RunawayTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private static volatile boolean released;
    private static volatile CountDownLatch running = new CountDownLatch(1);

    @AfterEach
    void release() {
        released = true;
    }

    /** Walks over the edges of a vertex for ever, and writes down what it sees. */
    private static final class Runaway implements VertexProgram {
        private LongState seen;

        @Override
        public void declare(Declaration graph) {
            seen = graph.longState("seen", 0);
        }

        @Override
        public void start(Vertex v) {
            while (v.ordinal() == 17 && !released) {
                for (EdgeCursor edge = v.edges(); edge.next(); ) {
                    seen.set(v, edge.target());
                }
                running.countDown();
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @Test
    void endsTheJobAndSaysWhatDoesNotStop() throws InterruptedException {
        released = false;
        running = new CountDownLatch(1);
        ComputeCluster cluster = ComputeCluster.start(new ClusterOptions(3, false, 1, 64L << 20));
        GraphSession session = cluster.session(JobListener.SILENT);
        Parameters ring = Parameters.of("vertices", 3_000L);
        session.build("ring", RingEdges.NAME, ring, BuildOptions.UNDIRECTED);
        Thread canceller =
                Thread.startVirtualThread(() -> {
                    try {
                        running.await();
                        cluster.cancel();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });

        long begin = System.nanoTime();
        assertThatThrownBy(() ->
                        session.run("ring", TestPrograms.NAME, TestPrograms.named(Runaway::new)))
                .isInstanceOf(JobCancelledException.class)
                .hasMessageContaining("the job was cancelled; program ")
                .hasMessageContaining("Runaway, which is at ")
                .hasMessageContaining("does not stop on node ")
                .hasMessageContaining("must be ended");
        canceller.join();
        assertThat(System.nanoTime() - begin).isLessThan(BOUND.toNanos());

        long next = System.nanoTime();
        GraphSession later = cluster.session(JobListener.SILENT);
        assertThatThrownBy(() -> later.run("ring", LeastId.NAME, Parameters.NONE))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("does not stop on node ");
        cluster.close(); // under the feet of a thread that reads rows and writes a column
        assertThat(System.nanoTime() - next).isLessThan(BOUND.toNanos());
    }
}
