package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.NetException;
import org.starling.net.NodeUnknownException;

/**
 * Answers whose askers are not known here yet: a node that has just joined may ask before the news
 * of it has come, and its answer goes over a connection of this node's own. They are held for a
 * while, and from time to time the oldest of each asker is tried again; the others follow once that
 * one has left. So an asker that never becomes known costs one attempt at a time, however much it
 * asks. Answers that never leave are counted. Any thread; bounded.
 */
final class HeldAnswers {
    private static final Logger LOGGER = LogManager.getLogger(HeldAnswers.class);

    private static final long PAUSE_MILLIS = 10;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Of all askers together. */
    static final int MAX_HELD = 1024;

    /** Sends one answer. */
    @FunctionalInterface
    interface Attempt {
        void send() throws NetException;
    }

    private record Held(Attempt attempt, long deadlineNanos) {}

    private static final ArrayDeque<Held> NOBODY = new ArrayDeque<>(0);

    private final LongSupplier nanoClock;
    private final Executor later;
    private final AtomicLong lost = new AtomicLong();

    /** By asker, oldest first; an asker is in it while a look at it is to come. Guarded by this. */
    private final Map<Integer, ArrayDeque<Held>> byAsker = new HashMap<>();

    /** Guarded by this. */
    private int held;

    private volatile boolean isClosed;

    HeldAnswers() {
        this(
                System::nanoTime,
                CompletableFuture.delayedExecutor(
                        PAUSE_MILLIS, TimeUnit.MILLISECONDS, HeldAnswers::start));
    }

    /** Sending may wait for a connection, so it must not take a thread that others need. */
    private static void start(Runnable look) {
        Thread _ = Thread.ofVirtual().name("net-held").start(look);
    }

    /** {@code later} runs what it is given after a pause. */
    HeldAnswers(LongSupplier nanoClock, Executor later) {
        this.nanoClock = nanoClock;
        this.later = later;
    }

    /** Sends an answer now, or as soon as its asker is known. */
    void send(int asker, Attempt attempt) {
        try {
            attempt.send();
        } catch (NodeUnknownException e) {
            hold(asker, attempt, e);
        } catch (NetException e) { // the asker is gone, or this network is being closed
            lose(e);
        }
    }

    private void hold(int asker, Attempt attempt, NodeUnknownException cause) {
        boolean isFirst;
        synchronized (this) {
            if (held == MAX_HELD || isClosed) {
                lose(cause);
                return;
            }
            held++;
            isFirst = !byAsker.containsKey(asker);
            byAsker.computeIfAbsent(asker, node -> new ArrayDeque<>())
                    .add(new Held(attempt, nanoClock.getAsLong() + PATIENCE_NANOS));
        }
        if (isFirst) {
            later.execute(() -> look(asker));
        }
    }

    /** Sends what can be sent to an asker, and gives up what has waited too long. */
    private void look(int asker) {
        while (true) {
            ArrayDeque<Held> waiting;
            Held oldest;
            synchronized (this) {
                waiting = byAsker.getOrDefault(asker, NOBODY);
                oldest = waiting.peek();
                if (oldest == null) {
                    byAsker.remove(asker);
                    return;
                }
            }
            try {
                oldest.attempt.send();
            } catch (NodeUnknownException e) {
                if (!isClosed && nanoClock.getAsLong() - oldest.deadlineNanos < 0) {
                    later.execute(() -> look(asker));
                    return;
                }
                lose(e);
            } catch (RuntimeException e) {
                lose(e);
            }
            synchronized (this) {
                held--;
                waiting.remove();
            }
        }
    }

    private void lose(RuntimeException cause) {
        lost.getAndIncrement();
        LOGGER.debug("an answer has no receiver", cause);
    }

    /** Answers that could not be sent: the asker was gone, or did not become known. */
    long lost() {
        return lost.get();
    }

    /** Answers that wait. */
    synchronized int held() {
        return held;
    }

    /** Those that are held now are tried once more. */
    void close() {
        isClosed = true;
    }
}
