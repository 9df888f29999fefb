package org.starling.store.internal.replica;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * What replication asks of the directory, wherever that is. Each call is retried until its time is
 * over and then fails; a failed {@link #apply} may have taken effect.
 */
public interface ZoneDirectory {
    /**
     * Changes the directory.
     *
     * @param command what to change
     * @return the answer of the leader
     */
    CompletableFuture<Result> apply(Command command);

    /**
     * A zone as it is now.
     *
     * @param zone zone id
     * @return the zone; fails if there is none
     */
    CompletableFuture<ZoneInfo> zone(long zone);

    /**
     * The zones that a node has to do with.
     *
     * @param node node id
     * @return those that it owns, is a listed backup of, or is a holder of
     */
    CompletableFuture<List<ZoneInfo>> zonesOf(int node);

    /**
     * Which of some zones have been dropped for good.
     *
     * @param zones zone ids
     * @return those of them that are gone and never come back
     */
    CompletableFuture<long[]> dropped(long[] zones);

    /**
     * The best node for another backup of a zone.
     *
     * @param zone zone id
     * @param avoided nodes that it is not to be
     * @return node id, or −1 if there is none
     */
    CompletableFuture<Integer> chooseBackup(long zone, List<Integer> avoided);
}
