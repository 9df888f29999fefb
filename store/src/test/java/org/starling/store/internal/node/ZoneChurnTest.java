package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.StoreConfig;

/**
 * Data that comes and goes leaves nothing behind: no entry in the directory, no log on any disk, no
 * native memory.
 */
@Timeout(120)
class ZoneChurnTest {
    private static final int PEERS = 4;
    private static final int ZONE_BYTES = 256 << 10;

    /** About four zones for each peer. */
    private static final int CHUNKS = 256;

    private static final int CHUNK_BYTES = 4096;
    private static final double MARGIN = 1.1;

    @TempDir Path root;

    /** What there is while nothing is stored. */
    private record Rest(int zones, long diskBytes, long reservedBytes, long residentBytes) {}

    @Tag("slow")
    @Test
    void leavesNothingOfWhatWasLoadedAndDropped() {
        churn(3);
    }

    @Tag("slow")
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void leavesNothingOfWhatWasLoadedAndDroppedAThousandTimes() {
        churn(1000);
    }

    @Tag("slow")
    @Test
    void tellsAPeerThatWasAwayThatAZoneWasDropped() {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS + 1, config(4))) {
            List<Long> ranges = load(cluster);
            long zone = ChunkId.zone(ranges.getFirst());
            int away = backupOf(zone);
            Path folder = logOf(zone, root.resolve("peer" + away));
            cluster.crashPeer(away);
            drop(cluster, ranges);
            StoredCluster.await(
                    () -> {
                        collect(cluster);
                        return zones(cluster) <= 2 * PEERS;
                    },
                    "zones are dropped");
            assertThat(folder).exists();

            cluster.startPeer(away);
            StoredCluster.await(
                    () -> {
                        collect(cluster);
                        return !Files.exists(folder);
                    },
                    "the log of a dropped zone is gone");
        }
    }

    @Tag("slow")
    @Test
    void bringsNothingBackThatWasDroppedWhenAllStartAgain() {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, config(4))) {
            List<Long> ranges = load(cluster);
            long kept = cluster.peer(0).chunks().with(Durability.POWER).create(3);
            drop(cluster, ranges);
            collectUntilAtRest(cluster);

            cluster.crashAll();
            cluster.startAll();

            ChunkService chunks = cluster.peer(1).chunks();
            assertThat(chunks.get(kept)).hasSize(3);
            for (long range : ranges) {
                assertThatThrownBy(() -> chunks.get(range))
                        .isInstanceOf(ChunkNotFoundException.class);
            }
        }
    }

    // private

    private void churn(int rounds) {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, config(10))) {
            Rest first = round(cluster);
            Rest last = first;
            for (int i = 1; i < rounds; i++) {
                last = round(cluster);
            }

            assertThat(last.zones).isLessThanOrEqualTo(2 * PEERS);
            assertThat((double) last.diskBytes).isLessThan(MARGIN * first.diskBytes);
            assertThat((double) last.reservedBytes).isLessThan(MARGIN * first.reservedBytes);
            if (rounds >= 1000) { // before that the heap of the JVM grows, too
                assertThat(last.residentBytes).isLessThan(2 * first.residentBytes);
            }
        }
    }

    private Rest round(StoredCluster cluster) {
        drop(cluster, load(cluster));
        collectUntilAtRest(cluster);
        return new Rest(zones(cluster), diskBytes(), NativeMemory.reservedBytes(), resident());
    }

    private static List<Long> load(StoredCluster cluster) {
        List<Long> ranges = new ArrayList<>();
        for (int peer = 0; peer < PEERS; peer++) {
            ChunkService chunks = cluster.peer(peer).chunks().with(Durability.PROCESS);
            for (int part = 0; part < 8; part++) {
                ranges.add(chunks.createRange(CHUNKS / 8, CHUNK_BYTES));
            }
        }
        return ranges;
    }

    private static void drop(StoredCluster cluster, List<Long> ranges) {
        ChunkService chunks = cluster.peer(0).chunks().with(Durability.PROCESS);
        for (long range : ranges) {
            assertThat(chunks.removeRange(range, CHUNKS / 8)).isEqualTo(CHUNKS / 8);
        }
    }

    private static void collect(StoredCluster cluster) {
        for (int i = 0; i <= PEERS; i++) {
            int slot = i;
            cluster.nodes().stream()
                    .filter(node -> cluster.slotOf(node.nodeId()) == slot)
                    .forEach(node ->
                            Objects.requireNonNull(node.storage())
                                    .collectGarbage(node.members()::isMember));
        }
        LockSupport.parkNanos(20_000_000);
    }

    /** At each peer one zone remains that is being filled, and perhaps the next. */
    private void collectUntilAtRest(StoredCluster cluster) {
        StoredCluster.await(
                () -> {
                    collect(cluster);
                    return zones(cluster) <= 2 * PEERS && logs() <= 3 * zones(cluster) + PEERS;
                },
                "zones are dropped");
    }

    private static int zones(StoredCluster cluster) {
        return cluster.superpeer(0).status().zones();
    }

    private static Path logOf(long zone, Path peer) {
        return peer.resolve("backups/zones/%016x".formatted(zone));
    }

    /** A peer that backs a zone up, but for the first. */
    private int backupOf(long zone) {
        for (int i = 1; i <= PEERS; i++) {
            if (Files.exists(logOf(zone, root.resolve("peer" + i)))) {
                return i;
            }
        }
        throw new AssertionError("nobody backs zone " + zone + " up");
    }

    private long logs() {
        return walk(path -> path.resolveSibling("").endsWith("zones") ? 1 : 0);
    }

    private long diskBytes() {
        return walk(path -> {
            try {
                return path.toString().contains("zones") && Files.isRegularFile(path)
                        ? Files.size(path)
                        : 0;
            } catch (IOException e) {
                return 0; // it is being deleted
            }
        });
    }

    private long walk(java.util.function.ToLongFunction<Path> value) {
        try (Stream<Path> all = Files.walk(root)) {
            return all.mapToLong(value).sum();
        } catch (UncheckedIOException | IOException e) {
            return Long.MAX_VALUE; // something was deleted in the middle; asked again
        }
    }

    private static long resident() {
        try {
            String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 3)[1];
            return Long.parseLong(pages) * NativeMemory.PAGE_BYTES;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Zones are dropped after twice the time-out; recoveries have to end within it. */
    private static StoreConfig config(int timeoutSeconds) {
        return StoredCluster.config()
                .withZoneBytes(ZONE_BYTES)
                .withHeartbeats(Duration.ofMillis(100), Duration.ofMillis(1000))
                .withRequestTimeout(Duration.ofSeconds(timeoutSeconds));
    }
}
