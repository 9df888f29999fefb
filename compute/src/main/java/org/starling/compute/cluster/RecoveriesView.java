package org.starling.compute.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonRecord;
import org.starling.store.NodeLoss;
import org.starling.store.Recoveries;

/**
 * Nodes that were lost, and what has become of what they owned, as REST gives it. What jobs did
 * about it is in their reports.
 *
 * @param leader superpeer that tells: the one that leads
 * @param since from when it has led and so knows, in UTC as ISO 8601 writes it; what was over
 *     before is not told
 * @param damagedZones zones of which some chunks are lost for good, whenever that was
 * @param lostZones zones without any copy that could be recovered now, whenever that was
 * @param losses the losses, the oldest first
 */
public record RecoveriesView(
        int leader, String since, int damagedZones, int lostZones, List<Loss> losses)
        implements JsonRecord {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * A lost node.
     *
     * @param node its id
     * @param address where it was; null if nobody knows any more
     * @param reason why it was taken for lost
     * @param lostAt when, in UTC; at the latest, if the superpeer began to lead only then
     * @param ended whether everything that it owned has a new owner
     * @param seconds from the loss until then; null while something has none
     * @param zones zones that it owned
     * @param droppedZones of them, those that nobody needs any more
     * @param waitingZones of them, those without an owner now
     * @param lostZones of those, the ones without any copy that could be recovered now
     * @param damagedZones of the recovered ones, those that came back with chunks missing
     * @param by who has recovered how much
     */
    public record Loss(
            int node,
            @Nullable String address,
            String reason,
            String lostAt,
            boolean ended,
            @Nullable Double seconds,
            int zones,
            int droppedZones,
            int waitingZones,
            int lostZones,
            int damagedZones,
            List<Share> by) {
        /** Copies the list. */
        public Loss {
            by = List.copyOf(by);
        }
    }

    /**
     * What one peer has recovered.
     *
     * @param node its id
     * @param zones how many zones
     * @param chunks chunks in them
     * @param bytes bytes in those
     */
    public record Share(int node, int zones, long chunks, long bytes) {}

    /** Copies the list. */
    public RecoveriesView {
        losses = List.copyOf(losses);
    }

    static RecoveriesView of(Recoveries told, Instant now) {
        return new RecoveriesView(
                told.leader(),
                ago(told.leadsNanos(), now),
                told.damagedZones(),
                told.lostZones(),
                told.losses().stream().map(loss -> of(loss, now)).toList());
    }

    private static Loss of(NodeLoss loss, Instant now) {
        boolean ended = loss.tookNanos() >= 0;
        return new Loss(
                loss.node(),
                loss.address().isEmpty() ? null : loss.address(),
                loss.reason(),
                ago(loss.agoNanos(), now),
                ended,
                ended ? loss.tookNanos() / NANOS_PER_SECOND : null,
                loss.zones(),
                loss.droppedZones(),
                loss.waitingZones(),
                loss.lostZones(),
                loss.damagedZones(),
                loss.shares().stream()
                        .map(one -> new Share(one.node(), one.zones(), one.chunks(), one.bytes()))
                        .toList());
    }

    private static String ago(long nanos, Instant now) {
        return now.minus(Duration.ofNanos(nanos)).truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
