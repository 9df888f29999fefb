package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.InProcessCluster;
import org.starling.compute.cluster.JarService.JarView;
import org.starling.compute.cluster.JobView;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.UserThread;
import org.starling.compute.script.JobRequest;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;

/**
 * Class loaders of jars go with the last job that uses them: all of a cluster is in this process.
 * {@code -Dstarling.unload.cycles=200} runs more of them than each build.
 */
@Tag("thorough")
@Timeout(600)
final class UserJarUnloadTest {
    private static final int CYCLES = Integer.getInteger("starling.unload.cycles", 20);
    private static final int WARM_UP = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A set of loaders of one job of this jar takes several hundred KiB. */
    private static final long MAX_GROWTH_BYTES = 6L << 20;

    private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
    private final Queue<PhantomReference<ClassLoader>> loaded = new ConcurrentLinkedQueue<>();

    private int gones;

    /** What the twin keeps of a loader. */
    private final Queue<ClassLoader> kept = new ConcurrentLinkedQueue<>();

    @TempDir Path folder;

    @BeforeEach
    void listen() {
        hear(loader -> loaded.add(new PhantomReference<>(loader, gone)));
    }

    @AfterEach
    void stopListening() {
        System.getProperties().remove(RingJar.LOADED);
    }

    private static void hear(Consumer<ClassLoader> consumer) {
        System.getProperties().put(RingJar.LOADED, consumer);
    }

    @Test
    void leavesNoClassLoaderBehindWhenJobsHaveEnded() throws IOException {
        List<JarContents> jars = List.of(jar());
        try (ComputeCluster cluster = embedded()) {
            goAndComeAgain(_ -> embeddedJob(cluster, jars));
        }
    }

    /** The twin: one reference is enough for the test above to be red. */
    @Test
    void seesALoaderThatSomebodyKeeps() throws IOException {
        hear(loader -> {
            kept.add(loader);
            loaded.add(new PhantomReference<>(loader, gone));
        });
        List<JarContents> jars = List.of(jar());
        try (ComputeCluster cluster = embedded()) {
            embeddedJob(cluster, jars);

            collect();
            collect();

            assertThat(remaining()).isEqualTo(kept.size()).isPositive();
            kept.clear();
            assertThat(awaitGone()).isTrue();
        }
    }

    @Test
    @Tag("slow")
    void leavesNoneBehindInAClusterThatQueuesJobs() throws IOException {
        JarContents jar = jar();
        try (InProcessCluster cluster = start();
                ClusterClient client = cluster.client()) {
            bring(jar, client);
            goAndComeAgain(cycle -> run(jar, client, cycle));
        }
    }

    private void goAndComeAgain(IntConsumer job) {
        long before = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            job.accept(cycle);
            if (cycle == WARM_UP) {
                assertThat(awaitGone()).as("%d loaders are left", loaded.size()).isTrue();
                before = metaspaceBytes();
            }
        }
        assertThat(awaitGone()).as("%d loaders are left", loaded.size()).isTrue();
        assertThat(gones).isGreaterThanOrEqualTo(CYCLES);
        assertThat(metaspaceBytes() - before).isLessThan(MAX_GROWTH_BYTES);
    }

    private static ComputeCluster embedded() {
        return ComputeCluster.start(new ClusterOptions(2, false, 2, 64L << 20));
    }

    private static void embeddedJob(ComputeCluster cluster, List<JarContents> jars) {
        GraphSession graphs = cluster.session(JobListener.SILENT, jars);
        new UserThread<>(
                        "job of a test",
                        UserJarUnloadTest.class.getClassLoader(),
                        () -> {
                            Parameters size = Parameters.of("vertices", 12);
                            graphs.build("g", "my.ring", size, BuildOptions.UNDIRECTED);
                            return graphs.run("g", "my.distances", Parameters.NONE);
                        })
                .call();
        cluster.endJob();
    }

    private InProcessCluster start() throws IOException {
        int port = FreePorts.base();
        return InProcessCluster.start(
                ClusterPlan.of(folder.resolve("cluster"), 1, 2)
                        .withPorts(port, port + 90)
                        .withPeerSizes(1, 64L << 20)
                        .withRoots(List.of(folder)));
    }

    private JarContents jar() throws IOException {
        return JarInspection.of(
                RingJar.build(folder.resolve("ring.jar"), "unload"), JarRules.DEFAULT);
    }

    private static void bring(JarContents contents, ClusterClient client) {
        var jar = contents.jar();
        JarView view = new JarView(jar.digest(), jar.name(), jar.bytes(), List.of());
        assertThat(client.jars().missing(List.of(view))).containsExactly(jar.digest());
        client.jars().bring(jar.digest(), jar.name(), jar.file());
        assertThat(client.jars().missing(List.of(view))).isEmpty();
    }

    private void run(JarContents jar, ClusterClient client, int cycle) {
        JobRequest request =
                new JobRequest("cycle", RingJar.script(12), Map.of(), false, folder)
                        .withJars(List.of(jar.jar().digest()));
        long id = client.submit(request, cycle);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (client.job(id).filter(job -> job.status().isEnd()).isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(2_000_000);
        }
        assertThat(client.job(id)).map(JobView::status).contains(JobView.Status.SUCCEEDED);
        assertThat(client.report(id))
                .hasValueSatisfying(text ->
                        assertThat(text)
                                .contains("\"states\": " + RingJar.sum(12))
                                .contains(jar.jar().digest()));
    }

    /** What slaves hold of a job is released a moment after its end. */
    private boolean awaitGone() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            collect();
            if (remaining() == 0) {
                return true;
            }
        }
        return false;
    }

    private static void collect() {
        System.gc();
        LockSupport.parkNanos(50_000_000);
    }

    private int remaining() {
        for (Reference<?> left = gone.poll(); left != null; left = gone.poll()) {
            loaded.remove(left);
            gones++;
        }
        return loaded.size();
    }

    private static long metaspaceBytes() {
        collect();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().contains("Metaspace"))
                .map(MemoryPoolMXBean::getUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
