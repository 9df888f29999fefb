package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;
import static org.starling.store.internal.directory.Commands.registerNode;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.JobStatus;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.MoveName;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;

/** The directory is a function of its commands, and its bytes are fixed. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DirectoryTest {
    /** Of the only one, which has not registered, with both counts. */
    private static final int SUPERPEER = 2 * Integer.BYTES + Integer.BYTES + 2 + 2 + 1;

    private static final long SEED = Long.getLong("starling.seed", 4_711L);

    @Test
    void givesTheSameResultsAndBytesForTheSameCommands() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            List<Command> commands = new CommandSource(seed).commands(500);

            Directory one = new Directory();
            Directory other = new Directory();

            for (Command command : commands) {
                assertThat(other.apply(command))
                        .as("seed %d, %s", seed, command)
                        .isEqualTo(one.apply(command));
            }
            assertThat(DirectorySnapshot.write(other))
                    .as("seed %d", seed)
                    .isEqualTo(DirectorySnapshot.write(one));
        }
    }

    @Test
    void goesOnFromASnapshotAsIfNothingHadHappened() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            List<Command> commands = new CommandSource(seed).commands(400);
            int cut = new Random(seed).nextInt(commands.size());
            Directory straight = new Directory();
            Directory restored = new Directory();

            commands.forEach(straight::apply);
            commands.subList(0, cut).forEach(restored::apply);
            restored = DirectorySnapshot.read(DirectorySnapshot.write(restored));
            for (Command command : commands.subList(cut, commands.size())) {
                restored.apply(CommandLayout.read(CommandLayout.write(command)));
            }

            assertThat(DirectorySnapshot.write(restored))
                    .as("seed %d, snapshot after %d", seed, cut)
                    .isEqualTo(DirectorySnapshot.write(straight));
        }
    }

    @Test
    void writesEveryCommandInItsFixedBytes() {
        assertBytes(
                "0401"
                        + "01"
                        + "00093132372e302e302e31"
                        + "1092"
                        + "00000004"
                        + "00000000000000ff"
                        + "00000000000000c1"
                        + "ffffffff"
                        + "00000000"
                        + "0000000000000007",
                registerNode(Role.PEER, "127.0.0.1", 4242, 4, 255, 0xC1, -1, 0, 7));
        assertBytes(
                "041e"
                        + "01"
                        + "000168"
                        + "0001"
                        + "00000004"
                        + "00000000000000ff"
                        + "00000000000000c1"
                        + "00000003"
                        + "00000002"
                        + "0000000000000007"
                        + "0005722f68c3b6",
                new RegisterNode(Role.PEER, "h", 1, 4, 255, 0xC1, 3, 2, 7, new Place("r/hö")));
        assertBytes("040200000007" + "ffffffff", new RemoveNode(7));
        assertBytes(
                "040400036ec3b60001000000000005" + "0000000000000007",
                new RegisterName("nö", ChunkId.of(1, 5), 7));
        assertBytes(
                "041a000161" + "ffffffffffffffff" + "0001000000000005" + "0000000000000007",
                new MoveName("a", ChunkId.NONE, ChunkId.of(1, 5), 7));
        assertBytes("0405000161" + "0000000000000008", new RemoveName("a", 8));
        assertBytes(
                "0423" + "000168" + "0001" + "0000000000000009",
                new Command.AddSuperpeer("h", 1, 9));
        assertBytes("0424" + "00000007", new Command.RemoveSuperpeer(7));
        assertBytes("040900000000000000c100000003", new Command.FoundCluster(0xC1, 3));
        assertBytes(
                "040a" + "00000002" + "000168" + "0001", new Command.RegisterSuperpeer(2, "h", 1));
        assertBytes(
                "040b" + "0000000000180000" + "00000001" + "00000003",
                new Command.OpenZone(0x180000, 1, 3, true));
        assertBytes(
                "0426" + "0000000000180000" + "00000001" + "00000003",
                new Command.OpenZone(0x180000, 1, 3));
        assertBytes(
                "040c" + "0000000000180000" + "0000000000000002" + "00000001",
                new Command.ConfirmZone(0x180000, 2, 1));
        assertBytes(
                "040d" + "0000000000180000" + "0000000000000002" + "00000004" + "00000009",
                new Command.AddBackup(0x180000, 2, 4, 9));
        assertBytes(
                "040e" + "0000000000180000" + "0000000000000002" + "00000004" + "01",
                new Command.RetireBackup(0x180000, 2, 4, true));
        assertBytes(
                "040f" + "0000000000180000" + "0000000000000002" + "00000004" + "00000000" + "00",
                switchZone(0x180000, 2, 4));
        assertBytes(
                "0410" + "0000000000180000" + "0000000000000002" + "00000001",
                new Command.DropZone(0x180000, 2, 1));
        assertBytes(
                "0425" + "0000000000180000" + "0000000000000002" + "00000001" + "00000004",
                new Command.YieldZone(0x180000, 2, 1, 4));
        assertBytes(
                "0420" + "0000000000180000" + "0000000000000002",
                new Command.GiveBackZone(0x180000, 2));
        assertBytes(
                "0421" + "0000000000180000" + "0000000000000002",
                new Command.BeginRecovery(0x180000, 2));
        assertBytes("042200000004ffffffff01", new Command.ForgetNode(4, true));
        assertBytes("041100000004", new Command.ElectMaster(4));
        assertBytes("041900000004ffffffff01", new Command.NoteDisk(4, true));
        assertBytes("041b00000004ffffffff", new Command.NoteLeaving(4));
        assertBytes(
                "0412" + "0000000000000009" + "00016a" + "00000002" + "0102",
                new Command.SubmitJob(9, "j", new byte[] {1, 2}));
        assertBytes(
                "0413" + "0000000000000001" + "00000004" + "0000000000000002" + "0000000000000003",
                new Command.StartJob(1, 4, 2, 3));
        assertBytes(
                "0414"
                        + "0000000000000001"
                        + "0000000000000003"
                        + "0000000000000005"
                        + "00000001"
                        + "07",
                new Command.CommitCheckpoint(1, 3, 5, new byte[] {7}));
        assertBytes(
                "0415" + "0000000000000001" + "0000000000000003" + "03" + "00000001" + "07",
                new Command.EndJob(1, 3, JobStatus.FAILED, new byte[] {7}));
        assertBytes("04160000000000000001", new Command.CancelJob(1));
        assertBytes(
                "041c" + "000161" + "00000002" + "0102" + "0000000000000007",
                new Command.GrantAccess("a", new byte[] {1, 2}, 7));
        assertBytes("041d" + "000161" + "0000000000000008", new Command.RevokeAccess("a", 8));
    }

    @Test
    void writesASnapshotInItsFixedBytes() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(0xC1, 1));
        directory.apply(new Command.RegisterSuperpeer(0, "h", 1));
        directory.apply(new RegisterNode(Role.PEER, "", 0, 2, 3, 0, -1, 0, 9, new Place("r/hö")));
        directory.apply(registerNode(Role.PEER, "", 0, 1, 2));
        directory.apply(new Command.OpenZone(0x180000, 1, 2));
        directory.apply(new Command.RetireBackup(0x180000, 1, 2, false));
        directory.apply(new Command.ElectMaster(1));
        directory.apply(new Command.SubmitJob(4, "j", new byte[] {5}));
        directory.apply(new Command.StartJob(1, 1, 1, 0));
        directory.apply(new Command.CommitCheckpoint(1, 1, 1, new byte[] {6}));
        directory.apply(new Command.SubmitJob(0, "k", new byte[] {5}));
        directory.apply(new Command.CancelJob(2));
        directory.apply(new RegisterName("n", 6, 10));
        directory.apply(new Command.GrantAccess("g", new byte[] {8, 9}, 0));

        String expected =
                "53444952"
                        + "08"
                        // cluster, superpeers, next node, where to look again, version
                        + "00000000000000c1"
                        + "00000001"
                        + "00000003"
                        + "00000000"
                        + "0000000000000003"
                        // incarnations, those that rest, nodes
                        + "00000000"
                        + "00000000"
                        + "00000003"
                        + "00000000"
                        + "00"
                        + "000168"
                        + "0001"
                        + "00000001"
                        + "0000000000000000"
                        + "0000"
                        + "00000001"
                        + "01"
                        + "0000"
                        + "0000"
                        + "00000002"
                        + "0000000000000003"
                        + "0005722f68c3b6"
                        + "00000002"
                        + "01"
                        + "0000"
                        + "0000"
                        + "00000001"
                        + "0000000000000002"
                        + "0000"
                        // nonces
                        + "00000001"
                        + "0000000000000009"
                        + "0000000000000001"
                        // zones
                        + "0000000000000002"
                        + "00000001"
                        + "0000000000180000"
                        + "00000001"
                        + "0000000000000002"
                        + "0000000000000000"
                        + "0000000000000002"
                        + "00"
                        + "00000000"
                        + "00000001"
                        + "00000002"
                        + "02"
                        + "00000001"
                        + "0000000000180000"
                        // master, jobs
                        + "00000001"
                        + "0000000000000001"
                        + "0000000000000003"
                        + "00000002"
                        + "0000000000000001"
                        + "00016a"
                        + "01"
                        + "0000000000000001"
                        + "00"
                        + "0000000000000001"
                        + "00000001"
                        + "05"
                        + "00000001"
                        + "06"
                        + "00000000"
                        + "0000000000000001"
                        + "0000000000000002"
                        + "00016b"
                        + "04"
                        + "0000000000000000"
                        + "00"
                        + "0000000000000000"
                        + "00000000"
                        + "00000000"
                        + "00000000"
                        + "0000000000000000"
                        + "00000001"
                        + "0000000000000002"
                        + "00000001"
                        + "0000000000000004"
                        + "0000000000000001"
                        // names, their nonces
                        + "00000001"
                        + "00016e"
                        + "0000000000000006"
                        + "00000001"
                        + "000000000000000a"
                        + "0000000000000001"
                        // grants
                        + "00000001"
                        + "000167"
                        + "00000002"
                        + "0809"
                        // forgotten
                        + "00000000"
                        // superpeers, those that were removed
                        + "00000001"
                        + "00000000"
                        + "000168"
                        + "0001"
                        + "01"
                        + "00000000";
        byte[] bytes = DirectorySnapshot.write(directory);
        assertThat(HexFormat.of().formatHex(bytes, 0, bytes.length - 4)).isEqualTo(expected);
    }

    @Test
    void readsASnapshotFromBeforeThereWereGrants() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(0xC1, 1));
        directory.apply(new RegisterName("n", 6, 10));
        byte[] now = DirectorySnapshot.write(directory);
        byte[] before = Arrays.copyOf(now, now.length - 2 * Integer.BYTES - SUPERPEER); // no counts
        before[Integer.BYTES] = 4;
        seal(before);

        assertThat(DirectorySnapshot.write(DirectorySnapshot.read(before))).isEqualTo(now);
    }

    @Test
    void readsASnapshotFromBeforeNodesHadPlaces() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(0xC1, 1));
        directory.apply(registerNode(Role.PEER, "", 0, 2, 3, 0, -1, 0, 9));
        byte[] now = DirectorySnapshot.write(directory);
        int place = 5 + 28 + 3 * Integer.BYTES + 21; // behind the only node's capabilities
        byte[] before =
                new byte[now.length - Short.BYTES - Integer.BYTES - SUPERPEER]; // none forgotten
        System.arraycopy(now, 0, before, 0, place);
        System.arraycopy(now, place + Short.BYTES, before, place, before.length - place);
        before[Integer.BYTES] = 5;
        seal(before);

        assertThat(DirectorySnapshot.write(DirectorySnapshot.read(before))).isEqualTo(now);
    }

    @Test
    void readsASnapshotFromBeforeNodesWereForgotten() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(0xC1, 1));
        directory.apply(new Command.GrantAccess("g", new byte[] {8, 9}, 10));
        byte[] now = DirectorySnapshot.write(directory);
        byte[] before = Arrays.copyOf(now, now.length - Integer.BYTES - SUPERPEER);
        before[Integer.BYTES] = 6;
        seal(before);

        assertThat(DirectorySnapshot.write(DirectorySnapshot.read(before))).isEqualTo(now);
    }

    @Test
    void readsASnapshotFromBeforeSuperpeersCameAndWent() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(0xC1, 3));
        directory.apply(new Command.RegisterSuperpeer(1, "h", 9));
        byte[] now = DirectorySnapshot.write(directory);
        byte[] before = Arrays.copyOf(now, now.length - SUPERPEER - 2 * 9 - 1); // "h"
        before[Integer.BYTES] = 7;
        seal(before);

        assertThat(DirectorySnapshot.write(DirectorySnapshot.read(before))).isEqualTo(now);
    }

    private static void seal(byte[] snapshot) {
        CRC32C crc = new CRC32C();
        crc.update(snapshot, 0, snapshot.length - Integer.BYTES);
        ByteBuffer.wrap(snapshot).putInt(snapshot.length - Integer.BYTES, (int) crc.getValue());
    }

    @Test
    void refusesDamagedBytes() {
        byte[] command = CommandLayout.write(registerName("name", 1));
        Directory directory = new Directory();
        new CommandSource(SEED).commands(50).forEach(directory::apply);
        byte[] snapshot = DirectorySnapshot.write(directory);
        Random random = new Random(SEED);

        for (int length = 0; length < command.length; length++) {
            byte[] cut = Arrays.copyOf(command, length);
            assertThatThrownBy(() -> CommandLayout.read(cut))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> CommandLayout.read(Arrays.copyOf(command, command.length + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = snapshot.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> DirectorySnapshot.read(damaged))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesWhatWouldBreakItsBoundsAndChangesNothing() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(1, 1));
        byte[] before = DirectorySnapshot.write(directory);
        List<Command> refused =
                List.of(
                        registerNode(Role.PEER, "", 0, 0, 0),
                        registerNode(Role.PEER, "x".repeat(256), 0, 1, 0),
                        registerName("", 1),
                        registerName("é".repeat(128), 1));

        for (Command command : refused) {
            assertThat(directory.apply(command))
                    .as("%s", command)
                    .isInstanceOf(Result.Refused.class);
        }

        assertThat(DirectorySnapshot.write(directory)).isEqualTo(before);
    }

    @Test
    void keepsTheIdsOfLostNodesForever() {
        Directory directory = new Directory();
        directory.apply(new Command.FoundCluster(1, 1));
        directory.apply(registerNode(Role.PEER, "", 0, 1, 0));
        directory.apply(new RemoveNode(1));

        assertThat(directory.apply(registerNode(Role.PEER, "", 0, 1, 0)))
                .isEqualTo(new Result.NodeRegistered(2));
        assertThat(directory.isMember(1)).isFalse();
        assertThat(directory.membershipVersion()).isEqualTo(3);
    }

    private static void assertBytes(String hex, Command command) {
        assertThat(HexFormat.of().formatHex(CommandLayout.write(command))).isEqualTo(hex);
        assertThat(CommandLayout.write(CommandLayout.read(HexFormat.of().parseHex(hex))))
                .isEqualTo(CommandLayout.write(command));
    }
}
