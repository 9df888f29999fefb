package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NetworkReport;
import org.starling.store.PinnedRange;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.ZoneMove;
import org.starling.store.internal.replica.OwnedZones;

/** Zones that go from one living peer to another, while they are read and written. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
final class RebalanceTest {
    private static final int HEAP_BYTES = 16 << 20;
    private static final int ZONE_BYTES = 1 << 20;
    private static final int CHUNKS = 128;
    private static final int MOST_MOVES = 32;
    private static final int RANGE = 500;

    @TempDir Path folder;

    private static StoreConfig config() {
        return StoredCluster.config().withHeapBytes(HEAP_BYTES).withZoneBytes(ZONE_BYTES);
    }

    @Test
    void evensOutMemoryAndKeepsEveryValueAndItsCopies() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 4, config())) {
            List<Long> ids = CountedChunks.fill(cluster.peer(0), CHUNKS);
            double before = spread(cluster);

            List<ZoneMove> moves = rebalance(cluster.superpeer(0));

            assertThat(moves).isNotEmpty().allMatch(move -> move.from() != move.to());
            StoredCluster.await(() -> spread(cluster) < before / 2, "memory is even");
            for (int i = 0; i < CHUNKS; i++) {
                byte[] value = cluster.peer(i % 4).chunks().get(ids.get(i));
                assertThat(ByteBuffer.wrap(value).getInt()).isEqualTo(i);
            }
            assertThat(moves)
                    .allSatisfy(move ->
                            assertThat(
                                            cluster.peer(0)
                                                    .chunks()
                                                    .owner(ChunkId.ofZone(move.zone(), 0)))
                                    .isNotEqualTo(cluster.peer(0).nodeId()));
            cluster.awaitReplicated(cluster.superpeer(0));
            assertThat(rebalance(cluster.superpeer(0)).size()).as("moves again").isLessThan(3);
        }
    }

    @Test
    void losesNoWriteThatComesMeanwhile() throws Exception {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 4, config())) {
            List<Long> ids = CountedChunks.fill(cluster.peer(0), CHUNKS);
            AtomicBoolean isOver = new AtomicBoolean();
            List<CompletableFuture<int[]>> writers = new ArrayList<>();
            for (int peer = 0; peer < 4; peer++) {
                int own = peer;
                ChunkService chunks = cluster.peer(peer).chunks().with(Durability.PROCESS);
                writers.add(
                        CompletableFuture.supplyAsync(
                                () -> CountedChunks.countUp(chunks, ids, own, 4, isOver)));
            }

            List<ZoneMove> moves = rebalance(cluster.superpeer(0));

            isOver.set(true);
            assertThat(moves).isNotEmpty();
            for (int peer = 0; peer < 4; peer++) {
                int[] counts = writers.get(peer).get(60, TimeUnit.SECONDS);
                for (int i = peer; i < CHUNKS; i += 4) {
                    byte[] value = cluster.peer((peer + 1) % 4).chunks().get(ids.get(i));
                    assertThat(ByteBuffer.wrap(value).getInt(4)).isEqualTo(counts[i]);
                }
            }
        }
    }

    @Test
    void leavesAloneWhatIsPinned() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 4, config())) {
            Node owner = cluster.peer(0);
            List<Long> ids = CountedChunks.fill(owner, CHUNKS);
            List<PinnedRange> pinned = new ArrayList<>();
            ids.forEach(id -> pinned.add(owner.chunks().pin(id, 1)));

            assertThat(cluster.superpeer(0).rebalance()).isEmpty();

            assertThat(ids).allMatch(id -> owner.chunks().isLocal(id));
            pinned.forEach(PinnedRange::close);
            ZoneMove move = cluster.superpeer(0).rebalance().orElseThrow();
            long moved =
                    ids.stream().filter(id -> ChunkId.zone(id) == move.zone()).findFirst().get();
            assertThat(owner.chunks().isLocal(moved)).isFalse();
            assertThatThrownBy(() -> owner.chunks().pin(moved, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is not on this node");
        }
    }

    @Test
    void bringsRangesToTheirBackupsThatWereWrittenInPlaceWhileTheirZoneGoes() throws Exception {
        writeWhileZonesGo(1);
    }

    @Tag("slow")
    @Test
    void bringsRangesToTheirBackupsThatWereWrittenInPlaceWhileManyZonesGo() throws Exception {
        writeWhileZonesGo(6);
    }

    private void writeWhileZonesGo(int count) throws Exception {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 4, config())) {
            ChunkService chunks = cluster.peer(0).chunks().with(Durability.PROCESS);
            OwnedZones zones = Objects.requireNonNull(cluster.peer(0).storage()).zones();
            int target = cluster.peer(1).nodeId();
            CompletableFuture<Void> gone =
                    CompletableFuture.runAsync(() -> handOver(zones, target, count));

            do {
                long first = writeInPlace(chunks);
                for (long id : new long[] {first, first + RANGE - 1}) {
                    assertThat(cluster.peer(2).chunks().get(id)[0]).isEqualTo((byte) id);
                }
                chunks.removeRange(first, RANGE / 2);
            } while (!gone.isDone());

            gone.get(1, TimeUnit.SECONDS);
        }
    }

    private static void handOver(OwnedZones zones, int target, int count) {
        for (int gone = 0; gone < count; ) {
            try {
                gone += zones.handOver(target, Long.MAX_VALUE).join().bytes() > 0 ? 1 : 0;
            } catch (CompletionException e) {
                assertThat(e).hasMessageContaining("is in use by a job");
            }
        }
    }

    private static long writeInPlace(ChunkService chunks) {
        int[] sizes = new int[RANGE];
        Arrays.fill(sizes, 8);
        long first = chunks.createUnreplicated(sizes);
        try (PinnedRange range = chunks.pin(first, RANGE)) {
            for (long id = first; id < first + RANGE; id++) {
                NativeMemory.putByte(range.address((int) (id - first)), (byte) id);
            }
            chunks.replicate(first, RANGE);
        }
        return first;
    }

    @Test
    void movesNothingWherePeersAreEvenOrAlone() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 3, config())) {
            assertThat(cluster.superpeer(0).rebalance()).isEmpty();
        }
        try (StoredCluster cluster = new StoredCluster(folder.resolve("one"), 1, 1, config())) {
            assertThat(cluster.superpeer(0).rebalance()).isEmpty();
        }
    }

    private static List<ZoneMove> rebalance(Node superpeer) {
        List<ZoneMove> moves = new ArrayList<>();
        Optional<ZoneMove> move = superpeer.rebalance();
        while (move.isPresent() && moves.size() < MOST_MOVES) {
            moves.add(move.get());
            move = superpeer.rebalance();
        }
        return moves;
    }

    /** Of the shares of memory in use. */
    private static double spread(StoredCluster cluster) {
        double[] shares =
                cluster.superpeer(0).networks().stream()
                        .map(NetworkReport::chunks)
                        .filter(chunks -> chunks.heapLimitBytes() == HEAP_BYTES)
                        .mapToDouble(chunks -> (double) chunks.heapUsedBytes() / HEAP_BYTES)
                        .sorted()
                        .toArray();
        return shares[shares.length - 1] - shares[0];
    }
}
