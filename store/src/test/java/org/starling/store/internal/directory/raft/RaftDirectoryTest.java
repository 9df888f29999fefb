package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.RemoteException;
import org.starling.net.Transports;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.SubmitJob;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.DirectorySnapshot;
import org.starling.store.internal.directory.Result;

/** Three replicas in this process, each with a network of its own. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RaftDirectoryTest {
    private static final int REPLICAS = 3;
    private static final long CLUSTER = 0x4711;

    /** More patient than a cluster is, so that a busy machine makes no difference. */
    private static final RaftSettings SETTINGS = settings(Duration.ofSeconds(30));

    @TempDir Path folder;

    private final LoopbackHub hub = new LoopbackHub();
    private final @Nullable Network[] networks = new Network[REPLICAS];
    private final @Nullable RaftDirectory[] replicas = new RaftDirectory[REPLICAS];

    @AfterEach
    void stopAll() {
        onEach(this::stop);
    }

    @Test
    void givesTheSameAnswersThroughAnyReplicaAndTheSameStateToAll() {
        startAll();
        List<Command> told = new CopyOnWriteArrayList<>();
        replica(2).onApplied((command, result) -> told.add(command));
        List<Boolean> leadership = new CopyOnWriteArrayList<>();
        int leader = leader();
        replica(leader).onLeadership(leadership::add);

        assertThat(apply(0, new FoundCluster(7, 3))).isEqualTo(new Result.Done(true));
        assertThat(apply(1, new FoundCluster(8, 3))).isEqualTo(new Result.Done(false));
        assertThat(apply(2, new RegisterName("n", 5))).isEqualTo(new Result.Done(true));
        assertThat(apply(leader, new SubmitJob(1, "job", new byte[1 << 20])))
                .isEqualTo(new Result.JobSubmitted(1));

        assertThat(replica(leader).confirmLeadership(Duration.ofSeconds(2))).isTrue();
        assertThat(replica((leader + 1) % REPLICAS).confirmLeadership(Duration.ofSeconds(1)))
                .isFalse();
        await(() -> told.size() == 4, "the third replica has applied all");
        for (int i = 0; i < REPLICAS; i++) {
            int replica = i;
            await(() -> snapshot(replica).length == snapshot(leader).length, "all have applied");
            assertThat(snapshot(i)).isEqualTo(snapshot(leader));
        }
        await(() -> leadership.equals(List.of(true)), "the leader is told that it leads");
    }

    @Test
    void takesCommandsAgainAfterTheLoss() {
        startAll();
        int leader = leader();
        apply(leader, new RegisterName("before", 1));
        List<Boolean> events = new CopyOnWriteArrayList<>();
        replica(leader).onLeadership(events::add);

        CompletableFuture<Void> stopping = onItsOwnThread(() -> stop(leader));
        apply((leader + 1) % REPLICAS, new RegisterName("after", 2));

        stopping.join();
        assertThat(leader()).isNotEqualTo(leader);
        assertThat(read(leader(), "before")).isEqualTo(1);
        assertThat(events).endsWith(false);
    }

    /** Only for a machine that has nothing else to do. */
    @Test
    @Tag("slow")
    void takesCommandsAgainWithinTwoSecondsAfterTheLoss() {
        startAll();
        int leader = leader();
        apply(leader, new RegisterName("before", 1));

        long start = System.nanoTime();
        CompletableFuture<Void> stopping = onItsOwnThread(() -> stop(leader));
        apply((leader + 1) % REPLICAS, new RegisterName("after", 2));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

        stopping.join();
        assertThat(millis).as("milliseconds without a leader").isLessThan(2_000);
    }

    @Test
    void sendsAgainWhatWasUnderWayWhenTheLeaderHungUp() {
        startAll();
        int leader = leader();
        int other = (leader + 1) % REPLICAS;
        List<CompletableFuture<Result>> answers = new ArrayList<>();

        CompletableFuture<Void> stopping = onItsOwnThread(() -> stop(leader));
        while (!stopping.isDone()) {
            int number = answers.size();
            answers.add(replica(other).apply(new RegisterName("n" + number, number)));
            LockSupport.parkNanos(10_000_000);
        }

        // Whoever hung up may have carried a command out: then nothing was left to be changed.
        assertThat(answers).allSatisfy(a -> assertThat(a.join()).isInstanceOf(Result.Done.class));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(read(leader(), "n" + i)).isEqualTo(i);
        }
    }

    @Test
    void goesOnWithoutALeaderWhoseDiskIsFull() throws IOException {
        SmallDisk[] disks = new SmallDisk[REPLICAS];
        try {
            for (int i = 0; i < REPLICAS; i++) {
                disks[i] = SmallDisk.at(path(i));
            }
            startAll();
            int full = leader();
            apply(full, new RegisterName("before", 1));
            disks[full].leave(300);

            assertThatThrownBy(() -> OneSuperpeerTest.fill(replica(full)))
                    .hasCauseInstanceOf(IndeterminateException.class);

            assertThat(replica(full).isLeader()).isFalse();
            apply((full + 1) % REPLICAS, new RegisterName("after", 2));
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

    @Test
    void catchesUpFromASnapshotAfterARestart() {
        startAll();
        int late = (leader() + 1) % REPLICAS;
        apply(late, new FoundCluster(9, 3));
        stop(late);
        int leader = leader();
        for (int i = 0; i < 150; i++) {
            apply(leader, new RegisterName("a name of some length " + i, i));
        }

        start(late);

        await(() -> read(late, "a name of some length 149") == 149, "it has caught up");
        await(() -> snapshot(late).length == snapshot(leader).length, "it has applied all");
        assertThat(snapshot(late)).isEqualTo(snapshot(leader));
        assertThat(apply(late, new FoundCluster(1, 1))).isEqualTo(new Result.Done(false));
    }

    @Test
    void bringsAReplicaUpToDateThatHasLostItsDiskBeforeItVotes() throws IOException {
        startAll();
        apply(leader(), new FoundCluster(9, 3));
        for (int round = 0; round < 2; round++) { // once a follower, then whoever leads
            int lost = round == 0 ? (leader() + 1) % REPLICAS : leader();
            int first = round * 1000;
            for (int i = first; i < first + 100; i++) {
                apply(lost, new RegisterName("a name of some length " + i, i));
            }
            stop(lost);
            Files.move(path(lost), folder.resolve("gone-" + round));
            int last = first + 200;
            apply(leader(), new RegisterName("a name of some length " + last, last));

            start(lost);

            replica(lost).admitted().orTimeout(40, TimeUnit.SECONDS).join();
            await(() -> read(lost, "a name of some length " + last) == last, "it has caught up");
            assertThat(read(lost, "a name of some length " + first)).isEqualTo(first);
        }

        // it counts again: without another one the two go on, whoever led
        stop(leader());
        apply(leader(), new RegisterName("at last", 7));
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
        apply(leader(), new RegisterName("meanwhile", 5));

        start(back);

        await(() -> read(back, "meanwhile") == 5, "it has caught up");
        await(() -> replica(leader()).voters().voters().size() == REPLICAS, "it votes");
        assertThat(apply(back, new RegisterName("after", 6))).isEqualTo(new Result.Done(true));
    }

    @Test
    void decidesAsALeaderOnlyWhereItLeads() {
        startAll();
        int leader = leader();
        RaftDirectory follower = replica((leader + 1) % REPLICAS);

        assertThatThrownBy(() -> follower.applyAsLeader(new RegisterName("deposed", 1)).join())
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("does not lead the directory");
        assertThat(replica(leader).applyAsLeader(new RegisterName("leads", 2)).join())
                .isEqualTo(new Result.Done(true));
        assertThat(read(leader, "leads")).isEqualTo(2);
        assertThat(read(leader, "deposed")).isNotEqualTo(1);
    }

    @Test
    void changesWhoVotesOnlyFromThoseThatDo() {
        startAll();
        RaftDirectory leader = replica(leader());
        List<RaftPeer> all = leader.voters().voters();

        assertThat(leader.voters().setVoters(all.subList(0, 2), all.subList(0, 1)).join())
                .isFalse();

        assertThat(leader.voters().voters()).isEqualTo(all).hasSize(REPLICAS);
        assertThat(leader.voters().setVoters(all, all).join()).as("no change").isTrue();
    }

    @Test
    void handsItsLeadOnBeforeItEndsToOneThatIsThere() {
        startAll();
        int leader = leader();
        int gone = (leader + 1) % REPLICAS;
        apply(leader, new RegisterName("before", 1));

        replica(leader).handLeadOn();
        int second = leader();
        boolean hasHandedOn = second != leader;
        stop(gone == second ? leader : gone);
        replica(second).handLeadOn();

        assertThat(hasHandedOn).isTrue();
        assertThat(leader()).isNotEqualTo(second);
        assertThat(read(leader(), "before")).isEqualTo(1);
        assertThat(apply(second, new RegisterName("after", 2))).isEqualTo(new Result.Done(true));
    }

    @Test
    void asksTheOthersBeforeItTakesPartWithAnEmptyDisk() throws IOException {
        startAll();
        int leader = leader();
        apply(leader, new FoundCluster(9, 3));
        int lost = (leader + 1) % REPLICAS;
        int other = (leader + 2) % REPLICAS;
        stop(lost);
        apply(leader, new RegisterName("only on two", 1));
        stop(other);
        stop(leader);
        Files.move(path(lost), folder.resolve("gone"));

        // with one that has everything and does not lead, it is no majority
        start(lost, settings(Duration.ofSeconds(2)));
        start(leader, settings(Duration.ofSeconds(2)));
        assertThatThrownBy(() -> apply(leader, new RegisterName("too early", 2)))
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
            apply(1, new RegisterName("name" + i, i));
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
    void aMinorityCommitsNothing() {
        startAll(settings(Duration.ofSeconds(1)));
        int leader = leader();
        apply(leader, new RegisterName("kept", 1));
        stop((leader + 1) % REPLICAS);
        stop((leader + 2) % REPLICAS);

        assertThat(replica(leader).confirmLeadership(Duration.ofSeconds(1))).isFalse();
        assertThatThrownBy(() -> apply(leader, new RegisterName("alone", 2)))
                .hasCauseInstanceOf(IndeterminateException.class)
                .hasMessageContaining("no majority");
        assertThat(read(leader, "alone")).isEqualTo(-1);
        assertThat(replica(leader).isLeader()).isFalse();
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

    @Test
    void takesNoVoteAndNoCommandOfANodeThatIsNoSuperpeer() throws Exception {
        startAll();
        int leader = leader();
        apply(leader, new FoundCluster(9, 3));
        byte[] command = CommandLayout.write(new RegisterName("stranger", 1));
        RequestVoteRequestProto vote =
                RequestVoteRequestProto.newBuilder()
                        .setServerRequest(
                                RaftRpcRequestProto.newBuilder()
                                        .setRequestorId(RaftNames.peer(1).toByteString())
                                        .setReplyId(RaftNames.peer(leader).toByteString()))
                        .setCandidateTerm(Long.MAX_VALUE)
                        .build();

        try (Network peer = network(REPLICAS)) {
            assertThat(peer.call(leader, new RaftMessage.Submit(command)).body()).isEmpty();
            assertThat(
                            peer.call(leader, new RaftMessage.Admit(RaftMessage.Step.LEAVE_OUT))
                                    .answer())
                    .isEqualTo(Admission.UNKNOWN);
            assertThatThrownBy(() ->
                            peer.call(
                                    leader,
                                    new RaftMessage.Call(
                                            RaftMessage.Procedure.REQUEST_VOTE,
                                            vote.toByteArray())))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("node 3 speaks as superpeer-1, which it is not");
        }
        assertThat(read(leader, "stranger")).isEqualTo(-1);
        assertThat(replica(leader).isLeader()).isTrue();
    }

    // what the tests share

    private static RaftSettings settings(Duration patience) {
        return new RaftSettings(40, 4096, patience);
    }

    private void startAll() {
        startAll(SETTINGS);
    }

    private void startAll(RaftSettings settings) {
        onEach(index -> start(index, settings));
        leader();
    }

    private void start(int index) {
        start(index, SETTINGS);
    }

    private void start(int index, RaftSettings settings) {
        Network network = network(index);
        networks[index] = network;
        replicas[index] = open(index, CLUSTER, network, settings);
    }

    /** On all replicas at once: each takes a second to end. */
    private static void onEach(IntConsumer action) {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            int index = i;
            done.add(onItsOwnThread(() -> action.accept(index)));
        }
        done.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<Void> onItsOwnThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> Thread.ofPlatform().start(task));
    }

    private void stop(int index) {
        RaftDirectory replica = replicas[index];
        replicas[index] = null;
        if (replica != null) {
            replica.close();
            Objects.requireNonNull(networks[index]).close();
        }
    }

    private Network network(int node) {
        return Network.open(node, Transports.loopback(hub), NetConfig.defaults());
    }

    private void open(int folderOf, long cluster, Network network) {
        open(folderOf, cluster, network, SETTINGS).close();
    }

    private RaftDirectory open(int folderOf, long cluster, Network network, RaftSettings settings) {
        return RaftDirectory.open(path(folderOf), REPLICAS, cluster, network, settings);
    }

    private RaftDirectory replica(int index) {
        RaftDirectory replica = replicas[index];
        assertThat(replica).isNotNull();
        return Objects.requireNonNull(replica);
    }

    /** Waits until one of the running replicas leads. */
    private int leader() {
        int[] leader = {DirectoryReplica.NO_LEADER};
        await(
                () -> {
                    for (int i = 0; i < REPLICAS; i++) {
                        RaftDirectory replica = replicas[i];
                        if (replica != null && replica.isLeader()) {
                            leader[0] = i;
                            return replica.leader() == i;
                        }
                    }
                    return false;
                },
                "somebody leads");
        return leader[0];
    }

    private Result apply(int index, Command command) {
        return replica(index).apply(command).join();
    }

    private long read(int index, String name) {
        return replica(index).<Long>read(state -> state.lookup(name));
    }

    private byte[] snapshot(int index) {
        return replica(index).read(DirectorySnapshot::write);
    }

    private Path path(int index) {
        return folder.resolve("superpeer-" + index);
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }
}
