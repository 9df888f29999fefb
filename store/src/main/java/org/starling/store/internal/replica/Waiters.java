package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Operations that wait until the stream is safe up to a position, in one sense of safe. Guarded by
 * the lock of the zone; futures are handed out and completed outside of it.
 */
final class Waiters {
    private record Waiter(long position, long deadlineNanos, CompletableFuture<Void> future) {}

    private final PriorityQueue<Waiter> waiters =
            new PriorityQueue<>(Comparator.comparingLong(Waiter::position));

    CompletableFuture<Void> add(long position, long deadlineNanos) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        waiters.add(new Waiter(position, deadlineNanos, future));
        return future;
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Takes out those that wait for no more than a position. */
    void reached(long position, List<CompletableFuture<Void>> into) {
        while (!waiters.isEmpty() && waiters.peek().position <= position) {
            into.add(waiters.poll().future);
        }
    }

    /** Takes out those whose time is over. */
    List<CompletableFuture<Void>> expired(long nowNanos) {
        List<CompletableFuture<Void>> expired = new ArrayList<>();
        for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
            Waiter waiter = each.next();
            if (nowNanos - waiter.deadlineNanos >= 0) {
                expired.add(waiter.future);
                each.remove();
            }
        }
        return expired;
    }

    /** Takes out all. */
    List<CompletableFuture<Void>> all() {
        List<CompletableFuture<Void>> all = waiters.stream().map(Waiter::future).toList();
        waiters.clear();
        return all;
    }
}
