package org.starling.store.internal.node;

import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.UnderReplicatedException;

/**
 * The check that a write of a volatile chunk asks for no more than its owner's memory. Removals may
 * ask for anything: nothing can bring a removed volatile chunk back.
 */
final class Durabilities {
    private Durabilities() {}

    /**
     * Lets a write pass or not; made where it is asked and where it is done.
     *
     * @param id the chunk
     * @param asked durability asked for
     * @throws UnderReplicatedException if it is more than a volatile chunk can have
     */
    static void check(long id, Durability asked) {
        if (asked != Durability.MEMORY && !ChunkId.isReplicated(id)) {
            throw volatileOnly(id, asked);
        }
    }

    /** The same for a batch. */
    static void check(long[] ids, Durability asked) {
        if (asked != Durability.MEMORY) {
            for (long id : ids) {
                check(id, asked);
            }
        }
    }

    private static UnderReplicatedException volatileOnly(long id, Durability asked) {
        return new UnderReplicatedException(
                "chunk "
                        + ChunkId.toString(id)
                        + " was created with durability MEMORY and has no backups, so it cannot be"
                        + " written with durability "
                        + asked
                        + "; write with MEMORY, or create it anew with "
                        + asked);
    }
}
