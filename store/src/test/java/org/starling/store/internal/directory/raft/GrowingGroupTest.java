package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.StartRefusedException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Command.AddSuperpeer;
import org.starling.store.internal.directory.Command.ForgetNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.RemoveSuperpeer;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.SuperpeerInfo;

/**
 * Replicas that come and go while commands go on: real logs, each with a network of its own in this
 * process. What nodes do for it (ask for an id, register, drop who is to leave) the test does.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class GrowingGroupTest {
    private static final long CLUSTER = 0x4711;

    /** More patient than a cluster is, so that a busy machine makes no difference. */
    private static final RaftSettings SETTINGS = new RaftSettings(40, 4096, Duration.ofSeconds(30));

    @TempDir Path folder;

    private final LoopbackHub hub = new LoopbackHub();
    private final Map<Integer, Network> networks = new ConcurrentSkipListMap<>();
    private final Map<Integer, RaftDirectory> replicas = new ConcurrentSkipListMap<>();

    @AfterEach
    void stopAll() {
        List.copyOf(replicas.keySet()).forEach(this::stop);
    }

    @Tag("slow")
    @Test
    void growsFromOneToFiveAndLosesTheFirstWhileCommandsGoOn() {
        found(1);
        Commands commands = new Commands();

        List<Integer> all = new ArrayList<>(List.of(0));
        for (int i = 0; i < 4; i++) {
            all.add(grow());
        }
        assertThat(voters()).containsExactlyElementsOf(all);
        for (int gone : List.of(0, all.get(1), all.get(2))) {
            shrink(gone);
            stop(gone);
        }

        int acknowledged = commands.end();
        assertThat(acknowledged).isGreaterThan(20);
        assertThat(voters()).containsExactlyElementsOf(all.subList(3, 5));
        for (int left : all.subList(3, 5)) {
            await(
                    () -> commands.acknowledged().stream().allMatch(n -> read(left, "n" + n) == n),
                    "every acknowledged command is at superpeer " + left);
        }
    }

    /** It asked to vote before it was removed, and that was done after. */
    @Test
    void namesThoseWhoVoteThoughTheyWereRemoved() {
        found(1);
        int late = grow();
        shrink(late);
        Admission.Host host = replica(0).voters();
        List<RaftPeer> before = host.voters();
        List<RaftPeer> after = new ArrayList<>(before);
        after.add(RaftPeer.newBuilder().setId(RaftNames.peer(late)).build());
        await(() -> host.setVoters(before, after).join(), "it votes again");

        assertThat(replica(leader()).formerVoters()).containsExactly(late);

        await(() -> replica(leader()).dropVoter(late).join(), "it votes no more");
        assertThat(replica(leader()).formerVoters()).isEmpty();
    }

    @Test
    void believesWhatItIsToldNowMoreThanWhatAnAttemptBeforeHasLeft() throws IOException {
        found(1);
        int late = add(1);
        Files.createDirectories(path(late));
        Files.writeString(path(late).resolve("others"), "0 1 moved\n");
        SuperpeerInfo now = new SuperpeerInfo(0, "here", 2, SuperpeerInfo.State.VOTING);
        List<SuperpeerInfo> places = Collections.synchronizedList(new ArrayList<>());
        Network network = Network.open(late, Transports.loopback(hub), NetConfig.defaults());
        networks.put(late, network);

        replicas.put(
                late,
                RaftDirectory.open(
                        path(late), 0, List.of(now), places::add, CLUSTER, network, SETTINGS));

        assertThat(places).endsWith(now);
    }

    @Test
    @Tag("slow")
    void comesBackAfterARestartOfTheFirstAndTheSecond() {
        found(1);
        for (int i = 0; i < 100; i++) {
            apply(registerName("a name of some length " + i, i));
        }
        int late = add(1);
        List<SuperpeerInfo> told = told();

        open(late, 0, told).admitted().orTimeout(40, TimeUnit.SECONDS).join();
        apply(new RegisterSuperpeer(late, "", 0));

        assertThat(voters()).containsExactly(0, late);
        await(() -> read(late, "a name of some length 7") == 7, "it has everything");
        stop(0);
        stop(late);
        open(0, 1);
        open(late, 0).admitted().orTimeout(40, TimeUnit.SECONDS).join();
        apply(registerName("after a restart of both", 3));
        assertThat(read(leader(), "a name of some length 99")).isEqualTo(99);
    }

    @Test
    @Tag("slow")
    void goesOnWhereverTheNewcomerOfThreeIsCutShort() {
        found(3);
        int late = add(1);
        List<SuperpeerInfo> told = told();

        for (int millis : List.of(0, 10, 40, 80, 160, 320)) {
            open(late, 0, told);
            LockSupport.parkNanos(millis * 1_000_000L);
            stop(late);
            assertThat(apply(registerName("after " + millis, millis)))
                    .isEqualTo(new Result.Done(true));
        }
        open(late, 0, told).admitted().orTimeout(40, TimeUnit.SECONDS).join();

        assertThat(voters()).containsExactly(0, 1, 2, late);
    }

    @Test
    @Tag("slow")
    void takesOneInThoughTheLeaderChanges() {
        found(3);
        int late = add(1);
        int first = leader();
        int second = add(2);

        CompletableFuture<Boolean> admitted = openNew(late).admitted();
        replica(first).handLeadOn();
        admitted.join();
        apply(new RegisterSuperpeer(late, "", 0));
        int leader = leader();
        CompletableFuture<Boolean> another = openNew(second).admitted();
        stop(leader);
        another.join();
        apply(new RegisterSuperpeer(second, "", 0));

        assertThat(voters()).containsExactly(0, 1, 2, late, second);
        assertThat(apply(registerName("after", 6))).isEqualTo(new Result.Done(true));
    }

    @Tag("thorough")
    @Test
    void followsALeaderThatItHasNeverHeardOfBefore() {
        found(3);
        stop(2);
        int late = grow();
        int later = grow();

        open(2, 3);
        await(() -> read(2, "grown " + later) == later, "who was away has caught up");
        shrink(0);
        stop(0);
        shrink(1);
        stop(1);
        apply(registerName("without the first two", 5));

        assertThat(voters()).containsExactly(2, late, later);
        await(() -> read(2, "without the first two") == 5, "it follows");
    }

    @Test
    void tellsWhoWasRemovedThatItIsNoneAnyMore() {
        found(1);
        int second = grow();
        int third = grow();
        stop(second);

        shrink(second);

        RaftDirectory removed = open(second, 0);
        await(
                () -> removed.apply(registerName("x", 1)).isCompletedExceptionally(),
                "it takes part no more");
        assertThatThrownBy(() -> removed.apply(registerName("x", 1)).join())
                .hasCauseInstanceOf(StartRefusedException.class)
                .hasMessageContaining("superpeer 1 was removed from this cluster for good");
        assertThat(voters()).containsExactly(0, third);
    }

    @Test
    void takesInNobodyWhoHasNoId() {
        found(1);

        RaftDirectory stranger = openNew(5);

        assertThatThrownBy(() -> stranger.admitted().get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StartRefusedException.class)
                .hasMessageContaining("this cluster has no superpeer 5");
        assertThat(voters()).containsExactly(0);
        assertThat(replica(0).isAlone()).isTrue();
    }

    // what the tests share

    /** Names that are registered one after the other, by whoever leads, until the end. */
    private final class Commands {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final AtomicInteger last = new AtomicInteger();
        private final CompletableFuture<Void> thread =
                CompletableFuture.runAsync(this::run, task -> Thread.ofPlatform().start(task));

        private void run() {
            while (!isOver.get()) {
                int number = last.get() + 1;
                apply(registerName("n" + number, number));
                last.set(number);
                LockSupport.parkNanos(5_000_000);
            }
        }

        int end() {
            isOver.set(true);
            thread.join();
            return last.get();
        }

        List<Integer> acknowledged() {
            return java.util.stream.IntStream.rangeClosed(1, last.get()).boxed().toList();
        }
    }

    private void found(int count) {
        for (int i = 0; i < count; i++) {
            open(i, count);
        }
        apply(new FoundCluster(7, count));
        for (int i = 0; i < count; i++) {
            apply(new RegisterSuperpeer(i, "", 0));
        }
    }

    private int add(long nonce) {
        return ((Result.NodeRegistered) apply(new AddSuperpeer("", 0, nonce))).node();
    }

    private int grow() {
        int node = add(100 + networks.size());
        openNew(node).admitted().orTimeout(40, TimeUnit.SECONDS).join();
        apply(new RegisterSuperpeer(node, "", 0));
        apply(registerName("grown " + node, node));
        return node;
    }

    /** As the leading superpeer does it. */
    private void shrink(int node) {
        Result asked = apply(new ForgetNode(node, 0, false));
        assertThat(asked).isEqualTo(new Result.Forgotten(true, 0, 0));
        await(
                () -> {
                    int leader = leader();
                    if (leader == node) {
                        replica(leader).handLeadOn();
                        return false;
                    }
                    return replica(leader).dropVoter(node).join();
                },
                "superpeer " + node + " has no vote any more");
        assertThat(apply(new RemoveSuperpeer(node))).isEqualTo(new Result.Done(true));
    }

    private RaftDirectory openNew(int node) {
        return open(node, 0, told());
    }

    private List<SuperpeerInfo> told() {
        return replica(leader()).read(Directory::superpeers);
    }

    private RaftDirectory open(int node, int founders) {
        return open(node, founders, List.of());
    }

    private RaftDirectory open(int node, int founders, List<SuperpeerInfo> told) {
        Network network = Network.open(node, Transports.loopback(hub), NetConfig.defaults());
        networks.put(node, network);
        RaftDirectory replica =
                RaftDirectory.open(path(node), founders, told, _ -> {}, CLUSTER, network, SETTINGS);
        replicas.put(node, replica);
        return replica;
    }

    private void stop(int node) {
        RaftDirectory replica = replicas.remove(node);
        if (replica != null) {
            replica.close();
            Objects.requireNonNull(networks.get(node)).close();
        }
    }

    /** Through any that leads, again until there is an answer. */
    private Result apply(Command command) {
        while (true) {
            try {
                return replica(leader()).apply(command).join();
            } catch (java.util.concurrent.CompletionException | NullPointerException e) {
                LockSupport.parkNanos(20_000_000); // it has just been stopped
            }
        }
    }

    private int leader() {
        int[] leader = {-1};
        await(
                () -> {
                    replicas.forEach((node, replica) -> {
                        if (replica.isLeader()) {
                            leader[0] = node;
                        }
                    });
                    return leader[0] >= 0;
                },
                "somebody leads");
        return leader[0];
    }

    private RaftDirectory replica(int node) {
        return Objects.requireNonNull(replicas.get(node), "superpeer " + node + " does not run");
    }

    private List<Integer> voters() {
        return replica(leader()).voters().voters().stream()
                .map(peer -> RaftNames.index(peer.getId()))
                .sorted()
                .toList();
    }

    private long read(int node, String name) {
        return replica(node).<Long>read(state -> state.lookup(name));
    }

    private Path path(int node) {
        return folder.resolve("superpeer-" + node);
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }
}
