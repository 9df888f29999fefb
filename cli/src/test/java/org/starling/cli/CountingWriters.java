package org.starling.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.LocalCluster;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Threads that write to chunks of a cluster from outside, all the time: each counts its own chunks
 * up, and reads each before it writes it again. What it finds must not be older than the last write
 * that was acknowledged, nor newer than the last that was tried. Notes the longest time in which a
 * thread got no answer.
 */
final class CountingWriters implements AutoCloseable {
    private static final int CHUNKS_OF_EACH = 12;
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(3);
    private static final Duration LAST_READ_PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private final LocalCluster cluster;
    private final AtomicReference<@Nullable StoreNode> node = new AtomicReference<>();
    private final List<Writer> writers = new ArrayList<>();
    private volatile boolean isOver;

    private CountingWriters(LocalCluster cluster) {
        this.cluster = cluster;
    }

    static CountingWriters start(LocalCluster cluster, int threads) {
        CountingWriters all = new CountingWriters(cluster);
        all.connect();
        List<Integer> owners =
                all.node().membership().nodes().stream()
                        .filter(NodeInfo::keeps)
                        .map(NodeInfo::id)
                        .toList();
        for (int i = 0; i < threads; i++) {
            int[] sizes = new int[CHUNKS_OF_EACH];
            java.util.Arrays.fill(sizes, 2 * Long.BYTES);
            int owner = owners.get(i % owners.size());
            all.writers.add(all.new Writer(all.node().chunks().createOn(owner, sizes)));
        }
        all.writers.forEach(writer -> writer.thread.start());
        return all;
    }

    /** One thread with chunks of its own. Fields are confined to it until it has ended. */
    private final class Writer {
        final long first;
        final long[] acknowledged = new long[CHUNKS_OF_EACH];
        final long[] tried = new long[CHUNKS_OF_EACH];
        final Thread thread = Thread.ofPlatform().daemon().name("writer").unstarted(this::run);
        long answers;
        long failures;
        volatile String wrong = "";
        volatile String lastFailure = "";
        volatile long answeredNanos = System.nanoTime();
        volatile long longestNanos;

        Writer(long first) {
            this.first = first;
        }

        private void run() {
            for (int i = 0; !isOver && wrong.isEmpty(); i = (i + 1) % CHUNKS_OF_EACH) {
                try {
                    check(i, node().chunks().get(first + i));
                    long value = ++tried[i];
                    node().chunks()
                            .put(
                                    first + i,
                                    ByteBuffer.allocate(2 * Long.BYTES).putLong(value).array());
                    acknowledged[i] = value;
                    answered();
                } catch (StoreException e) { // it may have taken effect, or not
                    failures++;
                    lastFailure = String.valueOf(e);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }

        private void answered() {
            long now = System.nanoTime();
            answers++;
            longestNanos = Math.max(longestNanos, now - answeredNanos);
            answeredNanos = now;
        }

        private void check(int i, byte[] bytes) {
            long value = ByteBuffer.wrap(bytes).getLong();
            if (value < acknowledged[i] || value > tried[i]) {
                wrong =
                        "chunk %x holds %d, acknowledged were %d, tried %d"
                                .formatted(first + i, value, acknowledged[i], tried[i]);
            }
        }

        private void readBack() {
            long deadline = System.nanoTime() + LAST_READ_PATIENCE.toNanos();
            for (int i = 0; i < CHUNKS_OF_EACH; ) {
                try {
                    check(i, node().chunks().get(first + i));
                    i++;
                } catch (StoreException e) {
                    if (System.nanoTime() - deadline > 0) {
                        wrong = "chunk %x can't be read: %s".formatted(first + i, e);
                        return;
                    }
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }
    }

    /**
     * The longest time without an answer since the last call, of the thread that waited longest.
     */
    Duration longestSilence() {
        long longest = 0;
        for (Writer each : writers) {
            longest = Math.max(longest, each.longestNanos);
            longest = Math.max(longest, System.nanoTime() - each.answeredNanos);
            each.longestNanos = 0;
        }
        return Duration.ofNanos(longest);
    }

    /** Why the thread that has been without an answer for longest got none, if it has failed. */
    String lastFailure() {
        return writers.stream()
                .min(Comparator.comparingLong(each -> each.answeredNanos))
                .map(each -> each.lastFailure)
                .orElse("");
    }

    /** Ends the threads and reads everything back; what is wrong, a line each. */
    List<String> end() throws InterruptedException {
        isOver = true;
        for (Writer each : writers) {
            each.thread.join();
            each.readBack();
        }
        return writers.stream().map(each -> each.wrong).filter(wrong -> !wrong.isEmpty()).toList();
    }

    long answers() {
        return writers.stream().mapToLong(each -> each.answers).sum();
    }

    long failures() {
        return writers.stream().mapToLong(each -> each.failures).sum();
    }

    private StoreNode node() {
        return Objects.requireNonNull(node.get());
    }

    /** Joins, and joins again when a busy machine has had it declared lost. */
    private void connect() {
        long deadline = System.nanoTime() + JOIN_PATIENCE.toNanos();
        while (!isOver) {
            try {
                StoreConfig config =
                        StoreConfig.defaults()
                                .withHeapBytes(32 << 20)
                                .withDefaultDurability(Durability.POWER);
                StoreNode fresh =
                        StoreNode.startPeer(
                                NodeOptions.peer(
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(), 0),
                                                cluster.superpeers(),
                                                config.withNet(
                                                        config.net().withSecret(cluster.secret())))
                                        .withCapabilities(0));
                fresh.onExpelled(() ->
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> {
                                    connect();
                                    fresh.close();
                                }));
                node.set(fresh);
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        isOver = true;
        StoreNode last = node.getAndSet(null);
        if (last != null) {
            last.close();
        }
    }
}
