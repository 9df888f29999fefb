package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.ArriveAtBarrier;
import org.starling.store.internal.directory.Command.AssignRange;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveBarrier;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;

/** Bytes of commands and snapshots that were cut, lengthened or forged. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class CommandLayoutTest {
    /** One or more of each kind, at the borders of their fields. */
    private static final List<Command> COMMANDS =
            List.of(
                    new RegisterNode(Role.SUPERPEER, "", 0, 1, 0),
                    new RegisterNode(Role.PEER, "語".repeat(255), 65_535, Integer.MAX_VALUE, -1),
                    new RemoveNode(0),
                    new RemoveNode(65_535),
                    new AssignRange(0, ChunkId.MAX_LOCAL, 65_535),
                    new AssignRange(ChunkId.of(65_534, 0), ChunkId.of(65_534, 1), 0),
                    new RegisterName("", Long.MIN_VALUE),
                    new RegisterName("𝄞".repeat(63), -1),
                    new RemoveName("ß".repeat(127)),
                    new CreateBarrier(Integer.MIN_VALUE),
                    new CreateBarrier(Integer.MAX_VALUE),
                    new ArriveAtBarrier(Long.MAX_VALUE, Integer.MIN_VALUE, -1),
                    new RemoveBarrier(-1));

    @Test
    void readsWhatItWrote() {
        for (Command command : COMMANDS) {
            assertThat(CommandLayout.read(CommandLayout.write(command))).isEqualTo(command);
        }
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
        assertThatThrownBy(() -> read("02020007")).hasMessageContaining("version 2");
        assertThatThrownBy(() -> read("00020007")).hasMessageContaining("version 0");
        assertThatThrownBy(() -> read("01000007")).hasMessageContaining("kind of command 0");
        assertThatThrownBy(() -> read("01090007")).hasMessageContaining("kind of command 9");
        assertThatThrownBy(() -> read("01ff0007")).hasMessageContaining("kind of command 255");
        assertThatThrownBy(() -> read("01010200000000000000010000000000000000"))
                .hasMessageContaining("role 2");
    }

    @Test
    void refusesAStringThatClaimsMoreBytesThanThereAre() {
        assertThatThrownBy(() -> read("0105ffff61"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65534 too early");
        assertThatThrownBy(() -> read("010500026161ff"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too many");
    }

    @Test
    void refusesCommandsBeyondTheGreatestLengthOnBothSides() {
        int most = CommandLayout.MAX_BYTES - 4;
        String longest = "a".repeat(most);

        byte[] bytes = CommandLayout.write(new RemoveName(longest));

        assertThat(bytes).hasSize(CommandLayout.MAX_BYTES);
        assertThat(CommandLayout.read(bytes)).isEqualTo(new RemoveName(longest));
        assertThatThrownBy(() -> CommandLayout.write(new RemoveName(longest + "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit 2048");
        assertThatThrownBy(() -> CommandLayout.write(new RemoveName("a".repeat(70_000))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CommandLayout.read(new byte[CommandLayout.MAX_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit 2048");
    }

    @Test
    void refusesToCutNumbersThatDoNotFitIntoTwoBytes() {
        for (Command command :
                new Command[] {
                    new RemoveNode(65_536 + 1),
                    new RemoveNode(-1),
                    new AssignRange(0, 1, 65_536 + 2),
                    new RegisterNode(Role.PEER, "h", 65_536 + 80, 1, 0),
                    new RegisterNode(Role.PEER, "h", -1, 1, 0)
                }) {
            assertThatThrownBy(() -> CommandLayout.write(command))
                    .as("%s", command)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void givesTheSameNameToAllReplicasWhenItsBytesAreNoText() {
        Command command = read("01040002ff410000000000000007");
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
        assertThat(restored.everyCreatorOwns()).isTrue();
        assertThat(restored.apply(new RegisterNode(Role.PEER, "", 0, 1, 0)))
                .isEqualTo(new Result.NodeRegistered(0));
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
        int counts = 4 + 1 + 4 + 8 + 8;
        for (int position = counts; position < counts + 16; position += Integer.BYTES) {
            for (int count : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20, 1}) {
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
        assertThatThrownBy(() -> DirectorySnapshot.read(version)).hasMessageContaining("version 2");
    }

    private static Directory full() {
        Directory directory = new Directory();
        directory.apply(new RegisterNode(Role.SUPERPEER, "über", 1, 2, 3));
        directory.apply(new RegisterNode(Role.PEER, "", 0, 1, -1));
        directory.apply(new AssignRange(ChunkId.of(0, 4), ChunkId.of(0, 5), 1));
        directory.apply(new RegisterName("名前", ChunkId.of(1, 1)));
        directory.apply(new CreateBarrier(3));
        directory.apply(new ArriveAtBarrier(0, 8, 0));
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
