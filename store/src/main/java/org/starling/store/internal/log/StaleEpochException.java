package org.starling.store.internal.log;

import org.starling.store.StoreException;

/** Entries came under an epoch that has been fenced off; nothing of them was taken. */
public final class StaleEpochException extends StoreException {
    /**
     * For a zone.
     *
     * @param zone its id
     * @param found epoch of the entries
     * @param current the least epoch that the log takes
     */
    public StaleEpochException(long zone, long found, long current) {
        super(
                "zone 0x%x takes entries of epoch %d or later, found %d: its owner has been replaced"
                        .formatted(zone, current, found));
    }
}
