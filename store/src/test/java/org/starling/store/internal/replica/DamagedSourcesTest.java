package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.EntryWriter;
import org.starling.store.internal.log.ZoneLog;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** Nothing is given up as lost while a whole copy may be somewhere. */
@Timeout(30)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class DamagedSourcesTest {
    private static final ReplicaConfig TWO =
            ReplicaConfig.defaults().with(2, 8 << 20, Duration.ofSeconds(5));

    private static final byte[] VALUE = {0x5A, 0x11, 0x5A, 0x22, 0x5A, 0x33, 0x5A, 0x44};

    @TempDir Path folder;
    private long zone;
    private List<Integer> listed;

    /** Puts a value, on disks; gives the backups. */
    private List<Integer> write(ClusterInProcess cluster) throws Exception {
        Peer owner = cluster.peer(1);
        Created created = owner.create(5, 8);
        zone = ChunkId.zone(created.first());
        owner.put(created.first() + 3, VALUE, Durability.POWER).get(5, TimeUnit.SECONDS);
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
            delist(cluster, listed.get(1));
            assertThat(cluster.directory.sourcesNow(zone).others()).containsExactly(listed.get(1));

            assertThat(cluster.recover(zone).isDamaged()).isFalse();
        }
    }

    /** Two members are not listed: one is whole, the other one does not answer. */
    @Test
    void usesAWholeCopyThoughAnotherMemberIsSilent() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            int target = write(cluster).get(0);
            log(cluster, target).damage(1);
            cluster.kill(1);
            delist(cluster, listed.get(1));
            delist(cluster, listed.get(2));
            cluster.peer(listed.get(1)).logs.hangReads(true);

            assertThat(recoverOn(cluster, target).isDamaged()).isFalse();
        }
    }

    /** What the target's log does not take any more it takes as content. */
    @Test
    void usesAWholeCopyThatIsLongerThanADamagedOne() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            int target = write(cluster).get(0);
            log(cluster, target).damage(1);
            cluster.kill(1);
            appendOne(log(cluster, listed.get(1)));
            delist(cluster, listed.get(1));

            RecoveryReport report = recoverOn(cluster, target);

            assertThat(report.isDamaged()).isFalse();
            assertThat(report.left()).contains(target).doesNotContain(listed.get(1));
        }
    }

    /** On a full disk, so that it can't be brought to the end. */
    @Test
    void usesAListedCopyThatLacksWhatNobodyWasToldOf() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            int target = write(cluster).get(0);
            cluster.kill(1);
            appendOne(log(cluster, target));
            log(cluster, target).rot(1);
            log(cluster, listed.get(1)).isFull = true;

            assertThat(recoverOn(cluster, target).isDamaged()).isFalse();
        }
    }

    /** The target of the shorter copy does without it, and so does its own. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void doesWithoutALongerLogWhoseTailCannotBeRead(int index) throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO, folder)) {
            int rotten = write(cluster).get(0);
            cluster.kill(1);
            appendOne(cluster.peer(rotten).disk.get(zone));
            flipValue(rotten);

            assertThat(recoverOn(cluster, listed.get(index)).isDamaged()).isFalse();
        }
    }

    /** As with a bad sector. */
    @Test
    void goesOnBehindACopyThatCannotBeRead() throws Exception {
        try (ClusterInProcess cluster =
                new ClusterInProcess(4, ClusterInProcess.config(), folder)) {
            int rotten = write(cluster).get(0);
            cluster.kill(1);
            delist(cluster, listed.get(2));
            flipValue(rotten);
            Files.delete(file(listed.get(1)));

            assertThat(recoverOn(cluster, rotten).isDamaged()).isFalse();
        }
    }

    /** The target's own disk can't read, and a member that is not listed has all. */
    @Test
    void asksOthersThoughItsOwnLogCannotBeRead() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO, folder)) {
            int target = write(cluster).get(0);
            cluster.kill(1);
            delist(cluster, listed.get(1));
            Files.delete(file(target));

            assertThat(recoverOn(cluster, target).isDamaged()).isFalse();
        }
    }

    @Test
    void givesNothingUpWhileItsOwnLogCannotBeRead() throws Exception {
        try (ClusterInProcess cluster =
                new ClusterInProcess(
                        2,
                        ReplicaConfig.defaults().with(1, 8 << 20, Duration.ofSeconds(5)),
                        folder)) {
            int target = write(cluster).get(0);
            cluster.kill(1);
            Path aside = Files.move(file(target), folder.resolve("aside"));

            assertThatThrownBy(() -> recoverOn(cluster, target))
                    .hasMessageContaining("nodes [" + target + "] may have one");

            Files.move(aside, file(target));
            assertThat(recoverOn(cluster, target).isDamaged()).isFalse();
        }
    }

    /** Else its log would go on behind what the new owner has in memory. */
    @Test
    void takesTheContentOfACopyThatHasTheEndBeforeThatOfAShorterOne() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            int target = write(cluster).get(0);
            cluster.kill(1);
            appendOne(log(cluster, target));
            log(cluster, target).rot(1);
            log(cluster, listed.get(1)).isFull = true;

            RecoveryReport report = cluster.recover(zone);

            assertThat(report.left()).contains(target, listed.get(1)).doesNotContain(listed.get(2));
            long changed = ChunkId.ofZone(zone, 1);
            byte[] value = content(cluster, target, changed);
            cluster.kill(target);
            cluster.recover(zone);
            int next = cluster.directory.zoneNow(zone).owner();
            assertThat(content(cluster, next, changed)).isEqualTo(value);
        }
    }

    /** One of all who have come back is not needed, and that is then the one that can't be read. */
    @Test
    void needsALongerDamagedLogWhileAnotherOneCannotBeRead() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            write(cluster);
            cluster.kill(1);
            forceAll(cluster);
            appendOne(log(cluster, listed.get(1)));
            appendOne(log(cluster, listed.get(2)));
            listed.forEach(cluster::kill);
            int target = cluster.comeBack(listed.get(0));
            log(cluster, cluster.comeBack(listed.get(1))).damage(1);
            cluster.peer(cluster.comeBack(listed.get(2))).logs.refuseReads();

            assertThat(recoverOn(cluster, target).isDamaged()).isFalse();

            assertThat(content(cluster, target, ChunkId.ofZone(zone, 1))).isEqualTo(VALUE);
        }
    }

    /** The second of three is damaged and without its end; only the third has the last change. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isLostUntilTheOneThatHasTheEndCanBeRead(boolean isThere) throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            write(cluster);
            cluster.kill(1);
            forceAll(cluster);
            appendOne(log(cluster, listed.get(2)));
            listed.forEach(cluster::kill);
            int target = cluster.comeBack(listed.get(0));
            int cut = cluster.comeBack(listed.get(1));
            log(cluster, cut).damage(1);
            log(cluster, cut).wasSafeTo(log(cluster, target).end() + 1);
            int last = -1;
            if (isThere) {
                last = cluster.comeBack(listed.get(2));
                cluster.peer(last).logs.refuseReads();
            }

            assertThatThrownBy(() -> recoverOn(cluster, target))
                    .hasMessageContaining(isThere ? "can't read their logs" : "DATA LOST: changes");

            if (isThere) {
                cluster.peer(last).logs.hangReads(false);
            } else {
                cluster.await(() -> !cluster.directory.zoneNow(zone).recoverable());
                cluster.comeBack(listed.get(2));
            }
            assertThat(recoverOn(cluster, target).isDamaged()).isFalse();
            assertThat(content(cluster, target, ChunkId.ofZone(zone, 1))).isEqualTo(VALUE);
        }
    }

    /** The longest of three, which the others do not need, as all have come back. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void doesWithoutTheLongestOfAllIfItCannotTellItsEnd(int index) throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            write(cluster);
            cluster.kill(1);
            forceAll(cluster);
            appendOne(log(cluster, listed.get(2)));
            listed.forEach(cluster::kill);
            List<Integer> back = listed.stream().map(cluster::comeBack).toList();
            MemoryZoneLog longest = log(cluster, back.get(2));
            longest.rot(longest.end());

            if (index == 2) {
                assertThatThrownBy(() -> recoverOn(cluster, back.get(index)))
                        .hasMessageContaining("another node has a whole one");
            } else {
                assertThat(recoverOn(cluster, back.get(index)).isDamaged()).isFalse();
            }
        }
    }

    /** A new backup gets a whole copy of what is left, and so do those. */
    @Test
    void reliesOnNoDiskThatWasFoundDamaged() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, TWO)) {
            int target = write(cluster).get(0);
            cluster.kill(1);
            listed.forEach(node -> log(cluster, node).rot(1));

            RecoveryReport report = recoverOn(cluster, target);

            assertThat(report.isDamaged()).isTrue();
            assertThat(report.left()).containsExactlyInAnyOrderElementsOf(listed);
        }
    }

    private void forceAll(ClusterInProcess cluster) {
        listed.forEach(node -> log(cluster, node).forceNow());
    }

    private byte[] content(ClusterInProcess cluster, int node, long chunk) {
        return ClusterInProcess.content(cluster.peer(node).chunks, zone).get(chunk);
    }

    private static void delist(ClusterInProcess cluster, int node) {
        cluster.directory.now(new Command.NoteDisk(node, true));
        cluster.directory.now(new Command.NoteDisk(node, false));
    }

    /** One change more, of another chunk, that nobody was told is safe. */
    private static void appendOne(ZoneLog log) {
        long at = NativeMemory.reserve(4096);
        long value = NativeMemory.reserve(8);
        NativeMemory.copyFromArray(VALUE, 0, value, VALUE.length);
        int bytes = EntryWriter.put(at, 1, value, 8, EntryLayout.NO_CLIENT, 0);
        log.append(log.epoch(), log.end() + 1, at, bytes, 1);
        log.force(log.end()).join();
        NativeMemory.release(at, 4096);
        NativeMemory.release(value, 8);
    }

    private Path file(int node) {
        return folder.resolve("node-" + node)
                .resolve("zones")
                .resolve("%016x".formatted(zone))
                .resolve("00000001.log");
    }

    /** While the log is in use, so that it is found when it is read. */
    private void flipValue(int node) throws IOException {
        byte[] all = Files.readAllBytes(file(node));
        int at = 0;
        while (!Arrays.equals(all, at, at + VALUE.length, VALUE, 0, VALUE.length)) {
            at++;
        }
        try (RandomAccessFile out = new RandomAccessFile(file(node).toFile(), "rw")) {
            out.seek(at);
            out.write(VALUE[0] + 1);
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
