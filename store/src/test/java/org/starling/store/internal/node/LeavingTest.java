package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.HandedZones;
import org.starling.store.PinnedRange;
import org.starling.store.StoreConfig;
import org.starling.store.internal.node.NodeMessage.Gone;
import org.starling.store.internal.node.NodeMessage.HandOver;
import org.starling.store.internal.replica.HandedOver;
import org.starling.store.internal.replica.OwnedZones;

/** Peers that end in order, and what comes of handovers that fail. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
final class LeavingTest {
    private static final int ZONE_BYTES = 1 << 20;
    private static final int ONE_ZONE_BYTES = 16 << 20;
    private static final int CHUNKS = 48;
    private static final int WRITERS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    private static StoreConfig config() {
        return StoredCluster.config().withZoneBytes(ZONE_BYTES);
    }

    @Test
    void handsOverWhatItHasBeforeItEndsWhileOthersWriteThere() throws Exception {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 4, config())) {
            Node leaver = cluster.peer(0);
            List<Long> ids = CountedChunks.fill(leaver, CHUNKS);
            AtomicBoolean isOver = new AtomicBoolean();
            List<CompletableFuture<int[]>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int own = i;
                ChunkService chunks = cluster.peer(i + 1).chunks().with(Durability.PROCESS);
                writers.add(
                        CompletableFuture.supplyAsync(
                                () -> CountedChunks.countUp(chunks, ids, own, WRITERS, isOver)));
            }

            assertThat(leaver.announceLeaving()).isTrue();
            HandedZones handed = leaver.handOverZones(PATIENCE, () -> true);

            assertThat(handed).isEqualTo(HandedZones.ALL);
            assertThat(ids).allMatch(id -> cluster.peer(1).chunks().owner(id) != leaver.nodeId());
            leaver.close();
            isOver.set(true);
            for (int own = 0; own < WRITERS; own++) {
                int[] counts = writers.get(own).get(60, TimeUnit.SECONDS);
                for (int i = own; i < CHUNKS; i += WRITERS) {
                    byte[] value = cluster.peer(1).chunks().get(ids.get(i));
                    assertThat(ByteBuffer.wrap(value).getInt(4)).isEqualTo(counts[i]);
                }
            }
        }
    }

    @Test
    void handsNothingOverWhereEverybodyLeaves() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 3, config())) {
            List<Long> ids = CountedChunks.fill(cluster.peer(0), CHUNKS);
            for (int i = 0; i < 3; i++) {
                assertThat(cluster.peer(i).announceLeaving()).isTrue();
            }
            StoredCluster.await(
                    () ->
                            cluster.peer(0).membership().nodes().stream()
                                    .noneMatch(node -> node.keeps()),
                    "everybody knows that all leave");

            HandedZones handed = cluster.peer(0).handOverZones(PATIENCE, () -> true);

            assertThat(handed.why()).isEqualTo("no other peer is there that stays");
            assertThat(ids).allMatch(id -> cluster.peer(0).chunks().isLocal(id));
        }
    }

    @Test
    void hasNobodyToTellWhereTheSuperpeerHasEndedFirst() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 3, config())) {
            cluster.crashSuperpeer(0);

            assertThat(cluster.peer(0).announceLeaving()).isFalse();
            assertThat(cluster.peer(0).handOverZones(PATIENCE, () -> true).why())
                    .isEqualTo("no superpeer leads the directory any more");
        }
    }

    @Tag("thorough")
    @Test
    void keepsItsZonesWhileTheyAreNeededHereAndThosePinnedForLonger() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 4, config())) {
            Node leaver = cluster.peer(0);
            List<Long> ids = CountedChunks.fill(leaver, CHUNKS);
            assertThat(leaver.announceLeaving()).isTrue();

            HandedZones needed = leaver.handOverZones(Duration.ofSeconds(2), () -> false);
            boolean areHere = ids.stream().allMatch(id -> leaver.chunks().isLocal(id));
            HandedZones pinned;
            try (PinnedRange _ = leaver.chunks().pin(ids.getFirst(), 1)) {
                pinned = leaver.handOverZones(Duration.ofSeconds(4), () -> true);
            }

            assertThat(needed.why()).isEqualTo("a job needs it for longer than that may take");
            assertThat(areHere).isTrue();
            assertThat(pinned.left()).isPositive();
            assertThat(pinned.why()).contains("took longer");
            assertThat(leaver.chunks().isLocal(ids.getFirst())).isTrue();
        }
    }

    @Test
    void takesACopyBackThatWasMadeForAHandoverThatFailed() {
        try (StoredCluster cluster =
                new StoredCluster(folder, 1, 5, config().withZoneBytes(ONE_ZONE_BYTES))) {
            Node owner = cluster.peer(0);
            List<Long> ids = CountedChunks.fill(owner, CHUNKS);
            cluster.awaitReplicated(cluster.superpeer(0));
            int other = stranger(cluster, ids.getFirst());
            OwnedZones zones = Objects.requireNonNull(owner.storage()).zones();

            CompletableFuture<HandedOver> gone = zones.handOver(other, Long.MAX_VALUE);
            List<PinnedRange> pinned = new ArrayList<>();
            ids.forEach(id -> pinned.add(owner.chunks().pin(id, 1)));

            assertThatThrownBy(gone::join)
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("is in use by a job");
            StoredCluster.await(
                    () -> ids.stream().allMatch(id -> owner.copies(id) == 4),
                    "all zones have three backups again");
            pinned.forEach(PinnedRange::close);
        }
    }

    @Test
    void endsAHandoverToANodeThatIsNoMember() throws Exception {
        try (StoredCluster cluster =
                new StoredCluster(folder, 1, 5, config().withZoneBytes(ONE_ZONE_BYTES))) {
            Node owner = cluster.peer(0);
            List<Long> ids = CountedChunks.fill(owner, CHUNKS);
            cluster.awaitReplicated(cluster.superpeer(0));
            int other = stranger(cluster, ids.getFirst());
            OwnedZones zones = Objects.requireNonNull(owner.storage()).zones();

            cluster.crashPeer(cluster.slotOf(other));
            cluster.awaitMembers(5);
            Gone refused =
                    cluster.superpeer(0)
                            .network()
                            .call(owner.nodeId(), new HandOver(other, Long.MAX_VALUE));
            CompletableFuture<HandedOver> gone = zones.handOver(other, Long.MAX_VALUE);
            zones.nodeLost(other);

            assertThat(refused.failure()).isEqualTo("node " + other + " is no member");
            assertThatThrownBy(() -> gone.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("which is gone");
        }
    }

    /** A peer that has no copy of any chunk's zone of that owner. */
    private static int stranger(StoredCluster cluster, long id) {
        List<Integer> backups =
                Objects.requireNonNull(cluster.superpeer(0).host())
                        .replica()
                        .read(directory ->
                                directory.zone(ChunkId.zone(id)).orElseThrow().backups());
        return IntStream.range(1, 5)
                .map(i -> cluster.peer(i).nodeId())
                .filter(node -> !backups.contains(node))
                .findFirst()
                .orElseThrow();
    }
}
