package org.starling.net.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Outgoing links whose rings the receiving thread drains because their senders are too busy to. A
 * link stays hot, and its senders need tell nobody, until {@link #cool}.
 *
 * <p>{@link #offer} on any thread, the rest on the receiving thread; {@code hot} is confined to it.
 * A link is held at most once, so the bound is the number of links.
 */
final class DeferredLinks<L extends Deferrable> {

    /** A link that has grown by so many bytes between two looks is in a burst. */
    private static final long BURST_BYTES = 4 << 10;

    /**
     * How long the receiving thread leaves links in a burst alone, so that their frames leave
     * together.
     */
    static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final Queue<L> arrivals = new ConcurrentLinkedQueue<>();
    private final List<L> hot = new ArrayList<>();

    /** Leaves a link to the receiving thread; true when that thread must be told. */
    boolean offer(L link) {
        if (!link.defer()) {
            return false;
        }
        arrivals.add(link);
        return true;
    }

    /** Drains all hot links; returns the sum of what the drainer returned. */
    int drain(ToIntFunction<L> drainer) {
        for (L link = arrivals.poll(); link != null; link = arrivals.poll()) {
            hot.add(link);
        }
        int work = 0;
        for (int i = hot.size() - 1; i >= 0; i--) {
            work += drainer.applyAsInt(hot.get(i));
            if (hot.get(i).isEnded()) {
                hot.remove(i);
            }
        }
        return work;
    }

    /**
     * Ends the deferral of all hot links, then drains them once more: a sender that committed while
     * it still saw its link deferred is served by this last round, since it commits before it looks
     * and we look after we end. A link that had something then stays, as a drainer need not take
     * everything at once (a ring that wraps is drained in two runs).
     */
    int cool(ToIntFunction<L> drainer) {
        int work = 0;
        for (int i = 0; i < hot.size(); i++) {
            L link = hot.get(i);
            link.endDeferral();
            int drained = drainer.applyAsInt(link);
            if (drained > 0 && link.defer()) {
                arrivals.add(link);
            }
            work += drained;
        }
        hot.clear();
        return work;
    }

    /**
     * Whether a hot link has grown much since this was asked last. Then it is better to look again
     * after {@link #LINGER_NANOS} than to cool and be woken at once.
     */
    boolean isBurst() {
        boolean isBurst = false;
        for (int i = 0; i < hot.size(); i++) {
            isBurst |= hot.get(i).growth() >= BURST_BYTES;
        }
        return isBurst;
    }

    boolean isEmpty() {
        return hot.isEmpty() && arrivals.isEmpty();
    }
}
