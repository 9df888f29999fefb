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
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.BeginRecovery;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.DropZone;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.GiveBackZone;
import org.starling.store.internal.directory.Command.NoteDisk;
import org.starling.store.internal.directory.Command.NoteLeaving;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RetireBackup;
import org.starling.store.internal.directory.Command.SwitchZone;
import org.starling.store.internal.directory.Command.YieldZone;

/** What becomes of a zone while its owner and backups come and go. Peers are nodes 1 to 4. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ZoneCommandsTest {
    private static final long CLUSTER = 5;
    private static final long ZONE = zone(1, 0);
    private static final int CLIENT = 5;

    private final Directory directory = new Directory();

    ZoneCommandsTest() {
        directory.apply(new FoundCluster(CLUSTER, 1));
        for (int i = 0; i < 4; i++) {
            directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES));
        }
        directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.COMPUTES));
    }

    // opening

    @Test
    void opensAZoneWithTheBackupsThatAreWanted() {
        Result result = directory.apply(new OpenZone(ZONE, 1, 2));

        assertThat(result)
                .isEqualTo(
                        new Result.Zone(
                                new ZoneInfo(
                                        ZONE, 1, 1, List.of(2, 3), false, false, List.of(), false),
                                true));
        assertThat(directory.zonesOwnedBy(1)).extracting(ZoneInfo::zone).containsExactly(ZONE);
        assertThat(directory.zonesBackedBy(3)).hasSize(1);
        assertThat(directory.zonesHeldBy(2)).hasSize(1);
        assertThat(directory.zoneCount()).isEqualTo(1);
    }

    @Test
    void opensAZoneWithAsManyBackupsAsThereAre() {
        assertThat(open(ZONE, 1, 9).backups()).containsExactly(2, 3, 4);
        assertThat(open(zone(1, 1), 1, 0).backups()).isEmpty();
        assertThat(directory.underReplicated(3, directory::isMember)).isEqualTo(1);
        assertThat(directory.underReplicated(4, directory::isMember)).isEqualTo(2);
    }

    @Test
    void opensAZoneOnce() {
        open(ZONE, 1, 2);

        assertThat(directory.apply(new OpenZone(ZONE, 1, 3)))
                .isEqualTo(new Result.Zone(info(), false));
        assertThat(info().backups()).hasSize(2);
    }

    @Test
    void spreadsFirstBackupsAndThenTheOthers() {
        for (int number = 0; number < 12; number++) {
            open(zone(1, number), 1, 2);
        }

        for (int node = 2; node <= 4; node++) {
            int self = node;
            assertThat(directory.zonesBackedBy(node)).hasSize(8);
            assertThat(directory.zonesBackedBy(node))
                    .filteredOn(zone -> zone.backups().getFirst() == self)
                    .hasSize(4);
        }
    }

    @Test
    void refusesZonesThatTheOwnerCannotOpen() {
        assertRefused(new OpenZone(zone(2, 0), 1, 2), "not one that node 1 creates");
        assertRefused(new OpenZone(1L << 20, 1, 2), "not one that node 1 creates");
        assertRefused(new OpenZone(zone(CLIENT, 0), CLIENT, 2), "no member that stores");
        assertRefused(new OpenZone(zone(9, 0), 9, 2), "no member that stores");
        assertRefused(new OpenZone(ZONE, 1, -1), "not -1");
        assertRefused(new OpenZone(ZONE, 1, 17), "not 17");
    }

    @Test
    void forgetsAZoneWithItsOwnerAsLongAsThatHasNotSaidThatItsBackupsHaveBegun() {
        directory.apply(new OpenZone(ZONE, 1, 2));
        directory.apply(new OpenZone(zone(1, 1), 1, 2));
        directory.apply(new ConfirmZone(zone(1, 1), 1, 1));

        directory.apply(new RemoveNode(1));

        assertThat(directory.zone(ZONE)).isEmpty();
        assertThat(directory.isDropped(ZONE)).isTrue();
        assertThat(directory.zone(zone(1, 1))).isPresent();
        assertRefused(new ConfirmZone(ZONE, 1, 1), "does not exist");
    }

    /** Owners acknowledged in it, as the log of a directory of before has it. */
    @Test
    void keepsAZoneThatWasOpenedBeforeOwnersConfirmedTheFirstEpoch() {
        directory.apply(new OpenZone(ZONE, 1, 2, true));

        directory.apply(new RemoveNode(1));

        assertThat(directory.isDropped(ZONE)).isFalse();
        assertThat(info().backups()).containsExactly(2, 3);
    }

    @Test
    void forgetsAZoneThatNeverHadABackup() {
        for (int node = 2; node <= 4; node++) {
            directory.apply(new RemoveNode(node));
        }
        directory.apply(new OpenZone(ZONE, 1, 2));
        assertThat(info().backups()).isEmpty();

        directory.apply(new RemoveNode(1));

        assertThat(directory.zone(ZONE)).isEmpty();
    }

    @Test
    void forgetsAZoneThatIsHandedOverWithItsOwnerIfItWasNeverConfirmed() {
        directory.apply(new OpenZone(ZONE, 1, 2));
        directory.apply(new YieldZone(ZONE, 1, 1, YieldZone.ANYBODY));
        directory.apply(new BeginRecovery(ZONE, 2));

        directory.apply(new RemoveNode(1));

        assertRefused(new SwitchZone(ZONE, 3, 2, List.of(), false), "does not exist");
    }

    @Test
    void keepsAZoneWhoseBackupsWereLostAfterTheyHadBegun() {
        open(ZONE, 1, 2);
        info().backups().forEach(node -> directory.apply(new RemoveNode(node)));
        directory.apply(new RemoveNode(1));

        assertThat(info().lost()).isTrue();
    }

    @Test
    void refusesAZoneThatBelongsToAnother() {
        open(ZONE, 1, 2);
        directory.apply(new RemoveNode(1));
        directory.apply(switchZone(ZONE, 1, 2));

        assertRefused(new OpenZone(ZONE, 1, 2), "belongs to node 2");
    }

    // backups come and go

    @Test
    void takesALostBackupOffTheListUnderANewEpoch() {
        open(ZONE, 1, 3);
        directory.apply(new RemoveNode(2));

        assertThat(info())
                .isEqualTo(new ZoneInfo(ZONE, 1, 2, List.of(3, 4), false, false, List.of(), false));
        assertThat(directory.zonesHeldBy(2)).as("until the owner confirms").hasSize(1);

        assertThat(changes(new ConfirmZone(ZONE, 2, 1))).isTrue();
        assertThat(directory.zonesHeldBy(2)).isEmpty();
        assertThat(changes(new ConfirmZone(ZONE, 2, 1))).as("again").isFalse();
    }

    @Test
    void addsABackupUnderANewEpoch() {
        open(ZONE, 1, 1);

        assertThat(directory.chooseBackup(ZONE, List.of())).isEqualTo(3);
        assertThat(changes(new AddBackup(ZONE, 1, 3))).isTrue();
        assertThat(info().backups()).containsExactly(2, 3);
        assertThat(info().epoch()).isEqualTo(2);
        assertThat(changes(new AddBackup(ZONE, 1, 3))).as("again").isFalse();
        assertThat(changes(new AddBackup(ZONE, 1, 4))).as("too late").isFalse();
        assertThat(directory.chooseBackup(ZONE, List.of())).isEqualTo(4);
    }

    @Test
    void addsOnlyMembersThatStoreToZonesThatHaveAnOwner() {
        open(ZONE, 1, 1);

        assertRefused(new AddBackup(ZONE, 1, 1), "own zone");
        assertRefused(new AddBackup(ZONE, 1, CLIENT), "no member that stores");
        assertRefused(new AddBackup(ZONE, 1, 77), "no member that stores");
        assertRefused(new AddBackup(zone(1, 3), 1, 2), "does not exist");
        directory.apply(new RemoveNode(1));
        assertRefused(new AddBackup(ZONE, 1, 3), "no owner");
        assertRefused(new ConfirmZone(ZONE, 1, 1), "does not own");
    }

    @Test
    void choosesNobodyWhenNobodyIsLeft() {
        open(ZONE, 1, 3);

        assertThat(directory.chooseBackup(ZONE, List.of())).isEqualTo(-1);
        assertThat(directory.chooseBackup(99, List.of())).isEqualTo(-1);
    }

    @Test
    void letsABackupGiveUp() {
        open(ZONE, 1, 2);

        assertThat(changes(new RetireBackup(ZONE, 1, 2, false))).isTrue();
        assertThat(info().backups()).containsExactly(3);
        assertThat(info().epoch()).isEqualTo(2);
        assertThat(changes(new RetireBackup(ZONE, 2, 2, false))).as("again").isFalse();
        assertRefused(new RetireBackup(zone(1, 9), 1, 2, false), "does not exist");
    }

    @Test
    void letsOneOfTwoBackupsGiveUpThatHaveNotHeardOfEachOther() {
        open(ZONE, 1, 2);

        assertThat(changes(new RetireBackup(ZONE, 1, 2, true))).isTrue();
        assertThat(changes(new RetireBackup(ZONE, 1, 3, true))).as("now the last").isFalse();

        assertThat(info().backups()).containsExactly(3);
    }

    @Test
    void takesNoBackupOffTheListOfAZoneWithoutAnOwnerThatMayHaveEverything() {
        open(ZONE, 1, 2);
        directory.apply(new RemoveNode(1));

        assertThat(changes(new RetireBackup(ZONE, info().epoch(), 2, true)))
                .as("by the last owner, before it heard that it is none")
                .isFalse();

        assertThat(info().backups()).containsExactly(2, 3);
        assertThat(changes(new RetireBackup(ZONE, info().epoch(), 2, false)))
                .as("of which a recovery has found that it has nothing")
                .isTrue();
    }

    @Test
    void reliesOnThoseThatWereMerelySilentWhenTheyReturn() {
        open(ZONE, 1, 3);
        directory.apply(new RetireBackup(ZONE, 1, 2, true));
        directory.apply(new RetireBackup(ZONE, 2, 3, true));
        for (int node = 1; node <= 4; node++) {
            directory.apply(new RemoveNode(node));
        }

        comeBack(4);
        assertThat(info().recoverable()).as("2 and 3 may have what 4 has not").isFalse();
        comeBack(3);

        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void bringsAZoneBackByBackupsThatWereTakenOffTheListAndAreThere() {
        open(ZONE, 1, 2);
        directory.apply(new RetireBackup(ZONE, 1, 2, true));
        directory.apply(new RemoveNode(3));
        assertThat(info().returnedHolders()).isEmpty();

        directory.apply(new RemoveNode(1));

        assertThat(info().lost()).isTrue();
        assertThat(info().returnedHolders()).containsExactly(2);
        assertThat(info().recoverable()).isTrue();
        assertThat(changes(switchZone(ZONE, info().epoch(), 2))).isTrue();
    }

    @Test
    void reliesOnDisksThatHungWhenTheyReturn() {
        open(ZONE, 1, 2);
        directory.apply(new NoteDisk(2, true));
        directory.apply(new NoteDisk(3, true));
        assertThat(changes(new AddBackup(ZONE, info().epoch(), 4))).isTrue();
        for (int node = 1; node <= 4; node++) {
            directory.apply(new RemoveNode(node));
        }

        comeBack(2);
        comeBack(3);

        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void choosesNoneOfThoseThatAreAvoided() {
        open(ZONE, 1, 1);

        assertThat(directory.chooseBackup(ZONE, List.of(3))).isEqualTo(4);
        assertThat(directory.chooseBackup(ZONE, List.of(3, 4))).isEqualTo(-1);
    }

    @Test
    void doesWithoutANodeWhoseDiskHangsUntilItAnswersAgain() {
        open(ZONE, 1, 2);

        assertThat(directory.apply(new NoteDisk(2, true))).isEqualTo(new Result.Done(true));
        assertThat(info().backups()).containsExactly(3);
        assertThat(info().epoch()).isEqualTo(2);
        assertThat(directory.chooseBackup(ZONE, List.of())).isEqualTo(4);
        assertRefused(new AddBackup(ZONE, 2, 2), "the disk of node 2 hangs");
        open(zone(1, 1), 1, 3);
        assertThat(directory.zone(zone(1, 1)).orElseThrow().backups()).containsExactly(4, 3);
        assertThat(directory.apply(new NoteDisk(2, true))).isEqualTo(new Result.Done(false));

        directory.apply(new NoteDisk(2, false));
        assertThat(changes(new AddBackup(ZONE, 2, 2))).isTrue();
        assertRefused(new NoteDisk(CLIENT, true), "no member that stores");
    }

    @Test
    void choosesNoneWhoIsAboutToLeave() {
        open(ZONE, 1, 2);

        assertThat(directory.apply(new NoteLeaving(4))).isEqualTo(new Result.Done(true));
        assertThat(directory.apply(new NoteLeaving(4))).isEqualTo(new Result.Done(false));

        assertThat(info().backups()).as("keeps what it has").containsExactly(2, 3);
        assertThat(directory.chooseBackup(ZONE, List.of())).isEqualTo(-1);
        assertRefused(new AddBackup(ZONE, 1, 4), "about to leave");
        assertRefused(new NoteLeaving(99), "no peer");
    }

    @Test
    void countsOnWhoIsAboutToLeaveUntilItHasLeft() {
        open(ZONE, 1, 2);
        directory.apply(new NoteLeaving(2));
        directory.apply(new NoteLeaving(3));

        assertThat(changes(new AddBackup(ZONE, 1, 4))).isTrue();

        assertThat(info().backups()).as("three copies, not one").containsExactly(2, 3, 4);
        directory.apply(new RemoveNode(2));
        assertThat(info().backups()).containsExactly(3, 4);
    }

    @Test
    void leavesAZoneItsLastBackupThoughItsDiskHangs() {
        open(ZONE, 1, 2);
        directory.apply(new NoteDisk(2, true));

        directory.apply(new NoteDisk(3, true));

        assertThat(info().backups()).containsExactly(3);
        assertThat(changes(new AddBackup(ZONE, info().epoch(), 4))).isTrue();
        assertThat(info().backups()).as("now there is another").containsExactly(4);
    }

    @Test
    void countsOnEarlierDisksWhenThatOfTheNewOwnerHasFailed() {
        open(ZONE, 1, 2);
        directory.apply(new RemoveNode(1));
        directory.apply(new RemoveNode(3));

        assertThat(changes(new SwitchZone(ZONE, info().epoch(), 2, List.of(2), false))).isTrue();

        assertThat(info().owner()).isEqualTo(2);
        assertThat(info().backups()).isEmpty();
        assertThat(directory.zonesHeldBy(3)).hasSize(1);
    }

    @Test
    void countsOnTheFailedDiskOfTheNewOwnerIfThereIsNoOther() {
        open(ZONE, 1, 1);
        directory.apply(new RemoveNode(1));
        directory.apply(new SwitchZone(ZONE, info().epoch(), 2, List.of(2), false));
        directory.apply(new RemoveNode(2));
        assertThat(info().recoverable()).isFalse();

        comeBack(2);

        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void keepsTheLastHoldersWhileNobodyBacksAZoneUp() {
        open(ZONE, 1, 1);
        directory.apply(new RemoveNode(2));
        directory.apply(new ConfirmZone(ZONE, 2, 1));

        assertThat(directory.zonesHeldBy(2)).hasSize(1);
    }

    @Test
    void refusesConfirmationsOfStrangers() {
        open(ZONE, 1, 2);

        assertRefused(new ConfirmZone(ZONE, 1, 2), "does not own");
        assertRefused(new ConfirmZone(zone(1, 9), 1, 1), "does not exist");
        assertThat(changes(new ConfirmZone(ZONE, 0, 1))).as("too late").isFalse();
    }

    @Test
    void letsABackupTakeOverWhatItsOwnerYields() {
        open(ZONE, 1, 2);
        int backup = info().backups().getFirst();

        assertRefused(new YieldZone(ZONE, 1, backup), "does not own");
        assertThat(changes(new YieldZone(ZONE, 0, 1))).as("another epoch").isFalse();
        assertThat(changes(new YieldZone(ZONE, 1, 1))).isTrue();
        assertThat(changes(new YieldZone(ZONE, 1, 1))).as("again").isFalse();

        assertThat(info().isYielded()).isTrue();
        assertThat(directory.sources(ZONE).awaited()).as("has it in memory").containsExactly(1);
        assertThat(info().lastOwner()).isEqualTo(1);
        assertThat(info().lost()).isFalse();
        assertThat(directory.orphans()).extracting(ZoneInfo::zone).containsExactly(ZONE);
        Directory restored = DirectorySnapshot.read(DirectorySnapshot.write(directory));
        for (Directory each : List.of(directory, restored)) {
            each.apply(switchZone(ZONE, 2, backup));
            assertThat(each.zone(ZONE).orElseThrow().owner()).isEqualTo(backup);
            assertThat(each.orphans()).isEmpty();
        }
    }

    @Test
    void keepsAZoneWithItsOwnerThatHasNoBackup() {
        open(ZONE, 1, 0);

        assertThat(changes(new YieldZone(ZONE, 1, 1))).isFalse();
        assertThat(info().owner()).isEqualTo(1);
    }

    @Test
    void givesAZoneBackThatNobodyIsLeftToTake() {
        open(ZONE, 1, 1);
        int backup = info().backups().getFirst();
        directory.apply(new YieldZone(ZONE, 1, 1));

        directory.apply(new RemoveNode(backup));

        assertThat(info().owner()).isEqualTo(1);
        assertThat(info().lost()).isFalse();
        assertThat(info().epoch()).as("above those under which it was fenced").isGreaterThan(3);
        assertThat(changes(switchZone(ZONE, 2, backup))).isFalse();
        assertThat(changes(new YieldZone(ZONE, 1, 1))).as("too late").isFalse();
    }

    @Test
    void givesAZoneBackThatCouldNotBeTaken() {
        open(ZONE, 1, 2);
        assertThat(changes(new GiveBackZone(ZONE, 1))).as("not yielded").isFalse();
        directory.apply(new YieldZone(ZONE, 1, 1));

        assertThat(changes(new GiveBackZone(ZONE, 1))).as("another epoch").isFalse();
        assertThat(changes(new GiveBackZone(ZONE, 2))).isTrue();

        assertThat(info().owner()).isEqualTo(1);
        assertThat(info().epoch()).isEqualTo(4);
        assertThat(directory.orphans()).isEmpty();
    }

    @Test
    void beginsARecoveryOfAnOrphanOnlyAndVoidsTheOneBefore() {
        open(ZONE, 1, 2);
        assertThat(changes(new BeginRecovery(ZONE, 1))).as("it has an owner").isFalse();
        directory.apply(new RemoveNode(1));
        int backup = info().backups().getFirst();

        assertThat(changes(new BeginRecovery(ZONE, 1))).isTrue();
        assertThat(changes(new BeginRecovery(ZONE, 1))).as("again").isFalse();
        assertThat(changes(new BeginRecovery(ZONE, 2))).as("by another").isTrue();

        assertThat(changes(switchZone(ZONE, 2, backup))).as("the first").isFalse();
        assertThat(changes(switchZone(ZONE, 3, backup))).isTrue();
        assertThat(info().owner()).isEqualTo(backup);
    }

    @Test
    void makesAZoneAnOrphanLikeOthersWhenItsOwnerGoesWhoYieldedIt() {
        open(ZONE, 1, 2);
        directory.apply(new YieldZone(ZONE, 1, 1));

        directory.apply(new RemoveNode(1));
        info().backups().forEach(node -> directory.apply(new RemoveNode(node)));

        assertThat(info().isYielded()).isFalse();
        assertThat(info().lost()).isTrue();
    }

    @Test
    void takesNoSwitchThatWasDecidedOnBeforeTheOwnerWentWhoYieldedTheZone() {
        open(ZONE, 1, 2);
        int backup = info().backups().getFirst();
        directory.apply(new YieldZone(ZONE, 1, 1));

        directory.apply(new RemoveNode(1));

        assertThat(info().owner()).isEqualTo(1);
        assertThat(changes(switchZone(ZONE, 2, backup)))
                .as("without waiting for the end of its lease")
                .isFalse();
        assertThat(changes(switchZone(ZONE, info().epoch(), backup))).isTrue();
    }

    @Test
    void dropsAZoneForItsOwnerOnly() {
        open(ZONE, 1, 2);

        assertRefused(new DropZone(ZONE, 1, 2), "does not own");
        assertThat(changes(new DropZone(ZONE, 0, 1))).as("another epoch").isFalse();
        assertThat(directory.apply(new DropZone(ZONE, 1, 1))).isEqualTo(new Result.Done(true));
        assertThat(directory.apply(new DropZone(ZONE, 1, 1))).isEqualTo(new Result.Done(false));
        assertThat(directory.zone(ZONE)).isEmpty();
        assertThat(directory.zonesHeldBy(2)).isEmpty();
        assertThat(directory.zonesBackedBy(2)).isEmpty();
    }

    @Test
    void neverOpensAZoneAgainThatWasDroppedOrPassedOver() {
        open(zone(1, 5), 1, 2);
        directory.apply(new DropZone(zone(1, 5), 1, 1));
        Directory restored = DirectorySnapshot.read(DirectorySnapshot.write(directory));

        for (Directory each : List.of(directory, restored)) {
            assertThat(each.isDropped(zone(1, 5))).isTrue();
            assertThat(each.apply(new OpenZone(zone(1, 5), 1, 2)))
                    .asString()
                    .contains("not handed out again");
            assertThat(each.apply(new OpenZone(zone(1, 4), 1, 2)))
                    .asString()
                    .contains("not handed out again");
            assertThat(each.isDropped(zone(1, 6))).isFalse();
            assertThat(each.apply(new OpenZone(zone(1, 6), 1, 2))).isInstanceOf(Result.Zone.class);
        }
    }

    @Test
    void tellsZonesThatWereDroppedFromThoseThatMayStillCome() {
        open(zone(1, 0), 1, 2);
        open(zone(1, 1), 1, 2);

        assertThat(directory.isDropped(zone(1, 0))).isFalse();
        directory.apply(new DropZone(zone(1, 0), 1, 1));
        assertThat(directory.isDropped(zone(1, 0))).isTrue();
        assertThat(directory.isDropped(zone(1, 2))).isFalse();
        directory.apply(new RemoveNode(1));
        assertThat(directory.isDropped(zone(1, 0))).isTrue();
        assertThat(directory.isDropped(zone(1, 1))).as("an orphan").isFalse();
        assertThat(directory.isDropped(zone(1, 2))).as("of the next one with this id").isFalse();
        assertThat(directory.isDropped(zone(77, 0))).as("of a node to come").isFalse();
    }

    @Test
    void dropsNoZoneForAnOwnerWhoIsNoMember() {
        open(ZONE, 1, 2);
        directory.apply(new RemoveNode(1));

        assertRefused(new DropZone(ZONE, 1, 1), "does not own");
    }

    // a new owner

    @Test
    void givesAnOrphanToOneOfItsBackups() {
        open(ZONE, 1, 3);
        directory.apply(new RemoveNode(1));
        assertThat(directory.orphans()).extracting(ZoneInfo::zone).containsExactly(ZONE);
        assertThat(info().lost()).isFalse();

        assertThat(changes(switchZone(ZONE, 1, 3))).isTrue();

        assertThat(info())
                .isEqualTo(new ZoneInfo(ZONE, 3, 2, List.of(2, 4), false, false, List.of(), false));
        assertThat(directory.orphans()).isEmpty();
        assertThat(changes(switchZone(ZONE, 1, 3))).as("again").isFalse();
        assertThat(changes(switchZone(ZONE, 1, 2))).as("too late").isFalse();
        assertThat(info().owner()).isEqualTo(3);
    }

    @Test
    void neverTakesAZoneFromAMember() {
        open(ZONE, 1, 3);

        assertRefused(switchZone(ZONE, 1, 2), "which is a member");
    }

    @Test
    void givesAnOrphanToNobodyWithoutItsData() {
        open(ZONE, 1, 2);
        directory.apply(new RemoveNode(1));

        assertRefused(switchZone(ZONE, 1, 4), "node 4");
        assertRefused(switchZone(ZONE, 1, 77), "node 77");
        assertRefused(switchZone(zone(1, 9), 1, 2), "does not exist");
        directory.apply(new RemoveNode(2));
        assertThat(changes(switchZone(ZONE, 1, 3)))
                .as("the recovery did not know of the second loss")
                .isFalse();
        assertThat(changes(switchZone(ZONE, 2, 3))).isTrue();
    }

    @Test
    void aSwitchLeavesOutWhoDoesNotHaveAllOfIt() {
        open(ZONE, 1, 3);
        directory.apply(new RemoveNode(1));
        List<Integer> backups = info().backups();
        int heir = backups.getFirst();
        int left = backups.getLast();

        assertThat(changes(new SwitchZone(ZONE, info().epoch(), heir, List.of(left), false)))
                .isTrue();

        assertThat(info().owner()).isEqualTo(heir);
        assertThat(info().backups()).doesNotContain(heir, left);
    }

    @Test
    void aReturnedHolderWithoutALogCountsNoMore() {
        open(ZONE, 1, 3);
        List<Integer> backups = info().backups();
        directory.apply(new RemoveNode(1));
        backups.forEach(node -> directory.apply(new RemoveNode(node)));
        List<Integer> back = backups.stream().map(this::comeBack).toList();
        assertThat(info().recoverable()).isTrue();
        long epoch = info().epoch();

        assertThat(changes(new RetireBackup(ZONE, epoch, back.get(0), false))).isTrue();
        assertThat(info().epoch()).isGreaterThan(epoch);
        assertThat(info().returnedHolders()).doesNotContain(back.get(0));
        assertThat(info().recoverable()).as("one may be missing").isTrue();
        directory.apply(new RetireBackup(ZONE, epoch, back.get(1), false));
        assertThat(info().recoverable()).as("but not two").isFalse();
    }

    // everything lost, and back

    @Test
    void saysThatAZoneIsLostWhenOwnerAndBackupsAreGone() {
        open(ZONE, 1, 2);
        directory.apply(new RemoveNode(2));
        directory.apply(new RemoveNode(1));
        assertThat(info().lost()).isFalse();
        directory.apply(new RemoveNode(3));

        assertThat(info().lost()).isTrue();
        assertThat(info().recoverable()).isFalse();
        assertThat(directory.orphans()).filteredOn(ZoneInfo::lost).hasSize(1);
        assertRefused(switchZone(ZONE, info().epoch(), 4), "bring zone 000180000 back");
    }

    @Test
    void bringsALostZoneBackWhenAllHoldersButOneHaveReturned() {
        open(ZONE, 1, 3);
        for (int node = 1; node <= 4; node++) {
            directory.apply(new RemoveNode(node));
        }
        long epoch = info().epoch();
        assertThat(comeBack(2)).isEqualTo(6);
        assertThat(info().recoverable()).as("two are missing").isFalse();
        assertThat(comeBack(4)).isEqualTo(7);
        assertThat(info().recoverable()).isTrue();
        assertThat(info().returnedHolders()).containsExactly(6, 7);

        assertThat(changes(switchZone(ZONE, epoch, 6))).as("knew of nobody").isFalse();
        assertRefused(switchZone(ZONE, info().epoch(), 2), "node 2");
        assertThat(changes(switchZone(ZONE, info().epoch(), 7))).isTrue();

        assertThat(info().owner()).isEqualTo(7);
        assertThat(info().backups()).containsExactly(6);
        assertThat(info().lost()).isFalse();
        assertThat(directory.zonesHeldBy(3)).as("comes too late").isEmpty();
    }

    @Test
    void bringsAZoneWithOneHolderBackByIt() {
        open(ZONE, 1, 1);
        directory.apply(new RemoveNode(2));
        directory.apply(new RemoveNode(1));
        assertThat(info().recoverable()).isFalse();
        int back = comeBack(2);
        assertThat(changes(switchZone(ZONE, info().epoch(), back))).isTrue();

        assertThat(info().backups()).isEmpty();
        directory.apply(new RemoveNode(back));
        assertThat(info().lost()).isTrue();
        int again = comeBack(back);
        assertThat(info().recoverable()).as("its disk is the last that has it").isTrue();
        assertThat(info().returnedHolders()).containsExactly(again);
    }

    @Test
    void neverRecoversAZoneThatNobodyHasOnDisk() {
        open(ZONE, 1, 0);
        directory.apply(new RemoveNode(1));
        comeBack(1);

        assertThat(info().lost()).isTrue();
        assertThat(info().recoverable()).isFalse();
    }

    @Test
    void countsAHolderThatGoesAgainAsMissing() {
        open(ZONE, 1, 2);
        for (int node = 1; node <= 3; node++) {
            directory.apply(new RemoveNode(node));
        }
        int back = comeBack(2);
        assertThat(info().recoverable()).isTrue();

        directory.apply(new RemoveNode(back));

        assertThat(info().recoverable()).isFalse();
        assertThat(info().returnedHolders()).isEmpty();
        comeBack(back);
        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void doesNotRelyOnAHolderThatHadGivenUp() {
        open(ZONE, 1, 2);
        directory.apply(new RetireBackup(ZONE, 1, 2, false));
        for (int node = 1; node <= 3; node++) {
            directory.apply(new RemoveNode(node));
        }

        comeBack(2);
        assertThat(info().returnedHolders()).isEmpty();
        assertThat(info().recoverable()).isFalse();
        int back = comeBack(3);
        assertThat(info().returnedHolders()).containsExactly(back);
        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void doesNotRelyOnOneOfThreeHoldersWhenAnotherHadGivenUp() {
        open(ZONE, 1, 3);
        directory.apply(new RetireBackup(ZONE, 1, 2, false));
        for (int node = 1; node <= 4; node++) {
            directory.apply(new RemoveNode(node));
        }

        comeBack(3);

        assertThat(info().recoverable())
                .as("what was on the disks of 2 and 4 may be missing")
                .isFalse();
        comeBack(4);
        assertThat(info().recoverable()).isTrue();
    }

    @Test
    void countsNobodyAsReturnedWhoDoesNotStoreAnyMore() {
        open(ZONE, 1, 1);
        directory.apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.COMPUTES, CLUSTER, 2, 0, 0));
        directory.apply(new RemoveNode(1));

        assertThat(info().returnedHolders()).isEmpty();
        assertThat(info().recoverable()).isFalse();
    }

    // who is told

    @Test
    void tellsWhichZonesHaveChanged() {
        open(ZONE, 1, 1);
        open(zone(3, 0), 3, 0);
        long before = directory.zoneVersion();

        directory.apply(new RemoveNode(1));
        directory.apply(new ConfirmZone(zone(3, 0), 1, 3));

        assertThat(directory.zonesChangedAfter(before))
                .as("an owner's loss is a change, a confirmation of what was is none")
                .extracting(ZoneInfo::zone)
                .containsExactly(ZONE);
        assertThat(directory.zonesChangedAfter(directory.zoneVersion())).isEmpty();
        assertThat(directory.zonesChangedAfter(0)).hasSize(2);
        directory.apply(switchZone(ZONE, 1, 2));
        assertThat(directory.zonesChangedAfter(before))
                .as("once, as it is")
                .containsExactly(info());
    }

    // what the tests share

    private ZoneInfo open(long zone, int owner, int wanted) {
        ZoneInfo opened = ((Result.Zone) directory.apply(new OpenZone(zone, owner, wanted))).info();
        directory.apply(new ConfirmZone(zone, 1, owner));
        return opened;
    }

    private ZoneInfo info() {
        return directory.zone(ZONE).orElseThrow();
    }

    private boolean changes(Command command) {
        byte[] before = DirectorySnapshot.write(directory);
        Result.Zone result = (Result.Zone) directory.apply(command);
        assertThat(result.info()).isEqualTo(directory.zone(result.info().zone()).orElseThrow());
        if (!result.changed()) {
            assertThat(DirectorySnapshot.write(directory)).isEqualTo(before);
        }
        return result.changed();
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
}
