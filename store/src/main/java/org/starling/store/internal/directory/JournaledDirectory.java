package org.starling.store.internal.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;

/**
 * The directory of a cluster with one superpeer: the state machine and, given a folder, a {@link
 * Journal}. A thread of its own takes commands in the order of their coming, writes those that wait
 * into the journal together, forces it once, applies them and answers. So nothing that has been
 * read, told or answered is ever lost, and commands that come together share the cost of the disk.
 *
 * <p>When the journal fails, this replica leads no more: the outcome of the commands being written
 * is unknown, later ones are refused, and the superpeer has to be started again.
 */
public final class JournaledDirectory implements DirectoryReplica {
    private static final Logger LOG = LogManager.getLogger(JournaledDirectory.class);

    /** Commands that wait for the journal. */
    private static final int MAX_WAITING = 4096;

    /** Commands that are forced together, and their bytes when the last is taken. */
    private static final int MAX_GROUP = 256;

    private static final int MAX_GROUP_BYTES = 4 << 20;

    /** A journal longer than this gives way to a snapshot. */
    private static final long MAX_JOURNAL_BYTES = 16L << 20;

    /** How long a closing waits for the last commands. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private enum Phase {
        SERVING,
        /** No new commands; those that wait are still carried out. */
        CLOSING,
        /** The journal has failed, or this replica is closed. */
        ENDED
    }

    /** One command on its way; null is the sign that none follows. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Waiting(
            @Nullable Command command, byte[] bytes, CompletableFuture<Result> answer) {}

    private final @Nullable DataFolder folder;
    private final @Nullable Journal journal;
    private final long maxJournalBytes;
    private final ArrayBlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(MAX_WAITING);
    private final CopyOnWriteArrayList<BiConsumer<Command, Result>> appliedListeners =
            new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final Directory directory;
    private final List<Consumer<Boolean>> leadershipListeners = new ArrayList<>();
    private Phase phase = Phase.SERVING;

    private final Thread writer = new Thread(this::work, "directory-journal");

    private JournaledDirectory(
            @Nullable DataFolder folder, @Nullable Journal journal, long maxJournalBytes) {
        this.folder = folder;
        this.journal = journal;
        this.maxJournalBytes = maxJournalBytes;
        directory = journal == null ? new Directory() : journal.recovered();
    }

    // life cycle

    /**
     * Opens the directory that was kept in a folder, or an empty one.
     *
     * @param dir the folder, which is made if it is not there; null for a directory that is gone
     *     with this process
     * @return the replica, to be closed
     * @throws StoreException if the folder is in use, damaged, or cannot be read or written
     */
    public static JournaledDirectory open(@Nullable Path dir) {
        return open(dir, JournalFile::open, MAX_JOURNAL_BYTES);
    }

    static JournaledDirectory open(
            @Nullable Path dir, JournalFile.Opener opener, long maxJournalBytes) {
        if (dir == null) {
            return started(new JournaledDirectory(null, null, maxJournalBytes));
        }
        DataFolder folder = DataFolder.open(dir);
        Journal journal;
        try {
            journal = new Journal(folder, opener);
        } catch (StoreException e) {
            folder.close();
            throw e;
        }
        return started(new JournaledDirectory(folder, journal, maxJournalBytes));
    }

    private static JournaledDirectory started(JournaledDirectory replica) {
        replica.writer.setDaemon(true);
        replica.writer.start();
        return replica;
    }

    /** Carries out the commands that wait, then ends; returns when the folder is free again. */
    @Override
    public void close() {
        try {
            if (beginClosing()) {
                queue.put(new Waiting(null, new byte[0], new CompletableFuture<>()));
            }
            if (!writer.equals(Thread.currentThread())) {
                writer.join(CLOSE_PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if it is closing already or has failed. */
    private boolean beginClosing() {
        lock.lock();
        try {
            if (phase != Phase.SERVING) {
                return false;
            }
            phase = Phase.CLOSING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    // operations

    @Override
    public CompletableFuture<Result> apply(Command command) {
        byte[] bytes;
        try {
            bytes = CommandLayout.write(command);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(
                    new StoreException(String.valueOf(e.getMessage()), e));
        }
        Waiting waiting = new Waiting(command, bytes, new CompletableFuture<>());
        String refusal;
        lock.lock();
        try {
            if (phase != Phase.SERVING) {
                refusal = "the directory does not take commands any more: it is closed";
            } else if (queue.offer(waiting)) {
                return waiting.answer;
            } else {
                refusal = "more than " + MAX_WAITING + " commands wait for the directory's journal";
            }
        } finally {
            lock.unlock();
        }
        return CompletableFuture.failedFuture(new StoreException(refusal));
    }

    @Override
    public <T> T read(Function<Directory, T> query) {
        lock.lock();
        try {
            return query.apply(directory);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isLeader() {
        lock.lock();
        try {
            return phase == Phase.SERVING;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int leader() {
        return isLeader() ? 0 : NO_LEADER;
    }

    @Override
    public void onApplied(BiConsumer<Command, Result> listener) {
        appliedListeners.add(listener);
    }

    @Override
    public void onLeadership(Consumer<Boolean> listener) {
        lock.lock();
        try {
            leadershipListeners.add(listener);
        } finally {
            lock.unlock();
        }
        if (isLeader()) {
            listener.accept(true);
        }
    }

    @Override
    public boolean confirmLeadership(Duration patience) {
        return isLeader();
    }

    // the writer's thread

    private void work() {
        List<Waiting> group = new ArrayList<>();
        try {
            boolean more = true;
            while (more) {
                more = take(group);
                carryOut(group);
                group.clear();
            }
            if (journal != null) {
                journal.closeInGoodOrder();
            }
            end("it is closed", null);
        } catch (IOException e) {
            LOG.error("the directory's journal has failed; start this superpeer again", e);
            fail(group, "the directory's journal has failed: " + DataFolder.reason(e), e);
        } catch (RuntimeException e) {
            LOG.error("the directory is broken; start this superpeer again", e);
            fail(group, "the directory is broken: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            end("it was interrupted", e);
        }
    }

    /**
     * Takes the commands that wait, at least one.
     *
     * @return whether others may follow
     */
    private boolean take(List<Waiting> group) throws InterruptedException {
        int bytes = 0;
        Waiting next = queue.take();
        while (next != null) {
            if (next.command == null) {
                return false;
            }
            group.add(next);
            bytes += next.bytes.length;
            boolean full = group.size() == MAX_GROUP || bytes >= MAX_GROUP_BYTES;
            next = full ? null : queue.poll();
        }
        return true;
    }

    private void carryOut(List<Waiting> group) throws IOException {
        if (group.isEmpty()) {
            return;
        }
        if (journal != null) {
            journal.append(group.stream().map(Waiting::bytes).toList());
        }
        for (Waiting waiting : group) {
            Command command = waiting.command;
            if (command == null) {
                throw new IllegalStateException("the sign of the end is no command");
            }
            Result result = read(state -> state.apply(command));
            appliedListeners.forEach(listener -> tell(listener, command, result));
            waiting.answer.complete(result);
        }
        if (journal != null && journal.bytes() > maxJournalBytes) {
            journal.roll(read(DirectorySnapshot::write));
        }
    }

    private void fail(List<Waiting> group, String reason, Exception cause) {
        IndeterminateException unknown = new IndeterminateException(reason, cause);
        group.forEach(waiting -> waiting.answer.completeExceptionally(unknown));
        end(reason, cause);
    }

    private static void tell(BiConsumer<Command, Result> listener, Command command, Result result) {
        try {
            listener.accept(command, result);
        } catch (RuntimeException e) {
            LOG.error("a listener of the directory has failed at {}", command, e);
        }
    }

    private void end(String reason, @Nullable Exception cause) {
        List<Consumer<Boolean>> listeners;
        lock.lock();
        try {
            phase = Phase.ENDED;
            listeners = List.copyOf(leadershipListeners);
        } finally {
            lock.unlock();
        }
        List<Waiting> rest = new ArrayList<>();
        queue.drainTo(rest);
        StoreException refusal =
                new StoreException("the directory takes no commands any more: " + reason, cause);
        rest.forEach(waiting -> waiting.answer.completeExceptionally(refusal));
        listeners.forEach(listener -> listener.accept(false));
        release();
    }

    private void release() {
        try {
            if (journal != null) {
                journal.close();
            }
            if (folder != null) {
                folder.close();
            }
        } catch (IOException | StoreException e) {
            LOG.warn("could not close the directory's journal", e);
        }
    }
}
