package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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

/** The directory is a function of its commands, and its bytes are fixed. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DirectoryTest {
    private static final long SEED = Long.getLong("starling.seed", 4_711L);

    @Test
    void givesTheSameResultsAndBytesForTheSameCommands() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            List<Command> commands = commands(seed, 500);

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
            List<Command> commands = commands(seed, 400);
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
                "01010100093132372e302e302e3110920000000400000000000000ff",
                new RegisterNode(Role.PEER, "127.0.0.1", 4242, 4, 255));
        assertBytes("01020007", new RemoveNode(7));
        assertBytes(
                "01030002000000000010000200000000001f0003",
                new AssignRange(ChunkId.of(2, 16), ChunkId.of(2, 31), 3));
        assertBytes("010400036ec3b60001000000000005", new RegisterName("nö", ChunkId.of(1, 5)));
        assertBytes("0105000161", new RemoveName("a"));
        assertBytes("010600000003", new CreateBarrier(3));
        assertBytes("01070000000000000001000000020000000000000005", new ArriveAtBarrier(1, 2, 5));
        assertBytes("01080000000000000009", new RemoveBarrier(9));
    }

    @Test
    void writesASnapshotInItsFixedBytes() {
        Directory directory = new Directory();
        directory.apply(new RegisterNode(Role.SUPERPEER, "h", 1, 2, 0));
        directory.apply(new RegisterNode(Role.PEER, "", 0, 1, 1));
        directory.apply(new AssignRange(ChunkId.of(0, 4), ChunkId.of(0, 5), 1));
        directory.apply(new RegisterName("n", 6));
        directory.apply(new CreateBarrier(2));
        directory.apply(new ArriveAtBarrier(0, 8, 0));

        String expected =
                "53444952"
                        + "01"
                        + "00000002"
                        + "0000000000000001"
                        + "0000000000000002"
                        + "00000002"
                        + "0000"
                        + "00"
                        + "000168"
                        + "0001"
                        + "00000002"
                        + "0000000000000000"
                        + "0001"
                        + "01"
                        + "0000"
                        + "0000"
                        + "00000001"
                        + "0000000000000001"
                        + "00000001"
                        + "0000000000000004"
                        + "0000000000000005"
                        + "0001"
                        + "00000001"
                        + "00016e"
                        + "0000000000000006"
                        + "00000001"
                        + "0000000000000000"
                        + "00000002"
                        + "0000000000000000"
                        + "00000001"
                        + "00000008";
        byte[] bytes = DirectorySnapshot.write(directory);
        assertThat(HexFormat.of().formatHex(bytes, 0, bytes.length - 4)).isEqualTo(expected);
    }

    @Test
    void refusesDamagedBytes() {
        byte[] command = CommandLayout.write(new RegisterName("name", 1));
        Directory directory = new Directory();
        commands(SEED, 50).forEach(directory::apply);
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
        directory.apply(new RegisterNode(Role.SUPERPEER, "", 0, 1, 0));
        byte[] before = DirectorySnapshot.write(directory);
        List<Command> refused =
                List.of(
                        new RegisterNode(Role.PEER, "", 0, 0, 0),
                        new RegisterNode(Role.PEER, "x".repeat(256), 0, 1, 0),
                        new AssignRange(5, 4, 0),
                        new AssignRange(ChunkId.of(1, 0), ChunkId.of(2, 0), 0),
                        new AssignRange(ChunkId.of(1, 0), ChunkId.of(1, 1), 7),
                        new RegisterName("", 1),
                        new RegisterName("é".repeat(128), 1),
                        new CreateBarrier(0),
                        new ArriveAtBarrier(3, 1, 0));

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
        directory.apply(new RegisterNode(Role.SUPERPEER, "", 0, 1, 0));
        directory.apply(new RegisterNode(Role.PEER, "", 0, 1, 0));
        directory.apply(new RemoveNode(1));

        assertThat(directory.apply(new RegisterNode(Role.PEER, "", 0, 1, 0)))
                .isEqualTo(new Result.NodeRegistered(2));
        assertThat(directory.isMember(1)).isFalse();
        assertThat(directory.membershipVersion()).isEqualTo(4);
    }

    @Test
    void opensABarrierWhenAllHaveArrived() {
        Directory directory = new Directory();
        directory.apply(new CreateBarrier(2));

        assertThat(directory.apply(new ArriveAtBarrier(0, 1, 0)))
                .isEqualTo(new Result.Arrived(0, 1));
        assertThat(directory.apply(new ArriveAtBarrier(0, 1, 0)))
                .as("twice counts once")
                .isEqualTo(new Result.Arrived(0, 1));
        assertThat(directory.apply(new ArriveAtBarrier(0, 2, 0)))
                .isEqualTo(new Result.Arrived(1, 2));
        assertThat(directory.apply(new ArriveAtBarrier(0, 1, 0)))
                .as("late")
                .isEqualTo(new Result.Arrived(1, 2));
        assertThat(directory.apply(new ArriveAtBarrier(0, 1, 2)))
                .isInstanceOf(Result.Refused.class);
    }

    private static void assertBytes(String hex, Command command) {
        assertThat(HexFormat.of().formatHex(CommandLayout.write(command))).isEqualTo(hex);
        assertThat(CommandLayout.read(HexFormat.of().parseHex(hex))).isEqualTo(command);
    }

    private static List<Command> commands(long seed, int count) {
        Random random = new Random(seed);
        List<Command> commands = new ArrayList<>();
        commands.add(new RegisterNode(Role.SUPERPEER, "host", 1, 1, 0));
        for (int i = 0; i < count; i++) {
            commands.add(command(random));
        }
        return commands;
    }

    private static Command command(Random random) {
        long from = ChunkId.of(random.nextInt(4), random.nextInt(100));
        return switch (random.nextInt(10)) {
            case 0 ->
                    new RegisterNode(
                            Role.PEER,
                            "host" + random.nextInt(9),
                            random.nextInt(65_536),
                            1,
                            random.nextLong());
            case 1 -> new RemoveNode(random.nextInt(20));
            case 2, 3, 4 -> new AssignRange(from, from + random.nextInt(40), random.nextInt(12));
            case 5, 6 -> new RegisterName("name" + random.nextInt(50), random.nextLong());
            case 7 -> new RemoveName("name" + random.nextInt(50));
            case 8 ->
                    random.nextBoolean()
                            ? new CreateBarrier(1 + random.nextInt(3))
                            : new RemoveBarrier(random.nextInt(30));
            default ->
                    new ArriveAtBarrier(random.nextInt(30), random.nextInt(3), random.nextInt(3));
        };
    }
}
