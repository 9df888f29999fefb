package org.starling.compute.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.files.FileCopies;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.ScriptFiles;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * Files that people bring along, in the first folder that scripts of the cluster may use: {@code
 * .starling/uploads/ID/NAME}, {@code draft} until all of it has come, with a note beside it. Where
 * nodes share that folder, it is all one which superpeer takes which piece; where they don't, nodes
 * that read a file copy it (see {@link FileCopies}). All state is in the folder. What is older than
 * a day goes when the next file begins, or when they are listed. Any thread.
 */
public final class UploadFolder implements UploadService {
    /** So long after its last piece a file is removed. */
    public static final Duration LIFE = Duration.ofDays(1);

    private static final Logger LOG = LogManager.getLogger(UploadFolder.class);
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final String DRAFT = ".draft";
    private static final String NOTE = ".note";
    private static final String NEW_NOTE = ".note.new";
    private static final int ID_BYTES = 16;
    private static final int MAX_NAME = 200;
    private static final int BLOCK_BYTES = 1 << 16;

    /** Left free on the disk. */
    private static final long RESERVE_BYTES = 1L << 30;

    private final List<Path> roots;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** What was said of a file when it began. */
    private record Note(String name, long bytes) {}

    /**
     * Files in the first of these folders that is there.
     *
     * @param roots folders that scripts may use
     */
    public UploadFolder(List<Path> roots, InstantSource clock) {
        this.roots = List.copyOf(roots);
        this.clock = clock;
    }

    @Override
    public UploadView begin(String name, long bytes) {
        checkName(name);
        if (bytes < 0 || bytes > MAX_BYTES) {
            throw new InvalidInputException(
                    "bytes: expected 0 to %d, found %d".formatted(MAX_BYTES, bytes));
        }
        Path folder =
                folder().orElseThrow(() ->
                        new InvalidInputException(
                                "scripts of this cluster may use no folder, so there is none for files that are brought along; start it with --allow DIR (a folder that is there on all hosts)"));
        removeOld();
        if (all().size() >= MAX_UPLOADS) {
            throw new InvalidInputException(
                    "there are %d files that were brought along already; remove some (DELETE /uploads/ID)"
                            .formatted(MAX_UPLOADS));
        }
        byte[] number = new byte[ID_BYTES];
        random.nextBytes(number);
        String id = HexFormat.of().formatHex(number);
        Path own = folder.resolve(id);
        try {
            Files.createDirectories(folder);
            requireRoom(folder, bytes);
            Files.createDirectory(
                    own,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Files.createFile(own.resolve(DRAFT));
            Files.writeString(
                    own.resolve(NEW_NOTE),
                    JsonText.write(RecordJson.PLAIN.tree(new Note(name, bytes))));
            Files.move(own.resolve(NEW_NOTE), own.resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
            if (bytes == 0) {
                finish(own, name);
            }
        } catch (IOException refused) {
            removeQuietly(own);
            throw FileTrouble.refusal(own, "written", refused);
        }
        return find(id).orElseThrow(() -> new IllegalStateException(own + " is gone"));
    }

    @Override
    public List<UploadView> list() {
        removeOld();
        List<UploadView> views = new ArrayList<>();
        for (Path own : all()) {
            find(String.valueOf(own.getFileName())).ifPresent(views::add);
        }
        return views;
    }

    @Override
    public Optional<UploadView> find(String id) {
        Path own = own(id);
        Note note = own == null ? null : note(own);
        if (own == null || note == null) {
            return Optional.empty();
        }
        Path file = own.resolve(note.name);
        long received =
                Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        ? note.bytes
                        : size(own.resolve(DRAFT));
        return Optional.of(new UploadView(id, note.name, note.bytes, received, file.toString()));
    }

    @Override
    public Optional<UploadView> append(String id, long offset, InputStream piece)
            throws IOException {
        Optional<UploadView> before = find(id);
        Path own = own(id);
        if (before.isEmpty() || own == null) {
            return Optional.empty();
        }
        UploadView view = before.get();
        if (view.received() == view.bytes()) {
            requireStep(view, offset, view.received());
            return before;
        }
        try (FileChannel draft =
                        FileChannel.open(
                                own.resolve(DRAFT),
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS);
                FileLock lock = lock(draft)) {
            if (lock == null) {
                throw new OutOfStepException(
                        "another piece of %s comes just now; ask how far it is".formatted(id));
            }
            requireStep(view, offset, draft.size());
            copy(piece, draft.position(offset), view);
            if (draft.size() == view.bytes()) {
                draft.force(true);
                finish(own, view.name());
            }
        } catch (NoSuchFileException finished) {
            throw new OutOfStepException("%s is whole, or was removed".formatted(id));
        }
        return find(id);
    }

    @Override
    public boolean remove(String id) {
        Path own = own(id);
        if (own == null || note(own) == null) {
            return false;
        }
        try {
            delete(own);
            return true;
        } catch (IOException refused) {
            throw FileTrouble.refusal(own, "removed", refused);
        }
    }

    private static void checkName(String name) {
        Path path = ScriptFiles.resultName(name);
        if (path.getNameCount() != 1 || name.length() > MAX_NAME) {
            throw new InvalidInputException(
                    "name: expected a file's name of at most %d characters without a folder, found \"%s\""
                            .formatted(MAX_NAME, name));
        }
    }

    private void requireRoom(Path folder, long bytes) throws IOException {
        FileStore disk = Files.getFileStore(folder);
        long onTheirWay = list().stream().mapToLong(view -> view.bytes() - view.received()).sum();
        if (disk.getUsableSpace() - RESERVE_BYTES - onTheirWay < bytes) {
            throw new InvalidInputException(
                    "there is no room for %d bytes: the disk of %s has %d, of which %d are left free and %d are for files that have not come whole yet"
                            .formatted(
                                    bytes,
                                    folder,
                                    disk.getUsableSpace(),
                                    RESERVE_BYTES,
                                    onTheirWay));
        }
    }

    private static void requireStep(UploadView view, long offset, long received) {
        if (offset != received) {
            throw new OutOfStepException(
                    "%d bytes of %s have come; the next piece begins there, not at %d"
                            .formatted(received, view.id(), offset));
        }
    }

    /** Null if somebody has it. */
    private static @Nullable FileLock lock(FileChannel draft) throws IOException {
        try {
            return draft.tryLock();
        } catch (OverlappingFileLockException here) {
            return null;
        }
    }

    private static void copy(InputStream piece, FileChannel draft, UploadView view)
            throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        long room = Math.min(MAX_PIECE_BYTES, view.bytes() - draft.position());
        for (int read = piece.read(block); read >= 0; read = piece.read(block)) {
            room -= read;
            if (room < 0) {
                throw new InvalidInputException(
                        "the piece is longer than what is left of %s, or than %d bytes"
                                .formatted(view.id(), MAX_PIECE_BYTES));
            }
            write(ByteBuffer.wrap(block, 0, read), draft, view);
        }
    }

    private static void write(ByteBuffer bytes, FileChannel draft, UploadView view) {
        try {
            while (bytes.hasRemaining()) {
                draft.write(bytes);
            }
        } catch (IOException full) {
            throw new ClusterException(
                    "the piece can't be written to %s: %s; once there is room, it goes on from what has come"
                            .formatted(Path.of(view.file()).getParent(), FileTrouble.reason(full)),
                    full);
        }
    }

    private static void finish(Path own, String name) throws IOException {
        Files.move(own.resolve(DRAFT), own.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private Optional<Path> folder() {
        return roots.stream()
                .filter(Files::isDirectory)
                .findFirst()
                .map(root -> root.resolve(".starling").resolve("uploads"));
    }

    private @Nullable Path own(String id) {
        Path folder = folder().orElse(null);
        return folder == null || !ID.matcher(id).matches() ? null : folder.resolve(id);
    }

    private static @Nullable Note note(Path own) {
        try {
            return RecordJson.PLAIN.of(
                    Note.class, JsonText.parse(Files.readString(own.resolve(NOTE))));
        } catch (NoSuchFileException none) {
            return null;
        } catch (IOException | IllegalArgumentException | InvalidInputException unreadable) {
            LOG.warn("{} has no note that can be read: {}", own, unreadable.getMessage());
            return null;
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException removed) {
            return 0;
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    private List<Path> all() {
        Path folder = folder().orElse(null);
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> uploads = Files.list(folder)) {
            return uploads.filter(one -> ID.matcher(String.valueOf(one.getFileName())).matches())
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(folder, "read", unreadable);
        }
    }

    private void removeOld() {
        Instant oldest = clock.instant().minus(LIFE);
        for (Path own : all()) {
            try (Stream<Path> files = Files.list(own)) {
                if (files.noneMatch(file -> isNewer(file, oldest)) && !isNewer(own, oldest)) {
                    LOG.info("{} was brought along more than a day ago and is removed", own);
                    delete(own);
                }
            } catch (IOException | UncheckedIOException gone) {
                LOG.debug("{} was removed by somebody else: {}", own, gone.getMessage());
            }
        }
    }

    private static boolean isNewer(Path file, Instant moment) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isAfter(moment);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static void removeQuietly(Path own) {
        try {
            delete(own);
        } catch (IOException refused) {
            LOG.warn("{} stays: {}", own, refused.getMessage());
        }
    }

    /** The note last, so that what is left is found again. */
    private static void delete(Path own) throws IOException {
        if (!Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.list(own)) {
            for (Path file : files.toList()) {
                if (!file.endsWith(NOTE)) {
                    Files.delete(file);
                }
            }
        }
        Files.deleteIfExists(own.resolve(NOTE));
        Files.deleteIfExists(own);
    }
}
