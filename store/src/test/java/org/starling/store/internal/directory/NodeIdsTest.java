package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.DropZone;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.NoteDisk;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.ReleaseNode;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Result.NodeRegistered;

/** Node ids that are handed out again, and what earlier bearers have left behind. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class NodeIdsTest {
    private static final long CLUSTER = 0xC1;
    private static final int SUPERPEERS = 2;
    private static final int PEERS = Directory.MAX_MEMBER - SUPERPEERS + 1;

    private final Directory directory = new Directory();

    NodeIdsTest() {
        directory.apply(new FoundCluster(CLUSTER, SUPERPEERS));
    }

    @Test
    void takesNewNodesForEver() {
        for (int i = 0; i < 2 * PEERS + 10; i++) {
            NodeRegistered node = join();

            assertThat(node.incarnation()).isEqualTo(i / PEERS);
            assertThat(node.node()).isEqualTo(SUPERPEERS + i % PEERS);
            leave(node);
        }
    }

    @Test
    void handsOutAnIdAgainOnlyWhenItHasBeenReleased() {
        List<NodeRegistered> all = fill();
        NodeRegistered left = all.get(100);
        assertThat(refusal(registration(0))).contains("65023").contains("try again later");

        directory.apply(new RemoveNode(left.node()));
        assertThat(refusal(registration(0))).contains("have left less than a minute ago");
        directory.apply(new ReleaseNode(left.node(), 0));

        assertThat(join()).isEqualTo(new NodeRegistered(left.node(), 1, 0));
        assertThat(directory.nodes())
                .contains(new NodeInfo(left.node(), Role.PEER, "", 0, 1, 3, 1))
                .hasSize(PEERS);
    }

    @Test
    void doesNotReleaseAMemberNorTheNextBearerOfAnId() {
        NodeRegistered early = join();
        assertThat(directory.apply(new ReleaseNode(early.node(), 0)))
                .isEqualTo(new Result.Done(false));
        directory.apply(new RemoveNode(early.node()));
        directory.apply(new ReleaseNode(early.node(), 0));
        fillTheRest();
        NodeRegistered late = join();
        assertThat(late).isEqualTo(new NodeRegistered(early.node(), 1, 0));
        directory.apply(new RemoveNode(late.node()));

        assertThat(directory.apply(new ReleaseNode(early.node(), 0)))
                .as("a repetition")
                .isEqualTo(new Result.Done(false));
        assertThat(directory.resting()).containsExactly(late.node());
    }

    @Test
    void removesOnlyTheBearerThatIsMeant() {
        NodeRegistered second = secondBearer();

        assertThat(directory.apply(new RemoveNode(second.node(), 0)))
                .as("the first, once more")
                .isEqualTo(new Result.Done(false));
        assertThat(directory.isMember(second.node())).isTrue();
        assertThat(directory.apply(new RemoveNode(second.node(), 1)))
                .isEqualTo(new Result.Done(true));
    }

    @Test
    void takesNoCopyOfAnEarlierBearerForThatOfTheNext() {
        NodeRegistered owner = join();
        long zone = ChunkId.zoneOf(owner.node(), 0);
        directory.apply(new OpenZone(zone, owner.node(), 0));
        NodeRegistered second = secondBearer();

        assertThat(directory.apply(new AddBackup(zone, 1, second.node(), 0)))
                .isInstanceOf(Result.Refused.class);
        assertThat(directory.zone(zone).orElseThrow().backups()).isEmpty();
        directory.apply(new AddBackup(zone, 1, second.node(), 1));
        assertThat(directory.zone(zone).orElseThrow().backups()).containsExactly(second.node());
    }

    @Test
    void takesTheDiskOfTheNextBearerNotForOneThatHangsBecauseThatOfAnEarlierOneDid() {
        NodeRegistered second = secondBearer();

        assertThat(directory.apply(new NoteDisk(second.node(), 0, true)))
                .isInstanceOf(Result.Refused.class);
        assertThat(hangs(second)).isFalse();
        directory.apply(new NoteDisk(second.node(), 1, true));
        assertThat(hangs(second)).isTrue();
    }

    private boolean hangs(NodeRegistered node) {
        return directory.nodes().stream()
                .filter(each -> each.id() == node.node())
                .anyMatch(NodeInfo::diskHangs);
    }

    @Test
    void keepsTheIdOfANodeThatMayStillHaveAZoneOnItsDisk() {
        NodeRegistered owner = join();
        NodeRegistered backup = join();
        long zone = ChunkId.zoneOf(owner.node(), 0);
        directory.apply(new OpenZone(zone, owner.node(), 1));
        directory.apply(new ConfirmZone(zone, 1, owner.node()));
        leave(backup);
        leave(owner);
        fillTheRest();

        assertThat(refusal(registration(0))).contains("may have zones on their disks");
        assertThat(directory.holders(zone)).containsExactly(backup.node());

        directory.apply(new RemoveNode(Directory.MAX_MEMBER));
        directory.apply(new ReleaseNode(Directory.MAX_MEMBER, 0));
        NodeRegistered back = register(returning(backup.node(), 0));
        assertThat(back).isEqualTo(new NodeRegistered(Directory.MAX_MEMBER, 1, 0));
        assertThat(directory.zone(zone).orElseThrow().returnedHolders())
                .containsExactly(back.node());
        assertThat(join()).as("nobody waits for it any more").isEqualTo(again(backup, 0));
    }

    @Test
    void neverOpensAZoneThatAnEarlierBearerHasOpened() {
        NodeRegistered first = join();
        for (int number = 0; number < 3; number++) {
            long zone = ChunkId.zoneOf(first.node(), number);
            directory.apply(new OpenZone(zone, first.node(), 0));
            directory.apply(new DropZone(zone, 1, first.node()));
        }
        leave(first);
        fillTheRest();
        NodeRegistered second = join();

        assertThat(second).isEqualTo(again(first, 3));
        assertThat(directory.isDropped(ChunkId.zoneOf(first.node(), 2))).isTrue();
        assertThat(directory.isDropped(ChunkId.zoneOf(first.node(), 3))).isFalse();
        assertThat(directory.apply(new OpenZone(ChunkId.zoneOf(first.node(), 2), second.node(), 0)))
                .isInstanceOf(Result.Refused.class);
        assertThat(directory.apply(new OpenZone(ChunkId.zoneOf(first.node(), 3), second.node(), 0)))
                .isInstanceOf(Result.Zone.class);
    }

    @Test
    void dropsNoZoneForAnEarlierBearerThatHasComeToTheNextOne() {
        NodeRegistered first = join();
        NodeRegistered other = join();
        long zone = ChunkId.zoneOf(first.node(), 0);
        directory.apply(new OpenZone(zone, first.node(), 1));
        directory.apply(new ConfirmZone(zone, 1, first.node()));
        DropZone late = new DropZone(zone, 1, first.node());
        leave(first);
        switchTo(zone, other);
        directory.apply(new ConfirmZone(zone, epoch(zone), other.node()));
        fillTheRest();
        NodeRegistered second = join();
        assertThat(second).isEqualTo(again(first, 1));
        directory.apply(new AddBackup(zone, epoch(zone), second.node(), 1));
        leave(other);
        switchTo(zone, second);
        assertThat(directory.zonesOwnedBy(first.node())).hasSize(1);

        directory.apply(late);

        assertThat(directory.zone(zone)).isPresent();
    }

    @Test
    void leavesAnIdAloneWhoseZoneNumbersAreHalfUsedUp() {
        NodeRegistered busy = join();
        long zone = ChunkId.zoneOf(busy.node(), 1 << 18);
        directory.apply(new OpenZone(zone, busy.node(), 0));
        directory.apply(new DropZone(zone, 1, busy.node()));
        leave(busy);
        NodeRegistered idle = join();
        leave(idle);
        fillTheRest();

        assertThat(join()).isEqualTo(again(idle, 0));
        assertThat(refusal(registration(0))).contains("try again later");
    }

    @Test
    void takesADiskOfAnEarlierBearerForOneWithoutAPast() {
        NodeRegistered second = secondBearer();
        directory.apply(new RemoveNode(Directory.MAX_MEMBER));
        directory.apply(new ReleaseNode(Directory.MAX_MEMBER, 0));

        register(returning(second.node(), 0));

        assertThat(directory.isMember(second.node())).isTrue();
        assertThat(refusal(returning(second.node(), 2)))
                .contains("node " + second.node() + " (incarnation 2), which never was a peer");
    }

    @Test
    void givesARepeatedRegistrationTheBearerThatItMade() {
        NodeRegistered first = register(registration(77));
        leave(first);
        fillTheRest();
        assertThat(join()).isEqualTo(again(first, 0));

        assertThat(directory.apply(registration(77))).isEqualTo(first);
        Directory restored = DirectorySnapshot.read(DirectorySnapshot.write(directory));
        assertThat(restored.apply(registration(77))).isEqualTo(first);
    }

    @Test
    void goesOnFromASnapshotWithIncarnationsAndThoseThatRest() {
        NodeRegistered second = secondBearer();
        directory.apply(new RemoveNode(second.node()));

        Directory restored = DirectorySnapshot.read(DirectorySnapshot.write(directory));

        assertThat(restored.resting()).containsExactly(second.node());
        for (Directory each : List.of(directory, restored)) {
            each.apply(new ReleaseNode(second.node(), 1));
            assertThat(each.apply(registration(0)))
                    .isEqualTo(new NodeRegistered(second.node(), 2, 0));
        }
        assertThat(DirectorySnapshot.write(restored)).isEqualTo(DirectorySnapshot.write(directory));
    }

    // what the tests share

    /** The second one that has an id; all others are members. */
    private NodeRegistered secondBearer() {
        NodeRegistered first = join();
        leave(first);
        fillTheRest();
        NodeRegistered second = join();
        assertThat(second).isEqualTo(again(first, 0));
        return second;
    }

    private static NodeRegistered again(NodeRegistered before, int firstZone) {
        return new NodeRegistered(before.node(), before.incarnation() + 1, firstZone);
    }

    private List<NodeRegistered> fill() {
        return Stream.generate(this::join).limit(PEERS).toList();
    }

    private long epoch(long zone) {
        return directory.zone(zone).orElseThrow().epoch();
    }

    private void switchTo(long zone, NodeRegistered next) {
        directory.apply(switchZone(zone, epoch(zone), next.node()));
        assertThat(directory.zone(zone).orElseThrow().owner()).isEqualTo(next.node());
    }

    private void fillTheRest() {
        int last = join().node();
        while (last < Directory.MAX_MEMBER) {
            last = join().node();
        }
    }

    private NodeRegistered join() {
        return register(registration(0));
    }

    private NodeRegistered register(RegisterNode registration) {
        Result result = directory.apply(registration);
        assertThat(result).isInstanceOf(NodeRegistered.class);
        return (NodeRegistered) result;
    }

    private void leave(NodeRegistered node) {
        directory.apply(new RemoveNode(node.node(), node.incarnation()));
        directory.apply(new ReleaseNode(node.node(), node.incarnation()));
    }

    private String refusal(RegisterNode registration) {
        byte[] before = DirectorySnapshot.write(directory);
        Result result = directory.apply(registration);
        assertThat(result).isInstanceOf(Result.Refused.class);
        assertThat(DirectorySnapshot.write(directory)).isEqualTo(before);
        return ((Result.Refused) result).reason();
    }

    private static RegisterNode registration(long nonce) {
        return registerNode(Role.PEER, "", 0, 1, 3, 0, -1, 0, nonce);
    }

    private static RegisterNode returning(int previous, int incarnation) {
        return registerNode(Role.PEER, "", 0, 1, 3, CLUSTER, previous, incarnation, 0);
    }
}
