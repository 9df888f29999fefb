package org.starling.compute.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.inputs.OldFolders;
import org.starling.compute.internal.protocol.FileMessage.AskPiece;
import org.starling.compute.internal.protocol.FileMessage.Piece;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.net.Execution;
import org.starling.net.RecordMessage;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;

/**
 * A node's copies of files that were brought to the cluster and lie on other hosts only: made when
 * a job first reads one, at the same place, and removed when no job uses them any more. Where all
 * hosts share the folder there are none. Other nodes get pieces of what is here. One for each node;
 * any thread.
 */
public final class FileCopies {
    private static final Logger LOG = LogManager.getLogger(FileCopies.class);

    /** Asked for at once. */
    static final int PIECE_BYTES = 1 << 20;

    /** For an answer: pieces are read from a disk. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** For the question who has a file: of a node that is just being lost there is no answer. */
    private static final Duration SEARCH = Duration.ofSeconds(5);

    /** What a process that was killed has left goes after so long. */
    private static final Duration LIFE = Duration.ofDays(1);

    /** Left free on the disk. */
    private static final long RESERVE_BYTES = 1L << 30;

    private static final String DRAFT = ".copy-";

    private final StoreNode store;

    /** Where the files of this host begin. */
    private final Path top;

    /** By file; those that are being made, too. Guarded by this. */
    private final Map<Path, Copy> copies = new HashMap<>();

    /** A copy, with who uses it or waits for it (guarded by the owner). */
    private static final class Copy {
        final Set<User> users = new HashSet<>();

        /** Completes with whether it is there, or could not be made. */
        final CompletableFuture<Boolean> made = new CompletableFuture<>();
    }

    /** Gives pieces to others from now on. */
    public FileCopies(StoreNode store) {
        this(store, Path.of("/"));
    }

    /**
     * The same of a host that is made up.
     *
     * @param top folder that stands for its root directory
     */
    FileCopies(StoreNode store, Path top) {
        this.store = store;
        this.top = top;
        store.network()
                .<Piece, AskPiece>serve(
                        RecordMessage.type(AskPiece.class),
                        Execution.WORKER,
                        (source, question) -> piece(question));
    }

    /** Somebody who reads files until it is closed: a job on a node. Any thread. */
    public final class User implements BroughtFiles {
        private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

        private User() {}

        /**
         * Copies a file that was brought to another host, if it is not here.
         *
         * @throws InvalidInputException if there is no room or no folder for it
         */
        @Override
        public void bring(Path file) {
            Optional<BroughtFile> brought = BroughtFile.of(file);
            if (brought.isPresent()) {
                FileCopies.this.bring(brought.get(), this);
            }
        }

        /** Uses none any more, and lets a copy end that is being made; any thread. */
        @Override
        public void close() {
            closed.complete(false);
            release(this);
        }
    }

    /** A new user of none. */
    public User user() {
        return new User();
    }

    /** Until it is here, or nobody has it. Whoever asks first copies it, the others wait. */
    private void bring(BroughtFile brought, User user) {
        boolean isThere = false;
        while (!isThere) {
            Copy copy;
            boolean isFirst;
            synchronized (this) {
                requireOpen(user);
                copy = copies.get(brought.file());
                isFirst = copy == null;
                if (copy == null) {
                    if (Files.exists(here(brought.file()), LinkOption.NOFOLLOW_LINKS)) {
                        return;
                    }
                    copy = new Copy();
                    copies.put(brought.file(), copy);
                }
                copy.users.add(user);
            }
            if (isFirst) {
                make(brought, copy, user);
                return;
            }
            isThere = (boolean) CompletableFuture.anyOf(copy.made, user.closed).join();
        }
    }

    private void make(BroughtFile brought, Copy copy, User user) {
        boolean isThere = false;
        try {
            List<Integer> holders = holders(brought.file());
            for (int i = 0; i < holders.size() && !isThere; i++) { // not all from one
                int holder = holders.get((i + store.nodeId()) % holders.size());
                isThere = copy(brought, holder, user);
            }
        } finally {
            synchronized (this) {
                if (!isThere) {
                    copies.remove(brought.file());
                } else if (copy.users.isEmpty()) {
                    remove(brought.file());
                }
                copy.made.complete(isThere);
            }
        }
    }

    private static void requireOpen(User user) {
        if (user.closed.isDone()) {
            throw new JobCancelledException("the job has ended");
        }
    }

    private Path here(Path file) {
        return top.resolve(file.getRoot().relativize(file));
    }

    private List<Integer> holders(Path file) {
        Map<Integer, CompletableFuture<Piece>> asked = new HashMap<>();
        for (NodeInfo node : store.status().nodes()) {
            if (node.id() != store.nodeId()) {
                asked.put(
                        node.id(),
                        store.network()
                                .request(node.id(), new AskPiece(file.toString(), 0, 0), SEARCH));
            }
        }
        List<Integer> holders = new ArrayList<>();
        asked.forEach((node, answer) -> {
            try {
                if (answer.join().length() >= 0) {
                    holders.add(node);
                }
            } catch (CompletionException silent) {
                LOG.debug("node {} does not say whether it has {}", node, file, silent);
            }
        });
        holders.sort(null);
        return holders;
    }

    /** Whether all of it is here now. */
    private boolean copy(BroughtFile brought, int holder, User user) {
        Path file = here(brought.file());
        try {
            if (!Files.isDirectory(here(brought.root()))) {
                throw new InvalidInputException(
                        "node %d has no folder %s for the files that are sent along; make it on its host, too"
                                .formatted(store.nodeId(), brought.root()));
            }
            Path folder = file.resolveSibling("");
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            OldFolders.remove(here(brought.own()).resolveSibling(""), LIFE);
            Path draft = Files.createTempFile(folder, DRAFT, "");
            try {
                boolean whole = copy(brought.file(), holder, draft, user);
                if (whole) {
                    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                    LOG.info("{} came from node {}", file, holder);
                }
                return whole;
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException full) {
            throw FileTrouble.refusal(file, "written", full);
        }
    }

    private boolean copy(Path file, int holder, Path draft, User user) throws IOException {
        try (FileChannel out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            long length;
            do {
                requireOpen(user);
                Piece piece =
                        store.network()
                                .request(
                                        holder,
                                        new AskPiece(file.toString(), out.position(), PIECE_BYTES),
                                        PATIENCE)
                                .join();
                length = piece.length();
                if (length < 0 || (piece.bytes().length == 0 && out.position() < length)) {
                    return false;
                }
                if (out.position() == 0) {
                    requireRoom(file, draft, length);
                }
                ByteBuffer bytes = ByteBuffer.wrap(piece.bytes());
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            } while (out.position() < length);
            return out.position() == length;
        } catch (CompletionException lost) {
            LOG.info("node {} gives no more of {}: {}", holder, file, lost.getMessage());
            return false;
        }
    }

    private void requireRoom(Path file, Path draft, long bytes) throws IOException {
        long usable = Files.getFileStore(draft).getUsableSpace();
        if (usable - RESERVE_BYTES < bytes) {
            throw new InvalidInputException(
                    "node %d has no room for %s: %d bytes, where its disk has %d, of which %d are left free"
                            .formatted(store.nodeId(), file, bytes, usable, RESERVE_BYTES));
        }
    }

    private synchronized void release(User user) {
        List<Path> unused = new ArrayList<>();
        copies.forEach((file, copy) -> {
            boolean isMade = copy.made.getNow(false); // else its maker looks who is left
            if (copy.users.remove(user) && copy.users.isEmpty() && isMade) {
                unused.add(file);
            }
        });
        unused.forEach(this::remove);
    }

    /** Under the lock. */
    private void remove(Path file) {
        copies.remove(file);
        BroughtFile.of(file).ifPresent(this::removeQuietly);
    }

    private void removeQuietly(BroughtFile brought) {
        try {
            Files.deleteIfExists(here(brought.file()));
            Path folder = here(brought.file()).resolveSibling("");
            while (folder.startsWith(here(brought.own())) && isEmpty(folder)) {
                Files.deleteIfExists(folder);
                folder = folder.resolveSibling("");
            }
        } catch (IOException left) {
            LOG.warn("{} is left behind for a day: {}", brought.file(), FileTrouble.reason(left));
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            return !inside.iterator().hasNext();
        }
    }

    /** A piece of a file of this host. */
    private Piece piece(AskPiece question) throws IOException {
        Path named = Path.of(question.file());
        Path file = here(named);
        if (BroughtFile.of(named).isEmpty()
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return new Piece(-1, new byte[0]);
        }
        try (FileChannel in =
                FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long length = in.size();
            long left = Math.max(0, length - Math.max(0, question.offset()));
            int bytes = (int) Math.min(Math.clamp(question.bytes(), 0, PIECE_BYTES), left);
            ByteBuffer piece = ByteBuffer.allocate(bytes);
            while (piece.hasRemaining()
                    && in.read(piece, question.offset() + piece.position()) >= 0) {
                // the rest
            }
            return new Piece(length, Arrays.copyOf(piece.array(), piece.position()));
        }
    }
}
