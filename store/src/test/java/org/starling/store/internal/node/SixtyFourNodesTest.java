package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.Durability;
import org.starling.store.StoreConfig;

/** As many nodes as the usual bounds have to hold for, in one process. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SixtyFourNodesTest {
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 61;
    private static final int LOST = 3;

    @TempDir Path root;

    @Test
    void keepWhatWasWrittenAtEachThroughTheLossOfThree() {
        StoreConfig config =
                StoredCluster.config()
                        .withHeapBytes(1 << 20)
                        .withZoneBytes(StoreConfig.MIN_ZONE_BYTES)
                        .withHeartbeats(Duration.ofMillis(500), Duration.ofSeconds(5))
                        .withDefaultDurability(Durability.PROCESS);
        try (StoredCluster cluster = new StoredCluster(root, SUPERPEERS, PEERS, config)) {
            List<Long> chunks = new ArrayList<>();
            for (int i = 0; i < PEERS; i++) {
                long chunk = cluster.peer(i).chunks().create(Integer.BYTES);
                cluster.peer(i).chunks().put(chunk, bytes(i));
                chunks.add(chunk);
            }

            for (int i = 0; i < LOST; i++) {
                cluster.crashPeer(i * (PEERS / LOST));
            }

            for (int reader = 1; reader < PEERS; reader += PEERS / LOST) {
                for (int i = 0; i < PEERS; i++) {
                    assertThat(cluster.peer(reader).chunks().get(chunks.get(i)))
                            .as("of peer %d, read at peer %d", i, reader)
                            .isEqualTo(bytes(i));
                }
            }
        }
    }

    private static byte[] bytes(int number) {
        return new byte[] {(byte) number, 1, 2, 3};
    }
}
