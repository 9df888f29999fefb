package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.log.ZoneLog;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** A zone that is brought into memory while its owner writes it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
final class PreparedZoneUnderLoadTest {
    private static final int BACKUP = 2;
    private static final int CHUNKS = 300;
    private static final int TRIES = 20;

    @TempDir Path folder;

    /** Else each handover of a zone that is written is a replay of its whole log after all. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void staysGoodAndIsWhatAReplayTells(boolean isOnDisk) throws Exception {
        try (ClusterInProcess cluster =
                new ClusterInProcess(4, ClusterInProcess.config(), isOnDisk ? folder : null)) {
            Peer owner = cluster.peer(1);
            long first = owner.create(CHUNKS, 4000).first();
            long zone = ChunkId.zone(first);
            owner.put(first, new byte[3], Durability.PROCESS).get(5, TimeUnit.SECONDS);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Void> writes =
                    CompletableFuture.runAsync(() -> write(owner, first, isOver));
            BackupService backups = cluster.peer(BACKUP).backups;

            for (int i = 1; i <= TRIES; i++) {
                try (LocalChunks chunks = new LocalChunks(9, 1L << 28)) {
                    PreparedZone prepared = new PreparedZone(zone, backups, chunks);
                    assertThat(prepared.bring(cluster.executor).get(20, TimeUnit.SECONDS)).isTrue();
                    assertThat(prepared.bring(cluster.executor).get(20, TimeUnit.SECONDS))
                            .as("again, try %d", i)
                            .isTrue();
                    if (i == TRIES) {
                        isOver.set(true);
                        writes.get(20, TimeUnit.SECONDS);
                        assertThat(prepared.isComplete()).isTrue();
                        requireEqual(
                                ClusterInProcess.content(chunks, zone),
                                replayed(backups.log(zone), zone));
                    }
                }
            }
        }
    }

    private static void write(Peer owner, long first, AtomicBoolean isOver) {
        Random random = new Random(3);
        long zone = ChunkId.zone(first);
        for (int i = 0; !isOver.get(); i = (i + 1) % CHUNKS) {
            if (random.nextInt(10) == 0) {
                long fresh =
                        owner.chunks.create(zone, new Sizes.Uniform(5, 200), WriteTag.NONE).first();
                owner.chunks.removeRange(fresh + 1, 4, WriteTag.NONE);
                owner.chunks.remove(fresh, WriteTag.NONE);
            }
            byte[] value = new byte[random.nextInt(200)];
            random.nextBytes(value);
            owner.put(first + i, value, Durability.PROCESS).join();
        }
    }

    private static void requireEqual(
            SortedMap<Long, byte[]> found, SortedMap<Long, byte[]> wanted) {
        assertThat(found.keySet()).isEqualTo(wanted.keySet());
        assertThat(found).allSatisfy((id, value) -> assertThat(value).isEqualTo(wanted.get(id)));
    }

    private static SortedMap<Long, byte[]> replayed(ZoneLog log, long zone) {
        try (LocalChunks fresh = new LocalChunks(8, 1L << 28)) {
            fresh.openZone(zone, null);
            log.replay(new RestoringTarget(zone, fresh, new TagTable(), 0), 2);
            return ClusterInProcess.content(fresh, zone);
        }
    }
}
