package org.starling.store.internal.chunk;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.StoreException;

/**
 * The zones of one node: those that are open for operations, and those that are being restored and
 * that no operation finds. Owned by {@link LocalChunks}. Finding is open to any thread inside the
 * gate and costs one probe; changes are guarded by the monitor of this. A zone goes in two steps:
 * it is taken out, and no operation finds it any more; and it is freed, which waits until whoever
 * is inside an operation is out.
 */
final class Zones {
    /** The most zones that one node holds, open and restoring. */
    static final int MAX_ZONES = 1 << 16;

    private final ChunkSpace space;
    private final OperationGate gate;

    // replaced under the monitor of this
    private volatile ZoneMap open = ZoneMap.EMPTY;
    private volatile ZoneMap restoring = ZoneMap.EMPTY;

    /** Taken out and not freed yet. Guarded by this. */
    private final List<IdSpace> closed = new ArrayList<>();

    /** Held while zones are freed, so that one thread at a time does it. */
    private final Object freeing = new Object();

    Zones(ChunkSpace space, OperationGate gate) {
        this.space = space;
        this.gate = gate;
    }

    /**
     * A zone that is open for operations.
     *
     * @return its space, or null
     */
    @Nullable IdSpace find(long zone) {
        return open.find(zone);
    }

    /**
     * A zone, open or being restored.
     *
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
     * The zone of a chunk that is to be restored.
     *
     * @param id chunk id
     * @return its space
     * @throws StoreException if the zone is not being restored
     */
    IdSpace restoring(long id) {
        if (!ChunkId.isReplicated(id)) {
            throw new IllegalArgumentException(
                    "chunk " + ChunkId.toString(id) + " is volatile and has no zone");
        }
        long zone = ChunkId.zone(id);
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

    /** Takes a zone out, open or being restored; nothing if it is not here. */
    synchronized void leave(long zone) {
        IdSpace found = open.find(zone);
        if (found != null) {
            open = open.without(zone);
            closed.add(found);
        } else {
            leave(zone, null);
        }
    }

    /** Takes a zone out that has this log, or without a log one that is being restored. */
    synchronized boolean leave(long zone, @Nullable ChangeLog log) {
        IdSpace found = log == null ? restoring.find(zone) : open.find(zone);
        if (found == null || (log != null && !found.isLoggedBy(log))) {
            return false;
        }
        if (log == null) {
            restoring = restoring.without(zone);
        } else {
            open = open.without(zone);
        }
        closed.add(found);
        return true;
    }

    /**
     * Frees what was taken out, as soon as nobody is inside any more, but for what is pinned. What
     * was taken out before the call has been freed when it returns. If the wait fails, it is left
     * to the next call. The caller sees to it that the memory stays meanwhile.
     */
    void freeClosed() {
        synchronized (freeing) {
            List<IdSpace> out;
            synchronized (this) {
                out = List.copyOf(closed);
            }
            if (out.isEmpty()) {
                return;
            }
            gate.awaitThoseInside();
            for (IdSpace each : out) {
                space.forget(each);
                each.retire(space);
                synchronized (this) {
                    closed.remove(each);
                }
            }
        }
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
