package org.starling.store.internal.node;

import org.starling.store.Durability;
import org.starling.store.UnderReplicatedException;

/**
 * The check that a write asks for no more than the cluster can promise; made where it is asked and
 * where it is done.
 */
final class Durabilities {
    private Durabilities() {}

    /**
     * Lets a write pass or not.
     *
     * @param asked durability asked for
     * @throws UnderReplicatedException if it is more than is promised
     */
    static void check(Durability asked) {
        if (asked.compareTo(Node.PROMISED) > 0) {
            throw new UnderReplicatedException(asked, Node.PROMISED);
        }
    }
}
