package org.starling.store.internal.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.replica.ZoneDirectory;

/**
 * Brings to the directory whether this node's disk hangs, again and again until it is known there
 * or the node ends. Owned by {@link Storage}; any thread.
 */
final class DiskNews implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(DiskNews.class);

    /** From one attempt to the next. */
    private static final long PAUSE_MILLIS = 500;

    private final int node;
    private final ZoneDirectory directory;

    // guarded by this
    private boolean hangs;
    private boolean isUnderWay;

    private volatile boolean isClosed;

    DiskNews(int node, ZoneDirectory directory) {
        this.node = node;
        this.directory = directory;
    }

    /** The disk hangs, or answers again. */
    void tell(boolean nowHangs) {
        LOG.error(
                nowHangs
                        ? "node {} keeps no copies for others, because its disk hangs"
                        : "node {} can keep copies for others again",
                node);
        synchronized (this) {
            hangs = nowHangs;
            if (isUnderWay) {
                return;
            }
            isUnderWay = true;
        }
        attempt();
    }

    /** Tries no more. */
    @Override
    public void close() {
        isClosed = true;
    }

    private void attempt() {
        boolean told;
        synchronized (this) {
            told = hangs;
        }
        CompletableFuture<?> _ =
                directory
                        .apply(new Command.NoteDisk(node, told))
                        .whenComplete((result, failure) -> ended(told, result, failure));
    }

    private void ended(boolean told, @Nullable Result result, @Nullable Throwable failure) {
        if (isClosed) {
            return;
        }
        if (result instanceof Result.Refused refused) { // no member any more: nothing counts on it
            LOG.debug("nobody wants to know of the disk: {}", refused.reason());
        } else if (failure != null) {
            LOG.warn("could not tell the directory of the disk: {}", failure.getMessage());
            CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(this::attempt);
            return;
        }
        synchronized (this) {
            isUnderWay = hangs != told;
            if (!isUnderWay) {
                return;
            }
        }
        attempt();
    }
}
