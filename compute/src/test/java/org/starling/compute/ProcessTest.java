package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.net.NativeMemory;

/** Peers in processes of their own, over Ethernet on this machine. */
@Timeout(60)
final class ProcessTest {
    private static final long VERTICES = 5_000;
    private static final Parameters RING = Parameters.of("vertices", VERTICES);

    @Test
    void buildsRunsCancelsAndReadsAcrossProcesses() throws InterruptedException {
        long before = NativeMemory.reservedBytes();
        try (ComputeCluster cluster = ComputeCluster.start(options())) {
            GraphSession session = cluster.session(JobListener.SILENT);
            session.build("ring", RingEdges.NAME, RING, BuildOptions.UNDIRECTED);

            RunResult result = session.run("ring", LeastId.NAME, Parameters.NONE);

            assertThat(session.info("ring").vertices()).isEqualTo(VERTICES);
            long ordinal = session.ordinal("ring", 50);
            assertThat(ordinal).isBetween(0L, VERTICES - 1L);
            assertThat(session.id("ring", ordinal)).isEqualTo(50);
            assertThat(result.supersteps()).isGreaterThan(2);
            try (StateCursor least = session.read("ring", "least")) {
                for (long v = 0; v < VERTICES; v++) {
                    assertThat(least.next()).isTrue();
                    assertThat(least.id()).isEqualTo(10 * (v + 1));
                    assertThat(least.asLong()).isEqualTo(10);
                }
                assertThat(least.next()).isFalse();
            }
            assertThat(cluster.peakResidentBytes()).hasSize(3).allMatch(bytes -> bytes > 1 << 20);
            cancels(cluster);
            session.drop("ring");
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    private static void cancels(ComputeCluster cluster) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(10);
        Thread canceller =
                Thread.startVirtualThread(() -> {
                    try {
                        running.await();
                        cluster.cancel();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        GraphSession session = cluster.session(listener(running::countDown));

        assertThatThrownBy(() -> session.run("ring", Endless.NAME, Parameters.NONE))
                .isInstanceOf(JobCancelledException.class);

        canceller.join();
        RunResult again =
                cluster.session(JobListener.SILENT).run("ring", LeastId.NAME, Parameters.NONE);
        assertThat(again.longAggregate("changes")).isZero();
    }

    private static JobListener listener(Runnable onSuperstep) {
        return new JobListener() {
            @Override
            public void progress(String what, long done, long total) {}

            @Override
            public void superstep(int superstep, long active, long messages) {
                onSuperstep.run();
            }
        };
    }

    @Tag("slow")
    @Test
    void failsTheJobWhenAPeerIsKilled() {
        ComputeCluster cluster = ComputeCluster.start(options());
        try {
            GraphSession session = cluster.session(JobListener.SILENT);
            session.build("ring", RingEdges.NAME, RING, BuildOptions.UNDIRECTED);
            CountDownLatch running = new CountDownLatch(10);
            GraphSession job =
                    cluster.session(
                            listener(() -> {
                                running.countDown();
                                if (running.getCount() == 0) {
                                    killOneChild();
                                }
                            }));

            assertThatThrownBy(() -> job.run("ring", Endless.NAME, Parameters.NONE))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("lost");
        } finally {
            cluster.close();
        }
    }

    /** By its program alone: long command lines are cut by the operating system's interface. */
    private static void killOneChild() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .findFirst()
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    private static ClusterOptions options() {
        return new ClusterOptions(2, true, 1, 64L << 20);
    }
}
