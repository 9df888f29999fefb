package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.JobCancelledException;

/** Code of users that waits for a file; a pipe without a writer is the slowest there is. */
@Timeout(60)
final class SlowFileTest {
    /** Code of users has 4 s to stop. */
    private static final Duration LONGER_THAN_LOOPS_MAY = Duration.ofSeconds(6);

    @TempDir private Path folder;
    private Path pipe;

    @BeforeEach
    void makePipe() throws IOException, InterruptedException {
        pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    }

    /** Ways to wait for a file. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Way {
        STREAM(path -> {
            try (FileInputStream in = new FileInputStream(path.toFile())) {
                return in.read();
            }
        }),
        RANDOM_ACCESS(path -> {
            try (RandomAccessFile in = new RandomAccessFile(path.toFile(), "r")) {
                return in.read();
            }
        }),
        CHANNEL(path -> {
            try (FileChannel in = FileChannel.open(path)) {
                return in.read(ByteBuffer.allocate(1));
            }
        }),
        LINES(path -> Files.readAllLines(path).size());

        /** Reads something. */
        interface Reading {
            int of(Path path) throws IOException;
        }

        private final Reading reading;

        Way(Reading reading) {
            this.reading = reading;
        }

        void read(Path path) {
            try {
                reading.of(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNoPlaceInCodeOfUsers(Way way) throws IOException {
        try (WorkerTeam team = new WorkerTeam("reader", 1)) {
            Thread[] worker = new Thread[1];
            CompletableFuture<Void> job =
                    team.start(_ -> {
                        worker[0] = Thread.currentThread();
                        way.read(pipe);
                    });
            awaitPlace(worker, "open"); // until somebody writes
            assertThat(team.placeInUserCode()).isEmpty();

            try (var _ = Files.newOutputStream(pipe)) {
                awaitPlace(worker, "read"); // until somebody has written
                assertThat(team.placeInUserCode()).isEmpty();
            }
            job.join();
        }
    }

    /** Waits until the topmost method of a thread begins like this. */
    private static void awaitPlace(Thread[] worker, String method) {
        while (true) {
            StackTraceElement[] stack =
                    worker[0] == null ? new StackTraceElement[0] : worker[0].getStackTrace();
            if (stack.length > 0 && stack[0].getMethodName().startsWith(method)) {
                return;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Tag("slow")
    @Test
    void costsACancelledJobItsTimeButNobodyHisProcess() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        TestEdges edges =
                TestEdges.dense(0, 4)
                        .edge(0, 1)
                        .beforeEnd(() -> {
                            reading.countDown();
                            Way.STREAM.read(pipe);
                        });
        try (ComputeCluster cluster =
                ComputeCluster.start(new ClusterOptions(2, false, 1, 64L << 20))) {
            GraphSession session = cluster.session(JobListener.SILENT);
            Thread helper =
                    Thread.startVirtualThread(() -> {
                        try {
                            reading.await();
                            cluster.cancel();
                            TimeUnit.NANOSECONDS.sleep(LONGER_THAN_LOOPS_MAY.toNanos());
                            Files.newOutputStream(pipe).close();
                        } catch (IOException | InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });

            assertThatThrownBy(() ->
                            session.build(
                                    "slow", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED))
                    .isInstanceOf(JobCancelledException.class)
                    .hasMessage("the job was cancelled");

            helper.join();
            TestEdges others = TestEdges.dense(0, 4).edge(0, 1);
            GraphSession later = cluster.session(JobListener.SILENT);
            later.build("next", TestEdges.NAME, others.named(), BuildOptions.UNDIRECTED);
            assertThat(later.info("next").vertices()).isEqualTo(4);
        }
    }
}
