package org.starling.store.internal.replica;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * The zones that this node hands over to others (docs/design/replication.md, "Handing a zone
 * over"). One that is to go is copied to whom it is to go to, unless that is a backup already,
 * which brings it into memory; then it is taken out of use here, and only then the directory is
 * told. What is in its chunks stays until another node has taken it, and if none can it is used
 * again. Owned by {@link OwnedZones}; called in rounds by one thread, answers come in on receiving
 * threads.
 */
final class ZoneHandovers {
    /** A zone that is not ready to go by then stays. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Of a node that leaves: so many zones go at once, so that each is away for a short time. */
    static final int MOST_LEAVING = 4;

    /** A zone that stayed so often goes by recovery when the node has left. */
    static final int MOST_TRIES = 3;

    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    /** What {@link OwnedZones} does for it. */
    interface Host {
        /**
         * Sends no more fresh chunks to a zone; false if some may just be on their way, or it can't
         * do without it now. To be asked again in a while.
         */
        boolean spare(ZoneReplicator zone);

        /** Begins a copy, unless there is one under way. */
        void copyTo(ZoneReplicator zone, int node);

        /**
         * Has a backup bring a zone into memory, or up to date.
         *
         * @return completes with what came of it; {@link Preparation#NONE} if it has not answered
         */
        CompletableFuture<Preparation> prepare(ZoneReplicator zone, int node);

        /** Has the next round begin at once. */
        void hurry();

        /** A node was to have a zone and is not: it need be no backup either, beside enough. */
        void dismiss(ZoneReplicator zone, int node);

        /** Takes a zone out of use, whose chunks stay; false if it is not in use. */
        boolean withdraw(ZoneReplicator zone);

        /** Takes it into use again, if its handover has not come to an end meanwhile. */
        void restore(ZoneReplicator zone, BooleanSupplier isUnderWay);

        /** The directory does not know the zone any more, and never will again. */
        void dropped(ZoneReplicator zone);

        /** The directory has told how the zone is. */
        void changed(ZoneInfo info);
    }

    /** Whether who is to have a zone has it in memory. */
    enum Preparation {
        NONE,
        UNDER_WAY,
        READY,
        /** It goes without, to whoever can take it. */
        IMPOSSIBLE
    }

    private enum Step {
        COPYING,
        WITHDRAWN
    }

    private static final class Handover {
        final ZoneReplicator zone;
        final int target;

        /** It was a backup before. */
        final boolean isBackup;

        final long deadlineNanos;
        final CompletableFuture<Void> done;

        /** How often it has been void before. */
        final int voided;

        /** Whether the target could not take it, so that anybody may. */
        final boolean isForAnybody;

        // guarded by this
        Step step = Step.COPYING;

        /**
         * No copy is begun before that, the zone is not taken out of use, nor the directory told.
         */
        long notBeforeNanos;

        /** Under which the directory is told; 0 before that. */
        long toldEpoch;

        /** Published by being volatile. */
        volatile boolean isTargetLost;

        /** What the target has of it. Published by being volatile. */
        volatile Preparation preparation = Preparation.NONE;

        Handover(ZoneReplicator zone, int target, long nowNanos) {
            this.zone = zone;
            this.target = target;
            isBackup = zone.isBackedBy(target);
            deadlineNanos = nowNanos + PATIENCE.toNanos();
            done = new CompletableFuture<>();
            voided = 0;
            isForAnybody = false;
            notBeforeNanos = nowNanos;
        }

        /** The same from the beginning, once it was void. */
        Handover(Handover before, boolean isForAnybody, long nowNanos) {
            zone = before.zone;
            target = before.target;
            isBackup = before.isBackup;
            deadlineNanos = before.deadlineNanos;
            done = before.done;
            this.isForAnybody = isForAnybody;
            voided = before.voided + 1;
            notBeforeNanos = nowNanos;
        }

        synchronized Step step() {
            return step;
        }

        /** At most once in a while. */
        synchronized boolean isDue(long nowNanos) {
            if (nowNanos - notBeforeNanos < 0) {
                return false;
            }
            notBeforeNanos = nowNanos + AGAIN_NANOS;
            return true;
        }

        synchronized void withdrawn(long nowNanos) {
            step = Step.WITHDRAWN;
            notBeforeNanos = nowNanos;
        }

        /** The directory knows commands again that name the same epoch. */
        synchronized long tell() {
            if (toldEpoch == 0) {
                toldEpoch = zone.epoch();
            }
            return toldEpoch;
        }

        /** Who is asked for: nobody in particular unless the target is ready. */
        int wanted() {
            return preparation == Preparation.READY && !isForAnybody
                    ? target
                    : Command.YieldZone.ANYBODY;
        }

        /**
         * Whether it had no owner for a while, so that who was to take it over could not: yielded,
         * which takes one epoch, and given back, which takes two.
         */
        synchronized boolean wasGivenBack(long epoch) {
            return toldEpoch != 0 && epoch > toldEpoch + 2;
        }

        synchronized boolean isVoid(long epoch) {
            return toldEpoch != 0 && epoch > toldEpoch;
        }
    }

    private final ReplicationContext context;
    private final Host host;
    private final Map<Long, Handover> underWay = new ConcurrentHashMap<>();

    /** This node leaves: all zones are to go. */
    private volatile boolean isLeaving;

    /** How often each zone has stayed since then. */
    private final Map<Long, Integer> stayed = new ConcurrentHashMap<>();

    ZoneHandovers(ReplicationContext context, Host host) {
        this.context = context;
        this.host = host;
    }

    /** The largest zone of at most so many bytes that may go; 0 bytes if there is none. */
    HandedOver largest(Collection<ZoneReplicator> zones, long mostBytes) {
        HandedOver largest = new HandedOver(0, 0);
        for (ZoneReplicator each : zones) {
            long bytes = context.chunks().zoneBytes(each.zone());
            boolean mayGo =
                    each.backups() >= context.config().leastBackups()
                            && !each.isDamaged()
                            && !context.chunks().isPinned(each.zone());
            if (mayGo && bytes > largest.bytes() && bytes <= mostBytes) {
                largest = new HandedOver(each.zone(), bytes);
            }
        }
        return largest;
    }

    /**
     * Begins to hand a zone over; {@link #doWork} goes on with it.
     *
     * @param target who is to have it
     * @return completes when another node owns the zone; fails if this one keeps it
     */
    CompletableFuture<Void> begin(ZoneReplicator zone, int target) {
        Handover fresh = new Handover(zone, target, context.nanoClock().getAsLong());
        return underWay.putIfAbsent(zone.zone(), fresh) == null
                ? fresh.done
                : CompletableFuture.failedFuture(refused(zone, "is being handed over already"));
    }

    /**
     * Begins to hand over what can go to one of its backups, some zones at a time; for a node that
     * leaves. One of a zone's backups takes it, so nothing is copied. A zone with too few backups
     * is copied to others by itself, and goes when there is one.
     *
     * @param stays whether a node stays when this one leaves
     * @return zones that are to go and have not
     */
    int beginAll(Collection<ZoneReplicator> zones, IntPredicate stays) {
        isLeaving = true;
        Set<Long> before = Set.copyOf(underWay.keySet());
        int left = before.size();
        for (ZoneReplicator each : zones) {
            long zone = each.zone();
            if (context.chunks().zoneBytes(zone) == 0 || !mayLeave(each) || before.contains(zone)) {
                continue;
            }
            left++;
            int target = each.backedBy(stays);
            if (target >= 0 && underWay.size() < MOST_LEAVING && !context.chunks().isPinned(zone)) {
                CompletableFuture<?> _ = begin(each, target);
            }
        }
        return left;
    }

    /**
     * Of a node that leaves: how many zones are not to go any more, though there is something in
     * them.
     */
    int staying(Collection<ZoneReplicator> zones) {
        return (int)
                zones.stream()
                        .filter(each -> context.chunks().zoneBytes(each.zone()) > 0)
                        .filter(each -> !mayLeave(each))
                        .count();
    }

    /** A node is lost: what was to be copied to it stays. */
    void targetLost(int node) {
        for (Handover each : underWay.values()) {
            each.isTargetLost |= each.target == node;
        }
    }

    boolean isEmpty() {
        return underWay.isEmpty();
    }

    /** A zone that is out of use here and not gone yet, or null. */
    @Nullable ZoneReplicator withdrawn(long zone) {
        Handover handover = underWay.get(zone);
        return handover != null && handover.step() == Step.WITHDRAWN ? handover.zone : null;
    }

    List<ZoneReplicator> withdrawn() {
        return underWay.values().stream()
                .filter(each -> each.step() == Step.WITHDRAWN)
                .map(each -> each.zone)
                .toList();
    }

    /**
     * A zone is given up.
     *
     * @return whether it was out of use here
     */
    boolean gone(ZoneReplicator zone) {
        Handover handover = underWay.get(zone.zone());
        if (handover == null
                || handover.zone != zone
                || handover.step() != Step.WITHDRAWN
                || !underWay.remove(zone.zone(), handover)) {
            return false;
        }
        handover.done.completeAsync(() -> null, context.executor());
        return true;
    }

    /**
     * The directory has told that a zone is this node's. If it was told of the handover under an
     * older epoch, that is void, as the zone's backups have just changed, or it was given back: it
     * begins anew, a few times.
     */
    void ended(ZoneInfo info) {
        Handover handover = underWay.get(info.zone());
        if (handover == null || handover.step() != Step.WITHDRAWN) {
            return;
        }
        if (!handover.isVoid(info.epoch())) {
            return;
        }
        if (handover.voided + 1 >= MOST_TRIES) {
            stay(handover, "could not be taken over");
            return;
        }
        host.restore(handover.zone, () -> underWay.get(info.zone()) == handover);
        boolean isForAnybody = handover.isForAnybody || handover.wasGivenBack(info.epoch());
        Handover fresh = new Handover(handover, isForAnybody, context.nanoClock().getAsLong());
        underWay.replace(info.zone(), handover, fresh);
        fresh.isTargetLost = handover.isTargetLost;
    }

    /** One round. */
    void doWork(long nowNanos) {
        for (Handover each : underWay.values()) {
            if (each.step() == Step.WITHDRAWN) {
                askIfDue(each, nowNanos);
            } else if (each.zone.isClosed()) {
                end(each, "has another owner now");
            } else if (each.isTargetLost) {
                end(each, "was to go to node " + each.target + ", which is gone");
            } else if (nowNanos - each.deadlineNanos > 0) {
                end(each, "could not be copied or done without in time");
            } else if (!each.zone.isBackedBy(each.target)) {
                if (each.isDue(nowNanos)) {
                    each.preparation = Preparation.NONE;
                    host.copyTo(each.zone, each.target);
                }
            } else if (each.preparation == Preparation.NONE && !each.isForAnybody) {
                if (each.isDue(nowNanos) && host.spare(each.zone)) {
                    prepare(each);
                }
            } else if (each.preparation != Preparation.UNDER_WAY) {
                withdrawIfSpare(each, nowNanos);
            }
        }
    }

    private void prepare(Handover handover) {
        handover.preparation = Preparation.UNDER_WAY;
        CompletableFuture<?> _ =
                host.prepare(handover.zone, handover.target)
                        .thenAccept(outcome -> {
                            handover.preparation = outcome;
                            host.hurry();
                        });
    }

    private void withdrawIfSpare(Handover handover, long nowNanos) {
        if (handover.isForAnybody && !handover.isDue(nowNanos)) {
            return;
        }
        if (host.spare(handover.zone)) {
            withdraw(handover, nowNanos);
        } else {
            handover.preparation = Preparation.NONE; // of what comes from here on it has nothing
        }
    }

    /** Ends all of them where they are. */
    void close() {
        withdrawn().forEach(ZoneReplicator::close);
        underWay.values().forEach(each -> each.done.cancel(false));
        underWay.clear();
    }

    /**
     * From here on nobody reads or writes the zone at this node. Whoever is inside an operation has
     * begun it before, so what it finds may be as old as that.
     */
    private void withdraw(Handover handover, long nowNanos) {
        handover.withdrawn(nowNanos);
        if (!host.withdraw(handover.zone)) {
            end(handover, "has another owner now");
        } else if (context.chunks().isPinned(handover.zone.zone())) {
            stay(handover, "is in use by a job");
        } else {
            askIfDue(handover, nowNanos);
        }
    }

    private void askIfDue(Handover handover, long nowNanos) {
        if (!handover.isDue(nowNanos)) {
            return;
        }
        long zone = handover.zone.zone();
        long epoch = handover.tell();
        CompletableFuture<?> _ =
                context.directory()
                        .apply(
                                new Command.YieldZone(
                                        zone, epoch, context.self(), handover.wanted()))
                        .whenComplete((result, failure) -> answered(handover, epoch, result));
    }

    /**
     * Without an answer the directory is asked again: the zone may be gone already, so it is not
     * taken into use until the directory has said that it stays.
     */
    private void answered(Handover handover, long epoch, @Nullable Result result) {
        if (!(result instanceof Result.Zone now)) {
            if (result instanceof Result.Refused) {
                askIfDropped(handover);
            }
            return;
        }
        ZoneInfo info = now.info();
        if (!now.changed() && info.owner() == context.self() && info.epoch() == epoch) {
            stay(handover, "has no backup");
        } else {
            host.changed(info);
        }
    }

    /**
     * The answer to a command that dropped the zone may have been lost, and no news tell of that.
     */
    private void askIfDropped(Handover handover) {
        long zone = handover.zone.zone();
        CompletableFuture<?> _ =
                context.directory()
                        .dropped(new long[] {zone})
                        .thenAccept(dropped -> {
                            if (dropped.length > 0) {
                                handover.done.completeExceptionally(
                                        new StoreException(
                                                "zone "
                                                        + Long.toHexString(zone)
                                                        + " has been dropped meanwhile"));
                                host.dropped(handover.zone);
                            }
                        });
    }

    /** A late answer may be that to an earlier handover of the same zone. */
    private void stay(Handover handover, String why) {
        host.restore(handover.zone, () -> underWay.get(handover.zone.zone()) == handover);
        end(handover, why);
    }

    private void end(Handover handover, String why) {
        if (underWay.remove(handover.zone.zone(), handover)) {
            if (isLeaving) {
                stayed.merge(handover.zone.zone(), 1, Integer::sum);
            }
            if (!handover.isBackup) {
                host.dismiss(handover.zone, handover.target);
            }
        }
        handover.done.completeExceptionally(refused(handover.zone, why));
    }

    private boolean mayLeave(ZoneReplicator zone) {
        return !zone.isDamaged() && stayed.getOrDefault(zone.zone(), 0) < MOST_TRIES;
    }

    private static StoreException refused(ZoneReplicator zone, String why) {
        return new StoreException(
                "zone " + Long.toHexString(zone.zone()) + " stays where it is: it " + why);
    }
}
