package org.starling.store.internal.chunk;

import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;

/**
 * The replicated zones that one node holds, for whoever replicates and recovers them. A zone is
 * either open, then operations find its chunks and changes are logged; or being restored, then only
 * {@link #restore}, {@link #restoreRange} and {@link #forEach} find it. Any thread.
 */
public interface ZoneStore {
    /**
     * Opens an empty zone.
     *
     * @param zone zone id, of any creator
     * @param log takes its changes; null for a zone that is to be restored first
     * @throws StoreException if the zone is here already
     */
    void openZone(long zone, @Nullable ChangeLog log);

    /**
     * Creates or replaces a chunk in a zone that is being restored. Several threads at once, each
     * with ids of its own; none may be at it when the zone is attached.
     *
     * @param id chunk id
     * @param from where its payload is
     * @param bytes its length
     * @throws StoreException if the zone is not being restored
     */
    void restore(long id, long from, int bytes);

    /**
     * As {@link #restore}, for consecutive chunks; their payload is zero.
     *
     * @param first the first chunk id
     * @param sizes their lengths
     */
    void restoreRange(long first, Sizes sizes);

    /**
     * Opens a zone that has been restored, or one that is not here yet as an empty one; changes are
     * logged from now on. Ids below the greatest one in use that are free can be used for new
     * chunks.
     *
     * @param zone zone id
     * @param log takes its changes
     * @throws StoreException if the zone is open
     */
    void attachLog(long zone, ChangeLog log);

    /**
     * Forgets a zone, open or being restored, and frees its memory but for what is pinned. Waits
     * for the operations inside; those that come later find nothing. Nothing happens if the zone is
     * not here. Not to be called from inside an operation.
     *
     * @param zone zone id
     */
    void closeZone(long zone);

    /**
     * Forgets a zone at once, if it is still the one that is meant: operations that come later find
     * nothing. Never waits; the memory is freed by {@link #freeClosedZones}.
     *
     * @param zone zone id
     * @param log the log of the zone that is meant; null for one that is being restored
     * @return false if there is no such zone with this log
     */
    boolean leaveZone(long zone, @Nullable ChangeLog log);

    /**
     * Waits for the operations inside and frees the memory of all forgotten zones but for what is
     * pinned. Nothing happens once the store has been released. Not to be called from inside an
     * operation.
     */
    void freeClosedZones();

    /**
     * Lets no more chunks into a zone, if it has none: from now on {@link #create} finds it full.
     *
     * @param zone zone id
     * @return true if the zone is open, without chunks, and stays so
     */
    boolean sealIfEmpty(long zone);

    /**
     * Whether a zone is open.
     *
     * @param zone zone id
     * @return true if operations find its chunks
     */
    boolean hasZone(long zone);

    /**
     * The zones that are open.
     *
     * @return zone ids, ascending
     */
    long[] zones();

    /**
     * What the chunks of a zone take.
     *
     * @param zone zone id
     * @return bytes of payloads and headers; 0 if the zone is not open
     */
    long zoneBytes(long zone);

    /**
     * Creates a range in an open zone, all or nothing; payloads are zero.
     *
     * @param zone zone id
     * @param sizes lengths
     * @param tag who asks for it
     * @return id of the first, and the position in the log
     * @throws ZoneFullException if the zone has not so many ids left, or is sealed
     * @throws StoreException if the zone is not open
     */
    Created create(long zone, Sizes sizes, WriteTag tag);

    /**
     * Logs the payloads of a range as they are now; for whoever wrote them in place, through a
     * {@link PinnedRange}. Does nothing for volatile chunks.
     *
     * @param first the first chunk id
     * @param count chunks, at least 1
     * @return position of the last in the zone's log; 0 for volatile chunks
     * @throws ChunkNotFoundException if one does not exist; those before it are logged
     */
    long logPresent(long first, int count);

    /**
     * Visits the chunks of a zone, open or being restored, in ascending order of their ids, until
     * the visitor wants to stop. Chunks that are created or removed meanwhile are visited or not.
     *
     * @param zone zone id
     * @param fromIndex index in the zone to begin with
     * @param visitor sees each of them, inside of it as a reader, and must not wait
     * @return the index to go on with, or −1 when there are no more
     * @throws StoreException if the zone is not here, or is closed meanwhile
     */
    long forEach(long zone, int fromIndex, ChunkVisitor visitor);
}
