package org.starling.compute.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.internal.group.LocalGroup;
import org.starling.compute.internal.group.MasterSession;
import org.starling.graph.GraphSession;
import org.starling.net.LoopbackHub;
import org.starling.store.Durability;
import org.starling.store.StoreConfig;

/**
 * A small cluster inside a test's process: jobs on it can lose peers, and messages can be delivered
 * in any order. One job at a time; used by one thread.
 *
 * <p>A peer that is lost is made up for within some tens of milliseconds: its lease is short, but
 * nobody is declared lost for being silent, so that a machine that stands still loses nobody.
 */
public final class TestCluster implements AutoCloseable {
    /** Native memory for the chunks of each peer. */
    private static final long HEAP_BYTES = 64L << 20;

    private static final int THREADS = 2;

    /** Where peers are lost; clusters that lose none wait for their next jobs without a cost. */
    private static final Duration HEARTBEAT = Duration.ofMillis(15);

    private static final Duration LEASE = Duration.ofMillis(60);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long RECHECK_NANOS = 1_000_000;

    /** Memory that looks like a folder, where there is such a thing, and room enough in it. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long WANTED_BYTES = 1L << 30;

    private static final String PREFIX = "starling-test-";

    /** After each superstep, so that a loss repeats one. */
    private static final CheckpointOptions ALWAYS = new CheckpointOptions(Duration.ZERO, 1);

    private final @Nullable Path folder;
    private final LocalGroup group;
    private final int peers;
    private final MasterSession master;
    private int started;
    private int lost;

    private TestCluster(int peers, OptionalLong seed, boolean survives) {
        LoopbackHub hub =
                seed.isPresent() ? LoopbackHub.shuffled(seed.getAsLong()) : new LoopbackHub();
        StoreConfig usual = StoreConfig.defaults();
        StoreConfig config =
                usual.withHeapBytes(HEAP_BYTES)
                        .withRequestTimeout(SILENCE)
                        .withHeartbeats(survives ? HEARTBEAT : usual.heartbeatInterval(), SILENCE);
        this.peers = peers;
        folder = survives ? makeFolder() : null;
        group = new LocalGroup(hub, survives ? config.withLease(LEASE) : config, THREADS, folder);
        fill();
        master = group.master(1, ALWAYS);
        if (survives) {
            awaitReplication();
        }
    }

    /**
     * A cluster whose data is gone with its owner.
     *
     * @param seed of the delays of messages; without it they are delivered at once
     */
    public static TestCluster start(int peers, OptionalLong seed) {
        return new TestCluster(peers, seed, false);
    }

    /** A cluster of at least four peers, of which it can lose one in each job. */
    public static TestCluster thatSurvives(int peers) {
        return new TestCluster(peers, OptionalLong.empty(), true);
    }

    /** Begins a job; peers have been started in place of those that the last one has lost. */
    public GraphSession session(JobListener listener) {
        fill();
        master.begin(listener);
        master.beginTask(0);
        return master;
    }

    /** Lets the peer that has been there longest vanish without a word. */
    public void losePeer() {
        group.crash(lost++);
    }

    /** Ends the task: what it has changed of structures takes effect. */
    public void endTask() {
        master.endStructures(true);
        master.settleStructures();
    }

    /** Ends the job: its graphs are gone, and so are structures, those that it kept, too. */
    public void endJob() {
        for (String structure : master.structures().names()) {
            master.structures().drop(structure);
        }
        endTask();
        master.endJob();
    }

    @Override
    public void close() {
        group.close();
        if (folder != null) {
            remove(folder);
        }
    }

    private void fill() {
        for (; started - lost < peers; started++) {
            group.join();
        }
    }

    private void awaitReplication() {
        long start = System.nanoTime();
        while (group.superpeer().promised().compareTo(Durability.PROCESS) < 0) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "no replication after "
                                + PATIENCE.toSeconds()
                                + " s: "
                                + group.superpeer().promise());
            }
            LockSupport.parkNanos(RECHECK_NANOS);
        }
    }

    private static Path makeFolder() {
        try {
            boolean hasRoom =
                    Files.isWritable(MEMORY)
                            && Files.getFileStore(MEMORY).getUsableSpace() >= WANTED_BYTES;
            return hasRoom
                    ? Files.createTempDirectory(MEMORY, PREFIX)
                    : Files.createTempDirectory(PREFIX);
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for the data of a test's cluster", e);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the data of a test's cluster can't be removed", e);
        }
    }
}
