package org.starling.net.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.NetException;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;

/**
 * Answers whose askers are not known here yet: a node that has just joined may ask before the news
 * of it has come, and its answer goes over a connection of this node's own. They are tried again
 * for a while. Answers that never leave are counted. Any thread; bounded.
 */
final class HeldAnswers {
    private static final Logger LOGGER = LogManager.getLogger(HeldAnswers.class);

    private static final long PAUSE_MILLIS = 10;
    private static final int MAX_TRIES = 200;
    private static final int MAX_HELD = 1024;

    /** Sends one answer. */
    @FunctionalInterface
    interface Attempt {
        void send() throws NodeLostException, NodeUnknownException;
    }

    private final Executor later =
            CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private volatile boolean isClosed;

    /** Sends an answer now, or as soon as its asker is known. */
    void send(Attempt attempt) {
        try {
            attempt.send();
        } catch (NodeUnknownException e) {
            if (held.incrementAndGet() > MAX_HELD) {
                held.decrementAndGet();
                lose(e);
            } else {
                later.execute(() -> again(attempt, 1));
            }
        } catch (NodeLostException e) {
            lose(e);
        }
    }

    private void again(Attempt attempt, int tries) {
        NetException failure = null;
        try {
            attempt.send();
        } catch (NodeUnknownException e) {
            if (tries < MAX_TRIES && !isClosed) {
                later.execute(() -> again(attempt, tries + 1));
                return;
            }
            failure = e;
        } catch (NetException e) {
            failure = e;
        }
        held.decrementAndGet();
        if (failure != null) {
            lose(failure);
        }
    }

    private void lose(NetException cause) {
        lost.getAndIncrement();
        LOGGER.debug("an answer has no receiver", cause);
    }

    /** Answers that could not be sent: the asker was gone, or did not become known. */
    long lost() {
        return lost.get();
    }

    /** Those that are held now are tried once more. */
    void close() {
        isClosed = true;
    }
}
