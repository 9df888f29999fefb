package org.starling.store.internal.chunk;

import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * The zones of one node: those that are open for operations, and those that are being restored and
 * that no operation finds. Owned by {@link LocalChunks}. Finding is open to any thread inside the
 * gate and costs one probe; changes are guarded by the monitor of this and wait, where memory is to
 * be released, until whoever is inside an operation is out.
 */
final class Zones {
    /** The most zones that one node holds, open and restoring. */
    static final int MAX_ZONES = 1 << 16;

    private final ChunkSpace space;
    private final OperationGate gate;

    // replaced under the monitor of this
    private volatile ZoneTable open = ZoneTable.EMPTY;
    private volatile ZoneTable restoring = ZoneTable.EMPTY;

    Zones(ChunkSpace space, OperationGate gate) {
        this.space = space;
        this.gate = gate;
    }

    /**
     * A zone that is open for operations.
     *
     * @param zone zone id
     * @return its space, or null
     */
    @Nullable IdSpace find(long zone) {
        return open.find(zone);
    }

    /**
     * A zone, open or being restored.
     *
     * @param zone zone id
     * @return its space
     * @throws StoreException if it is neither
     */
    IdSpace findAny(long zone) {
        IdSpace found = open.find(zone);
        if (found == null) {
            found = restoring.find(zone);
        }
        if (found == null) {
            throw notHeld(zone);
        }
        return found;
    }

    /**
     * A zone to restore chunks in.
     *
     * @param zone zone id
     * @return its space
     * @throws StoreException if it is not being restored
     */
    IdSpace restoring(long zone) {
        IdSpace found = restoring.find(zone);
        if (found == null) {
            throw new StoreException(name(zone) + " is not being restored");
        }
        return found;
    }

    /** Opens an empty zone, or one to restore chunks in if there is no log. */
    synchronized void open(long zone, @Nullable ChangeLog log) {
        if (open.find(zone) != null || restoring.find(zone) != null) {
            throw new StoreException(name(zone) + " is here already");
        }
        if (space.zoneCount() >= MAX_ZONES) {
            throw new StoreException(
                    "this node holds " + MAX_ZONES + " zones already; raise zoneBytes");
        }
        IdSpace fresh = IdSpace.ofZone(zone);
        space.adopt(fresh);
        if (log == null) {
            restoring = restoring.with(zone, fresh);
        } else {
            fresh.attach(log);
            open = open.with(zone, fresh);
        }
    }

    /** Opens a zone with what has been restored, if anything. */
    synchronized void attach(long zone, ChangeLog log) {
        IdSpace restored = restoring.find(zone);
        if (restored == null) {
            open(zone, log);
            return;
        }
        restored.attach(log);
        open = open.with(zone, restored);
        restoring = restoring.without(zone);
    }

    /** Forgets a zone and frees what is not pinned; nothing if it is not here. */
    void close(long zone) {
        IdSpace closing;
        synchronized (this) {
            closing = open.find(zone);
            if (closing != null) {
                open = open.without(zone);
            } else {
                closing = restoring.find(zone);
                if (closing == null) {
                    return;
                }
                restoring = restoring.without(zone);
            }
        }
        gate.awaitThoseInside();
        space.forget(closing);
        closing.retire(space);
    }

    /** Zones that are open, ascending. */
    long[] all() {
        return open.zones();
    }

    StoreException notHeld(long zone) {
        return new StoreException(name(zone) + " is not held by this node");
    }

    private static String name(long zone) {
        return "zone " + Long.toHexString(zone);
    }
}
