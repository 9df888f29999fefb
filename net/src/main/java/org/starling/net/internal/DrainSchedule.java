package org.starling.net.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Decides who takes frames from the rings to the line: the thread that commits them, which saves a
 * wake-up; but in a burst, so that tiny messages leave together, the receiving thread, unless so
 * much has piled up that a sender can fill a whole write. Of several threads the one that has the
 * drain lock writes for all.
 *
 * <p>Owned by a transport. {@link #signal} and {@link #leave} on any thread; what {@link #left}
 * gives belongs to the receiving thread. The two fields that tell bursts are written by all senders
 * without order among them; a lost update costs one write too many.
 */
final class DrainSchedule {

    /**
     * Where a write ends, with the frame that reaches it. A TCP segment carries 65 483 bytes over
     * the loopback device and offloaded ones as many; a few bytes more would travel in a tiny
     * segment of their own, which costs as much as a large one.
     */
    static final int WRITE_BYTES = 60 << 10;

    /**
     * During a burst senders write themselves when this much has piled up, and leave smaller rests
     * to the receiving thread; what comes until they notice fits into the same write.
     */
    private static final int SELF_DRAIN_BYTES = WRITE_BYTES - OutgoingLink.TELL_BYTES;

    /** Who commits sooner than this after a write of this node is in a row. */
    private static final long QUIET_NANOS = TimeUnit.MICROSECONDS.toNanos(2);

    /** Writes in a row before it is a burst: a message to each replica is none. */
    private static final int MAX_ROW = 8;

    private final ToIntFunction<OutgoingLink> drainer;
    private final Runnable wake;
    private final LongSupplier nanoClock;
    private final DeferredLinks<OutgoingLink> deferred;
    private volatile long wroteNanos;
    private volatile int row;

    /**
     * For one transport.
     *
     * @param drainer takes what is committed to the line, on any thread; returns bytes
     * @param wake brings the receiving thread back from its sleep
     */
    DrainSchedule(ToIntFunction<OutgoingLink> drainer, Runnable wake) {
        this(drainer, wake, System::nanoTime);
    }

    DrainSchedule(ToIntFunction<OutgoingLink> drainer, Runnable wake, LongSupplier nanoClock) {
        this.drainer = drainer;
        this.wake = wake;
        this.nanoClock = nanoClock;
        this.deferred = new DeferredLinks<>(true, nanoClock);
        this.wroteNanos = nanoClock.getAsLong() - QUIET_NANOS;
    }

    /** Frames were committed to a link that can be drained now. */
    void signal(OutgoingLink link) {
        if (link.isOnReceivingThread()) {
            deferred.touch(link);
        } else if (link.backlogBytes() >= SELF_DRAIN_BYTES) {
            if (!link.isLookedAfter()) {
                int _ = drainer.applyAsInt(link);
            }
        } else if (!link.isDeferred()) {
            if (isBurst()) {
                leave(link);
            } else {
                int _ = drainer.applyAsInt(link);
            }
            wroteNanos = nanoClock.getAsLong();
        }
    }

    /** Counts this message in; whether it had better wait for others. */
    private boolean isBurst() {
        int present = nanoClock.getAsLong() - wroteNanos < QUIET_NANOS ? row : 0;
        row = Math.min(present + 1, MAX_ROW);
        return present == MAX_ROW;
    }

    /** Leaves a link to the receiving thread. */
    void leave(OutgoingLink link) {
        if (deferred.offer(link)) {
            wake.run();
        }
    }

    /**
     * A link takes bytes again. While it did not, its deferral may have ended with something
     * claimed, whose sender saw it deferred and tells nobody.
     */
    void goOn(OutgoingLink link) {
        int _ = drainer.applyAsInt(link);
        if (!link.isBlocked() && link.backlogBytes() > 0) {
            leave(link);
        }
    }

    /**
     * A link is to be drained now, by this thread unless another one is at it; true when the
     * receiving thread must be awake for that.
     */
    boolean hurry(OutgoingLink link) {
        int _ = drainer.applyAsInt(link);
        boolean isLeft = link.backlogBytes() > 0 && !link.isOnReceivingThread();
        if (isLeft) {
            deferred.hurry();
        }
        return isLeft;
    }

    /** What is left to the receiving thread. */
    DeferredLinks<OutgoingLink> left() {
        return deferred;
    }

    /** A round of the receiving thread; returns how much there was to do. */
    int drain() {
        return deferred.drain(drainer);
    }
}
