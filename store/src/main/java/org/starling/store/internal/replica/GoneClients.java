package org.starling.store.internal.replica;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * Has zones forget which operations they have executed for clients that are gone
 * (docs/design/replication.md, "Exactly once"). Owned by {@link OwnedZones}; called in rounds,
 * guarded by itself.
 */
final class GoneClients {
    /**
     * A client is forgotten when it has been no member for so long, as far as this node knows: much
     * longer than a node that does not hear of a lost member is one itself.
     */
    static final long FORGET_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Integer, Long> goneSinceNanos = new HashMap<>();

    /**
     * One round.
     *
     * @param tables of the zones of this node
     * @param isMember whether a node belongs to the cluster
     * @param nowNanos the time
     */
    synchronized void doWork(Collection<TagTable> tables, IntPredicate isMember, long nowNanos) {
        Set<Integer> gone = new HashSet<>();
        tables.forEach(table -> gone.addAll(table.clients()));
        gone.removeIf(isMember::test);
        goneSinceNanos.keySet().retainAll(gone);
        for (int client : gone) {
            long since = goneSinceNanos.computeIfAbsent(client, node -> nowNanos);
            if (nowNanos - since >= FORGET_AFTER_NANOS) {
                tables.forEach(table -> table.forget(client));
            }
        }
    }
}
