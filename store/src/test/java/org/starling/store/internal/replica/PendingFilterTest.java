package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;

@Timeout(10)
class PendingFilterTest {
    private static final long ZONE = ChunkId.zoneOf(3, 4);

    private record Change(int first, int count) {}

    @Test
    void neverMissesAPendingChunkAndForgetsAcknowledgedOnes() {
        long seed = 4;
        Random random = new Random(seed);
        PendingFilter filter = new PendingFilter(100);
        ArrayDeque<Change> pending = new ArrayDeque<>();
        long acknowledged = 100;

        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(5) > 0) {
                Change change =
                        new Change(
                                random.nextInt(5000),
                                random.nextInt(20) == 0 ? 1 + random.nextInt(100) : 1);
                pending.addLast(change);
                filter.addRun(ChunkId.ofZone(ZONE, change.first), change.count);
            } else {
                int many = random.nextInt(pending.size() + 1);
                acknowledged += many;
                filter.acknowledged(acknowledged);
                for (int j = 0; j < many; j++) {
                    pending.removeFirst();
                }
            }
            int probe = random.nextInt(5000);
            boolean isPending =
                    pending.stream()
                            .anyMatch(
                                    each -> probe >= each.first && probe < each.first + each.count);
            long id = ChunkId.ofZone(ZONE, probe);
            if (isPending) {
                assertThat(filter.mayHold(id) && filter.holds(id)).as("seed %d", seed).isTrue();
            }
        }
        filter.acknowledged(acknowledged + pending.size());

        for (int i = 0; i < 5000; i++) {
            assertThat(filter.mayHold(ChunkId.ofZone(ZONE, i))).isFalse();
        }
    }
}
