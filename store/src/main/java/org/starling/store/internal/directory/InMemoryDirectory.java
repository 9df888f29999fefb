package org.starling.store.internal.directory;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * The directory of a cluster that lives in the memory of its processes alone: the state machine and
 * a lock. It is gone with its superpeer, so there is nothing to force and nobody to agree with:
 * whoever has a command carries it out.
 */
public final class InMemoryDirectory implements DirectoryReplica {
    private static final Logger LOG = LogManager.getLogger(InMemoryDirectory.class);

    private final CopyOnWriteArrayList<BiConsumer<Command, Result>> appliedListeners =
            new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Consumer<Boolean>> leadershipListeners =
            new CopyOnWriteArrayList<>();

    /** Held while a command is carried out and told, so that all are told in their order. */
    private final ReentrantLock applying = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final Directory directory = new Directory();

    /** Set under {@link #applying}. */
    private volatile boolean isClosed;

    @Override
    public void close() {
        applying.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
        } finally {
            applying.unlock();
        }
        leadershipListeners.forEach(listener -> listener.accept(false));
    }

    @Override
    public CompletableFuture<Result> apply(Command command) {
        try {
            var _ = CommandLayout.write(command); // the same bounds as where it is written down
        } catch (IllegalArgumentException e) {
            return failed(String.valueOf(e.getMessage()), e);
        }
        applying.lock();
        try {
            if (isClosed) {
                return failed("the directory takes no commands any more: it is closed", null);
            }
            Result result = read(state -> state.apply(command));
            appliedListeners.forEach(listener -> tell(listener, command, result));
            return CompletableFuture.completedFuture(result);
        } catch (RuntimeException e) {
            LOG.error("the directory could not apply {}", command, e);
            return failed("the directory is broken: " + e.getMessage(), e);
        } finally {
            applying.unlock();
        }
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
    public boolean isBusy() {
        return lock.isLocked();
    }

    @Override
    public boolean isLeader() {
        return !isClosed;
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
        leadershipListeners.add(listener);
        listener.accept(isLeader());
    }

    @Override
    public boolean confirmLeadership(Duration patience) {
        return isLeader();
    }

    private static CompletableFuture<Result> failed(String reason, @Nullable Throwable cause) {
        return CompletableFuture.failedFuture(new StoreException(reason, cause));
    }

    private static void tell(BiConsumer<Command, Result> listener, Command command, Result result) {
        try {
            listener.accept(command, result);
        } catch (RuntimeException e) {
            LOG.error("a listener of the directory has failed at {}", command, e);
        }
    }
}
