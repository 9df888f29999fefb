package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Network;
import org.starling.net.RemoteException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.SubmitJob;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Result;

/** What replicas decide together, who leads, and who votes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RaftDirectoryTest extends RaftReplicas {
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
        assertThat(apply(2, registerName("n", 5))).isEqualTo(new Result.Done(true));
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
        await(() -> leadership.contains(true), "the leader is told that it leads");
    }

    @Test
    void takesCommandsAgainAfterTheLoss() {
        startAll();
        int leader = leader();
        apply(leader, registerName("before", 1));
        List<Boolean> events = new CopyOnWriteArrayList<>();
        replica(leader).onLeadership(events::add);

        CompletableFuture<Void> stopping = onItsOwnThread(() -> stop(leader));
        apply((leader + 1) % REPLICAS, registerName("after", 2));

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
        apply(leader, registerName("before", 1));

        long start = System.nanoTime();
        CompletableFuture<Void> stopping = onItsOwnThread(() -> stop(leader));
        apply((leader + 1) % REPLICAS, registerName("after", 2));
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
            answers.add(replica(other).apply(registerName("n" + number, number)));
            LockSupport.parkNanos(10_000_000);
        }

        // Whoever hung up may have carried a command out: then nothing was left to be changed.
        assertThat(answers).allSatisfy(a -> assertThat(a.join()).isInstanceOf(Result.Done.class));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(read(leader(), "n" + i)).isEqualTo(i);
        }
    }

    @Test
    void decidesAsALeaderOnlyWhereItLeads() {
        startAll();
        int leader = leader();
        RaftDirectory follower = replica((leader + 1) % REPLICAS);

        assertThatThrownBy(() -> follower.applyAsLeader(registerName("deposed", 1)).join())
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("does not lead the directory");
        assertThat(replica(leader).applyAsLeader(registerName("leads", 2)).join())
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
        apply(leader, registerName("before", 1));

        replica(leader).handLeadOn();
        int second = leader();
        boolean hasHandedOn = second != leader;
        stop(gone == second ? leader : gone);
        for (int i = 0; i < 5 && leader() == second; i++) { // a busy machine takes its time
            replica(second).handLeadOn();
        }

        assertThat(hasHandedOn).isTrue();
        assertThat(leader()).isNotEqualTo(second);
        assertThat(read(leader(), "before")).isEqualTo(1);
        assertThat(apply(second, registerName("after", 2))).isEqualTo(new Result.Done(true));
    }

    @Test
    void aMinorityCommitsNothing() {
        startAll(settings(Duration.ofSeconds(1)));
        int leader = leader();
        apply(leader, registerName("kept", 1));
        stop((leader + 1) % REPLICAS);
        stop((leader + 2) % REPLICAS);

        assertThat(replica(leader).confirmLeadership(Duration.ofSeconds(1))).isFalse();
        assertThatThrownBy(() -> apply(leader, registerName("alone", 2)))
                .hasCauseInstanceOf(IndeterminateException.class)
                .hasMessageContaining("no majority");
        assertThat(read(leader, "alone")).isEqualTo(-1);
        assertThat(replica(leader).isLeader()).isFalse();
    }

    @Test
    void takesNoVoteAndNoCommandOfANodeThatIsNoSuperpeer() throws Exception {
        startAll();
        int leader = leader();
        apply(leader, new FoundCluster(9, 3));
        byte[] command = CommandLayout.write(registerName("stranger", 1));
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
}
