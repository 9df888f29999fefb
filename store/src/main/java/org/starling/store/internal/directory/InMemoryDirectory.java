package org.starling.store.internal.directory;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.StoreException;

/**
 * The directory of a cluster that lives in the memory of its processes alone: the state machine and
 * a thread that applies commands in the order of their coming and answers them. It is gone with its
 * superpeer, so there is nothing to force and nobody to agree with.
 */
public final class InMemoryDirectory implements DirectoryReplica {
    private static final Logger LOG = LogManager.getLogger(InMemoryDirectory.class);

    /** Commands that wait to be applied. */
    private static final int MAX_WAITING = 4096;

    /** How long a closing waits for the last commands. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final ThreadPoolExecutor applier =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(MAX_WAITING),
                    Thread.ofPlatform().daemon().name("directory").factory());
    private final CopyOnWriteArrayList<BiConsumer<Command, Result>> appliedListeners =
            new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Consumer<Boolean>> leadershipListeners =
            new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final Directory directory = new Directory();

    /** Carries out the commands that wait, then ends. */
    @Override
    public void close() {
        if (applier.isShutdown()) {
            return;
        }
        applier.shutdown();
        leadershipListeners.forEach(listener -> listener.accept(false));
        try {
            if (!applier.awaitTermination(CLOSE_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("the directory was closed while commands waited");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public CompletableFuture<Result> apply(Command command) {
        CompletableFuture<Result> answer = new CompletableFuture<>();
        try {
            var _ = CommandLayout.write(command); // the same bounds as where it is written down
            applier.execute(() -> carryOut(command, answer));
        } catch (IllegalArgumentException e) {
            answer.completeExceptionally(new StoreException(String.valueOf(e.getMessage()), e));
        } catch (RejectedExecutionException e) {
            String reason =
                    applier.isShutdown()
                            ? "the directory takes no commands any more: it is closed"
                            : "more than " + MAX_WAITING + " commands wait for the directory";
            answer.completeExceptionally(new StoreException(reason, e));
        }
        return answer;
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
        return !applier.isShutdown();
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

    private void carryOut(Command command, CompletableFuture<Result> answer) {
        Result result;
        try {
            result = read(state -> state.apply(command));
        } catch (RuntimeException e) {
            LOG.error("the directory could not apply {}", command, e);
            answer.completeExceptionally(
                    new StoreException("the directory is broken: " + e.getMessage(), e));
            return;
        }
        for (BiConsumer<Command, Result> listener : appliedListeners) {
            try {
                listener.accept(command, result);
            } catch (RuntimeException e) {
                LOG.error("a listener of the directory has failed at {}", command, e);
            }
        }
        answer.complete(result);
    }
}
