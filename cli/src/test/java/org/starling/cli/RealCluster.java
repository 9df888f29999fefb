package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;

/** A cluster of processes of a test, with all that tests ask of it. Ends with all its processes. */
final class RealCluster implements AutoCloseable {
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(90);
    private static final long PEER_BYTES = 256L << 20;
    private static final long SMALL_ZONE_BYTES = 1L << 20;

    private final Path folder;
    private LocalCluster cluster;
    private ClusterClient client;
    private long nonce;
    private Duration patience = USUAL_PATIENCE;

    private RealCluster(Path folder, LocalCluster cluster) {
        this.folder = folder;
        this.cluster = cluster;
        this.client = cluster.client();
    }

    static RealCluster start(Path folder, int superpeers, int peers) throws IOException {
        return start(folder, superpeers, peers, NodeTls.Word.OFF);
    }

    static RealCluster start(Path folder, int superpeers, int peers, NodeTls tls)
            throws IOException {
        return start(
                folder, superpeers, peers, tls, false, NodeTuning.DEFAULT.zoneBytes(), List.of());
    }

    /** With a supervisor and small zones, so that peers have several of them. */
    static RealCluster ofSmallZones(Path folder, int superpeers, int peers) throws IOException {
        return start(
                folder, superpeers, peers, NodeTls.Word.OFF, true, SMALL_ZONE_BYTES, List.of());
    }

    /** With a supervisor, which would undo what other tests do to processes. */
    static RealCluster supervised(Path folder, int superpeers, int peers, String... flags)
            throws IOException {
        return start(
                folder,
                superpeers,
                peers,
                NodeTls.Word.OFF,
                true,
                NodeTuning.DEFAULT.zoneBytes(),
                List.of(flags));
    }

    private static RealCluster start(
            Path folder,
            int superpeers,
            int peers,
            NodeTls tls,
            boolean supervised,
            long zoneBytes,
            List<String> flags)
            throws IOException {
        int port = FreePorts.base();
        NodeTuning usual = NodeTuning.DEFAULT;
        NodeTuning tuning =
                new NodeTuning(
                        2,
                        usual.durability(),
                        zoneBytes,
                        Duration.ofMillis(300),
                        usual.transport(),
                        usual.ucxTls(),
                        usual.ucxDevices(),
                        tls,
                        usual.socketSendBytes(),
                        usual.socketReceiveBytes(),
                        usual.maxConnections(),
                        usual.maxRunningJobs(),
                        usual.jars(),
                        usual.hosts(),
                        usual.leaveTimeout());
        ClusterPlan plan =
                ClusterPlan.of(folder.resolve("cluster"), superpeers, peers)
                        .withPorts(port, port + 90)
                        .withPeerSizes(1, PEER_BYTES)
                        .withRoots(List.of(folder))
                        .withSupervisor(supervised)
                        .withTuning(tuning);
        return new RealCluster(folder, LocalCluster.start(plan, flags));
    }

    /** Starts it again, on what is on its disks. */
    void startAgain() {
        client.close();
        cluster = LocalCluster.start(cluster.plan());
        client = cluster.client();
    }

    /** Where the usual patience is too little. */
    void waitAtMost(Duration longer) {
        patience = longer;
    }

    LocalCluster processes() {
        return cluster;
    }

    ClusterClient client() {
        return client;
    }

    long submit(String script) {
        JobRequest request = new JobRequest("test", script, Map.of(), false, folder);
        return client.submit(request, ++nonce);
    }

    /** Its report when it has ended so. */
    Map<?, ?> awaitEnd(long id, JobView.Status status) {
        await(job(id, job -> job.status().isEnd()));
        assertThat(client.job(id).map(JobView::status))
                .as(() -> "job %d: %s".formatted(id, client.report(id).orElse("no report")))
                .contains(status);
        Object report = JsonText.parse(client.report(id).orElseThrow());
        return (Map<?, ?>) Objects.requireNonNull(report);
    }

    BooleanSupplier job(long id, Predicate<JobView> state) {
        return () -> client.job(id).filter(state).isPresent();
    }

    /** Waits until something is so; questions that fail meanwhile are asked again. */
    void await(BooleanSupplier state) {
        long deadline = System.nanoTime() + patience.toNanos();
        RuntimeException last = new IllegalStateException("not within " + patience);
        while (System.nanoTime() < deadline) {
            try {
                if (state.getAsBoolean()) {
                    return;
                }
            } catch (RuntimeException down) {
                last = down;
            }
            LockSupport.parkNanos(50_000_000);
        }
        throw new AssertionError("waited in vain; logs:\n" + logs(), last);
    }

    /** The process that is the node of that id. */
    ClusterProcess process(int node) {
        ClusterView view = client.status();
        return cluster.processes().stream()
                .filter(process ->
                        StatusText.node(process, view)
                                .filter(member -> member.node() == node)
                                .isPresent())
                .findFirst()
                .orElseThrow();
    }

    /** A peer that is not the master. */
    ClusterProcess slave() {
        ClusterView view = client.status();
        int node =
                view.nodes().stream()
                        .filter(member -> member.role().equals("peer"))
                        .filter(member -> member.node() != view.master())
                        .findFirst()
                        .orElseThrow()
                        .node();
        return process(node);
    }

    List<ProcessHandle> handles() {
        List<ProcessHandle> handles = new ArrayList<>();
        cluster.processes().stream()
                .filter(ClusterProcess::isRunning)
                .forEach(process -> ProcessHandle.of(process.pid()).ifPresent(handles::add));
        return handles;
    }

    private String logs() {
        StringBuilder text = new StringBuilder();
        for (ClusterProcess process : cluster.processes()) {
            try {
                text.append("== ").append(process.name()).append('\n');
                text.append(Files.readString(cluster.log(process.name())));
            } catch (IOException missing) {
                text.append(missing).append('\n');
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        client.close();
        cluster.kill();
    }
}
