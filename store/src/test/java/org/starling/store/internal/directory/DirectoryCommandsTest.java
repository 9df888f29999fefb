package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerName;
import static org.starling.store.internal.directory.Commands.registerNode;
import static org.starling.store.internal.directory.Commands.removeName;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.AccessRegistry;
import org.starling.store.ChunkId;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.GrantAccess;
import org.starling.store.internal.directory.Command.MoveName;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RevokeAccess;

/** Each command of the directory by itself: what it changes, and what it refuses. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DirectoryCommandsTest {
    private static final Result CHANGED = new Result.Done(true);
    private static final Result UNCHANGED = new Result.Done(false);
    private static final int MEMBERS = 4;
    private static final long CLUSTER = 0xC1;

    private final Directory directory = new Directory();

    DirectoryCommandsTest() {
        directory.apply(new FoundCluster(CLUSTER, 1));
        directory.apply(new RegisterSuperpeer(0, "h0", 10));
        for (int i = 1; i < MEMBERS; i++) {
            directory.apply(registerNode(Role.PEER, "h" + i, 10 + i, i, 1L << i));
        }
    }

    // nodes

    @Test
    void isFoundedOnce() {
        assertThat(directory.apply(new FoundCluster(99, 3))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new FoundCluster(0, 0))).isEqualTo(UNCHANGED);

        assertThat(directory.clusterId()).isEqualTo(CLUSTER);
        assertThat(directory.superpeers()).hasSize(1);
    }

    @Test
    void refusesACluterWithoutIdOrSuperpeers() {
        Directory empty = new Directory();

        assertThat(empty.apply(new FoundCluster(0, 1))).isInstanceOf(Result.Refused.class);
        assertThat(empty.apply(new FoundCluster(1, 0))).isInstanceOf(Result.Refused.class);
        assertThat(empty.apply(new FoundCluster(1, 10))).isInstanceOf(Result.Refused.class);
        assertThat(empty.clusterId()).isZero();
    }

    @Test
    void admitsNobodyBeforeTheClusterIsFounded() {
        Directory empty = new Directory();

        assertThat(empty.apply(registerNode(Role.PEER, "", 0, 1, 0)))
                .isInstanceOf(Result.Refused.class);
        assertThat(empty.apply(new RegisterSuperpeer(0, "", 0))).isInstanceOf(Result.Refused.class);
        assertThat(empty.nodes()).isEmpty();
    }

    @Test
    void keepsTheIdsBelowTheNumberOfSuperpeersForThem() {
        Directory three = new Directory();
        three.apply(new FoundCluster(1, 3));

        assertThat(three.apply(registerNode(Role.PEER, "", 0, 1, 0)))
                .isEqualTo(new Result.NodeRegistered(3));
        assertThat(three.apply(new RegisterSuperpeer(2, "c", 12)))
                .isEqualTo(new Result.NodeRegistered(2));
        assertThat(three.apply(new RegisterSuperpeer(0, "a", 10)))
                .isEqualTo(new Result.NodeRegistered(0));

        assertThat(three.nodes()).extracting(NodeInfo::id).containsExactly(0, 2, 3);
    }

    @Test
    void letsASuperpeerComeBackWithItsIdAndAnotherAddress() {
        long version = directory.membershipVersion();

        directory.apply(new RegisterSuperpeer(0, "h0", 10));
        assertThat(directory.membershipVersion()).as("the same").isEqualTo(version);
        directory.apply(new RegisterSuperpeer(0, "h0", 11));

        assertThat(directory.membershipVersion()).isEqualTo(version + 1);
        assertThat(directory.nodes().getFirst().port()).isEqualTo(11);
        assertRefused(new RegisterSuperpeer(1, "h", 1), "index 1");
        assertRefused(new RegisterSuperpeer(-1, "h", 1), "index -1");
        assertRefused(new RegisterSuperpeer(0, "h".repeat(256), 1), "255");
        assertRefused(registerNode(Role.SUPERPEER, "h", 1, 1, 0), "index");
    }

    @Test
    void givesARepeatedRegistrationTheSameIdEvenAfterItsLoss() {
        RegisterNode join = registerNode(Role.PEER, "h", 1, 1, 0, 0, -1, 0, 77);
        assertThat(directory.apply(join)).isEqualTo(new Result.NodeRegistered(4));

        byte[] before = DirectorySnapshot.write(directory);
        assertThat(directory.apply(join)).isEqualTo(new Result.NodeRegistered(4));
        assertThat(DirectorySnapshot.write(directory)).isEqualTo(before);

        directory.apply(new RemoveNode(4));
        assertThat(directory.apply(join)).isEqualTo(new Result.NodeRegistered(4));
        assertThat(directory.isMember(4)).isFalse();
    }

    @Test
    void remembersTheLast1024Registrations() {
        for (int nonce = 1; nonce <= RecentNonces.MAX_REMEMBERED + 1; nonce++) {
            directory.apply(registerNode(Role.PEER, "h", 1, 1, 0, 0, -1, 0, nonce));
        }
        int next = MEMBERS + RecentNonces.MAX_REMEMBERED + 1;

        assertThat(directory.apply(registerNode(Role.PEER, "h", 1, 1, 0, 0, -1, 0, 2)))
                .isEqualTo(new Result.NodeRegistered(MEMBERS + 1));
        assertThat(directory.apply(registerNode(Role.PEER, "h", 1, 1, 0, 0, -1, 0, 1)))
                .as("forgotten")
                .isEqualTo(new Result.NodeRegistered(next));
    }

    @Test
    void refusesADataDirectoryOfAnotherCluster() {
        assertRefused(
                registerNode(Role.PEER, "h", 1, 1, 0, 0xBAD, -1, 0, 5),
                "data directory belongs to cluster 0000000000000bad, this is 00000000000000c1");
        assertThat(directory.apply(registerNode(Role.PEER, "h", 1, 1, 0, CLUSTER, 2, 0, 5)))
                .isEqualTo(new Result.NodeRegistered(4));
    }

    @Test
    void removesWhoComesBackBeforeItIsMissed() {
        directory.apply(registerNode(Role.PEER, "h", 1, 1, 0, CLUSTER, 2, 0, 5));

        assertThat(directory.nodes()).extracting(NodeInfo::id).containsExactly(0, 1, 3, 4);
    }

    @Test
    void refusesAPastThatNobodyHad() {
        assertRefused(registerNode(Role.PEER, "h", 1, 1, 0, CLUSTER, 4, 0, 5), "node 4");
        assertRefused(registerNode(Role.PEER, "h", 1, 1, 0, CLUSTER, 0, 0, 5), "node 0");
        assertRefused(registerNode(Role.PEER, "h", 1, 1, 0, CLUSTER, -2, 0, 5), "node -2");
    }

    @Test
    void keepsEveryFieldOfANode() {
        directory.apply(registerNode(Role.PEER, "grün.example", 65_535, 128, Long.MIN_VALUE));

        assertThat(directory.nodes().getLast())
                .isEqualTo(new NodeInfo(4, Role.PEER, "grün.example", 65_535, 128, Long.MIN_VALUE));
        assertThat(directory.membershipVersion()).isEqualTo(MEMBERS + 1);
    }

    @Test
    void admitsTwoNodesWithTheSameAddress() {
        Result first = directory.apply(registerNode(Role.PEER, "twin", 7, 1, 0));
        Result second = directory.apply(registerNode(Role.PEER, "twin", 7, 1, 0));

        assertThat(first).isEqualTo(new Result.NodeRegistered(4));
        assertThat(second).isEqualTo(new Result.NodeRegistered(5));
    }

    @Test
    void takesAHostOf255CharactersAndRefuses256() {
        assertThat(directory.apply(registerNode(Role.PEER, "ö".repeat(255), 1, 1, 0)))
                .isEqualTo(new Result.NodeRegistered(4));
        assertRefused(registerNode(Role.PEER, "ö".repeat(256), 1, 1, 0), "255");
    }

    @Test
    void refusesANodeWithAPortOrCoresThatCannotBe() {
        assertRefused(registerNode(Role.PEER, "h", -1, 1, 0), "port -1");
        assertRefused(registerNode(Role.PEER, "h", 65_536, 1, 0), "port 65536");
        assertRefused(registerNode(Role.PEER, "h", 1, 0, 0), "core");
        assertRefused(registerNode(Role.PEER, "h", 1, Integer.MIN_VALUE, 0), "core");
        assertThat(directory.apply(registerNode(Role.PEER, "h", 1, 1, 0)))
                .as("a refusal uses no id up")
                .isEqualTo(new Result.NodeRegistered(4));
    }

    @Test
    void removesANodeOnceAndAnUnknownOneNever() {
        long version = directory.membershipVersion();

        assertThat(directory.apply(new RemoveNode(2))).isEqualTo(CHANGED);
        assertThat(directory.apply(new RemoveNode(2))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new RemoveNode(99))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new RemoveNode(-1))).isEqualTo(UNCHANGED);

        assertThat(directory.membershipVersion()).isEqualTo(version + 1);
        assertThat(directory.nodes()).extracting(NodeInfo::id).containsExactly(0, 1, 3);
    }

    @Test
    void handsOutACopyOfTheMembers() {
        directory.nodes().clear();

        assertThat(directory.nodes()).hasSize(MEMBERS);
    }

    // names

    @Test
    void movesANameThatExists() {
        assertThat(directory.apply(registerName("n", 1))).isEqualTo(CHANGED);
        assertThat(directory.apply(registerName("n", 1))).as("the same").isEqualTo(UNCHANGED);
        assertThat(directory.apply(registerName("n", 2))).isEqualTo(CHANGED);

        assertThat(directory.lookup("n")).isEqualTo(2);
        assertThat(directory.lookup("N")).as("case counts").isEqualTo(ChunkId.NONE);
    }

    @Test
    void comparesGreatIdsByValue() {
        long great = ChunkId.of(50_000, 1L << 40);
        directory.apply(registerName("n", great));

        assertThat(directory.apply(registerName("n", ChunkId.of(50_000, 1L << 40))))
                .isEqualTo(UNCHANGED);
    }

    @Test
    void countsTheBytesOfANameNotItsCharacters() {
        String[] longest = {
            "a".repeat(255), "ö".repeat(127) + "a", "語".repeat(85), "𝄞".repeat(63)
        };
        for (String name : longest) {
            assertThat(directory.apply(registerName(name, 1))).as(name).isEqualTo(CHANGED);
            assertThat(directory.lookup(name)).as(name).isEqualTo(1);
        }

        for (String name : new String[] {"a".repeat(256), "ö".repeat(128), "語".repeat(85) + "a"}) {
            assertRefused(registerName(name, 1), "256");
        }
        assertRefused(registerName("", 1), "not 0");
        assertThat(directory.namesAfter("")).hasSize(longest.length);
    }

    @Test
    void removesANameOnce() {
        directory.apply(registerName("n", 1));

        assertThat(directory.apply(removeName("n"))).isEqualTo(CHANGED);
        assertThat(directory.apply(removeName("n"))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(removeName(""))).isEqualTo(UNCHANGED);
        assertThat(directory.lookup("n")).isEqualTo(ChunkId.NONE);
    }

    @Test
    void grantsAccessUnderANameThatNobodyHas() {
        assertThat(directory.apply(new GrantAccess("who", new byte[] {1}, 0))).isEqualTo(CHANGED);
        assertThat(directory.apply(new GrantAccess("who", new byte[] {2}, 0))).isEqualTo(UNCHANGED);
        assertThat(directory.grants().get("who")).containsExactly(1);

        assertThat(directory.apply(new RevokeAccess("who", 0))).isEqualTo(CHANGED);
        assertThat(directory.apply(new RevokeAccess("who", 0))).isEqualTo(UNCHANGED);
        assertThat(directory.grants()).isEmpty();
    }

    @Test
    void letsNoLateRepetitionGrantAgainWhatWasRevoked() {
        GrantAccess grant = new GrantAccess("who", new byte[] {1}, 77);
        directory.apply(grant);
        directory.apply(new RevokeAccess("who", 78));

        assertThat(directory.apply(grant)).as("as it was answered").isEqualTo(CHANGED);
        assertThat(directory.grants()).isEmpty();
    }

    @Test
    void boundsWhatItGrants() {
        assertRefused(new GrantAccess("", new byte[0], 0), "not 0");
        assertRefused(new GrantAccess("é".repeat(33), new byte[0], 0), "not 66");
        assertRefused(
                new GrantAccess("who", new byte[AccessRegistry.MAX_GRANT_BYTES + 1], 0), "not 257");
        for (int i = 0; i < AccessRegistry.MAX_GRANTS; i++) {
            directory.apply(new GrantAccess("who" + i, new byte[0], 0));
        }

        assertRefused(new GrantAccess("one more", new byte[0], 0), "revoke one");
        assertThat(directory.grants()).hasSize(AccessRegistry.MAX_GRANTS);
    }

    @Test
    void movesANameOnlyFromTheChunkThatIsExpected() {
        assertThat(directory.apply(new MoveName("n", 1, 2, 0))).as("no name").isEqualTo(UNCHANGED);
        assertThat(directory.apply(new MoveName("n", ChunkId.NONE, 1, 0))).isEqualTo(CHANGED);
        assertThat(directory.apply(new MoveName("n", ChunkId.NONE, 2, 0)))
                .as("there is one by now")
                .isEqualTo(UNCHANGED);
        assertThat(directory.apply(new MoveName("n", 7, 2, 0))).isEqualTo(UNCHANGED);
        assertThat(directory.lookup("n")).isEqualTo(1);

        assertThat(directory.apply(new MoveName("n", 1, 2, 0))).isEqualTo(CHANGED);
        assertThat(directory.lookup("n")).isEqualTo(2);
        assertRefused(new MoveName("", ChunkId.NONE, 1, 0), "not 0");
    }

    @Test
    void answersARepeatedMoveOfANameAsTheFirstTime() {
        MoveName won = new MoveName("n", ChunkId.NONE, 1, 77);
        MoveName lost = new MoveName("n", ChunkId.NONE, 2, 78);
        directory.apply(won);
        directory.apply(lost);
        directory.apply(new RemoveName("n", 79));

        assertThat(directory.apply(won)).isEqualTo(CHANGED);
        assertThat(directory.apply(lost))
                .as("late, though nobody has the name")
                .isEqualTo(UNCHANGED);
        assertThat(directory.lookup("n")).isEqualTo(ChunkId.NONE);
    }

    @Test
    void letsNoLateRepetitionUndoWhatWasDoneToANameSince() {
        RegisterName first = new RegisterName("n", 1, 77);
        RemoveName removal = new RemoveName("n", 78);
        directory.apply(first);
        directory.apply(new RegisterName("n", 2, 79));

        assertThat(directory.apply(first)).as("as it was answered").isEqualTo(CHANGED);
        assertThat(directory.lookup("n")).isEqualTo(2);

        directory.apply(removal);
        directory.apply(new RegisterName("n", 3, 80));
        assertThat(directory.apply(removal)).isEqualTo(CHANGED);
        assertThat(directory.lookup("n")).isEqualTo(3);
    }

    @Test
    void listsNamesBehindOneThatNeedNotExist() {
        for (String name : new String[] {"b", "a", "aa", "ä"}) {
            directory.apply(registerName(name, 1));
        }

        assertThat(directory.namesAfter("").keySet()).containsExactly("a", "aa", "b", "ä");
        assertThat(directory.namesAfter("a").keySet()).containsExactly("aa", "b", "ä");
        assertThat(directory.namesAfter("ab").keySet()).containsExactly("b", "ä");
        assertThat(directory.namesAfter("ä").keySet()).isEmpty();
    }

    // what the tests share

    private void assertRefused(Command command, String reason) {
        byte[] before = DirectorySnapshot.write(directory);

        Result result = directory.apply(command);

        assertThat(result).as("%s", command).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).reason()).contains(reason);
        assertThat(DirectorySnapshot.write(directory)).as("changed nothing").isEqualTo(before);
    }
}
