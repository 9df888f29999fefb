package org.starling.compute.internal.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.GroupName;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.group.SlaveService;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.jars.JarRules;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.Task;
import org.starling.net.LoopbackHub;
import org.starling.store.Job;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * A superpeer and peers of compute groups in this process, with data directories and everything
 * that runs jobs, so that slaves and masters can be lost.
 */
final class JobCluster implements AutoCloseable {
    private static final long HEAP_BYTES = 64 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int MAX_RUNNING = 4;

    private final LoopbackHub hub = new LoopbackHub();
    private final Path folder;
    private final Task[] tasks;
    private final StoreNode superpeer;
    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    private final AtomicLong nonces = new AtomicLong();

    /** A peer; killed ones stay in the list. */
    private record Peer(StoreNode store, SlaveService slave, JobService jobs) {}

    /**
     * Starts a cluster.
     *
     * @param groups group of each peer
     */
    JobCluster(Path folder, List<String> groups, Task... tasks) {
        this.folder = folder;
        this.tasks = tasks.clone();
        superpeer = StoreNode.startSuperpeer(options("superpeer", GroupName.DEFAULT));
        groups.forEach(this::join);
    }

    private void join(String group) {
        StoreNode peer = StoreNode.startPeer(options("peer-" + peers.size(), new GroupName(group)));
        JarLoaders loaders = new JarLoaders(JarRules.DEFAULT, new JarStore(peer)::fetch);
        SlaveService slave = new SlaveService(peer, 2, null, loaders, () -> BroughtFiles.HERE);
        JobService jobs =
                JobService.start(
                        peer,
                        HEAP_BYTES,
                        new CheckpointOptions(Duration.ZERO, 1),
                        TaskCatalog.of(tasks),
                        loaders,
                        () -> BroughtFiles.HERE,
                        MAX_RUNNING,
                        null);
        peers.add(new Peer(peer, slave, jobs));
    }

    /** Queues a job of these tasks, each a JSON object. */
    long submit(GroupName group, JobPriority priority, String... script) {
        String text = "{\"name\": \"s\", \"tasks\": [" + String.join(", ", script) + "]}";
        JobRequest request = new JobRequest("s", text, Map.of(), false, folder).to(group, priority);
        byte[] job =
                new QueuedJob(request, List.of(folder), List.of())
                        .json()
                        .getBytes(StandardCharsets.UTF_8);
        return superpeer.jobs().submit(nonces.incrementAndGet(), "s", job);
    }

    long submit(String... script) {
        return submit(GroupName.DEFAULT, JobPriority.NORMAL, script);
    }

    void cancel(long job) {
        superpeer.jobs().cancel(job);
    }

    /** Waits until a job has ended. */
    Job await(long id) {
        return await(id, true);
    }

    /** Waits until somebody runs a job. */
    void awaitRunning(long id) {
        await(id, false);
    }

    private Job await(long id, boolean end) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                Job job = superpeer.jobs().job(id).orElseThrow();
                boolean there = end ? job.info().status().isEnded() : job.info().attempt() > 0;
                if (there) {
                    return job;
                }
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("job " + id + " is " + job.info());
                }
            } catch (StoreException down) {
                if (System.nanoTime() > deadline) {
                    throw down;
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** The report of a job that has ended. */
    static String report(Job job) {
        return new String(job.report(), StandardCharsets.UTF_8);
    }

    /** What the master says of jobs. */
    List<String> waits() {
        int master = superpeer.jobs().master();
        return peers.stream()
                .filter(peer -> peer.store.nodeId() == master)
                .flatMap(peer -> peer.jobs.news().jobs().stream())
                .map(news -> news.waitsFor())
                .filter(why -> !why.isEmpty())
                .toList();
    }

    /** Lets the master vanish, and another peer. */
    void killMasterAndAnother() {
        int master = superpeer.jobs().master();
        StoreNode other = null;
        for (Peer peer : peers) {
            if (peer.store.nodeId() != master) {
                other = peer.store;
            } else {
                peer.store.crash();
            }
        }
        if (other != null) {
            other.crash();
        }
    }

    /** Chunks on all peers. */
    long chunks() {
        return peers.stream().mapToLong(p -> p.store.chunks().statistics().chunks()).sum();
    }

    @Override
    public void close() throws IOException {
        peers.forEach(peer -> peer.jobs.close());
        peers.forEach(peer -> peer.slave.close());
        superpeer.close();
        peers.forEach(peer -> peer.store.crash()); // nobody is left to say goodbye to
    }

    private NodeOptions options(String name, GroupName group) {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(HEAP_BYTES);
        return NodeOptions.loopback(hub, config)
                .withDataDirectory(folder.resolve(name))
                .withCapabilities(NodeOptions.COMPUTES | NodeOptions.STORES | group.capabilities());
    }
}
