package org.starling.store.internal.node;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the writes of this node to each zone, so that a retry can be told from a new write. An
 * owner tells apart a bounded number of the last ones of each client; so a zone's writes that are
 * under way span at most {@link #SPAN} numbers, and further ones wait, in their order. Any thread,
 * guarded per zone. Costs a small object per zone written to; with more than {@link #MAX_IDLE} of
 * them those without writes under way are forgotten. A zone that was forgotten goes on above all
 * numbers that any forgotten zone has used, and a node that was started again under its id above
 * all of before, so no number is used twice.
 */
final class ZoneTags {
    /** From the oldest write under way to the newest; half of what owners tell apart. */
    static final int SPAN = 2048;

    /** The most numbers taken at once. */
    static final int MAX_TAKEN = SPAN / 2;

    /** Zones without writes under way are kept up to so many. */
    static final int MAX_IDLE = 1024;

    /** A million writes in each second for twelve days; enough for eight million starts. */
    static final long NUMBERS_PER_START = 1L << 40;

    /** Numbers taken together. */
    static final class Span {
        private final long first;

        /** Guarded by its zone. */
        private boolean hasEnded;

        private Span(long first) {
            this.first = first;
        }

        long first() {
            return first;
        }
    }

    private record Waiting(int count, CompletableFuture<Span> taken) {}

    /** One zone's numbers. Guarded by itself. */
    private static final class Zone {
        private final Queue<Span> underWay = new ArrayDeque<>();
        private final Queue<Waiting> waiting = new ArrayDeque<>();
        private long next;
        private boolean isForgotten;

        private Zone(long next) {
            this.next = next;
        }

        private boolean fits(int count) {
            Span oldest = underWay.peek();
            return oldest == null || next + count - oldest.first <= SPAN;
        }

        private Span take(int count) {
            Span span = new Span(next);
            next += count;
            underWay.add(span);
            return span;
        }
    }

    private final Map<Long, Zone> zones = new ConcurrentHashMap<>();

    /** Above every number of a zone that was forgotten. */
    private final AtomicLong floor;

    /** With more zones than this the idle ones are looked for. */
    private volatile int lookAt = MAX_IDLE;

    /**
     * Begins to number.
     *
     * @param starts how often a node of this id has done so before, and has taken fewer than {@link
     *     #NUMBERS_PER_START} numbers each time
     */
    ZoneTags(long starts) {
        floor = new AtomicLong(starts * NUMBERS_PER_START + 1);
    }

    /** There were more starts than was known at first; nothing has been written before. */
    void startedBefore(long starts) {
        floor.accumulateAndGet(starts * NUMBERS_PER_START + 1, Math::max);
    }

    /**
     * Takes numbers for writes to a zone.
     *
     * @param zone zone id
     * @param count how many, at most {@link #MAX_TAKEN}
     * @return completes when there is room, on a thread that may wait; to be ended
     */
    CompletableFuture<Span> begin(long zone, int count) {
        while (true) {
            Zone numbers = zones.computeIfAbsent(zone, id -> new Zone(floor.get()));
            synchronized (numbers) {
                if (numbers.isForgotten) {
                    continue;
                }
                if (numbers.waiting.isEmpty() && numbers.fits(count)) {
                    return CompletableFuture.completedFuture(numbers.take(count));
                }
                Waiting waiting = new Waiting(count, new CompletableFuture<>());
                numbers.waiting.add(waiting);
                return waiting.taken;
            }
        }
    }

    /** The writes of these numbers will not be made again. */
    void end(long zone, Span span) {
        Zone numbers = zones.get(zone);
        if (numbers == null) {
            return;
        }
        Queue<Runnable> admitted = new ArrayDeque<>();
        synchronized (numbers) {
            span.hasEnded = true;
            while (!numbers.underWay.isEmpty() && numbers.underWay.peek().hasEnded) {
                numbers.underWay.poll();
            }
            while (!numbers.waiting.isEmpty() && numbers.fits(numbers.waiting.peek().count)) {
                Waiting next = numbers.waiting.remove();
                Span taken = numbers.take(next.count);
                admitted.add(() -> next.taken.completeAsync(() -> taken, Asker.THREADS));
            }
        }
        admitted.forEach(Runnable::run);
        if (zones.size() > lookAt) {
            forgetIdle();
        }
    }

    /** How many zones there are numbers of. */
    int zones() {
        return zones.size();
    }

    private void forgetIdle() {
        zones.forEach((id, numbers) -> {
            synchronized (numbers) {
                if (numbers.underWay.isEmpty() && numbers.waiting.isEmpty()) {
                    floor.accumulateAndGet(numbers.next, Math::max); // before a new one begins
                    numbers.isForgotten = true;
                    zones.remove(id, numbers);
                }
            }
        });
        lookAt = Math.max(MAX_IDLE, 2 * zones.size());
    }
}
