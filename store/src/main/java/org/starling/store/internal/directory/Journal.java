package org.starling.store.internal.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.StoreException;

/**
 * The commands of a directory on disk: one file {@code journal-N} of commands that follow the
 * snapshot {@code snapshot-N} (there is none for N = 0). {@link #roll} starts the next generation.
 * Confined to one thread after its opening.
 *
 * <p>A command is on the disk once {@link #append} returns. After a failure the journal is of no
 * use any more: nothing is ever written behind bytes whose fate is unknown.
 *
 * <p>At the opening, bytes behind the last whole record are what a crash has left of a write that
 * nobody was told of, and are cut off; but if a whole record lies behind the damage, that record
 * was acknowledged after the damaged one, and the journal is refused.
 */
final class Journal implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(Journal.class);
    private static final String JOURNAL = "journal-";
    private static final String SNAPSHOT = "snapshot-";
    private static final String UNFINISHED = ".new";

    private final DataFolder folder;
    private final JournalFile.Opener opener;
    private Directory recovered = new Directory();
    private JournalFile file;
    private long generation;
    private long sequence;
    private long bytes;

    /**
     * Opens what is in a folder, or starts anew if nothing is.
     *
     * @throws StoreException if it is damaged or cannot be read or written
     */
    Journal(DataFolder folder, JournalFile.Opener opener) {
        this.folder = folder;
        this.opener = opener;
        try {
            generation = newestGeneration();
            if (generation > 0) {
                recovered = readSnapshot(snapshotPath(generation));
            }
            replay();
            file = opener.open(journalPath(generation));
            if (bytes == 0) {
                start();
            }
            deleteOthers();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The directory as it was found at the opening; given away once. */
    Directory recovered() {
        return recovered;
    }

    /** Bytes of commands since the last snapshot. */
    long bytes() {
        return bytes;
    }

    /** Returns when the commands are on the disk, in this order. */
    void append(List<byte[]> commands) throws IOException {
        ByteBuffer record = JournalLayout.record(sequence++, commands);
        bytes += record.remaining();
        file.append(record);
        file.force();
    }

    /** Puts a snapshot in the place of all commands so far. */
    void roll(byte[] snapshot) throws IOException {
        long next = generation + 1;
        Path target = snapshotPath(next);
        Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
        Files.deleteIfExists(unfinished);
        try (JournalFile out = opener.open(unfinished)) {
            out.append(ByteBuffer.wrap(snapshot));
            out.force();
        }
        file.close();
        Files.deleteIfExists(journalPath(next));
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        folder.force();
        generation = next;
        file = opener.open(journalPath(next));
        start();
        deleteOthers();
    }

    /** Says in the journal that nothing is missing at its end. */
    void closeInGoodOrder() throws IOException {
        append(List.of());
        file.close();
    }

    /** Closes the file as it is. */
    @Override
    public void close() throws IOException {
        file.close();
    }

    // opening

    private void start() throws IOException {
        file.append(ByteBuffer.wrap(JournalLayout.header(generation)));
        file.force();
        folder.force();
        sequence = 0;
        bytes = JournalLayout.HEADER_BYTES;
    }

    private void replay() throws IOException {
        Path path = journalPath(generation);
        if (!Files.exists(path)) {
            return;
        }
        ByteBuffer journal = ByteBuffer.wrap(Files.readAllBytes(path));
        if (journal.limit() < JournalLayout.HEADER_BYTES) {
            cut(path, 0, journal.limit());
            return;
        }
        String fault = JournalLayout.faultOfHeader(journal, generation);
        if (!fault.isEmpty()) {
            throw damaged(path, fault);
        }
        int offset = JournalLayout.HEADER_BYTES;
        while (JournalLayout.isRecord(journal, offset, sequence)) {
            apply(path, JournalLayout.commands(journal, offset));
            offset += JournalLayout.recordBytes(journal, offset);
            sequence++;
        }
        if (JournalLayout.hasRecordBehind(journal, offset, sequence)) {
            throw damaged(path, "record " + sequence + " at byte " + offset + " is damaged");
        }
        if (offset < journal.limit()) {
            cut(path, offset, journal.limit());
        }
        bytes = offset;
    }

    private void apply(Path path, List<byte[]> commands) {
        try {
            commands.forEach(command -> recovered.apply(CommandLayout.read(command)));
        } catch (IllegalArgumentException e) {
            throw damaged(path, String.valueOf(e.getMessage()));
        }
    }

    private static void cut(Path path, int from, int until) throws IOException {
        LOG.info(
                "cut {} bytes off the end of {}: a write that a crash has cut short",
                until - from,
                path);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(from);
            channel.force(true);
        }
    }

    private static Directory readSnapshot(Path path) throws IOException {
        try {
            return DirectorySnapshot.read(Files.readAllBytes(path));
        } catch (IllegalArgumentException e) {
            throw damaged(path, String.valueOf(e.getMessage()));
        }
    }

    // files

    /** That of the newest snapshot: a snapshot gets its name when it is whole. */
    private long newestGeneration() throws IOException {
        long newest = 0;
        long newestJournal = 0;
        for (Path path : files()) {
            String name = path.getFileName().toString();
            if (name.startsWith(JOURNAL)) {
                newestJournal = Math.max(newestJournal, numberOf(path, JOURNAL));
            } else if (name.startsWith(SNAPSHOT) && !name.endsWith(UNFINISHED)) {
                newest = Math.max(newest, numberOf(path, SNAPSHOT));
            }
        }
        if (newestJournal > newest) {
            throw damaged(journalPath(newestJournal), "the snapshot before it is missing");
        }
        return newest;
    }

    private static long numberOf(Path path, String prefix) {
        try {
            return Long.parseLong(path.getFileName().toString().substring(prefix.length()));
        } catch (NumberFormatException e) {
            throw new StoreException(path + " is no file of a directory; take it away", e);
        }
    }

    private void deleteOthers() throws IOException {
        for (Path path : files()) {
            String name = path.getFileName().toString();
            boolean ours = name.startsWith(SNAPSHOT) || name.startsWith(JOURNAL);
            if (ours
                    && !path.equals(snapshotPath(generation))
                    && !path.equals(journalPath(generation))) {
                Files.delete(path);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder.path())) {
            return files.sorted().toList();
        }
    }

    private Path journalPath(long number) {
        return folder.path().resolve(JOURNAL + number);
    }

    private Path snapshotPath(long number) {
        return folder.path().resolve(SNAPSHOT + number);
    }

    private static StoreException damaged(Path path, String fault) {
        return new StoreException(
                "the directory's file "
                        + path
                        + " is damaged and not used: "
                        + fault
                        + "; restore it from a copy, or start a new cluster in another directory");
    }

    private StoreException failed(IOException e) {
        return new StoreException(
                "the directory's journal in "
                        + folder.path()
                        + " cannot be used: "
                        + DataFolder.reason(e),
                e);
    }
}
