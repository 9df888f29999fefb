package org.starling.compute.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.Endless;
import org.starling.compute.GroupName;
import org.starling.compute.Medley;
import org.starling.compute.TestEdges;
import org.starling.compute.script.JobPriority;
import org.starling.graph.Argument;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.net.NativeMemory;
import org.starling.store.Job;
import org.starling.store.JobStatus;

/** Jobs of a real cluster in one process that run at once, each with a graph of the same name. */
@Timeout(240)
final class JobsSideBySideTest {
    private static final GroupName NIGHT = new GroupName("night");
    private static final List<String> ONE_GROUP =
            List.of("default", "default", "default", "default");
    private static final String SUM = "\"sum\": ";

    @TempDir Path folder;

    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

    /** Counted down by each job that is in the middle of its task. */
    private volatile CountDownLatch met = new CountDownLatch(2);

    /** Opened when they may go on. */
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private long before;
    private @Nullable JobCluster started;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
    }

    @AfterEach
    void close() throws IOException {
        gate.countDown();
        clients.close();
        if (started != null) {
            started.close();
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Tag("thorough")
    @Test
    void givesTwoJobsAtOnceTheResultsOfEachAlone() throws Exception {
        start(ONE_GROUP);
        String expected = sum(cluster().await(cluster().submit(medley("alone"))));
        gate = new CountDownLatch(1);

        long first = cluster().submit(medley("meet"), medley("again"));
        long second = cluster().submit(medley("meet"), medley("again"));
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue(); // both are in the middle
        gate.countDown();

        assertThat(sum(cluster().await(first))).isEqualTo(expected);
        assertThat(sum(cluster().await(second))).isEqualTo(expected);
        awaitChunks(0);
    }

    @Tag("thorough")
    @Test
    void givesTwoJobsTheirResultsWhenASlaveAndTheMasterAreLostInTheMiddle() throws Exception {
        start(List.of("default", "default", "default", "default", "default"));
        String expected = sum(cluster().await(cluster().submit(medley("alone"))));
        gate = new CountDownLatch(1);
        long first = cluster().submit(medley("alone"), medley("meet"));
        long second = cluster().submit(medley("alone"), medley("meet"));
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue();

        cluster().killMasterAndAnother();
        gate.countDown();

        assertThat(sum(cluster().await(first))).isEqualTo(expected);
        assertThat(sum(cluster().await(second))).isEqualTo(expected);
    }

    @Tag("thorough")
    @Test
    void letsTwoJobsUseOneKeptGraphAtOnceWhichNobodyDropsMeanwhile() throws Exception {
        start(ONE_GROUP);
        String expected = sum(cluster().await(cluster().submit(kept("make"))));
        long chunks = settledChunks();
        gate = new CountDownLatch(1);

        long first = cluster().submit(kept("publish one"));
        long second = cluster().submit(kept("publish two"));
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue(); // both use it
        Job dropping = cluster().await(cluster().submit(kept("drop")));
        gate.countDown();

        assertThat(dropping.info().status()).isEqualTo(JobStatus.FAILED);
        assertThat(JobCluster.report(dropping)).contains("can't be dropped: job " + first);
        assertThat(sum(cluster().await(first))).isEqualTo(expected);
        assertThat(sum(cluster().await(second))).isEqualTo(expected);
        assertThat(sum(cluster().await(cluster().submit(kept("read"))))).isEqualTo(expected);
        assertThat(cluster().chunks()).isGreaterThan(chunks); // two columns
        sum(cluster().await(cluster().submit(kept("drop"))));
        awaitChunks(1); // the catalogue
    }

    @Tag("slow")
    @Test
    void letsTwoJobsUseOneKeptGraphWhenASlaveAndTheMasterAreLostInTheMiddle() throws Exception {
        start(List.of("default", "default", "default", "default", "default"));
        String expected = sum(cluster().await(cluster().submit(kept("make"))));
        gate = new CountDownLatch(1);
        long first = cluster().submit(kept("publish one"));
        long second = cluster().submit(kept("publish two"));
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue();

        cluster().killMasterAndAnother();
        gate.countDown();

        assertThat(sum(cluster().await(first))).isEqualTo(expected);
        assertThat(sum(cluster().await(second))).isEqualTo(expected);
        assertThat(sum(cluster().await(cluster().submit(kept("read"))))).isEqualTo(expected);
        sum(cluster().await(cluster().submit(kept("drop"))));
    }

    @Test
    void leavesOtherJobsAloneWhenOneIsCancelledThatWouldNeverEnd() throws Exception {
        start(ONE_GROUP);
        String expected = sum(cluster().await(cluster().submit(medley("alone"))));
        met = new CountDownLatch(1);

        long endless = cluster().submit(medley("endless"));
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(sum(cluster().await(cluster().submit(medley("alone"))))).isEqualTo(expected);
        met = new CountDownLatch(1);
        gate = new CountDownLatch(1);
        long other = cluster().submit(medley("meet"));
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue();
        cluster().cancel(endless);

        assertThat(cluster().await(endless).info().status()).isEqualTo(JobStatus.CANCELLED);
        gate.countDown();
        assertThat(sum(cluster().await(other))).isEqualTo(expected);
    }

    @Test
    void sendsJobsToTheirGroupsWhichDoNotWaitForOneAnother() throws Exception {
        start(List.of("default", "default", "night", "night", "night"));
        met = new CountDownLatch(4);
        gate = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            cluster().submit(medley("meet"));
        }
        assertThat(met.await(60, TimeUnit.SECONDS)).isTrue();
        long waiting = cluster().submit(medley("alone"));

        Job night = cluster().await(cluster().submit(NIGHT, JobPriority.LOW, medley("alone")));

        assertThat(JobCluster.report(night)).contains("\"peers\": 3");
        assertThat(cluster().waits())
                .containsExactly("4 jobs run in group default, which are as many as may at once");
        gate.countDown();
        assertThat(JobCluster.report(cluster().await(waiting))).contains("\"peers\": 2");
    }

    @Tag("slow")
    @Test
    void leavesNothingBehindTwentyJobsOfFourClientsSomeOfWhichFail() throws Exception {
        start(ONE_GROUP);
        manyJobs(4, 5);
    }

    @Test
    @Tag("slow")
    void leavesNothingBehindTwoHundredJobsOfTenClientsSomeOfWhichFail() throws Exception {
        start(ONE_GROUP);
        manyJobs(10, 20);
    }

    private void manyJobs(int count, int each) throws Exception {
        String expected = sum(cluster().await(cluster().submit(medley("alone"))));
        awaitChunks(0);
        long memory = NativeMemory.reservedBytes();
        int threads = workers();
        List<CompletableFuture<List<Job>>> ended = new ArrayList<>();
        for (int client = 0; client < count; client++) {
            ended.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                List<Long> ids = new ArrayList<>();
                                for (int i = 0; i < each; i++) {
                                    ids.add(
                                            i % 10 == 4
                                                    ? cluster().submit(medley("throw"))
                                                    : cluster().submit(medley("alone")));
                                }
                                return ids.stream().map(cluster()::await).toList();
                            },
                            clients));
        }

        for (CompletableFuture<List<Job>> jobs : ended) {
            int i = 0;
            for (Job job : jobs.get()) {
                if (i++ % 10 == 4) {
                    assertThat(job.info().status()).isEqualTo(JobStatus.FAILED);
                    assertThat(JobCluster.report(job)).contains("told to fail");
                } else {
                    assertThat(sum(job)).isEqualTo(expected);
                }
            }
        }
        awaitChunks(0);
        awaitWorkers(threads);
        assertThat(NativeMemory.reservedBytes()).isLessThanOrEqualTo(memory + (64 << 20));
    }

    private void start(List<String> groups) {
        started = new JobCluster(folder, groups, new Doing(), new Keeping());
    }

    private JobCluster cluster() {
        return Objects.requireNonNull(started);
    }

    private void awaitChunks(long chunks) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (cluster().chunks() != chunks) {
            assertThat(System.nanoTime()).as("%s chunks", cluster().chunks()).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    /**
     * How many chunks there are once what an ended job gives back is gone: its end is told before
     * they are removed.
     */
    private long settledChunks() throws InterruptedException {
        long chunks = cluster().chunks();
        for (int unchanged = 0; unchanged < 100; unchanged++) {
            Thread.sleep(5);
            if (cluster().chunks() != chunks) {
                chunks = cluster().chunks();
                unchanged = 0;
            }
        }
        return chunks;
    }

    private static void awaitWorkers(int threads) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (workers() > threads) {
            assertThat(System.nanoTime()).as("%s workers", workers()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Threads of jobs that are there. */
    private static int workers() {
        return (int)
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().contains("-job-"))
                        .count();
    }

    private static String sum(Job job) {
        String report = JobCluster.report(job);
        assertThat(job.info().status()).as(report).isEqualTo(JobStatus.SUCCEEDED);
        int at = report.lastIndexOf(SUM);
        assertThat(at).as(report).isNotNegative();
        return report.substring(at, report.indexOf(',', at));
    }

    private static String medley(String what) {
        return "{\"task\": \"test.medley\", \"what\": \"" + what + "\"}";
    }

    private static String kept(String what) {
        return "{\"task\": \"test.kept\", \"what\": \"" + what + "\"}";
    }

    private void meet() {
        met.countDown();
        try {
            gate.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes a graph and runs a program on it that uses all that a run can use. */
    private final class Doing implements Task {
        @Override
        public TaskSignature signature() {
            return TaskSignature.of("test.medley", "Does something.")
                    .with(Argument.required("what", Argument.Type.TEXT, "what to do"))
                    .returns("sum", "integer", "of the run")
                    .returns("peers", "integer", "that it ran on");
        }

        @Override
        public TaskResult run(TaskContext context, Parameters arguments) {
            String what = arguments.text("what");
            if (!context.graphs().graphs().contains("g")) {
                TestEdges edges = TestEdges.random(11, 3_000, 9_000);
                context.graphs().build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            }
            Parameters medley = Parameters.of("resumable", true).with("second", false);
            RunResult result = context.graphs().run("g", Medley.NAME, medley);
            switch (what) {
                case "meet" -> meet();
                case "throw" -> throw new JobFailedException("told to fail");
                case "endless" -> {
                    met.countDown();
                    context.graphs().run("g", Endless.NAME, Parameters.NONE);
                }
                default -> {}
            }
            long sum = result.longAggregate("sum") + Arrays.hashCode(result.histogram("byStep"));
            return new TaskResult().put("sum", sum).put("peers", context.peers());
        }
    }

    /** Makes, uses and drops a graph that outlives jobs. */
    private final class Keeping implements Task {
        @Override
        public TaskSignature signature() {
            return TaskSignature.of("test.kept", "Does something with a kept graph.")
                    .with(Argument.required("what", Argument.Type.TEXT, "what to do"))
                    .returns("sum", "integer", "of the run")
                    .returns("columns", "integer", "that were read");
        }

        @Override
        public TaskResult run(TaskContext context, Parameters arguments) {
            GraphSession graphs = context.graphs();
            String what = arguments.text("what");
            if (what.equals("make")) {
                TestEdges edges = TestEdges.random(11, 3_000, 9_000);
                graphs.build("k", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
                graphs.keep("k");
            }
            Parameters medley = Parameters.of("resumable", true).with("second", false);
            RunResult result = graphs.run("k", Medley.NAME, medley);
            int columns = 0;
            if (what.startsWith("publish ")) {
                meet();
                graphs.publish("k", "total", what.substring("publish ".length()), false);
            } else if (what.equals("read")) {
                for (String column : List.of("one", "two")) {
                    assertThat(values(graphs, column)).isEqualTo(values(graphs, "total"));
                    columns++;
                }
            } else if (what.equals("drop")) {
                graphs.drop("k");
            }
            long sum = result.longAggregate("sum") + Arrays.hashCode(result.histogram("byStep"));
            return new TaskResult().put("sum", sum).put("columns", columns);
        }

        private List<Long> values(GraphSession graphs, String state) {
            List<Long> values = new ArrayList<>();
            try (StateCursor cursor = graphs.read("k", state)) {
                while (cursor.next()) {
                    values.add(cursor.asLong());
                }
            }
            return values;
        }
    }
}
