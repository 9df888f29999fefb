package org.starling.store.internal.log;

/**
 * Whether there may be something to do, for one thread that looks at it last before it parks. Any
 * thread raises it, the one that works lowers it.
 *
 * <pre>
 *   publish();                          loop:
 *   if (signal.raise()) {                   signal.lower();
 *       unpark(worker);                     work();
 *   }                                       if (!signal.isRaised()) { park(); }
 * </pre>
 *
 * Why nothing published is slept through: who finds it raised published before it was lowered, and
 * so before the work that follows. Who raises it either did so before the worker looked, or unparks
 * it after. A permit that waiting for a lock has used up in the middle of the work does no harm,
 * since the worker looks at the signal, not at the permit. Costs a volatile read while raised.
 */
final class Signal {
    private volatile boolean isRaised;

    /** Raises it; true when the worker must be unparked. */
    boolean raise() {
        if (isRaised) {
            return false;
        }
        isRaised = true;
        return true;
    }

    /** The worker begins to look at everything. */
    void lower() {
        isRaised = false;
    }

    boolean isRaised() {
        return isRaised;
    }
}
