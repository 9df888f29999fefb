package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides from heartbeats who is lost. Time is given from outside, in nanoseconds of a monotonic
 * clock. When the detector itself was not run for a while (a long pause of this process), everybody
 * gets that while more, because heartbeats may wait unread. Guarded by {@link MemberWatch}.
 */
final class LossDetector {
    private final long timeoutNanos;
    private final long tickNanos;

    /** By node: when it was last heard of. */
    private final Map<Integer, Long> heardNanos = new TreeMap<>();

    private boolean hasTicked;
    private long lastTickNanos;

    LossDetector(long timeoutNanos, long tickNanos) {
        this.timeoutNanos = timeoutNanos;
        this.tickNanos = tickNanos;
    }

    /** A node lives, or is to be taken for living until then. */
    void heard(int node, long nowNanos) {
        heardNanos.put(node, nowNanos);
    }

    /** A node is no member any more. */
    void forget(int node) {
        heardNanos.remove(node);
    }

    /**
     * Called every tick: the nodes whose time is over, ascending. They stay until they are
     * forgotten.
     */
    List<Integer> overdue(long nowNanos) {
        long paused = hasTicked ? nowNanos - lastTickNanos - 2 * tickNanos : 0;
        hasTicked = true;
        lastTickNanos = nowNanos;
        if (paused > 0) {
            heardNanos.replaceAll(
                    (node, heard) -> Math.max(heard, Math.min(nowNanos, heard + paused)));
        }
        List<Integer> overdue = new ArrayList<>();
        heardNanos.forEach((node, heard) -> {
            if (nowNanos - heard > timeoutNanos) {
                overdue.add(node);
            }
        });
        return overdue;
    }

    /** Whether a node has not been heard of for longer than some time. */
    boolean isSilent(int node, long nanos, long nowNanos) {
        Long heard = heardNanos.get(node);
        return heard == null || nowNanos - heard > nanos;
    }
}
