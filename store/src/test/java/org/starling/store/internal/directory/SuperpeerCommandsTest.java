package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddSuperpeer;
import org.starling.store.internal.directory.Command.ForgetNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RemoveSuperpeer;
import org.starling.store.internal.directory.SuperpeerInfo.State;

/** Superpeers that come and go. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class SuperpeerCommandsTest {
    private static final Result STILL_THERE = new Result.Forgotten(true, 0, 0);

    private final Directory directory = new Directory();

    @BeforeEach
    void found() {
        directory.apply(new FoundCluster(7, 1));
        directory.apply(new RegisterSuperpeer(0, "a", 1));
        directory.apply(registerNode(Role.PEER, "p", 1, 1, 3));
    }

    @Test
    void givesEachSuperpeerAnIdThatNobodyHasHadOnceHoweverOftenItAsks() {
        long version = directory.membershipVersion();

        assertThat(add("b", 5)).isEqualTo(2);
        assertThat(add("b", 5)).isEqualTo(2);
        assertThat(add("B", 6)).as("its disk is gone").isEqualTo(2);
        assertThat(add("c", 7)).isEqualTo(3);
        assertThat(directory.apply(registerNode(Role.PEER, "q", 1, 1, 3)))
                .isEqualTo(new Result.NodeRegistered(4));

        assertThat(directory.membershipVersion()).isEqualTo(version + 3);
        assertThat(directory.superpeers())
                .containsExactly(
                        new SuperpeerInfo(0, "a", 1, State.VOTING),
                        new SuperpeerInfo(2, "b", 1, State.JOINING),
                        new SuperpeerInfo(3, "c", 1, State.JOINING));
    }

    @Test
    void takesWhoJoinsForASuperpeerWhenItHasRegistered() {
        int node = add("b", 5);
        assertThat(directory.isSuperpeer(node)).isFalse();
        assertThat(directory.isMember(node)).isFalse();

        directory.apply(new RegisterSuperpeer(node, "b", 1));

        assertThat(directory.isSuperpeer(node)).isTrue();
        assertThat(directory.nodes()).extracting(NodeInfo::id).containsExactly(0, 1, 2);
        directory.apply(new RemoveNode(node));
        assertThat(directory.isSuperpeer(node)).as("also while it is down").isTrue();
        assertThat(directory.resting()).doesNotContain(node);
    }

    @Test
    void removesASuperpeerWhenTheOthersHaveTakenItsVote() {
        int node = grow("b", 5);
        long version = directory.membershipVersion();
        assertThat(directory.apply(new RemoveSuperpeer(0))).as("not asked for").isEqualTo(NOTHING);

        assertThat(directory.apply(new ForgetNode(0, 0, false))).isEqualTo(STILL_THERE);
        assertThat(directory.apply(new ForgetNode(0, 0, false))).isEqualTo(STILL_THERE);
        assertThat(directory.isSuperpeer(0)).as("it still has a vote").isTrue();
        assertThat(directory.membershipVersion()).isEqualTo(version + 1);
        assertThat(directory.apply(new RemoveSuperpeer(0))).isEqualTo(new Result.Done(true));

        assertThat(directory.superpeers()).extracting(SuperpeerInfo::node).containsExactly(node);
        assertThat(directory.isMember(0)).isFalse();
        assertThat(directory.formerSuperpeers()).containsExactly(0);
        assertThat(directory.apply(new RemoveSuperpeer(0))).isEqualTo(NOTHING);
        assertThat(directory.apply(new ForgetNode(0, 0, false)))
                .isEqualTo(new Result.Forgotten(false, 0, 0));
        assertRefused(
                new RegisterSuperpeer(0, "a", 1), "superpeer 0 was removed from this cluster");
        assertRefused(registration(0), "never was a peer");
    }

    @Test
    void takesOneThatWasRemovedInAsAnotherOneOnly() {
        int node = grow("b", 5);
        directory.apply(new ForgetNode(node, 0, false));
        assertRefused(new AddSuperpeer("b", 1, 9), "superpeer 2 at that address is just being");
        directory.apply(new RemoveSuperpeer(node));

        assertRefused(new AddSuperpeer("b", 1, 5), "superpeer 2 was removed");
        assertThat(add("b", 9)).isEqualTo(3);
    }

    @Test
    void refusesToLeaveTheOthersWithoutAMajority() {
        assertRefused(new ForgetNode(0, 0, false), "node 0 is the last superpeer");
        int joining = add("b", 5);
        assertRefused(new ForgetNode(0, 0, false), "node 0 is the last superpeer");
        directory.apply(new RegisterSuperpeer(joining, "b", 1));
        int third = grow("c", 6);
        directory.apply(new RemoveNode(joining));

        assertRefused(
                new ForgetNode(0, 0, false),
                "without superpeer 0 there would be 2, of which 1 is up, and no majority");
        assertThat(directory.apply(new ForgetNode(joining, 0, false)))
                .as("who is down can go")
                .isEqualTo(STILL_THERE);
        assertThat(directory.apply(new ForgetNode(third, 0, false)))
                .as("and then the next")
                .isEqualTo(STILL_THERE);
        assertRefused(new ForgetNode(0, 0, false), "node 0 is the last superpeer");
    }

    @Test
    void namesTheLimitOfSuperpeers() {
        for (int i = 1; i < SuperpeerTable.MAX_SUPERPEERS; i++) {
            add("h" + i, 100 + i);
        }

        assertRefused(new AddSuperpeer("one more", 1, 9), "a cluster has at most 9 superpeers");
        assertRefused(new AddSuperpeer("h".repeat(256), 1, 9), "superpeers");
    }

    @Test
    void refusesAPlaceThatIsNone() {
        assertRefused(new AddSuperpeer("h".repeat(256), 1, 9), "255");
        Directory empty = new Directory();
        assertThat(empty.apply(new AddSuperpeer("b", 1, 1))).isInstanceOf(Result.Refused.class);
    }

    @Test
    void givesNoPeerTheIdOfASuperpeer() {
        int superpeer = grow("b", 5);
        int gone = grow("c", 6);
        directory.apply(new ForgetNode(gone, 0, false));
        directory.apply(new RemoveSuperpeer(gone));
        for (int id = gone + 1; id <= Directory.MAX_MEMBER; id++) {
            directory.apply(registerNode(Role.PEER, "q", 1, 1, 1));
        }
        for (int id : new int[] {superpeer, gone, 9}) {
            directory.apply(new RemoveNode(id));
            directory.apply(new Command.ReleaseNode(id, Command.ANY));
        }
        directory.apply(new RegisterSuperpeer(superpeer, "b", 1));

        assertThat(directory.apply(registerNode(Role.PEER, "q", 1, 1, 1)))
                .isEqualTo(new Result.NodeRegistered(9, 1, 0));
        assertRefused(new AddSuperpeer("d", 1, 8), "superpeers get no used ones");
    }

    @Test
    void keepsThemInASnapshot() {
        grow("b", 5);
        add("c", 6);
        grow("e", 8);
        int gone = grow("d", 7);
        directory.apply(new ForgetNode(gone, 0, false));
        directory.apply(new RemoveSuperpeer(gone));
        directory.apply(new ForgetNode(0, 0, false));

        Directory copy = DirectorySnapshot.read(DirectorySnapshot.write(directory));

        assertThat(copy.superpeers())
                .isEqualTo(directory.superpeers())
                .extracting(SuperpeerInfo::state)
                .containsExactly(State.LEAVING, State.VOTING, State.JOINING, State.VOTING);
        assertThat(copy.formerSuperpeers()).containsExactly(gone);
        assertThat(copy.founders()).isEqualTo(1);
    }

    // what the tests share

    private static final Result NOTHING = new Result.Done(false);

    private static RegisterNode registration(int previous) {
        return registerNode(Role.PEER, "q", 1, 1, 3, 7, previous, 0, 50);
    }

    private int add(String host, long nonce) {
        return ((Result.NodeRegistered) directory.apply(new AddSuperpeer(host, 1, nonce))).node();
    }

    private int grow(String host, long nonce) {
        int node = add(host, nonce);
        directory.apply(new RegisterSuperpeer(node, host, 1));
        return node;
    }

    private void assertRefused(Command command, String reason) {
        byte[] before = DirectorySnapshot.write(directory);

        Result result = directory.apply(command);

        assertThat(result).as("%s", command).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).reason()).contains(reason);
        assertThat(DirectorySnapshot.write(directory)).as("changed nothing").isEqualTo(before);
    }

    @Test
    void removesThoseThatNeverCame() {
        Directory fresh = new Directory();
        fresh.apply(new Command.FoundCluster(7, 1));
        fresh.apply(new Command.RegisterSuperpeer(0, "a", 1));
        fresh.apply(new Command.AddSuperpeer("b", 1, 5));
        fresh.apply(new Command.AddSuperpeer("c", 1, 6));

        for (int never = 1; never <= 2; never++) {
            assertThat(fresh.apply(new Command.ForgetNode(never, 0, false)))
                    .isInstanceOf(Result.Forgotten.class);
        }
    }
}
