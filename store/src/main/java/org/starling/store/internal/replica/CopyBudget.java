package org.starling.store.internal.replica;

import java.util.function.LongSupplier;

/**
 * How many bytes all copies of a node may send now, so that foreground work goes on. Refilled by
 * the clock up to one tenth of a second's worth. Thread-safe, guarded by itself.
 */
final class CopyBudget {
    private final long bytesPerSecond;
    private final LongSupplier nanoClock;
    private double bytes;
    private long lastNanos;

    CopyBudget(long bytesPerSecond, LongSupplier nanoClock) {
        this.bytesPerSecond = bytesPerSecond;
        this.nanoClock = nanoClock;
        lastNanos = nanoClock.getAsLong();
    }

    /** Takes bytes if there are any left; one taker may overdraw. */
    synchronized boolean tryTake(int wanted) {
        long now = nanoClock.getAsLong();
        bytes = Math.min(bytesPerSecond / 10.0, bytes + (now - lastNanos) * 1e-9 * bytesPerSecond);
        lastNanos = now;
        if (bytes < 0) {
            return false;
        }
        bytes -= wanted;
        return true;
    }
}
