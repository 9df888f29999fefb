package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.Durability;
import org.starling.store.NodeLoss;
import org.starling.store.Recoveries;

/** What a real cluster tells of a peer that it has lost. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RecoveriesTest {
    @TempDir private Path root;

    @Test
    void tellsEveryNodeWhoHasTakenOverWhatALostPeerOwned() {
        try (StoredCluster cluster = new StoredCluster(root, 3, 4, StoredCluster.config())) {
            int lost = cluster.peer(0).nodeId();
            cluster.peer(0).chunks().with(Durability.POWER).create(100);
            assertThat(cluster.peer(1).recoveries().losses()).isEmpty();

            cluster.crashPeer(0);

            StoredCluster.await(
                    () ->
                            cluster.peer(1).recoveries().losses().stream()
                                    .anyMatch(loss -> loss.tookNanos() >= 0),
                    "the end of the recovery");
            Recoveries told = cluster.superpeer(2).recoveries();
            NodeLoss loss = told.losses().getFirst();
            assertThat(told.losses()).hasSize(1);
            assertThat(told.damagedZones()).isZero();
            assertThat(told.leadsNanos()).isPositive();
            assertThat(loss.node()).isEqualTo(lost);
            assertThat(loss.reason()).isNotEmpty();
            assertThat(loss.zones()).isPositive();
            assertThat(loss.agoNanos()).isGreaterThanOrEqualTo(loss.tookNanos());
            assertThat(loss.shares().stream().mapToInt(NodeLoss.Share::zones).sum())
                    .isEqualTo(loss.zones() - loss.droppedZones());
            assertThat(loss.shares().stream().mapToLong(NodeLoss.Share::bytes).sum())
                    .isGreaterThanOrEqualTo(100);
            assertThat(loss.shares()).noneMatch(share -> share.node() == lost);
        }
    }

    /** What is in it was promised to nobody. */
    @Test
    void bringsZonesBackOfWhichNoBackupHasHeardAnything() {
        try (StoredCluster cluster = new StoredCluster(root, 1, 4, StoredCluster.config())) {
            long chunk =
                    cluster.peer(0)
                            .chunks()
                            .with(Durability.POWER)
                            .createUnreplicated(new int[] {8});
            cluster.awaitReplicated(cluster.peer(1));

            cluster.crashAll();
            cluster.startAll();

            cluster.awaitReplicated(cluster.peer(1));
            assertThat(cluster.peer(1).chunks().exists(chunk)).isFalse();
        }
    }
}
