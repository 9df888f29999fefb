package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.NodeMessage.RecoverZone;
import org.starling.store.internal.node.NodeMessage.Recovered;

/** The agent stepped by hand, over a directory in memory and targets that the test answers for. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class RecoveryCoordinatorTest {
    private static final long ZONE_BYTES = 1 << 20;
    private static final Recovered SUCCESS = new Recovered("", 1, 2, 0, false, List.of());

    private record Question(int node, RecoverZone zone, CompletableFuture<Recovered> answer) {}

    private final AtomicLong now = new AtomicLong(1_000);
    private final StoreConfig config = StoreConfig.defaults();
    private final InMemoryDirectory directory = new InMemoryDirectory();
    private final MemberWatch watch = new MemberWatch(config, now::get);
    private final LossBook losses = new LossBook(now::get);
    private final List<Question> asked = new ArrayList<>();
    private final RecoveryCoordinator coordinator =
            new RecoveryCoordinator(
                    directory, watch, losses, this::ask, ZONE_BYTES, now::get, () -> {});
    private final List<Integer> peers = new ArrayList<>();
    private final long zone;

    RecoveryCoordinatorTest() {
        apply(new Command.FoundCluster(5, 1));
        apply(new Command.RegisterSuperpeer(0, "", 0));
        for (int i = 0; i < 4; i++) {
            Result joined = apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES));
            peers.add(((Result.NodeRegistered) joined).node());
        }
        zone = ChunkId.zoneOf(peers.getFirst(), 0);
        apply(new Command.OpenZone(zone, peers.getFirst(), 3));
        apply(new Command.ConfirmZone(zone, 1, peers.getFirst()));
        watch.takeOver(directory.read(Directory::nodes), 0);
    }

    @AfterEach
    void closes() {
        directory.close();
    }

    @Test
    void switchesAZoneOnlyWhenTheLeaseOfItsOwnerIsOver() {
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        watch.heard(peers.getFirst());
        List<Integer> backups = info().backups();
        work();
        assertThat(asked).as("the owner lives").isEmpty();

        loseOwner();
        work();
        work();
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().node()).isEqualTo(backups.getFirst());
        assertThat(asked.getFirst().zone().sources().nodes()).isEqualTo(backups);
        asked.getFirst().answer().complete(SUCCESS);
        now.addAndGet(config.lease().toNanos() - 1);
        work();
        assertThat(info().owner()).isEqualTo(peers.getFirst());

        now.addAndGet(1);
        work();
        awaitOwner(backups.getFirst());
    }

    @Test
    void asksTheNextBackupWhenATargetFailsAndBeginsAgainAfterAll() {
        loseOwner();
        List<Integer> backups = info().backups();
        for (int i = 0; i < backups.size(); i++) {
            work();
            assertThat(asked.get(i).node()).isEqualTo(backups.get(i));
            if (i == 1) {
                asked.get(i).answer().completeExceptionally(new IllegalStateException("lost"));
            } else {
                asked.get(i).answer().complete(new Recovered("no", 0, 0, 0, false, List.of()));
            }
        }

        work();
        assertThat(asked).hasSize(backups.size());
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        work();

        assertThat(asked.getLast().node()).isEqualTo(backups.getFirst());
    }

    @Test
    void asksLessAndLessOftenUntilSomebodyElseIsBack() {
        List<Integer> backups = info().backups();
        int gone = backups.getLast();
        apply(new Command.RemoveNode(gone));
        loseOwner();

        for (long pause : new long[] {300, 600, 1_200}) {
            failAll(2);
            now.addAndGet(Duration.ofMillis(pause).toNanos() - 1);
            work();
            assertThat(asked).as("nobody before %d ms", pause).hasSize(2);
            asked.clear();
            now.addAndGet(1);
        }
        failAll(2);
        apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES, 5, gone, 0, gone));
        work();

        assertThat(asked).hasSize(3);
        assertThat(asked.getLast().zone().sources().others()).hasSize(1);
    }

    /** Lets so many targets fail, one behind the other. */
    private void failAll(int targets) {
        for (int i = 0; i < targets; i++) {
            work();
            asked.getLast().answer().complete(new Recovered("no", 0, 0, 0, false, List.of()));
        }
        work();
    }

    @Test
    void asksTheBackupWithTheMostFreeMemoryFirst() {
        List<Integer> backups = info().backups();
        watch.noteFree(backups.get(0), 5 * ZONE_BYTES);
        watch.noteFree(backups.get(1), 7 * ZONE_BYTES);
        watch.noteFree(backups.get(2), 6 * ZONE_BYTES);
        loseOwner();

        work();
        asked.getFirst().answer().complete(new Recovered("no", 0, 0, 0, false, List.of()));
        work();

        assertThat(asked)
                .extracting(Question::node)
                .containsExactly(backups.get(1), backups.get(2));
    }

    @Test
    void asksWhoIsPreparedUnderTheEpochOfTheHandoverAndNobodyElse() {
        long epoch = yielded();
        int prepared = info().backups().get(1);
        coordinator.prefer(zone, epoch, prepared);

        work();

        assertThat(asked).extracting(Question::node).containsExactly(prepared);
        assertThat(asked.getFirst().zone().epoch()).isEqualTo(epoch);
        asked.getFirst().answer().complete(SUCCESS);
        work();
        awaitOwner(prepared);
        assertThat(info().epoch()).isEqualTo(epoch + 1);
    }

    @Test
    void givesAZoneBackThatWhoIsPreparedCouldNotTake() {
        long epoch = yielded();
        coordinator.prefer(zone, epoch, info().backups().get(1));
        work();

        asked.getFirst().answer().complete(new Recovered("no", 0, 0, 0, false, List.of()));
        work();

        awaitOwner(peers.getFirst());
        assertThat(info().epoch()).as("whoever was asked is told apart").isGreaterThan(epoch);
        assertThat(asked).hasSize(1);
    }

    @Test
    void beginsAnEpochForWhoIsPreparedIfAnotherLeaderMayHaveAskedSomebodyUnderThatOne() {
        long epoch = yielded();
        int prepared = info().backups().get(1);
        coordinator.prefer(zone, epoch, prepared);
        coordinator.takeOver();

        work();

        assertThat(asked.getFirst().zone().epoch()).isEqualTo(epoch + 1);
    }

    @Test
    void beginsAnEpochForWhoWasPreparedForAnotherHandover() {
        long epoch = yielded();
        int prepared = info().backups().get(1);
        coordinator.prefer(zone, epoch - 1, prepared);

        work();

        assertThat(asked.getFirst().zone().epoch()).isEqualTo(epoch + 1);
    }

    /** The epoch since which the zone has no owner. */
    private long yielded() {
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        peers.forEach(watch::heard);
        apply(new Command.YieldZone(zone, info().epoch(), peers.getFirst(), 0));
        assertThat(info().isYielded()).isTrue();
        return info().epoch();
    }

    @Test
    void asksABackupThatIsAboutToLeaveOnlyIfTheOthersFail() {
        List<Integer> backups = info().backups();
        watch.noteFree(backups.get(0), 5 * ZONE_BYTES);
        watch.noteFree(backups.get(1), 7 * ZONE_BYTES);
        watch.noteFree(backups.get(2), 6 * ZONE_BYTES);
        apply(new Command.NoteLeaving(backups.get(1)));
        loseOwner();

        for (int i = 0; i < 3; i++) {
            work();
            asked.get(i).answer().complete(new Recovered("no", 0, 0, 0, false, List.of()));
        }

        assertThat(asked)
                .extracting(Question::node)
                .containsExactly(backups.get(2), backups.get(0), backups.get(1));
    }

    @Test
    void spreadsTheZonesOfOneLossByTheMemoryThatTheyWillTake() {
        for (int i = 1; i < 6; i++) {
            long other = ChunkId.zoneOf(peers.getFirst(), i);
            apply(new Command.OpenZone(other, peers.getFirst(), 3));
            apply(new Command.ConfirmZone(other, 1, peers.getFirst()));
        }
        watch.noteFree(peers.get(1), 10 * ZONE_BYTES + 5);
        watch.noteFree(peers.get(2), 9 * ZONE_BYTES);
        watch.noteFree(peers.get(3), 6 * ZONE_BYTES);
        loseOwner();

        work();

        assertThat(asked).extracting(Question::node).filteredOn(peers.get(1)::equals).hasSize(4);
        assertThat(asked).extracting(Question::node).filteredOn(peers.get(2)::equals).hasSize(2);
        assertThat(asked).hasSize(6);
    }

    @Test
    void beginsAnewWhenABackupIsLostMeanwhile() {
        loseOwner();
        work();
        int target = asked.getFirst().node();

        apply(new Command.RemoveNode(target));
        work();
        asked.getFirst().answer().complete(SUCCESS);
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        work();

        assertThat(asked).hasSize(2);
        assertThat(asked.getLast().node()).isEqualTo(info().backups().getFirst());
        assertThat(info().owner()).as("the late answer counts for nothing").isNotEqualTo(target);
        asked.getLast().answer().complete(SUCCESS);
        work();
        awaitOwner(asked.getLast().node());
    }

    @Test
    void beginsAnewAfterTakingOverTheLead() {
        loseOwner();
        work();

        coordinator.takeOver();
        work();

        assertThat(asked).hasSize(2);
        assertThat(asked.getLast().zone().epoch()).isGreaterThan(asked.getFirst().zone().epoch());
    }

    /** Who failed may still be at work, or have done half of it. */
    @Test
    void asksNoTwoTargetsUnderOneEpoch() {
        loseOwner();
        work();
        asked.getFirst().answer().completeExceptionally(new IllegalStateException("late"));
        work();

        assertThat(asked).hasSize(2);
        assertThat(asked.getLast().node()).isNotEqualTo(asked.getFirst().node());
        assertThat(asked.getLast().zone().epoch()).isGreaterThan(asked.getFirst().zone().epoch());
        assertThat(info().epoch()).isEqualTo(asked.getLast().zone().epoch());
    }

    @Test
    void asksTheSameTargetAgainUnderTheEpochThatIsItsOwn() {
        info().backups().stream().skip(1).forEach(node -> apply(new Command.RemoveNode(node)));
        loseOwner();
        work();
        asked.getFirst().answer().completeExceptionally(new IllegalStateException("late"));
        work();
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        work();

        assertThat(asked).hasSize(2);
        assertThat(asked.getLast().zone()).isEqualTo(asked.getFirst().zone());
    }

    @Test
    void asksNobodyForALostZoneUntilHoldersHaveReturnedAndJoined() {
        loseOwner();
        List<Integer> backups = info().backups();
        backups.forEach(node -> apply(new Command.RemoveNode(node)));
        work();
        assertThat(info().lost()).isTrue();
        assertThat(asked).isEmpty();

        List<Integer> returned = new ArrayList<>();
        for (int node : backups) {
            Result joined =
                    apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES, 5, node, 0, node));
            returned.add(((Result.NodeRegistered) joined).node());
        }
        returned.subList(1, returned.size()).forEach(watch::heard);
        work();
        assertThat(asked).as("asked before one of them can answer").isEmpty();
        watch.heard(returned.getFirst());
        work();

        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().zone().sources().nodes())
                .containsExactlyInAnyOrderElementsOf(returned);
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        asked.getFirst().answer().complete(SUCCESS);
        work();
        awaitOwner(asked.getFirst().node());
    }

    @Test
    void aZoneIsAtRestWhenAllWhoHadItHaveLeftAndLostWhenOneHasNot() {
        for (int node : peers.subList(0, 3)) {
            watch.leaves(node);
            apply(new Command.RemoveNode(node));
        }
        apply(new Command.RemoveNode(peers.getLast()));
        assertThat(info().lost()).isTrue();
        assertThat(coordinator.isAtRest(info())).isFalse();

        watch.leaves(peers.getLast());

        assertThat(coordinator.isAtRest(info())).isTrue();
    }

    /** Two rounds: in one an epoch is begun, in the next a target is asked. */
    private void work() {
        coordinator.doWork();
        coordinator.doWork();
    }

    private CompletableFuture<Recovered> ask(
            int node, Request<Recovered> request, Duration timeout) {
        Question question = new Question(node, (RecoverZone) request, new CompletableFuture<>());
        asked.add(question);
        return question.answer();
    }

    private Result apply(Command command) {
        return directory.apply(command).join();
    }

    private ZoneInfo info() {
        return directory.read(all -> all.zone(zone)).orElseThrow();
    }

    private void loseOwner() {
        apply(new Command.RemoveNode(peers.getFirst()));
        watch.removed(peers.getFirst());
    }

    private void awaitOwner(int node) {
        StoredCluster.await(() -> info().owner() == node, "node " + node + " owns the zone");
        assertThat(info().lost()).isFalse();
    }
}
