package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.RemoveNode;

/** What is made of a journal that a crash has cut short, or whose disk has changed bits. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class JournalCrashTest {
    private static final long SEED = Long.getLong("starling.seed", 31L);

    private static final int COMMANDS = 20;

    @TempDir Path folder;

    private final List<byte[]> states = new ArrayList<>();
    private final List<Integer> ends = new ArrayList<>();
    private byte[] journal = {};

    @Test
    void replaysEveryPrefixToTheCommandsThatWereWhole() throws IOException {
        write(COMMANDS, false);

        for (int length = 0; length <= journal.length; length++) {
            int whole = wholeCommands(length);

            assertThat(replay(Arrays.copyOf(journal, length)))
                    .as("%d bytes", length)
                    .isEqualTo(states.get(whole));
        }
    }

    @Test
    void cutsAWriteWhoseLastSectorNeverCame() throws IOException {
        write(COMMANDS, false);
        Random random = new Random(SEED);

        for (int length = ends.get(5); length < journal.length; length += 7) {
            byte[] torn = journal.clone();
            int until = end(length);
            boolean zeros = random.nextBoolean();
            for (int i = length; i < torn.length; i++) {
                torn[i] = zeros ? 0 : (byte) random.nextInt();
            }
            byte[] image = Arrays.copyOf(torn, until);

            boolean sameBytes = Arrays.equals(image, Arrays.copyOf(journal, until));

            assertThat(replay(image))
                    .as("seed %d, torn at %d", SEED, length)
                    .isEqualTo(states.get(wholeCommands(sameBytes ? until : length)));
        }
    }

    @Test
    void goesOnBehindWhatItHasCut() throws IOException {
        write(COMMANDS, false);
        Files.write(path(), Arrays.copyOf(journal, journal.length - 3));

        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            directory.apply(new RemoveNode(3)).join();
        }

        byte[] first = Files.readAllBytes(path());
        Directory expected = DirectorySnapshot.read(states.get(COMMANDS - 1));
        expected.apply(new RemoveNode(3));
        assertThat(replay(first)).isEqualTo(DirectorySnapshot.write(expected));
        assertThat(Arrays.copyOf(first, ends.get(COMMANDS - 2)))
                .isEqualTo(Arrays.copyOf(journal, ends.get(COMMANDS - 2)));
    }

    @Test
    void detectsEveryFlippedBitOfAJournalThatWasClosed() throws IOException {
        write(COMMANDS, true);
        Random random = new Random(SEED);
        int closing = ends.getLast();

        for (int i = 0; i < 1000; i++) {
            byte[] damaged = journal.clone();
            int bit = random.nextInt(closing * 8);
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(path(), damaged);

            assertThatThrownBy(() -> JournaledDirectory.open(folder))
                    .as("seed %d, bit %d", SEED, bit)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void neverShowsAStateThatNeverWasWhenABitFlips() throws IOException {
        write(COMMANDS, false);
        Random random = new Random(SEED);

        for (int i = 0; i < 300; i++) {
            byte[] damaged = journal.clone();
            int bit = random.nextInt(damaged.length * 8);
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(path(), damaged);
            byte[] replayed;
            try {
                replayed = replay(damaged);
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("damaged");
                continue;
            }

            assertThat(bit / 8)
                    .as("only the last write can look torn")
                    .isGreaterThanOrEqualTo(ends.get(COMMANDS - 2));
            assertThat(replayed).isEqualTo(states.get(COMMANDS - 1));
        }
    }

    @Test
    void aJournalWithoutChecksumsWouldNotNotice() throws IOException {
        // The same bits, checked by a reader that believes every record: it shows what never was.
        write(COMMANDS, true);
        Random random = new Random(SEED);
        int wrong = 0;
        for (int i = 0; i < 200; i++) {
            byte[] damaged = journal.clone();
            int bit = random.nextInt(ends.getLast() * 8);
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            wrong += believes(damaged) ? 1 : 0;
        }

        assertThat(wrong).isPositive();
    }

    @Test
    void writesAJournalInItsFixedBytes() throws IOException {
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            directory.apply(new CreateBarrier(3)).join();
        }

        assertThat(HexFormat.of().formatHex(Files.readAllBytes(path())))
                .isEqualTo(
                        "53444a4c"
                                + "01"
                                + "0000000000000000"
                                + crc("53444a4c010000000000000000")
                                + "0000000e"
                                + "0000000000000000"
                                + crc("0000000e0000000000000000" + "0000000100000006020600000003")
                                + "00000001"
                                + "00000006"
                                + "020600000003"
                                + "00000004"
                                + "0000000000000001"
                                + crc("000000040000000000000001" + "00000000")
                                + "00000000");
    }

    @Test
    void refusesJournalsOfOthers() throws IOException {
        write(3, true);
        byte[] magic = journal.clone();
        magic[0]++;
        byte[] version = journal.clone();
        version[4] = 9;

        assertThatThrownBy(() -> replay(magic)).hasMessageContaining("no journal");
        assertThatThrownBy(() -> replay(version)).hasMessageContaining("version 9, expected 1");
    }

    // what the tests share

    /** Each command in a write of its own. */
    private void write(int count, boolean closed) throws IOException {
        List<Command> commands = new CommandSource(SEED).commands(count);
        Directory model = new Directory();
        states.add(DirectorySnapshot.write(model));
        try (JournaledDirectory directory =
                JournaledDirectory.open(folder, JournalCrashTest::unforced, 1 << 20)) {
            for (Command command : commands) {
                directory.apply(command).join();
                model.apply(command);
                states.add(DirectorySnapshot.write(model));
                ends.add((int) Files.size(path()));
            }
        }
        byte[] all = Files.readAllBytes(path());
        journal = closed ? all : Arrays.copyOf(all, ends.getLast());
    }

    private byte[] replay(byte[] image) throws IOException {
        Files.write(path(), image);
        try (DataFolder opened = DataFolder.open(folder);
                Journal replayed = new Journal(opened, JournalCrashTest::unforced)) {
            return DirectorySnapshot.write(replayed.recovered());
        }
    }

    /** Images are cut out of files, so nothing has to reach the disk. */
    private static JournalFile unforced(Path path) throws IOException {
        JournalFile file = JournalFile.open(path);
        return new JournalFile() {
            @Override
            public void append(ByteBuffer bytes) throws IOException {
                file.append(bytes);
            }

            @Override
            public void force() {
                // not the matter here
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    private int wholeCommands(int length) {
        return (int) ends.stream().filter(end -> end <= length).count();
    }

    /** The end of the record that an offset lies in. */
    private int end(int offset) {
        return ends.stream().filter(end -> end > offset).findFirst().orElseThrow();
    }

    private boolean believes(byte[] image) {
        Directory directory = new Directory();
        ByteBuffer bytes = ByteBuffer.wrap(image);
        try {
            int offset = JournalLayout.HEADER_BYTES;
            while (offset < ends.getLast()) {
                JournalLayout.commands(bytes, offset)
                        .forEach(command -> directory.apply(CommandLayout.read(command)));
                offset += JournalLayout.recordBytes(bytes, offset);
            }
        } catch (RuntimeException e) {
            return false;
        }
        return !Arrays.equals(DirectorySnapshot.write(directory), states.getLast());
    }

    private static String crc(String hex) {
        CRC32C crc = new CRC32C();
        crc.update(HexFormat.of().parseHex(hex));
        return String.format("%08x", crc.getValue());
    }

    private Path path() {
        return folder.resolve("journal-0");
    }
}
