package org.starling.store.internal.directory;

import java.util.List;

/**
 * A zone as the directory has it.
 *
 * @param zone the zone's id, the upper 36 bits of its chunks' ids
 * @param owner the node that owns it, or the last that did: no member when the zone is an orphan;
 *     the complement of its id, which is negative, while that one hands the zone over
 * @param epoch counts changes of owner and backups, from 1
 * @param backups the nodes that every write waits for, the first of which recovers the zone
 * @param lost whether it is an orphan without any listed backup
 * @param recoverable whether it is lost but enough of its last backups have come back with their
 *     disks to bring back everything acknowledged as on disk
 * @param returnedHolders the members that have come back with a log of this zone on their disks, or
 *     have one though the lost zone's list does not name them, ascending
 * @param damaged whether some of its chunks are lost for good; nobody knows all of them, so a chunk
 *     that is not there may be one. Of a lost zone whether no disk is left that may bring it back
 */
public record ZoneInfo(
        long zone,
        int owner,
        long epoch,
        List<Integer> backups,
        boolean lost,
        boolean recoverable,
        List<Integer> returnedHolders,
        boolean damaged) {
    /** Copies the lists. */
    public ZoneInfo {
        backups = List.copyOf(backups);
        returnedHolders = List.copyOf(returnedHolders);
    }

    /** Whether its owner has handed it over, and nobody has taken it yet. */
    public boolean isYielded() {
        return owner < 0;
    }

    /** The node that owns it, or the last that did, even if it hands the zone over. */
    public int lastOwner() {
        return isYielded() ? ~owner : owner;
    }
}
