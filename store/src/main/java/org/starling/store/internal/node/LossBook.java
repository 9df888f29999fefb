package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.NodeLoss;
import org.starling.store.Recoveries;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * What the leading superpeer remembers of nodes that were lost: which zones they owned, and who has
 * got those when. It changes nothing, and nobody decides by it: it is for people. Begun anew when a
 * superpeer takes over. The last {@link Recoveries#MAX_LOSSES} stay. Guarded by itself; never
 * waits.
 */
final class LossBook {
    private static final String TAKEN_OVER =
            "it was lost before this superpeer led; when is not known";
    private static final String REPLACED = "it came back under another id";
    private static final String LEFT = "it left with data that others had to take over";

    private final LongSupplier nanoClock;

    // guarded by this
    private final List<Loss> losses = new ArrayList<>();

    /** By zone that has no owner: whose it was. */
    private final Map<Long, Loss> waiting = new HashMap<>();

    /** By node that is being removed: why. */
    private final Map<Integer, String> reasons = new HashMap<>();

    /** By zone that is about to be switched: what there is in it. */
    private final Map<Long, Content> contents = new HashMap<>();

    private long beganNanos;

    private record Content(long chunks, long bytes) {}

    private static final class Loss {
        final int node;
        final String address;
        final String reason;
        final long beganNanos;
        final int zones;
        final Set<Long> open = new HashSet<>();
        final TreeMap<Integer, NodeLoss.Share> shares = new TreeMap<>();
        int dropped;
        int damaged;
        long endedNanos;

        Loss(int node, String address, String reason, Collection<Long> zones, long nowNanos) {
            this.node = node;
            this.address = address;
            this.reason = reason;
            this.beganNanos = nowNanos;
            this.zones = zones.size();
            this.open.addAll(zones);
            this.endedNanos = nowNanos;
        }
    }

    LossBook(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.beganNanos = nanoClock.getAsLong();
    }

    /** Begins anew with what has no owner now. */
    synchronized void takeOver(List<ZoneInfo> orphans) {
        losses.clear();
        waiting.clear();
        reasons.clear();
        contents.clear();
        beganNanos = nanoClock.getAsLong();
        Map<Integer, List<Long>> byOwner = new TreeMap<>();
        for (ZoneInfo zone : orphans) {
            if (!zone.isYielded()) {
                byOwner.computeIfAbsent(zone.owner(), _ -> new ArrayList<>()).add(zone.zone());
            }
        }
        byOwner.forEach((node, zones) -> add(node, "", TAKEN_OVER, zones));
    }

    /** A node is about to be declared lost. */
    synchronized void expect(int node, String reason) {
        reasons.put(node, reason);
    }

    /** That has come to nothing. */
    synchronized void expectNoMore(int node) {
        reasons.remove(node);
    }

    /**
     * A node has ceased to be a member. Of one that was not declared lost only what others have to
     * take over is noted.
     *
     * @param replaced whether it has joined again under another id before that was noticed
     */
    synchronized void removed(int node, String address, boolean replaced, List<ZoneInfo> zones) {
        String said = reasons.remove(node);
        List<Long> fresh =
                zones.stream()
                        .map(ZoneInfo::zone)
                        .filter(zone -> !waiting.containsKey(zone))
                        .toList();
        if (said != null) {
            add(node, address, said, fresh);
        } else if (!fresh.isEmpty()) {
            add(node, address, replaced ? REPLACED : LEFT, fresh);
        }
    }

    private void add(int node, String address, String reason, List<Long> zones) {
        Loss loss = new Loss(node, address, reason, zones, nanoClock.getAsLong());
        losses.add(loss);
        zones.forEach(zone -> waiting.put(zone, loss));
        if (losses.size() > Recoveries.MAX_LOSSES) {
            Loss eldest = losses.removeFirst();
            eldest.open.forEach(waiting::remove);
        }
    }

    /** A node has brought a zone back, and is about to become its owner. */
    synchronized void brought(long zone, long chunks, long bytes) {
        if (waiting.containsKey(zone)) {
            contents.put(zone, new Content(chunks, bytes));
        }
    }

    /** A zone has got a new owner. */
    synchronized void switched(ZoneInfo zone) {
        Content content = contents.remove(zone.zone());
        Loss loss = close(zone.zone());
        if (loss == null) {
            return;
        }
        long chunks = content == null ? 0 : content.chunks();
        long bytes = content == null ? 0 : content.bytes();
        loss.shares.merge(
                zone.lastOwner(),
                new NodeLoss.Share(zone.lastOwner(), 1, chunks, bytes),
                (old, more) ->
                        new NodeLoss.Share(
                                old.node(),
                                old.zones() + 1,
                                old.chunks() + more.chunks(),
                                old.bytes() + more.bytes()));
        if (zone.damaged()) {
            loss.damaged++;
        }
    }

    /** A zone is none any more. */
    synchronized void dropped(long zone) {
        contents.remove(zone);
        Loss loss = close(zone);
        if (loss != null) {
            loss.dropped++;
        }
    }

    private @Nullable Loss close(long zone) {
        Loss loss = waiting.remove(zone);
        if (loss != null) {
            loss.open.remove(zone);
            loss.endedNanos = nanoClock.getAsLong();
        }
        return loss;
    }

    /**
     * What it knows.
     *
     * @param orphans zones that have no owner now
     * @param damaged how many zones are damaged
     */
    synchronized Recoveries told(int self, List<ZoneInfo> orphans, int damaged) {
        Set<Long> lost = new HashSet<>();
        for (ZoneInfo zone : orphans) {
            if (zone.lost() && !zone.recoverable()) {
                lost.add(zone.zone());
            }
        }
        long now = nanoClock.getAsLong();
        return new Recoveries(
                self,
                now - beganNanos,
                damaged,
                lost.size(),
                losses.stream().map(loss -> told(loss, now, lost)).toList());
    }

    private static NodeLoss told(Loss loss, long now, Set<Long> lost) {
        return new NodeLoss(
                loss.node,
                loss.address,
                loss.reason,
                now - loss.beganNanos,
                loss.open.isEmpty() ? loss.endedNanos - loss.beganNanos : -1,
                loss.zones,
                loss.dropped,
                loss.open.size(),
                (int) loss.open.stream().filter(lost::contains).count(),
                loss.damaged,
                List.copyOf(loss.shares.values()));
    }
}
