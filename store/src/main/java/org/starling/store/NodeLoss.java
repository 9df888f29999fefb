package org.starling.store;

import java.util.List;

/**
 * A node that was lost, and what has become of what it owned.
 *
 * @param node its id
 * @param address where it was; empty if nobody knows any more
 * @param reason why it was taken for lost, one sentence
 * @param agoNanos how long ago that was
 * @param tookNanos from then until everything had a new owner; −1 while something has none
 * @param zones the zones that it owned
 * @param droppedZones of them, those that nobody needs any more, which were dropped meanwhile
 * @param waitingZones of them, those without an owner
 * @param lostZones of those, the ones without any copy that could be recovered now
 * @param damagedZones of the recovered ones, those that came back with chunks missing
 * @param shares who has recovered how much, by ascending id
 */
public record NodeLoss(
        int node,
        String address,
        String reason,
        long agoNanos,
        long tookNanos,
        int zones,
        int droppedZones,
        int waitingZones,
        int lostZones,
        int damagedZones,
        List<Share> shares) {
    /**
     * What one node has recovered.
     *
     * @param node its id
     * @param zones how many zones
     * @param chunks chunks in them
     * @param bytes bytes in those
     */
    public record Share(int node, int zones, long chunks, long bytes) {}

    /** Copies the list. */
    public NodeLoss {
        shares = List.copyOf(shares);
    }
}
