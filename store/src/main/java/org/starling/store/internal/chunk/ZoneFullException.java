package org.starling.store.internal.chunk;

import org.starling.store.ChunkId;
import org.starling.store.StoreException;

/** A zone has not so many ids left; another zone takes the range. Nothing was created. */
public final class ZoneFullException extends StoreException {
    /** For one creation. */
    public ZoneFullException(long zone, int count) {
        super(
                "zone "
                        + Long.toHexString(zone)
                        + " has no "
                        + count
                        + " consecutive ids left of its "
                        + ChunkId.ZONE_IDS
                        + "; create the range in another zone");
    }
}
