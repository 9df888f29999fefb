package org.starling.net.internal;

import java.util.function.ToIntFunction;

/**
 * Decides who takes frames from the rings to the line: while that is quiet, the thread that commits
 * them, which saves a wake-up; during a burst the receiving thread, so that tiny messages leave
 * together, helped by the senders when much has piled up.
 *
 * <p>Owned by a transport. {@link #signal} and {@link #leave} on any thread; what {@link #left}
 * gives belongs to the receiving thread.
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

    private final ToIntFunction<OutgoingLink> drainer;
    private final Runnable wake;
    private final DeferredLinks<OutgoingLink> deferred =
            new DeferredLinks<>(true, System::nanoTime, DeferredLinks.PROCESS_BURSTS);

    /**
     * For one transport.
     *
     * @param drainer takes what is committed to the line, on any thread; returns bytes
     * @param wake brings the receiving thread back from its sleep
     */
    DrainSchedule(ToIntFunction<OutgoingLink> drainer, Runnable wake) {
        this.drainer = drainer;
        this.wake = wake;
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
            if (BurstGauge.PROCESS.isBurst()) {
                leave(link);
                BurstGauge.PROCESS.left();
            } else {
                int _ = drainer.applyAsInt(link);
                BurstGauge.PROCESS.wrote();
            }
        }
    }

    /** Leaves a link to the receiving thread. */
    void leave(OutgoingLink link) {
        if (deferred.offer(link)) {
            wake.run();
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
