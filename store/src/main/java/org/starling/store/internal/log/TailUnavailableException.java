package org.starling.store.internal.log;

import org.starling.store.StoreException;

/**
 * The changes from a position on cannot be told one by one any more, because the log began with a
 * full copy later than that, or the cleaner has dropped removals since, or part of the log is
 * damaged. The whole content, as {@link ZoneLog#replay} tells it, is there.
 */
public final class TailUnavailableException extends StoreException {
    /**
     * For a zone.
     *
     * @param zone its id
     * @param from wanted first position
     * @param least the least position that can be asked for
     */
    public TailUnavailableException(long zone, long from, long least) {
        super(
                "zone 0x%x can tell its changes from position %d on, not from %d; copy it whole"
                        .formatted(zone, least, from));
    }
}
