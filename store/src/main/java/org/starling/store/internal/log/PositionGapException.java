package org.starling.store.internal.log;

import org.starling.store.StoreException;

/** Entries came that do not follow on what the log holds; nothing of them was taken. */
public final class PositionGapException extends StoreException {
    /**
     * For a zone.
     *
     * @param zone its id
     * @param first position of the first entry
     * @param end highest position that the log holds
     */
    public PositionGapException(long zone, long first, long end) {
        super(
                "zone 0x%x holds its changes up to position %d, so %d cannot follow; send from %d"
                        .formatted(zone, end, first, end + 1));
    }
}
