package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;

/**
 * Drops the zones of a node that have long been without chunks (docs/design/replication.md,
 * "Dropping a zone"). The one that fresh chunks go to is left and dropped only when as much has
 * been written to it as a zone holds, so that zone numbers do not run out sooner. Owned by {@link
 * OwnedZones}; called in rounds, one at a time, and works out from the state what is due. Costs a
 * look at each zone per round.
 */
final class ZoneDropper {
    /** The most zones that the directory is asked to drop in one round. */
    static final int MAX_DROPS = 64;

    /** Since when a zone has been without chunks, at which position of its stream. */
    private record Empty(long position, long sinceNanos) {}

    private final ReplicationContext context;

    /** Guarded by this. */
    private final Map<Long, Empty> empty = new HashMap<>();

    ZoneDropper(ReplicationContext context) {
        this.context = context;
    }

    /**
     * One round.
     *
     * @param zones of this node
     * @param chooser of the zone that fresh chunks go to
     * @param dropped told of each zone that the directory does not know any more
     */
    void doWork(
            Collection<ZoneReplicator> zones,
            ZoneChooser chooser,
            Consumer<ZoneReplicator> dropped) {
        for (ZoneReplicator zone : due(zones, chooser)) {
            CompletableFuture<?> _ =
                    context.directory()
                            .apply(new Command.DropZone(zone.zone(), zone.epoch(), context.self()))
                            .thenAccept(result -> {
                                // Also when it was gone before: an answer was lost. Without any
                                // answer, or under a newer epoch, the next round asks again.
                                if (result instanceof Result.Done) {
                                    dropped.accept(zone);
                                }
                            });
        }
    }

    private synchronized List<ZoneReplicator> due(
            Collection<ZoneReplicator> zones, ZoneChooser chooser) {
        long now = context.nanoClock().getAsLong();
        long patience = context.config().dropAfter().toNanos();
        List<ZoneReplicator> due = new ArrayList<>();
        for (ZoneReplicator zone : zones) {
            boolean isFilling =
                    chooser.mayChoose(zone.zone())
                            && zone.appendedBytes() < context.config().zoneBytes();
            if (isFilling || !zone.isDroppable()) {
                empty.remove(zone.zone());
                continue;
            }
            Empty since = empty.get(zone.zone());
            if (since == null || since.position != zone.position()) {
                empty.put(zone.zone(), new Empty(zone.position(), now));
            } else if (now - since.sinceNanos >= patience
                    && due.size() < MAX_DROPS
                    && seal(zone, chooser)) {
                due.add(zone);
            }
        }
        empty.keySet()
                .retainAll(zones.stream().map(ZoneReplicator::zone).collect(Collectors.toSet()));
        return due;
    }

    private boolean seal(ZoneReplicator zone, ZoneChooser chooser) {
        if (!chooser.leave(zone.zone())) {
            return false;
        }
        zone.takeNoneFresh();
        return context.chunks().sealIfEmpty(zone.zone()) && zone.isDroppable();
    }
}
