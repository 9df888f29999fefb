package org.starling.compute.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A question whose answer may be long in coming, asked of others by those who don't wait for it. At
 * most one is under way. Any thread.
 */
final class Prompt<T> {
    private static final Logger LOG = LogManager.getLogger(Prompt.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<T> question;

    /** Guarded by this. */
    private @Nullable CompletableFuture<T> underWay;

    Prompt(Supplier<T> question) {
        this.question = question;
    }

    /** The answer; nothing if it fails, or does not come within a second. */
    Optional<T> ask() {
        try {
            return Optional.of(begin().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException silent) {
            LOG.debug("no answer for whoever watches this node", silent);
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private synchronized CompletableFuture<T> begin() {
        CompletableFuture<T> earlier = underWay;
        if (earlier != null && !earlier.isDone()) {
            return earlier;
        }
        CompletableFuture<T> next =
                CompletableFuture.supplyAsync(
                        question, task -> Thread.ofVirtual().name("prompt").start(task));
        underWay = next;
        return next;
    }
}
