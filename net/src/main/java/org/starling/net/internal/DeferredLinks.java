package org.starling.net.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Outgoing links whose rings the receiving thread drains because frames come too fast for a write
 * each. A link stays hot, and its senders need tell nobody, until the burst is over.
 *
 * <p>The receiving thread looks at hot links from time to time, so that frames leave together: the
 * more rarely the longer the burst lasts, as each look takes the core from senders that fill whole
 * writes and write those themselves, and the longer a look takes, so that writing takes at most a
 * quarter of its time.
 *
 * <p>A sender commits with a release store and reads whether its link is deferred before that or
 * after; nothing keeps that read behind the store. Why nothing is left behind: a claim is a
 * compare-and-set, so a sender that claims after the deferral has ended sees that, and a link of
 * which any claim from before is not consumed is deferred anew and stays hot.
 *
 * <p>{@link #offer} and {@link #hurry} on any thread, the rest on the receiving thread, to which
 * both lists are confined. A link is in each at most once, so the bound is the number of links.
 */
final class DeferredLinks<L extends Deferrable> {

    /** Time to the first look; from each to the next it is twice as long. */
    static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    static final long MAX_LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** Longest time to the next look after one that took long. */
    private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Growth of all hot links within {@link #LINGER_NANOS} that makes a burst. */
    private static final long BURST_BYTES = 4 << 10;

    /** A look may take one part of the time in so many. */
    private static final int LOOK_SHARE = 4;

    private final boolean isLingering;
    private final LongSupplier nanoClock;
    private final Queue<L> arrivals = new ConcurrentLinkedQueue<>();
    private final List<L> touched = new ArrayList<>();
    private final List<L> hot = new ArrayList<>();
    private long lookedNanos;
    private long lingerNanos;
    private long dueNanos;

    /** Whether the next round is to look, and to drain what senders write themselves as well. */
    private volatile boolean isHurried;

    /**
     * @param isLingering whether frames are to gather in the rings; otherwise they are drained in
     *     every round, and looks only find out whether the burst is over
     */
    DeferredLinks(boolean isLingering, LongSupplier nanoClock) {
        this.isLingering = isLingering;
        this.nanoClock = nanoClock;
    }

    /** Leaves a link to the receiving thread; true when that thread must be told. */
    boolean offer(L link) {
        if (!link.defer()) {
            return false;
        }
        arrivals.add(link);
        return true;
    }

    /**
     * Somebody needs what is committed to leave now and can't see to it: the next round drains all,
     * for which the receiving thread must be awake. Any thread.
     */
    void hurry() {
        isHurried = true;
    }

    /** The receiving thread itself has committed; the next round drains the link. */
    void touch(L link) {
        if (link.touch()) {
            touched.add(link);
        }
    }

    /** Drains what is due; returns the sum of what the drainer returned. */
    int drain(ToIntFunction<L> drainer) {
        int work = touched.isEmpty() ? 0 : drainTouched(drainer);
        if (hot.isEmpty() && arrivals.isEmpty()) {
            return work;
        }
        long now = nanoClock.getAsLong();
        boolean isFirst = hot.isEmpty();
        work += admit(isFirst, drainer);
        if (isFirst) {
            lookedNanos = now;
            lingerNanos = LINGER_NANOS;
            dueNanos = now + lingerNanos;
        } else if (isHurried || now - dueNanos >= 0) {
            work += look(now, drainer);
        } else if (!isLingering) {
            for (L link : hot) {
                work += drainer.applyAsInt(link);
            }
        }
        return work;
    }

    /** For how long the receiving thread may park; 0 when it may sleep. */
    long parkNanos() {
        if (!arrivals.isEmpty() || (isHurried && !hot.isEmpty())) {
            return 1;
        }
        return hot.isEmpty() ? 0 : Math.max(1, dueNanos - nanoClock.getAsLong());
    }

    boolean isEmpty() {
        return hot.isEmpty() && arrivals.isEmpty() && touched.isEmpty();
    }

    private int drainTouched(ToIntFunction<L> drainer) {
        int work = 0;
        int count = touched.size();
        for (int i = 0; i < count; i++) { // what is added meanwhile is for the next round
            L link = touched.get(i);
            link.endTouch();
            work += drainer.applyAsInt(link);
        }
        touched.subList(0, count).clear();
        return work;
    }

    /** Takes new links in; those that come in the middle of a burst wait for the next look. */
    private int admit(boolean isDrained, ToIntFunction<L> drainer) {
        int work = 0;
        for (L link = arrivals.poll(); link != null; link = arrivals.poll()) {
            hot.add(link);
            if (isDrained) {
                work += drainer.applyAsInt(link);
            }
            link.look();
        }
        return work;
    }

    private int look(long nowNanos, ToIntFunction<L> drainer) {
        boolean isPatient = isLingering && !isHurried;
        isHurried = false; // first: who hurries from now on is seen in the next round
        int work = 0;
        long growth = 0;
        for (int i = hot.size() - 1; i >= 0; i--) {
            L link = hot.get(i);
            int bytes = 0;
            if (!isPatient || !link.hasSentSinceLook()) { // else its senders write themselves
                bytes = drainer.applyAsInt(link);
            }
            long linkGrowth = link.look();
            if (bytes == 0 && linkGrowth == 0) {
                bytes = cool(i, drainer);
            }
            work += bytes;
            growth += linkGrowth;
        }
        if (growth * LINGER_NANOS < BURST_BYTES * (nowNanos - lookedNanos)) {
            for (int i = hot.size() - 1; i >= 0; i--) {
                work += cool(i, drainer);
            }
        }
        schedule(nowNanos, nanoClock.getAsLong());
        return work;
    }

    private void schedule(long beginNanos, long endNanos) {
        long restNanos = 0;
        if (isLingering) {
            restNanos = Math.min((LOOK_SHARE - 1) * (endNanos - beginNanos), MAX_REST_NANOS);
            lingerNanos = Math.min(2 * lingerNanos, MAX_LINGER_NANOS);
        }
        lookedNanos = beginNanos;
        dueNanos = endNanos + Math.max(lingerNanos, restNanos);
    }

    /** Gives a link back to its senders, unless they have left something to this thread. */
    private int cool(int index, ToIntFunction<L> drainer) {
        L link = hot.get(index);
        link.endDeferral();
        int bytes = drainer.applyAsInt(link);
        if (link.isSettled() || !link.defer()) { // who defers it brings it here once more
            hot.remove(index);
        }
        return bytes;
    }
}
