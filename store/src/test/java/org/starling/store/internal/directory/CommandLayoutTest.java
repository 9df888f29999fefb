package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;
import static org.starling.store.internal.directory.Commands.registerNode;
import static org.starling.store.internal.directory.Commands.removeName;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.AccessRegistry;
import org.starling.store.ChunkId;
import org.starling.store.Job;
import org.starling.store.JobStatus;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.MoveName;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;

/** Bytes of commands and snapshots that were cut, lengthened or forged. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class CommandLayoutTest {
    /** One or more of each kind, at the borders of their fields. */
    private static final List<Command> COMMANDS =
            List.of(
                    registerNode(Role.SUPERPEER, "", 0, 1, 0),
                    registerNode(Role.PEER, "語".repeat(255), 65_535, Integer.MAX_VALUE, -1),
                    new RegisterNode(
                            Role.PEER, "h", 1, 1, 0, 2, 3, 4, 5, new Place("語".repeat(255))),
                    new RemoveNode(0),
                    new RemoveNode(65_535),
                    new RemoveNode(-1, Integer.MAX_VALUE),
                    new Command.ReleaseNode(-1, -1),
                    new Command.FoundCluster(-1, Integer.MAX_VALUE),
                    new Command.RegisterSuperpeer(-1, "", 65_535),
                    new Command.OpenZone(Long.MIN_VALUE, -1, Integer.MAX_VALUE),
                    new Command.OpenZone(-1, Integer.MAX_VALUE, -1, true),
                    new Command.ConfirmZone(-1, Long.MAX_VALUE, -1),
                    new Command.AddBackup(-1, Long.MAX_VALUE, -1, -1),
                    new Command.RetireBackup(-1, Long.MAX_VALUE, -1, true),
                    switchZone(-1, Long.MAX_VALUE, -1),
                    new Command.SwitchZone(1, 2, 3, List.of(4, -1), true),
                    new Command.DropZone(-1, -1, -1),
                    new Command.YieldZone(-1, -1, -1, -1),
                    new Command.GiveBackZone(-1, -1),
                    new Command.BeginRecovery(-1, -1),
                    new Command.ForgetNode(-1, 7, false),
                    new Command.ForgetNode(65_535, true),
                    new Command.NoteDisk(-1, 7, false),
                    new Command.NoteLeaving(-1, 7),
                    new Command.ElectMaster(-1),
                    new Command.SubmitJob(-1, "ß", new byte[3]),
                    new Command.StartJob(-1, -1, -1, -1),
                    new Command.CommitCheckpoint(-1, -1, -1, new byte[0]),
                    new Command.EndJob(-1, -1, JobStatus.QUEUED, new byte[0]),
                    new Command.CancelJob(-1),
                    new RegisterName("", Long.MIN_VALUE, Long.MAX_VALUE),
                    registerName("𝄞".repeat(63), -1),
                    new MoveName("ß", -1, Long.MIN_VALUE, Long.MAX_VALUE),
                    new RemoveName("ß".repeat(127), -1),
                    new Command.GrantAccess("", new byte[AccessRegistry.MAX_GRANT_BYTES], -1),
                    new Command.RevokeAccess("ß", Long.MIN_VALUE));

    @Test
    void readsWhatItWrote() {
        for (Command command : COMMANDS) {
            byte[] bytes = CommandLayout.write(command);

            assertThat(CommandLayout.write(CommandLayout.read(bytes))).isEqualTo(bytes);
            assertThat(CommandLayout.read(bytes)).hasSameClassAs(command);
        }
    }

    /** It is in logs that were written before owners confirmed the first epoch. */
    @Test
    void readsTheOpeningOfAZoneThatIsNotConfirmedAnyMore() {
        byte[] before =
                ByteBuffer.allocate(18)
                        .put((byte) CommandLayout.VERSION)
                        .put((byte) 11)
                        .putLong(5)
                        .putInt(7)
                        .putInt(3)
                        .array();
        byte[] now = before.clone();
        now[1] = 38;

        assertThat(CommandLayout.read(before)).isEqualTo(new Command.OpenZone(5, 7, 3, true));
        assertThat(CommandLayout.write(new Command.OpenZone(5, 7, 3))).isEqualTo(now);
    }

    /** It is in logs that were written before it named a target. */
    @Test
    void readsTheYieldOfAZoneThatNamesNobody() {
        byte[] before =
                ByteBuffer.allocate(22)
                        .put((byte) CommandLayout.VERSION)
                        .put((byte) 31)
                        .putLong(5)
                        .putLong(7)
                        .putInt(3)
                        .array();

        assertThat(CommandLayout.read(before)).isEqualTo(new Command.YieldZone(5, 7, 3));
    }

    @Test
    void refusesEveryCommandThatIsCutOrHasMoreBytes() {
        for (Command command : COMMANDS) {
            byte[] bytes = CommandLayout.write(command);
            for (int length = 0; length < bytes.length; length++) {
                assertUnreadable(Arrays.copyOf(bytes, length));
            }
            assertUnreadable(Arrays.copyOf(bytes, bytes.length + 1));
        }
    }

    @Test
    void refusesUnknownVersionsKindsAndRoles() {
        assertThatThrownBy(() -> read("020200000007")).hasMessageContaining("version 2");
        assertThatThrownBy(() -> read("000200000007")).hasMessageContaining("version 0");
        assertThatThrownBy(() -> read("04000007")).hasMessageContaining("kind of command 0");
        assertThatThrownBy(() -> read("04060007")).hasMessageContaining("kind of command 6");
        assertThatThrownBy(() -> read("04170007")).hasMessageContaining("kind of command 23");
        assertThatThrownBy(() -> read("0419000000040000000702"))
                .hasMessageContaining("2 where 0 or 1 may be");
        assertThatThrownBy(() -> read("04ff0007")).hasMessageContaining("kind of command 255");
        assertThatThrownBy(() -> read("04010200000000000000010000000000000000"))
                .hasMessageContaining("role 2");
        assertThatThrownBy(() -> read("04150000000000000001000000000000000105"))
                .hasMessageContaining("status of a job 5");
    }

    @Test
    void refusesBytesThatAreLongerThanTheyMayBe() {
        assertThatThrownBy(() -> read("0412" + "0000000000000009" + "00016a" + "00100001"))
                .hasMessageContaining("1048577 bytes where 0..1048576");
        assertThatThrownBy(() -> read("0412" + "0000000000000009" + "00016a" + "ffffffff"))
                .hasMessageContaining("-1 bytes");
        assertThatThrownBy(() -> read("041c" + "000161" + "00000101"))
                .hasMessageContaining("257 bytes where 0..256");
        assertThatThrownBy(() -> read("0412" + "0000000000000009" + "00016a" + "00100000"))
                .hasMessageContaining("too early");
    }

    @Test
    void refusesAStringThatClaimsMoreBytesThanThereAre() {
        assertThatThrownBy(() -> read("0405ffff61"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65534 too early");
        assertThatThrownBy(() -> read("0405000261610000000000000000ff"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too many");
    }

    @Test
    void refusesCommandsBeyondTheGreatestLengthOnBothSides() {
        String longest = "ß".repeat(127) + "x";
        byte[] most = new byte[Job.MAX_PAYLOAD_BYTES];

        byte[] bytes = CommandLayout.write(new Command.SubmitJob(1, longest, most));

        assertThat(bytes.length).isLessThanOrEqualTo(CommandLayout.MAX_BYTES);
        assertThat(CommandLayout.write(CommandLayout.read(bytes))).isEqualTo(bytes);
        byte[] more = new byte[CommandLayout.MAX_BYTES];
        assertThatThrownBy(() -> CommandLayout.write(new Command.SubmitJob(1, longest, more)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit 1050624");
        assertThatThrownBy(() -> CommandLayout.write(removeName("a".repeat(70_000))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CommandLayout.read(new byte[CommandLayout.MAX_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit 1050624");
    }

    @Test
    void refusesToCutNumbersThatDoNotFitIntoTwoBytes() {
        for (Command command :
                new Command[] {
                    new Command.RegisterSuperpeer(0, "h", 65_536 + 80),
                    registerNode(Role.PEER, "h", 65_536 + 80, 1, 0),
                    registerNode(Role.PEER, "h", -1, 1, 0)
                }) {
            assertThatThrownBy(() -> CommandLayout.write(command))
                    .as("%s", command)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void givesTheSameNameToAllReplicasWhenItsBytesAreNoText() {
        Command command = read("04040002ff410000000000000007" + "0000000000000000");
        Directory one = new Directory();
        Directory other = new Directory();

        one.apply(command);
        other.apply(CommandLayout.read(CommandLayout.write(command)));

        assertThat(DirectorySnapshot.write(other)).isEqualTo(DirectorySnapshot.write(one));
        assertThat(one.lookup("\ufffdA")).isEqualTo(7);
    }

    @Test
    void readsTheSnapshotOfAnEmptyDirectory() {
        Directory restored = DirectorySnapshot.read(DirectorySnapshot.write(new Directory()));

        assertThat(restored.nodes()).isEmpty();
        assertThat(restored.clusterId()).isZero();
        assertThat(restored.apply(new Command.FoundCluster(1, 1))).isEqualTo(new Result.Done(true));
    }

    @Test
    void refusesASnapshotThatIsCutAnywhere() {
        byte[] snapshot = DirectorySnapshot.write(full());

        for (int length = 0; length < snapshot.length; length++) {
            byte[] cut = Arrays.copyOf(snapshot, length);
            assertThatThrownBy(() -> DirectorySnapshot.read(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> DirectorySnapshot.read(Arrays.copyOf(snapshot, 500)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesForgedCountsBeforeItAllocates() {
        byte[] empty = DirectorySnapshot.write(new Directory());
        int incarnations = 4 + 1 + 8 + 4 + 4 + 4 + 8;
        int nodes = incarnations + 4 + 4;
        int zones = nodes + 4 + 4 + 8;
        int opened = zones + 4;
        int jobs = opened + 4 + 4 + 8 + 8;
        int[] positions = {
            incarnations,
            incarnations + 4,
            nodes,
            nodes + 4,
            zones,
            opened,
            jobs,
            jobs + 4,
            jobs + 8,
            jobs + 12,
            jobs + 16
        };
        for (int position : positions) {
            for (int count : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20, 7}) {
                byte[] forged = empty.clone();
                ByteBuffer.wrap(forged).putInt(position, count);
                seal(forged);

                assertThatThrownBy(() -> DirectorySnapshot.read(forged))
                        .as("count %d at %d", count, position)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void refusesSnapshotsOfOthers() {
        byte[] snapshot = DirectorySnapshot.write(full());
        byte[] magic = snapshot.clone();
        magic[0]++;
        byte[] version = snapshot.clone();
        version[4]++;
        seal(magic);
        seal(version);

        assertThatThrownBy(() -> DirectorySnapshot.read(magic)).hasMessageContaining("no snapshot");
        assertThatThrownBy(() -> DirectorySnapshot.read(version)).hasMessageContaining("version 9");
    }

    private static Directory full() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(5, 1));
        directory.apply(new Command.RegisterSuperpeer(0, "über", 1));
        directory.apply(registerNode(Role.PEER, "", 0, 1, -1));
        directory.apply(registerNode(Role.PEER, "", 0, 1, -1));
        directory.apply(new Command.OpenZone(0x180000, 1, 1));
        directory.apply(new Command.SubmitJob(1, "j", new byte[9]));
        directory.apply(new RegisterName("名前", ChunkId.of(1, 1), 7));
        directory.apply(new Command.GrantAccess("誰", new byte[5], 8));
        return directory;
    }

    /** Makes the checksum right again, so that only the forged field is wrong. */
    private static void seal(byte[] snapshot) {
        int length = snapshot.length - Integer.BYTES;
        CRC32C crc = new CRC32C();
        crc.update(snapshot, 0, length);
        ByteBuffer.wrap(snapshot).putInt(length, (int) crc.getValue());
    }

    private static Command read(String hex) {
        return CommandLayout.read(HexFormat.of().parseHex(hex));
    }

    private static void assertUnreadable(byte[] bytes) {
        assertThatThrownBy(() -> CommandLayout.read(bytes))
                .as("%s", HexFormat.of().formatHex(bytes))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
