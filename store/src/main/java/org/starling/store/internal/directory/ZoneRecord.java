package org.starling.store.internal.directory;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One zone as {@link ZoneTable} keeps it; immutable.
 *
 * @param confirmed the last epoch its owner has said to work under, or {@link #NEVER}
 * @param holders by node id; nodes that may be gone
 * @param version the table's version at its last change
 * @param damaged whether chunks of it were lost
 */
record ZoneRecord(
        long id,
        int owner,
        long epoch,
        long confirmed,
        List<Integer> backups,
        SortedMap<Integer, Holder> holders,
        long version,
        boolean damaged) {
    /** The owner has not said yet that the backups have begun their logs. */
    static final long NEVER = 0;

    /** What is known of somebody who may have a zone on disk. */
    enum Holder {
        /** Has it; is a backup, or was one when it was last seen. */
        KEPT,
        /** Has it, and is a member: it has come back under a new node id, or has never gone. */
        RETURNED,
        /** Has given it up, or is gone for good: what it has is not to be relied on. */
        RETIRED
    }

    /** Those who back a zone up as its holders. */
    static SortedMap<Integer, Holder> kept(List<Integer> backups) {
        SortedMap<Integer, Holder> holders = new TreeMap<>();
        backups.forEach(node -> holders.put(node, Holder.KEPT));
        return holders;
    }

    /** The same zone of the same owner with other backups or holders. */
    ZoneRecord with(
            long newEpoch,
            long newConfirmed,
            List<Integer> newBackups,
            SortedMap<Integer, Holder> newHolders) {
        return new ZoneRecord(
                id, owner, newEpoch, newConfirmed, newBackups, newHolders, version, damaged);
    }

    /** The same while its owner hands it over, which knows nothing of the new epoch. */
    ZoneRecord yielded() {
        return new ZoneRecord(id, ~owner, epoch + 1, confirmed, backups, holders, version, damaged);
    }

    /**
     * Whether nothing of it was ever acknowledged, or shown to anybody: that begins with the first
     * confirmation.
     */
    boolean isBlank() {
        return confirmed == NEVER;
    }

    /** Whether its owner has handed it over, and nobody has taken it yet. */
    boolean isYielded() {
        return owner < 0;
    }

    /**
     * Again that of the owner who has handed it over. Its epoch is above the one under which others
     * have begun to recover the zone, who fence it at the one after theirs.
     */
    ZoneRecord givenBack() {
        return new ZoneRecord(id, ~owner, epoch + 2, confirmed, backups, holders, version, damaged);
    }

    /** The same at a version of the table. */
    ZoneRecord at(long tableVersion) {
        return new ZoneRecord(id, owner, epoch, confirmed, backups, holders, tableVersion, damaged);
    }

    /** Whether all that was acknowledged can come back though a node's disk never does. */
    boolean canBeWholeWithout(int node) {
        SortedMap<Integer, Holder> left = holdersWithout(node);
        long missing = left.values().stream().filter(Holder.RETIRED::equals).count();
        return missing <= 1 && missing < left.size();
    }

    /** The same when a node's disk is gone for good. */
    ZoneRecord without(int node) {
        return with(epoch, confirmed, backups, holdersWithout(node));
    }

    /**
     * The same when a node's disk is gone for good and with it the hope for all of the zone: the
     * other disks that may come back are enough, and needed all. Has a new epoch, for who recovers
     * the zone by what it was before must not switch it.
     */
    ZoneRecord damagedWithout(int node) {
        SortedMap<Integer, Holder> left = holdersWithout(node);
        left.values().removeIf(Holder.RETIRED::equals);
        if (!left.isEmpty()) {
            left.put(node, Holder.RETIRED);
        }
        return new ZoneRecord(id, owner, epoch + 1, confirmed, backups, left, version, true);
    }

    private SortedMap<Integer, Holder> holdersWithout(int node) {
        SortedMap<Integer, Holder> left = new TreeMap<>(holders);
        left.put(node, Holder.RETIRED);
        return left;
    }

    List<Integer> backupsWithout(int node) {
        return backups.stream().filter(other -> other != node).toList();
    }

    /** The holders that have come back or are still there, by ascending id. */
    List<Integer> returned() {
        return holding(Holder.RETURNED);
    }

    /** The holders of whom this is known, by ascending id. */
    List<Integer> holding(Holder state) {
        return holders.entrySet().stream()
                .filter(entry -> entry.getValue() == state)
                .map(Map.Entry::getKey)
                .toList();
    }
}
