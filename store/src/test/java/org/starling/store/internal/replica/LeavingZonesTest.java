package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.WithheldIds;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** What a peer that leaves knows of its zones. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LeavingZonesTest {
    @Test
    void tellsOfAZoneThatNobodyCouldTakeAndNotThatAllHaveGone() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer leaver = cluster.peer(1);
            long id = leaver.create(2, 8).first();
            leaver.put(id, new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);
            long zone = ChunkId.zone(id);

            cluster.await(() -> {
                if (cluster.directory.zoneNow(zone).isYielded()) {
                    giveBack(cluster, zone);
                }
                return leaver.zones.handOverAll(node -> true) == 0;
            });

            assertThat(leaver.zones.owns(zone)).isTrue();
            assertThat(leaver.zones.staying()).isEqualTo(1);
        }
    }

    @Test
    void beginsAHandoverAnewThatWasVoidAndGivesUpAfterAFewTimes() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            long id = owner.create(2, 8).first();
            owner.put(id, new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);
            long zone = ChunkId.zone(id);
            int[] tries = {0};

            CompletableFuture<HandedOver> gone = owner.zones.handOver(2, Long.MAX_VALUE);
            cluster.await(() -> {
                if (cluster.directory.zoneNow(zone).isYielded()) {
                    tries[0]++;
                    giveBack(cluster, zone);
                }
                return gone.isDone();
            });

            assertThat(tries[0]).isEqualTo(ZoneHandovers.MOST_TRIES);
            assertThat(gone).failsWithin(0, TimeUnit.SECONDS);
            owner.put(id, new byte[8], Durability.PROCESS).get(5, TimeUnit.SECONDS);
        }
    }

    /** Out of use for a moment: the handover comes to nothing, and it gives out ids again. */
    @Test
    void withholdsIdsOfAZoneThatIsBeingHandedOver() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            int count = 4_000;
            long first = owner.create(count, 8).first();
            long zone = ChunkId.zone(first);
            List<WithheldIds> withheld = new ArrayList<>();

            CompletableFuture<HandedOver> gone = owner.zones.handOver(2, Long.MAX_VALUE);
            cluster.await(() -> {
                if (cluster.directory.zoneNow(zone).isYielded()) {
                    assertThat(owner.zones.owns(zone)).isFalse();
                    withheld.add(owner.chunks.withhold(first, count));
                    giveBack(cluster, zone);
                }
                return gone.isDone();
            });

            assertThat(withheld).isNotEmpty();
            assertThat(owner.zones.owns(zone)).isTrue();
            owner.chunks.removeRange(first, count);
            Sizes one = new Sizes.Uniform(1, 8);
            assertThat(owner.chunks.create(zone, one, WriteTag.NONE).first())
                    .isEqualTo(first + count);
            withheld.forEach(WithheldIds::close);
            assertThat(owner.chunks.create(zone, one, WriteTag.NONE).first()).isEqualTo(first);
        }
    }

    /** As if who was to take it had no memory for it. */
    private static void giveBack(ClusterInProcess cluster, long zone) {
        long before = cluster.directory.version();
        cluster.directory.now(
                new Command.GiveBackZone(zone, cluster.directory.zoneNow(zone).epoch()));
        cluster.tellAfter(before);
    }
}
