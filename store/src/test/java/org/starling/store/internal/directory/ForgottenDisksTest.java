package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.CommandSource.zone;
import static org.starling.store.internal.directory.Commands.registerNode;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.ForgetNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RetireBackup;
import org.starling.store.internal.directory.Command.SwitchZone;

/** What becomes of zones whose holders are gone for good. Peers are nodes 1 to 4. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ForgottenDisksTest {
    private static final long CLUSTER = 5;
    private static final long ZONE = zone(1, 0);

    private final Directory directory = new Directory();

    ForgottenDisksTest() {
        directory.apply(new FoundCluster(CLUSTER, 1));
        for (int i = 0; i < 4; i++) {
            directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES));
        }
        directory.apply(new OpenZone(ZONE, 1, 3)); // backed up by 2, 3 and 4
        directory.apply(new ConfirmZone(ZONE, 1, 1));
    }

    @Test
    void refusesMembersSuperpeersAndStrangers() {
        assertRefused(new ForgetNode(2, true), "node 2 is a member of the cluster: drain it first");
        assertRefused(new ForgetNode(0, true), "node 0 is the last superpeer");
        assertRefused(new ForgetNode(5, true), "node 5 never was a peer");
        assertRefused(new ForgetNode(-1, true), "node -1 never was a peer");
        assertRefused(new ForgetNode(2, 1, true), "never was a peer");
    }

    @Test
    void forgetsANodeOnceThatHasNothingAnyMore() {
        directory.apply(new RemoveNode(2));
        directory.apply(new ConfirmZone(ZONE, 2, 1));

        assertThat(forget(2, false)).isEqualTo(new Result.Forgotten(true, 0, 0));
        assertThat(forget(2, false)).isEqualTo(new Result.Forgotten(false, 0, 0));

        assertThat(directory.wasForgotten(2, 0)).isTrue();
        assertThat(directory.wasForgotten(2, 1)).isFalse();
        assertThat(directory.wasForgotten(3, 0)).isFalse();
        assertThat(directory.wasForgotten(RegisterNode.NO_PREVIOUS, 0)).isFalse();
    }

    @Test
    void stillKnowsWhoWasForgottenBehindASnapshot() {
        directory.apply(new RemoveNode(2));
        forget(2, false);

        Directory restored = DirectorySnapshot.read(DirectorySnapshot.write(directory));

        assertThat(restored.wasForgotten(2, 0)).isTrue();
        assertThat(restored.holders(ZONE)).contains(2);
    }

    @Test
    void reliesOnNothingThatAForgottenNodeBringsBack() {
        directory.apply(new RemoveNode(2));
        forget(2, false);

        int back = comeBack(2);

        assertThat(directory.isMember(back)).isTrue();
        assertThat(directory.zonesHeldBy(back)).isEmpty();
    }

    @Test
    void countsAForgottenDiskAsMissingWhenAllElseIsLostLater() {
        directory.apply(new RemoveNode(2));
        forget(2, false);
        loseAll();

        comeBack(3);
        assertThat(info().recoverable()).as("4 and 2 may have had what 3 has not").isFalse();
        comeBack(4);

        assertThat(info().recoverable()).isTrue();
        assertThat(info().damaged()).isFalse();
    }

    @Test
    void saysHowManyZonesNeedAllOtherDisksNow() {
        loseAll();

        assertThat(forget(2, false)).isEqualTo(new Result.Forgotten(true, 1, 0));

        comeBack(3);
        assertThat(info().recoverable()).isFalse();
        comeBack(4);
        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void awaitsHoldersThatAreGoneButNoForgottenOnes() {
        directory.apply(new RemoveNode(1));
        directory.apply(new RemoveNode(2));
        assertThat(directory.sources(ZONE))
                .isEqualTo(new ZoneSources(List.of(3, 4), false, false, List.of(), List.of(2)));
        int two = comeBack(2);
        assertThat(directory.sources(ZONE))
                .isEqualTo(new ZoneSources(List.of(3, 4), false, false, List.of(two), List.of()));

        directory.apply(new RemoveNode(3));
        directory.apply(new RemoveNode(4));
        assertThat(directory.sources(ZONE))
                .isEqualTo(new ZoneSources(List.of(two), true, false, List.of(), List.of(3, 4)));
        forget(3, false);
        int four = comeBack(4);

        assertThat(directory.sources(ZONE))
                .isEqualTo(new ZoneSources(List.of(two, four), true, false, List.of(), List.of()));
    }

    @Test
    void tellsThatAZoneIsGoneForGoodWhenNoDiskIsLeftThatMayHaveIt() {
        loseAll();
        for (int node = 2; node <= 4; node++) {
            assertThat(info().damaged()).isFalse();
            int back = comeBack(node);
            directory.apply(new RetireBackup(ZONE, info().epoch(), back, false));
        }

        assertThat(info().lost()).isTrue();
        assertThat(info().recoverable()).isFalse();
        assertThat(info().damaged()).isTrue();
    }

    /** Another time all nodes lose power, and nobody has given anything up. */
    @Test
    void doesNotTellThatADamagedZoneIsGoneWhileDisksThatHaveItMayComeBack() {
        loseAll();
        forget(2, false);
        int back = comeBack(4);
        forget(3, true);
        directory.apply(switchZone(ZONE, info().epoch(), back));
        assertThat(info().damaged()).isTrue();

        directory.apply(new RemoveNode(back));

        assertThat(info().lost()).isTrue();
        assertThat(info().damaged()).isFalse();
    }

    /** What needed them is given up with the damage. */
    @Test
    void bringsADamagedZoneBackFromItsOnlyDiskThoughTheOtherHoldersWereRemoved() {
        for (int node : new int[] {1, 3, 4}) {
            directory.apply(new RemoveNode(node));
        }
        forget(3, false);
        forget(4, false);
        directory.apply(new SwitchZone(ZONE, info().epoch(), 2, List.of(2), true));
        assertThat(info().owner()).isEqualTo(2);

        directory.apply(new RemoveNode(2));
        comeBack(2);

        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void refusesToLoseChangesUnlessThatIsAccepted() {
        loseAll();
        forget(2, false);

        assertRefused(
                new ForgetNode(3, false),
                "node 3 can't be removed without loss: 1 zone has (the first is 000180000) no live copy");
        assertThat(directory.wasForgotten(3, 0)).isFalse();
    }

    @Test
    void bringsBackWhatTheOtherDisksHaveAsDamagedWhenTheLossIsAccepted() {
        loseAll();
        forget(2, false);
        int back = comeBack(4);
        long before = info().epoch();
        assertThat(info().recoverable()).isFalse();

        assertThat(forget(3, true)).isEqualTo(new Result.Forgotten(true, 0, 1));

        assertThat(info().recoverable()).isTrue();
        assertThat(info().damaged()).as("comes back with what that disk has").isFalse();
        assertThat(info().returnedHolders()).containsExactly(back);
        assertThat(directory.apply(switchZone(ZONE, before, back)))
                .as("of a recovery that began before")
                .isEqualTo(new Result.Zone(info(), false));
        directory.apply(switchZone(ZONE, info().epoch(), back));
        assertThat(info().owner()).isEqualTo(back);
        assertThat(info().damaged()).isTrue();
        assertThat(forget(3, false)).as("again").isEqualTo(new Result.Forgotten(false, 0, 0));
    }

    @Test
    void waitsForAllOthersOfADamagedZone() {
        directory.apply(new OpenZone(zone(1, 1), 1, 3));
        directory.apply(new ConfirmZone(zone(1, 1), 1, 1));
        loseAll();
        forget(2, true);
        forget(3, true);

        assertThat(info().recoverable()).as("4 has not come back").isFalse();
        comeBack(4);

        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void leavesAZoneLostOfWhichNoDiskIsLeft() {
        loseAll();
        forget(2, true);
        forget(3, true);

        assertThat(forget(4, true)).isEqualTo(new Result.Forgotten(true, 0, 1));

        assertThat(info().lost()).isTrue();
        assertThat(info().recoverable()).isFalse();
        assertThat(directory.holders(ZONE)).isEmpty();
        comeBack(4);
        assertThat(info().recoverable()).isFalse();
    }

    @Test
    void leavesARecoveryAloneThatNeedsTheNodeNot() {
        loseAll();
        comeBack(3);
        comeBack(4);
        ZoneInfo before = info();
        assertThat(before.recoverable()).isTrue();

        assertThat(forget(2, false)).isEqualTo(new Result.Forgotten(true, 0, 0));

        assertThat(info()).isEqualTo(before);
    }

    // what the tests share

    private void loseAll() {
        for (int node = 1; node <= 4; node++) {
            directory.apply(new RemoveNode(node));
        }
    }

    private Result forget(int node, boolean acceptsLoss) {
        return directory.apply(new ForgetNode(node, acceptsLoss));
    }

    private ZoneInfo info() {
        return directory.zone(ZONE).orElseThrow();
    }

    private int comeBack(int previous) {
        Result result =
                directory.apply(
                        registerNode(
                                Role.PEER, "", 0, 1, NodeOptions.STORES, CLUSTER, previous, 0, 0));
        return ((Result.NodeRegistered) result).node();
    }

    private void assertRefused(Command command, String reason) {
        byte[] before = DirectorySnapshot.write(directory);

        Result result = directory.apply(command);

        assertThat(result).as("%s", command).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).reason()).contains(reason);
        assertThat(DirectorySnapshot.write(directory)).as("changed nothing").isEqualTo(before);
    }

    @Test
    void writesItsResultInItsFixedBytes() {
        Result result = new Result.Forgotten(true, 2, 3);

        byte[] bytes = ResultLayout.write(result);

        assertThat(bytes).containsExactly(2, 10, 1, 0, 0, 0, 2, 0, 0, 0, 3);
        assertThat(ResultLayout.read(bytes)).isEqualTo(result);
    }
}
