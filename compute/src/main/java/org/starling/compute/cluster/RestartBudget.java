package org.starling.compute.cluster;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * How often a process that dies is started again: after 1, 2, 4… seconds, and not more than {@value
 * #MAX_RESTARTS} times within {@link #WINDOW}. Used by one thread.
 */
final class RestartBudget {
    static final int MAX_RESTARTS = 5;
    static final Duration WINDOW = Duration.ofMinutes(10);
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /** When it was started again, the oldest first. */
    private final ArrayDeque<Long> restarts = new ArrayDeque<>();

    /**
     * Takes one restart.
     *
     * @param nowNanos as {@link System#nanoTime} gives it
     * @return how long to wait before it; nothing if there have been too many
     */
    Optional<Duration> take(long nowNanos) {
        while (!restarts.isEmpty() && nowNanos - restarts.getFirst() > WINDOW.toNanos()) {
            restarts.removeFirst();
        }
        if (restarts.size() == MAX_RESTARTS) {
            return Optional.empty();
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << restarts.size());
        restarts.addLast(nowNanos);
        return Optional.of(pause);
    }

    /** Somebody has mended it by hand. */
    void reset() {
        restarts.clear();
    }
}
