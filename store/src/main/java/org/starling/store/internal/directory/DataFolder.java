package org.starling.store.internal.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * A folder that one process uses at a time: whoever opens it holds a lock on a file in it until it
 * closes it or dies.
 */
public final class DataFolder implements AutoCloseable {
    private static final String LOCK = "lock";

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder if it is not there, and locks it.
     *
     * @param path the folder
     * @return the folder, to be closed
     * @throws StoreException if it cannot be made or written, or is in use
     */
    public static DataFolder open(Path path) {
        try {
            makeFolders(path);
            FileChannel channel =
                    FileChannel.open(
                            path.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new StoreException(
                        "data directory "
                                + path
                                + " is used by another node that still runs; stop it first, or give"
                                + " this node a directory of its own");
            }
            return new DataFolder(path, channel);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /**
     * The folder can't be made, read or written.
     *
     * @param path the folder
     * @param e why
     * @return one sentence for people
     */
    public static StoreException unusable(Path path, IOException e) {
        return new StoreException(
                "data directory "
                        + path
                        + " cannot be used: "
                        + reason(e)
                        + "; check that this user may write there",
                e);
    }

    /**
     * Where it is.
     *
     * @return the folder's path
     */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new StoreException("lock of data directory " + path + " cannot be released", e);
        }
    }

    /**
     * What to tell people of a failure on a disk.
     *
     * @param e the failure
     * @return half a sentence
     */
    public static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied ->
                    "no right to read and write " + denied.getFile() + "; give this user the right";
            case CharacterCodingException bytes -> "a file in it is no text";
            case FileAlreadyExistsException exists -> exists.getFile() + " is no folder";
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }

    /**
     * Writes a file as a whole, or leaves it as it was; when this returns it is on the disk, under
     * its name.
     *
     * @param file where, in a folder that is there
     * @param text what
     * @throws IOException if the disk refuses
     */
    public static void write(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out =
                FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(fresh.resolveSibling("."));
    }

    /**
     * Makes a folder and those above it that are not there; when this returns they are on the disk,
     * under their names.
     */
    private static void makeFolders(Path path) throws IOException {
        Path whole = path.toAbsolutePath();
        Path parent = whole.getParent();
        if (Files.isDirectory(whole) || parent == null) {
            Files.createDirectories(whole);
            return;
        }
        makeFolders(parent);
        Files.createDirectories(whole);
        forceFolder(parent);
    }

    private static void forceFolder(Path path) throws IOException {
        try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this very process
        }
    }
}
