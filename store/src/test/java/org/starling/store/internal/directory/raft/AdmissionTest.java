package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.StartRefusedException;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.raft.RaftMessage.Step;

/** Superpeers of five that begin with empty disks, and one that leads, or did. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AdmissionTest {
    private static final int SUPERPEERS = 5;
    private static final int LEADER = 0;

    /** Changes who votes as the library does, and looks at them for several who ask at once. */
    private static final class Group implements Admission.Host {
        final CountDownLatch looks;
        final boolean leads;
        final Set<Integer> removed = new HashSet<>();
        private List<RaftPeer> voters;

        Group(List<Integer> voters, int looks, boolean leads) {
            this.voters = peers(voters);
            this.looks = new CountDownLatch(looks);
            this.leads = leads;
        }

        static List<RaftPeer> peers(List<Integer> of) {
            return of.stream()
                    .map(node -> RaftPeer.newBuilder().setId(RaftNames.peer(node)).build())
                    .toList();
        }

        synchronized List<RaftPeerId> names() {
            return voters.stream().map(RaftPeer::getId).toList();
        }

        @Override
        public byte standing() {
            return Admission.FOUNDED;
        }

        @Override
        public boolean isLeader() {
            return !voters.isEmpty();
        }

        @Override
        public List<RaftPeer> voters() {
            List<RaftPeer> now;
            synchronized (this) {
                now = voters;
            }
            looks.countDown();
            try {
                looks.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return now;
        }

        @Override
        public synchronized CompletableFuture<Boolean> setVoters(
                List<RaftPeer> before, List<RaftPeer> after) {
            boolean isSame = before.equals(voters);
            voters = isSame ? after : voters;
            return CompletableFuture.completedFuture(isSame);
        }

        @Override
        public boolean confirmsLead() {
            return leads;
        }

        @Override
        public List<SuperpeerInfo> superpeers() {
            return RaftDirectory.founders(SUPERPEERS);
        }

        @Override
        public boolean isRemoved(int node) {
            return removed.contains(node);
        }
    }

    @TempDir private Path folder;

    private int files;

    private final LoopbackHub hub = new LoopbackHub();
    private final List<Network> networks = new ArrayList<>();

    @AfterEach
    void closeAll() {
        networks.forEach(Network::close);
    }

    @Test
    void forgetsNoneOfTwoThatAreTakenInAtOnce() {
        Group group = new Group(List.of(0, 1, 2), 2, true);
        new Admission(network(LEADER), known(), group, () -> false).serve();

        IntStream.of(3, 4)
                .mapToObj(late -> CompletableFuture.supplyAsync(() -> await(late, Step.TAKE_IN)))
                .toList()
                .forEach(taken -> assertThat(taken.join()).isTrue());

        assertThat(group.names()).contains(RaftNames.peer(3), RaftNames.peer(4)).hasSize(5);
    }

    @Test
    void takesNoWordOfALeaderThatDoesNotLeadAnyMore() throws Exception {
        Group stale = new Group(List.of(0, 1, 2, 3), 1, false);
        new Admission(network(LEADER), known(), stale, () -> false).serve();

        byte answer = network(4).call(LEADER, new RaftMessage.Admit(Step.LEAVE_OUT)).answer();

        assertThat(answer).isEqualTo(Admission.SILENT);
    }

    /** One that was added under another leader, of which this one has not heard yet. */
    @Test
    void sendsNobodyAwayUnlessItIsSureToLead() throws Exception {
        new Admission(network(LEADER), known(), new Group(List.of(0), 1, false), () -> false)
                .serve();
        new Admission(network(1), known(), new Group(List.of(1), 1, true), () -> false).serve();

        Network newcomer = network(9);

        assertThat(newcomer.call(LEADER, new RaftMessage.Admit(Step.TAKE_IN)).answer())
                .isEqualTo(Admission.SILENT);
        assertThat(newcomer.call(1, new RaftMessage.Admit(Step.TAKE_IN)).answer())
                .isEqualTo(Admission.UNKNOWN);
    }

    private synchronized KnownSuperpeers known() {
        try {
            KnownSuperpeers known =
                    new KnownSuperpeers(folder.resolve("others" + files++), _ -> {});
            known.learn(RaftDirectory.founders(SUPERPEERS));
            return known;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void takesNobodyInWhoWasRemovedMeanwhile() throws Exception {
        Group group = new Group(List.of(0, 1, 2), 1, true);
        group.removed.add(3);
        new Admission(network(LEADER), known(), group, () -> false).serve();

        Network removed = network(3);
        byte answer = removed.call(LEADER, new RaftMessage.Admit(Step.TAKE_IN)).answer();

        assertThat(answer).isEqualTo(Admission.REMOVED);
        assertThat(group.names()).doesNotContain(RaftNames.peer(3));
        Group nobody = new Group(List.of(), 0, false);
        Admission admission = new Admission(removed, known(), nobody, () -> false);
        assertThatThrownBy(() -> admission.await(Step.TAKE_IN))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("superpeer 3 was removed from this cluster for good");
    }

    private boolean await(int late, Step step) {
        Group nobody = new Group(List.of(), 0, false);
        return new Admission(network(late), known(), nobody, () -> false).await(step);
    }

    private Network network(int node) {
        Network network = Network.open(node, Transports.loopback(hub), NetConfig.defaults());
        synchronized (networks) {
            networks.add(network);
        }
        return network;
    }
}
