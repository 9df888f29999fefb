package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.ArriveAtBarrier;
import org.starling.store.internal.directory.Command.AssignRange;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveBarrier;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;

/** Each command of the directory by itself: what it changes, and what it refuses. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DirectoryCommandsTest {
    private static final Result CHANGED = new Result.Done(true);
    private static final Result UNCHANGED = new Result.Done(false);
    private static final int MEMBERS = 4;

    private final Directory directory = new Directory();

    DirectoryCommandsTest() {
        directory.apply(new RegisterNode(Role.SUPERPEER, "h0", 10, 1, 0));
        for (int i = 1; i < MEMBERS; i++) {
            directory.apply(new RegisterNode(Role.PEER, "h" + i, 10 + i, i, 1L << i));
        }
    }

    // nodes

    @Test
    void keepsEveryFieldOfANode() {
        directory.apply(new RegisterNode(Role.PEER, "grün.example", 65_535, 128, Long.MIN_VALUE));

        assertThat(directory.nodes().getLast())
                .isEqualTo(new NodeInfo(4, Role.PEER, "grün.example", 65_535, 128, Long.MIN_VALUE));
        assertThat(directory.membershipVersion()).isEqualTo(MEMBERS + 1);
    }

    @Test
    void admitsTwoNodesWithTheSameAddress() {
        Result first = directory.apply(new RegisterNode(Role.PEER, "twin", 7, 1, 0));
        Result second = directory.apply(new RegisterNode(Role.PEER, "twin", 7, 1, 0));

        assertThat(first).isEqualTo(new Result.NodeRegistered(4));
        assertThat(second).isEqualTo(new Result.NodeRegistered(5));
    }

    @Test
    void takesAHostOf255CharactersAndRefuses256() {
        assertThat(directory.apply(new RegisterNode(Role.PEER, "ö".repeat(255), 1, 1, 0)))
                .isEqualTo(new Result.NodeRegistered(4));
        assertRefused(new RegisterNode(Role.PEER, "ö".repeat(256), 1, 1, 0), "255");
    }

    @Test
    void refusesANodeWithAPortOrCoresThatCannotBe() {
        assertRefused(new RegisterNode(Role.PEER, "h", -1, 1, 0), "port -1");
        assertRefused(new RegisterNode(Role.PEER, "h", 65_536, 1, 0), "port 65536");
        assertRefused(new RegisterNode(Role.PEER, "h", 1, 0, 0), "core");
        assertRefused(new RegisterNode(Role.PEER, "h", 1, Integer.MIN_VALUE, 0), "core");
        assertThat(directory.apply(new RegisterNode(Role.PEER, "h", 1, 1, 0)))
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

    @Test
    void refusesNodesOnceAllIdsAreUsed() {
        for (int id = MEMBERS; id <= Directory.MAX_MEMBER; id++) {
            directory.apply(new RegisterNode(Role.PEER, "", 0, 1, 0));
            directory.apply(new RemoveNode(id));
        }

        assertRefused(new RegisterNode(Role.PEER, "", 0, 1, 0), "65023");
        assertThat(directory.nodes()).hasSize(MEMBERS);
    }

    // ranges

    @Test
    void locatesAllIdsOfACreatorWithItUntilTheyAreAssigned() {
        assertThat(directory.everyCreatorOwns()).isTrue();
        assertThat(directory.locate(ChunkId.of(2, 5))).isEqualTo(range(2, 0, ChunkId.MAX_LOCAL, 2));
    }

    @Test
    void locatesCreatorsWhoseIdsAreNegativeNumbers() {
        int high = 40_000;
        directory.apply(new AssignRange(ChunkId.of(high, 10), ChunkId.of(high, 19), 1));

        assertThat(directory.locate(ChunkId.of(high, 9))).isEqualTo(range(high, 0, 9, high));
        assertThat(directory.locate(ChunkId.of(high, 10))).isEqualTo(range(high, 10, 19, 1));
        assertThat(directory.locate(ChunkId.of(high, 20)))
                .isEqualTo(range(high, 20, ChunkId.MAX_LOCAL, high));
        assertThat(directory.locate(ChunkId.of(high + 1, 0)))
                .isEqualTo(range(high + 1, 0, ChunkId.MAX_LOCAL, high + 1));
    }

    @Test
    void letsTheLaterOfTwoOverlappingRangesWin() {
        directory.apply(new AssignRange(ChunkId.of(1, 10), ChunkId.of(1, 29), 2));
        directory.apply(new AssignRange(ChunkId.of(1, 20), ChunkId.of(1, 39), 3));

        assertThat(directory.locate(ChunkId.of(1, 19))).isEqualTo(range(1, 10, 19, 2));
        assertThat(directory.locate(ChunkId.of(1, 20))).isEqualTo(range(1, 20, 39, 3));
        assertThat(directory.locate(ChunkId.of(1, 9))).isEqualTo(range(1, 0, 9, 1));
    }

    @Test
    void splitsARangeWhenItsMiddleGoesBackToTheCreator() {
        directory.apply(new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, 99), 2));
        directory.apply(new AssignRange(ChunkId.of(1, 40), ChunkId.of(1, 59), 1));

        assertThat(directory.locate(ChunkId.of(1, 50))).isEqualTo(range(1, 40, 59, 1));
        assertThat(directory.locate(ChunkId.of(1, 39))).isEqualTo(range(1, 0, 39, 2));
        assertThat(directory.locate(ChunkId.of(1, 60))).isEqualTo(range(1, 60, 99, 2));

        directory.apply(new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, ChunkId.MAX_LOCAL), 1));
        assertThat(directory.everyCreatorOwns()).isTrue();
    }

    @Test
    void assignsTheFirstAndTheLastIdOfACreator() {
        long last = ChunkId.of(1, ChunkId.MAX_LOCAL);

        assertThat(directory.apply(new AssignRange(last, last, 2))).isEqualTo(CHANGED);
        assertThat(directory.apply(new AssignRange(ChunkId.of(2, 0), ChunkId.of(2, 0), 3)))
                .isEqualTo(CHANGED);

        assertThat(directory.locate(last).node()).isEqualTo(2);
        assertThat(directory.locate(last - 1).node()).isEqualTo(1);
        assertThat(directory.locate(ChunkId.of(2, 0)).node()).isEqualTo(3);
        assertThat(directory.locate(ChunkId.of(2, 1)).node()).isEqualTo(2);
    }

    @Test
    void refusesRangesOfTwoCreatorsBackwardsRangesAndStrangers() {
        assertRefused(
                new AssignRange(ChunkId.of(1, ChunkId.MAX_LOCAL), ChunkId.of(2, 0), 3), "creator");
        assertRefused(new AssignRange(ChunkId.of(1, 5), ChunkId.of(1, 4), 2), "less");
        assertRefused(new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, 1), MEMBERS), "node 4");
        assertRefused(new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, 1), -1), "node -1");
        directory.apply(new RemoveNode(3));
        assertRefused(new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, 1), 3), "node 3");
    }

    @Test
    void tellsTheOwnerOfChunksEvenWhenItHasBeenLost() {
        directory.apply(new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, 9), 3));
        directory.apply(new RemoveNode(3));

        assertThat(directory.locate(ChunkId.of(1, 5)).node()).isEqualTo(3);
        assertThat(directory.locate(ChunkId.of(3, 5)).node()).isEqualTo(3);
    }

    // names

    @Test
    void movesANameThatExists() {
        assertThat(directory.apply(new RegisterName("n", 1))).isEqualTo(CHANGED);
        assertThat(directory.apply(new RegisterName("n", 1))).as("the same").isEqualTo(UNCHANGED);
        assertThat(directory.apply(new RegisterName("n", 2))).isEqualTo(CHANGED);

        assertThat(directory.lookup("n")).isEqualTo(2);
        assertThat(directory.lookup("N")).as("case counts").isEqualTo(ChunkId.NONE);
    }

    @Test
    void comparesGreatIdsByValue() {
        long great = ChunkId.of(50_000, 1L << 40);
        directory.apply(new RegisterName("n", great));

        assertThat(directory.apply(new RegisterName("n", ChunkId.of(50_000, 1L << 40))))
                .isEqualTo(UNCHANGED);
    }

    @Test
    void countsTheBytesOfANameNotItsCharacters() {
        String[] longest = {
            "a".repeat(255), "ö".repeat(127) + "a", "語".repeat(85), "𝄞".repeat(63)
        };
        for (String name : longest) {
            assertThat(directory.apply(new RegisterName(name, 1))).as(name).isEqualTo(CHANGED);
            assertThat(directory.lookup(name)).as(name).isEqualTo(1);
        }

        for (String name : new String[] {"a".repeat(256), "ö".repeat(128), "語".repeat(85) + "a"}) {
            assertRefused(new RegisterName(name, 1), "256");
        }
        assertRefused(new RegisterName("", 1), "not 0");
        assertThat(directory.namesAfter("")).hasSize(longest.length);
    }

    @Test
    void removesANameOnce() {
        directory.apply(new RegisterName("n", 1));

        assertThat(directory.apply(new RemoveName("n"))).isEqualTo(CHANGED);
        assertThat(directory.apply(new RemoveName("n"))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new RemoveName(""))).isEqualTo(UNCHANGED);
        assertThat(directory.lookup("n")).isEqualTo(ChunkId.NONE);
    }

    @Test
    void listsNamesBehindOneThatNeedNotExist() {
        for (String name : new String[] {"b", "a", "aa", "ä"}) {
            directory.apply(new RegisterName(name, 1));
        }

        assertThat(directory.namesAfter("").keySet()).containsExactly("a", "aa", "b", "ä");
        assertThat(directory.namesAfter("a").keySet()).containsExactly("aa", "b", "ä");
        assertThat(directory.namesAfter("ab").keySet()).containsExactly("b", "ä");
        assertThat(directory.namesAfter("ä").keySet()).isEmpty();
    }

    // barriers

    @Test
    void opensABarrierOfOneAtEveryArrival() {
        directory.apply(new CreateBarrier(1));

        for (long round = 0; round < 5; round++) {
            assertThat(directory.apply(new ArriveAtBarrier(0, 7, round)))
                    .isEqualTo(new Result.Arrived(round + 1, 1));
        }
    }

    @Test
    void takesPartiesOfAnyNumberButEachOnce() {
        directory.apply(new CreateBarrier(3));

        assertThat(directory.apply(new ArriveAtBarrier(0, -5, 0))).isEqualTo(arrived(0, 2));
        assertThat(directory.apply(new ArriveAtBarrier(0, Integer.MAX_VALUE, 0)))
                .isEqualTo(arrived(0, 1));
        assertThat(directory.apply(new ArriveAtBarrier(0, -5, 0))).isEqualTo(arrived(0, 1));
        assertThat(directory.apply(new ArriveAtBarrier(0, 0, 0))).isEqualTo(arrived(1, 3));
    }

    @Test
    void answersALateArrivalWithTheOpenRoundAndDoesNotCountIt() {
        directory.apply(new CreateBarrier(2));
        directory.apply(new ArriveAtBarrier(0, 1, 0));
        directory.apply(new ArriveAtBarrier(0, 2, 0));

        assertThat(directory.apply(new ArriveAtBarrier(0, 3, 0))).isEqualTo(arrived(1, 2));
        assertThat(directory.apply(new ArriveAtBarrier(0, 3, -1))).isEqualTo(arrived(1, 2));
        assertThat(directory.apply(new ArriveAtBarrier(0, 3, 1))).isEqualTo(arrived(1, 1));
    }

    @Test
    void refusesRoundsAndBarriersThatAreNotThereYet() {
        directory.apply(new CreateBarrier(2));

        assertRefused(new ArriveAtBarrier(0, 1, 1), "round 0");
        assertRefused(new ArriveAtBarrier(0, 1, Long.MAX_VALUE), "round 0");
        assertRefused(new ArriveAtBarrier(1, 1, 0), "barrier 1 does not exist");
        assertRefused(new ArriveAtBarrier(-1, 1, 0), "barrier -1 does not exist");
    }

    @Test
    void neverUsesTheIdOfABarrierAgain() {
        directory.apply(new CreateBarrier(2));

        assertThat(directory.apply(new RemoveBarrier(0))).isEqualTo(CHANGED);
        assertThat(directory.apply(new RemoveBarrier(0))).isEqualTo(UNCHANGED);
        assertThat(directory.apply(new CreateBarrier(2))).isEqualTo(new Result.BarrierCreated(1));
        assertRefused(new ArriveAtBarrier(0, 1, 0), "barrier 0");
    }

    @Test
    void boundsPartiesAndBarriers() {
        assertRefused(new CreateBarrier(0), "parties, not 0");
        assertRefused(new CreateBarrier(-1), "parties, not -1");
        assertRefused(new CreateBarrier(Directory.MAX_PARTIES + 1), "parties");
        for (int i = 0; i < Directory.MAX_BARRIERS; i++) {
            directory.apply(new CreateBarrier(Directory.MAX_PARTIES));
        }

        assertRefused(new CreateBarrier(1), "more than " + Directory.MAX_BARRIERS);
        directory.apply(new RemoveBarrier(17));
        assertThat(directory.apply(new CreateBarrier(1)))
                .isEqualTo(new Result.BarrierCreated(Directory.MAX_BARRIERS));
    }

    // what the tests share

    private void assertRefused(Command command, String reason) {
        byte[] before = DirectorySnapshot.write(directory);

        Result result = directory.apply(command);

        assertThat(result).as("%s", command).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).reason()).contains(reason);
        assertThat(DirectorySnapshot.write(directory)).as("changed nothing").isEqualTo(before);
    }

    private static Result arrived(long round, int missing) {
        return new Result.Arrived(round, missing);
    }

    private static RangeMap.Range range(int creator, long first, long last, int node) {
        return new RangeMap.Range(ChunkId.of(creator, first), ChunkId.of(creator, last), node);
    }
}
