package org.starling.store;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ids of a range of local chunks: until it is closed, none of those that become free is given to a
 * new chunk. Any thread; closing twice is allowed. Ends with the zone's time on this node, as ids
 * of a zone that has another owner are never given out again.
 */
public final class WithheldIds implements AutoCloseable {
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Made by the store.
     *
     * @param release called once, by {@link #close}
     */
    public WithheldIds(Runnable release) {
        this.release = release;
    }

    /** Ids that are free may be given out from now on. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
