package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.Network;
import org.starling.store.IndeterminateException;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Result;

/** Replicas that are started again on their disks, on empty or on full ones. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RaftDisksTest extends RaftReplicas {
    @Test
    void goesOnWithoutALeaderWhoseDiskIsFull() throws IOException {
        SmallDisk[] disks = new SmallDisk[REPLICAS];
        try {
            for (int i = 0; i < REPLICAS; i++) {
                disks[i] = SmallDisk.at(path(i));
            }
            startAll();
            int full = leader();
            apply(full, registerName("before", 1));
            disks[full].leave(300);

            assertThatThrownBy(() -> OneSuperpeerTest.fill(replica(full)))
                    .hasCauseInstanceOf(IndeterminateException.class);

            assertThat(replica(full).isLeader()).isFalse();
            apply((full + 1) % REPLICAS, registerName("after", 2));
            assertThat(leader()).isNotEqualTo(full);
            assertThat(read(leader(), "before")).isEqualTo(1);
            assertThat(read(leader(), "after")).isEqualTo(2);
        } finally {
            for (SmallDisk disk : disks) {
                if (disk != null) {
                    disk.close();
                }
            }
        }
    }

    /** Else it would look as if it was up, and nobody would start it again. */
    @Tag("thorough")
    @Test
    void aSuperpeerWhoseDiskWasFullEndsAndIsOneAgainWhenThereIsRoom(@TempDir Path mount)
            throws Exception {
        InetSocketAddress address;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(free.getInetAddress(), free.getLocalPort());
        }
        NodeOptions options =
                NodeOptions.ethernetSuperpeer(address, StoreConfig.defaults())
                        .withDataDirectory(mount.resolve("data"));
        try (SmallDisk disk = SmallDisk.at(mount)) {
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            try (StoreNode superpeer = StoreNode.startSuperpeer(options)) {
                superpeer.onExpelled(() -> ended.complete(true));
                superpeer.names().register("before", 1);
                disk.leave(300);
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 100_000; i++) {
                                        superpeer.jobs().submit(i, "job", new byte[100_000]);
                                    }
                                })
                        .isInstanceOf(StoreException.class);
                assertThat(ended.get(20, TimeUnit.SECONDS)).isTrue();
            }
            disk.leave(0);
            for (int tries = 0; tries < 2; tries++) {
                assertThatThrownBy(() -> StoreNode.startSuperpeer(options))
                        .hasMessageContaining("cannot write to data directory");
            }
            disk.leave(8_000);
            try (StoreNode again = StoreNode.startSuperpeer(options)) {
                assertThat(again.names().lookup("before")).isEqualTo(1);
                again.names().register("after", 2);
            }
        }
    }

    @Test
    void catchesUpFromASnapshotAfterARestart() {
        startAll();
        int late = (leader() + 1) % REPLICAS;
        apply(late, new FoundCluster(9, 3));
        stop(late);
        int leader = leader();
        for (int i = 0; i < 150; i++) {
            apply(leader, registerName("a name of some length " + i, i));
        }

        start(late);

        await(() -> read(late, "a name of some length 149") == 149, "it has caught up");
        await(() -> snapshot(late).length == snapshot(leader).length, "it has applied all");
        assertThat(snapshot(late)).isEqualTo(snapshot(leader));
        assertThat(apply(late, new FoundCluster(1, 1))).isEqualTo(new Result.Done(false));
    }

    @Tag("thorough")
    @Test
    void bringsAReplicaUpToDateThatHasLostItsDiskBeforeItVotes() throws IOException {
        startAll();
        apply(leader(), new FoundCluster(9, 3));
        for (int round = 0; round < 2; round++) { // once a follower, then whoever leads
            int lost = round == 0 ? (leader() + 1) % REPLICAS : leader();
            int first = round * 1000;
            for (int i = first; i < first + 100; i++) {
                apply(lost, registerName("a name of some length " + i, i));
            }
            stop(lost);
            Files.move(path(lost), folder.resolve("gone-" + round));
            int last = first + 200;
            apply(leader(), registerName("a name of some length " + last, last));

            start(lost);

            replica(lost).admitted().orTimeout(40, TimeUnit.SECONDS).join();
            await(() -> read(lost, "a name of some length " + last) == last, "it has caught up");
            assertThat(read(lost, "a name of some length " + first)).isEqualTo(first);
        }

        // it counts again: without another one the two go on, whoever led
        stop(leader());
        apply(leader(), registerName("at last", 7));
        stopAll();
        startAll();
        assertThat(read(leader(), "at last")).isEqualTo(7);
    }

    @Test
    void takesAReplicaInAgainThatComesBackWithItsDiskAfterItWasLeftOut() {
        startAll();
        int leader = leader();
        int back = (leader + 1) % REPLICAS;
        apply(leader, new FoundCluster(9, 3));
        stop(back);
        List<RaftPeer> all = replica(leader).voters().voters();
        List<RaftPeer> others =
                all.stream().filter(each -> !each.getId().equals(RaftNames.peer(back))).toList();
        await(
                () -> replica(leader()).voters().setVoters(all, others).join(),
                "one with an empty disk has taken its place, and did not get far");
        apply(leader(), registerName("meanwhile", 5));

        start(back);

        await(() -> read(back, "meanwhile") == 5, "it has caught up");
        await(() -> replica(leader()).voters().voters().size() == REPLICAS, "it votes");
        assertThat(apply(back, registerName("after", 6))).isEqualTo(new Result.Done(true));
    }

    @Tag("thorough")
    @Test
    void asksTheOthersBeforeItTakesPartWithAnEmptyDisk() throws IOException {
        startAll();
        int leader = leader();
        apply(leader, new FoundCluster(9, 3));
        int lost = (leader + 1) % REPLICAS;
        int other = (leader + 2) % REPLICAS;
        stop(lost);
        apply(leader, registerName("only on two", 1));
        stop(other);
        stop(leader);
        Files.move(path(lost), folder.resolve("gone"));

        // with one that has everything and does not lead, it is no majority
        start(lost, settings(Duration.ofSeconds(2)));
        start(leader, settings(Duration.ofSeconds(2)));
        assertThatThrownBy(() -> apply(leader, registerName("too early", 2)))
                .hasCauseInstanceOf(IndeterminateException.class);
        assertThat(path(lost).resolve("superpeers")).doesNotExist();

        start(other);
        await(() -> Files.exists(path(lost).resolve("superpeers")), "it is admitted");
        assertThat(read(leader(), "only on two")).isEqualTo(1);
    }

    @Test
    void keepsEverythingThroughARestartOfAll() {
        startAll();
        apply(leader(), new FoundCluster(9, 3));
        for (int i = 0; i < 100; i++) {
            apply(1, registerName("name" + i, i));
        }
        byte[] before = snapshot(leader());
        stopAll();

        startAll();

        int leader = leader();
        assertThat(replica(leader).confirmLeadership(Duration.ofSeconds(5))).isTrue();
        assertThat(snapshot(leader)).isEqualTo(before);
    }

    @Test
    void startsInAFolderThatACrashHasLeftHalfMade() throws IOException {
        Files.createDirectories(
                path(0).resolve("raft/" + RaftNames.groupId(CLUSTER).getUuid() + "/current"));

        startAll();

        assertThat(apply(0, new FoundCluster(9, 3))).isEqualTo(new Result.Done(true));
    }

    @Test
    void refusesFoldersThatAreNotItsOwn() {
        startAll();
        assertThatThrownBy(() -> open(0, CLUSTER, Objects.requireNonNull(networks[0])))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is used by another node");
        stopAll();
        try (Network network = network(0)) {
            assertThatThrownBy(() -> open(0, CLUSTER + 1, network))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("belongs to superpeer 0 of 3 of cluster 4711");
        }
        try (Network other = network(1)) {
            assertThatThrownBy(() -> open(0, CLUSTER, other))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("belongs to superpeer 0 of 3");
        }
        try (Network peer = network(REPLICAS)) {
            assertThatThrownBy(() -> open(1, CLUSTER, peer))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("this is superpeer 3 of cluster 4711");
            assertThatThrownBy(() -> open(7, CLUSTER, peer))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
