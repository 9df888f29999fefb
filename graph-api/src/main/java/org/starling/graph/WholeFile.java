package org.starling.graph;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/**
 * A file that appears under its name whole or not at all: it is written as a draft beside it, with
 * {@code .part} after the name, and takes its place with {@link #commit}. One thread at a time.
 *
 * <p>Nothing is followed: the folder is opened once, name by name from the root on, and all else
 * happens inside that handle; a draft that is there already, a link perhaps, is removed and never
 * opened. Whoever may write into the folder can so neither lead the bytes elsewhere nor have the
 * folder changed for another one after its path was checked.
 */
public final class WholeFile implements AutoCloseable {
    private final SecureDirectoryStream<Path> folder;
    private final Path name;
    private final Path draft;
    private final SeekableByteChannel channel;
    private boolean committed;

    private WholeFile(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        this.folder = folder;
        this.name = name;
        this.draft = Path.of(name + ".part");
        removeDraft();
        this.channel =
                folder.newByteChannel(
                        draft,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Begins a file.
     *
     * @param file its absolute path without links, as {@link TaskContext#outputFile} gives it
     * @throws IOException if its folder has become a link or can't be written
     */
    public static WholeFile create(Path file) throws IOException {
        Path parent = file.getParent();
        Path name = file.getFileName();
        if (!file.isAbsolute() || parent == null || name == null) {
            throw new IllegalArgumentException("no absolute path of a file: " + file);
        }
        SecureDirectoryStream<Path> folder = open(parent);
        try {
            return new WholeFile(folder, name);
        } catch (IOException | RuntimeException refused) {
            folder.close();
            throw refused;
        }
    }

    /** Where the bytes go. */
    public SeekableByteChannel channel() {
        return channel;
    }

    /** Gives the file its name, in the place of what has it now. */
    public void commit() throws IOException {
        channel.close();
        folder.move(draft, folder, name);
        committed = true;
    }

    /** Removes what was not committed. */
    @Override
    public void close() throws IOException {
        try (folder) {
            channel.close();
            if (!committed) {
                removeDraft();
            }
        }
    }

    private void removeDraft() throws IOException {
        try {
            folder.deleteFile(draft);
        } catch (NoSuchFileException none) {
            return; // the usual case
        }
    }

    /**
     * A handle of a folder. Folders on the way that can be passed but not read have no handle of
     * their own; they are passed by name.
     */
    @SuppressWarnings("StreamResourceLeak") // each handle is closed when the next one is open
    private static SecureDirectoryStream<Path> open(Path folder) throws IOException {
        Path root = Objects.requireNonNull(folder.getRoot(), "an absolute folder");
        SecureDirectoryStream<Path> handle = secure(Files.newDirectoryStream(root));
        Path passed = Path.of("");
        for (Path part : folder) {
            Path next = passed.resolve(part);
            try {
                SecureDirectoryStream<Path> inner =
                        handle.newDirectoryStream(next, LinkOption.NOFOLLOW_LINKS);
                handle.close();
                handle = inner;
                passed = Path.of("");
            } catch (AccessDeniedException closed) {
                passed = next;
            } catch (IOException refused) {
                handle.close();
                throw refused;
            }
        }
        if (!passed.toString().isEmpty()) {
            handle.close();
            throw new AccessDeniedException(folder.toString(), null, "the folder can't be read");
        }
        return handle;
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream)
            throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> handle) {
            return handle;
        }
        stream.close();
        throw new IOException("this system can't write inside a folder that it holds open");
    }
}
