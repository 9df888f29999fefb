package org.starling.net.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Outgoing links whose rings the receiving thread drains because their senders are too busy to. A
 * link stays hot, and its senders need tell nobody, until the burst is over.
 *
 * <p>The receiving thread looks at hot links from time to time, the more rarely the longer its
 * looks take, so that frames leave together and writing takes at most a quarter of its time. It
 * leaves alone what senders have begun to write themselves since its last look, and what is about
 * to fill a whole write.
 *
 * <p>A sender commits with a release store and reads whether its link is deferred before that or
 * after; nothing keeps that read behind the store. Why nothing is left behind: a claim is a
 * compare-and-set, so a sender that claims after the deferral has ended sees that, and as long as a
 * claim from before is not consumed the link is unsettled, and the receiving thread looks again and
 * does not sleep for long.
 *
 * <p>{@link #offer} and {@link #hurry} on any thread, the rest on the receiving thread, to which
 * all lists are confined. A link is in each at most once, so the bound is the number of links.
 */
final class DeferredLinks<L extends Deferrable> {

    /** Growth of all hot links within {@link #LINGER_NANOS} that makes a burst. */
    private static final long BURST_BYTES = 4 << 10;

    /**
     * The same for a node of a crowd, within the time that {@link #inCrowd} makes of that. Little,
     * for not all that share the traffic are hot yet, and who takes its burst for over has to be
     * woken for the next frame: 64 nodes on two cores could go on so for a second.
     */
    private static final long CROWD_BURST_BYTES = 1 << 10;

    /**
     * Shortest time between two looks, and longest time in which the receiving thread doesn't mind
     * its sockets meanwhile.
     */
    static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long MAX_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The same for nodes that are many in one process, which share the cores. */
    private static final long MAX_CROWD_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

    /** The same while a node of a crowd leaves all hot links to their senders. */
    private static final long MAX_LEFT_CROWD_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(32);

    /** Of each node's looks in a crowd: a look wakes a thread, which takes longer than the look. */
    private static final int CROWD_FACTOR = 4;

    /**
     * Shortest time between two looks while the senders of all hot links write themselves: a look
     * takes the core from them, and only finds out whether they have stopped.
     */
    static final long LEFT_LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** A look may take one part of the time in so many. */
    private static final int LOOK_SHARE = 4;

    /**
     * A link that grows fast enough to fill a write within this time, and has sent within it, is
     * left alone. Of many links each fills slowly, and were it drained by every look its bytes
     * would leave in many small writes; one that stops growing is drained by the next look.
     */
    static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(16);

    /**
     * A burst may pause for one part in so many of the time that it has lasted, and for no longer
     * than a thread waits for its core: a sender that has lost that looks as if it had stopped, and
     * each link given back to it would have to be left and looked at anew.
     */
    private static final int PAUSE_SHARE = 4;

    static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    /** Of the nodes in this process that are in a burst: each one's looks take time from all. */
    static final AtomicInteger PROCESS_BURSTS = new AtomicInteger();

    private final boolean isLingering;
    private final LongSupplier nanoClock;
    private final AtomicInteger bursts;
    private final Queue<L> arrivals = new ConcurrentLinkedQueue<>();
    private final List<L> touched = new ArrayList<>();
    private final List<L> hot = new ArrayList<>();
    private final List<L> unsettled = new ArrayList<>();
    private long lookedNanos;
    private long dueNanos;
    private boolean isLeftToSenders;

    // When the burst began, and when its links were last seen to grow as those of one.
    private long beganNanos;
    private long busyNanos;

    /** Whether the next round is to look, and to drain what senders write themselves as well. */
    private volatile boolean isHurried;

    /**
     * @param isLingering whether frames are to gather in the rings; otherwise they are drained in
     *     every round
     * @param bursts counts those that share the cores and are in a burst
     */
    DeferredLinks(boolean isLingering, LongSupplier nanoClock, AtomicInteger bursts) {
        this.isLingering = isLingering;
        this.nanoClock = nanoClock;
        this.bursts = bursts;
    }

    /** Nothing is deferred any more. */
    void end() {
        if (!hot.isEmpty()) {
            hot.clear();
            bursts.decrementAndGet();
        }
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
        boolean isIdle = hot.isEmpty() && unsettled.isEmpty();
        if (isIdle && arrivals.isEmpty()) {
            return work;
        }
        long now = nanoClock.getAsLong();
        if (isIdle) {
            beganNanos = now;
            busyNanos = now;
            schedule(now, now);
        }
        work += admit(isIdle, now, drainer);
        if (isHurried || now - dueNanos >= 0) {
            work += look(now, drainer);
            schedule(now, nanoClock.getAsLong());
        } else if (!isLingering) {
            for (int i = 0; i < hot.size(); i++) {
                work += drainer.applyAsInt(hot.get(i));
            }
        }
        return work;
    }

    /**
     * For how long the receiving thread must not sleep on; 0 when there is nothing to come back to.
     */
    long lingerNanos() {
        if (!arrivals.isEmpty() || (isHurried && !hot.isEmpty())) {
            return 1;
        }
        return hot.isEmpty() ? 0 : Math.max(1, dueNanos - nanoClock.getAsLong());
    }

    /** How long the receiving thread may park without a look at its sockets. */
    long parkNanos() {
        return Math.min(lingerNanos(), shortestLingerNanos());
    }

    /** Whether a link that is not deferred any more must be looked at again. */
    boolean hasUnsettled() {
        return !unsettled.isEmpty();
    }

    boolean isEmpty() {
        return hot.isEmpty() && arrivals.isEmpty() && touched.isEmpty();
    }

    private void schedule(long beginNanos, long endNanos) {
        long linger = (LOOK_SHARE - 1) * (endNanos - beginNanos);
        long shortest = shortestLingerNanos();
        lookedNanos = beginNanos;
        dueNanos = endNanos + Math.max(shortest, Math.min(linger, MAX_LINGER_NANOS));
    }

    /** Longer when many nodes live in this process, or their looks would leave no time to send. */
    private long shortestLingerNanos() {
        long nanos = isLeftToSenders ? LEFT_LINGER_NANOS : LINGER_NANOS;
        long longest = isLeftToSenders ? MAX_LEFT_CROWD_LINGER_NANOS : MAX_CROWD_LINGER_NANOS;
        return Math.min(inCrowd(nanos, crowd()), longest);
    }

    /** What takes a node alone {@code nanos} takes each of a crowd that much longer. */
    private static long inCrowd(long nanos, int crowd) {
        return crowd == 1 ? nanos : nanos * crowd * CROWD_FACTOR;
    }

    /** Nodes in a burst for each core; at least 1. */
    private int crowd() {
        return Math.max(1, bursts.get() / CORES);
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
    private int admit(boolean isFirst, long nowNanos, ToIntFunction<L> drainer) {
        int work = 0;
        for (L link = arrivals.poll(); link != null; link = arrivals.poll()) {
            if (hot.isEmpty()) {
                bursts.incrementAndGet();
            }
            hot.add(link);
            link.growth();
            if (isFirst || !isLingering) {
                work += drainer.applyAsInt(link);
            }
            link.hasSent(nowNanos);
        }
        return work;
    }

    private int look(long nowNanos, ToIntFunction<L> drainer) {
        int work = unsettled.isEmpty() ? 0 : settle(drainer);
        boolean isPatient = isLingering && !isHurried;
        isHurried = false; // first: who hurries from now on is seen in the next round
        isLeftToSenders = isPatient && !hot.isEmpty();
        long pauseNanos = Math.min((busyNanos - beganNanos) / PAUSE_SHARE, MAX_PAUSE_NANOS);
        long growth = 0;
        for (int i = hot.size() - 1; i >= 0; i--) {
            L link = hot.get(i);
            long linkGrowth = link.growth();
            growth += linkGrowth;
            boolean hasSent = link.hasSent(nowNanos);
            if (isPatient && (hasSent || isFilling(link, linkGrowth, nowNanos))) {
                continue; // its senders write themselves, or soon will
            }
            int bytes = drainer.applyAsInt(link);
            link.hasSent(nowNanos);
            work += bytes;
            boolean isStill = bytes == 0 && linkGrowth == 0;
            isLeftToSenders &= isStill;
            if (link.isEnded() || (isStill && !link.hasSentSince(nowNanos - pauseNanos))) {
                work += cool(i, drainer);
            }
        }
        if (!isOver(growth, nowNanos - lookedNanos)) {
            busyNanos = nowNanos;
        } else if (nowNanos - busyNanos >= pauseNanos) {
            for (int i = hot.size() - 1; i >= 0; i--) {
                work += cool(i, drainer);
            }
        }
        isLeftToSenders &= unsettled.isEmpty();
        return work;
    }

    /** Whether all hot links together have grown too slowly for their frames to gather. */
    private boolean isOver(long growth, long nanos) {
        int crowd = crowd();
        long burstBytes = crowd == 1 ? BURST_BYTES : CROWD_BURST_BYTES;
        return growth * inCrowd(LINGER_NANOS, crowd) < burstBytes * nanos;
    }

    private boolean isFilling(L link, long growth, long nowNanos) {
        return growth < DrainSchedule.WRITE_BYTES
                && growth * SPARE_NANOS >= DrainSchedule.WRITE_BYTES * (nowNanos - lookedNanos)
                && link.hasSentSince(nowNanos - SPARE_NANOS);
    }

    private int settle(ToIntFunction<L> drainer) {
        int work = 0;
        for (int i = unsettled.size() - 1; i >= 0; i--) {
            L link = unsettled.get(i);
            work += drainer.applyAsInt(link);
            if (link.isSettled() || link.isEnded()) {
                unsettled.remove(i);
            }
        }
        return work;
    }

    /** Gives a link back to its senders, then drains what they have still left to this thread. */
    private int cool(int index, ToIntFunction<L> drainer) {
        L link = hot.remove(index);
        if (hot.isEmpty()) {
            bursts.decrementAndGet();
        }
        link.endDeferral();
        int bytes = drainer.applyAsInt(link);
        if (link.isSettled() || link.isEnded()) {
            return bytes;
        }
        if (bytes > 0) { // a drainer need not take everything at once
            offer(link);
        } else if (!unsettled.contains(link)) {
            unsettled.add(link);
        }
        return bytes;
    }
}
