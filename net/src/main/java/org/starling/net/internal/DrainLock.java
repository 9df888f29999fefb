package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Makes one of many threads the consumer of a ring, without waiting. A thread that publishes
 * something and then fails to get the lock may go away: the holder is told by {@link #unlock} and
 * looks again, so nothing published is left behind.
 *
 * <pre>
 *   publish();
 *   boolean again = true;
 *   while (again &amp;&amp; lock.tryLock()) {
 *       consumeAll();
 *       again = lock.unlock();
 *   }
 * </pre>
 *
 * Why it is safe: who fails has set {@code isMissed} while the lock was still held, so either the
 * holder sees that after its unlock, or a later holder has reset it, and that one consumes after
 * the publication. Costs one compare-and-set.
 */
final class DrainLock {

    private static final VarHandle HELD =
            Fields.handle(MethodHandles.lookup(), "isHeld", boolean.class);

    private volatile boolean isHeld;

    private volatile boolean isMissed;

    /** Tries twice, and tells the holder in between. */
    boolean tryLock() {
        if (!HELD.compareAndSet(this, false, true)) {
            isMissed = true;
            if (!HELD.compareAndSet(this, false, true)) {
                return false;
            }
        }
        if (isMissed) { // reading it shows what was published before it was set
            isMissed = false;
        }
        return true;
    }

    /** Whether some thread is the consumer at this moment. */
    boolean isHeld() {
        return isHeld;
    }

    /** Gives the lock back; true when somebody else has tried meanwhile. */
    boolean unlock() {
        isHeld = false;
        return isMissed;
    }
}
