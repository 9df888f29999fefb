package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** Nothing is given up as lost while a whole copy may be somewhere. */
@Timeout(30)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class DamagedSourcesTest {
    private static final ReplicaConfig TWO =
            ReplicaConfig.defaults().with(2, 8 << 20, Duration.ofSeconds(5));

    private long zone;
    private List<Integer> listed;

    /** Puts a value, on disks; gives the backups. */
    private List<Integer> write(ClusterInProcess cluster) throws Exception {
        Peer owner = cluster.peer(1);
        Created created = owner.create(5, 8);
        zone = ChunkId.zone(created.first());
        owner.put(created.first() + 3, new byte[] {3}, Durability.POWER).get(5, TimeUnit.SECONDS);
        listed = cluster.directory.zoneNow(zone).backups();
        return listed;
    }

    private MemoryZoneLog log(ClusterInProcess cluster, int node) {
        return cluster.peer(node).logs.get(zone);
    }

    @Test
    void waitsForAListedBackupThatIsSilentForNow() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            int silent = write(cluster).get(2);
            log(cluster, listed.get(0)).damage(1);
            log(cluster, listed.get(1)).damage(1);
            cluster.peer(silent).logs.hangReads(true);
            cluster.kill(1);

            assertThatThrownBy(() -> cluster.recover(zone))
                    .hasMessageContaining("nodes [" + silent + "] may have one");

            cluster.peer(silent).logs.hangReads(false);
            assertThat(cluster.recover(zone).isDamaged()).isFalse();
        }
    }

    /** What is on it can be read all the same. */
    @Test
    void readsACopyOnADiskThatIsFull() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            write(cluster);
            log(cluster, listed.get(0)).damage(1);
            log(cluster, listed.get(1)).isFull = true;
            cluster.kill(1);

            assertThat(cluster.recover(zone).isDamaged()).isFalse();
        }
    }

    @Test
    void readsACopyThatIsNotListedOnADiskThatIsFull() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            write(cluster);
            log(cluster, listed.get(0)).damage(1);
            cluster.kill(1);
            cluster.kill(listed.get(1));
            int back = cluster.comeBack(listed.get(1));
            log(cluster, back).isFull = true;

            assertThat(cluster.recover(zone).isDamaged()).isFalse();
        }
    }

    /** One whose disk hung while the zone had no owner, and answers again. */
    @Test
    void asksAMemberThatWasTakenOffTheListAndHasNeverGone() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            write(cluster);
            log(cluster, listed.get(0)).damage(1);
            cluster.kill(1);
            cluster.directory.now(new Command.NoteDisk(listed.get(1), true));
            cluster.directory.now(new Command.NoteDisk(listed.get(1), false));
            assertThat(cluster.directory.sourcesNow(zone).others()).containsExactly(listed.get(1));

            assertThat(cluster.recover(zone).isDamaged()).isFalse();
        }
    }

    /** All processes end before there is another one. The damage is found when the log is read. */
    @Test
    void countsOnTheOnlyWholeCopyUntilThereIsAnother() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            int target = write(cluster).get(0);
            int other = listed.get(1);
            cluster.kill(1);
            cluster.kill(other);
            int back = cluster.comeBack(other);
            log(cluster, target).rot(1);
            RecoveryReport report = recoverOn(cluster, target);
            assertThat(report.isDamaged()).isFalse();
            long epoch = report.epoch();
            cluster.directory.now(
                    new Command.SwitchZone(zone, epoch, target, report.left(), false));

            cluster.kill(target);
            cluster.kill(back);
            int first = cluster.comeBack(target);
            cluster.comeBack(back);
            log(cluster, first).damage(1);

            assertThat(recoverOn(cluster, first).isDamaged()).isFalse();
        }
    }

    private RecoveryReport recoverOn(ClusterInProcess cluster, int node) throws Exception {
        ZoneInfo info = cluster.directory.zoneNow(zone);
        ZoneSources sources = cluster.directory.sourcesNow(zone);
        return cluster.peer(node)
                .recovery
                .recover(zone, info.epoch(), sources)
                .get(10, TimeUnit.SECONDS);
    }
}
