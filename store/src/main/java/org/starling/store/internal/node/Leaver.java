package org.starling.store.internal.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.HandedZones;
import org.starling.store.NodeInfo;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.replica.OwnedZones;
import org.starling.store.internal.replica.ZoneDirectory;

/**
 * The orderly end of a peer (docs/design/nodes.md, "Leaving"): tells the directory, and hands its
 * zones over to peers that stay. Tells by two signs that all of the cluster ends, and ends at once
 * then: no superpeer grants leases, or no peer is left that stays. Made by {@link Node} for one
 * call, whose thread waits.
 */
final class Leaver {
    /** The directory has so long for an answer while somebody leads it. */
    static final Duration ANNOUNCE_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LogManager.getLogger(Leaver.class);

    /** Without a lease for so long nobody is taken to lead the directory. */
    private static final long UNLED_NANOS = Duration.ofMillis(500).toNanos();

    /** News of others that leave at the same moment come within that. */
    private static final long NEWS_NANOS = Duration.ofMillis(500).toNanos();

    private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private final int self;
    private final @Nullable OwnedZones zones;
    private final ZoneDirectory directory;
    private final Supplier<List<NodeInfo>> members;
    private final BooleanSupplier hasLease;
    private final BooleanSupplier isOver;
    private final LongSupplier nanoClock;

    /** When it was last seen that somebody grants leases. Confined to the calling thread. */
    private long ledNanos;

    Leaver(
            int self,
            @Nullable OwnedZones zones,
            ZoneDirectory directory,
            Supplier<List<NodeInfo>> members,
            BooleanSupplier hasLease,
            BooleanSupplier isOver,
            LongSupplier nanoClock) {
        this.self = self;
        this.zones = zones;
        this.directory = directory;
        this.members = members;
        this.hasLease = hasLease;
        this.isOver = isOver;
        this.nanoClock = nanoClock;
        ledNanos = nanoClock.getAsLong();
    }

    /** Whether the directory knows now that this node leaves. */
    boolean announce() {
        CompletableFuture<Result> answer = directory.apply(new Command.NoteLeaving(self));
        while (!answer.isDone() && goesOn() && isLed()) {
            pause();
        }
        if (!answer.isDone()) {
            return false;
        }
        Result result =
                answer.exceptionally(
                                failure -> {
                                    LOG.debug("no answer to a farewell: {}", failure.getMessage());
                                    return new Result.Refused("");
                                })
                        .join();
        return !(result instanceof Result.Refused);
    }

    /** Hands over what can go until all has gone, or the time is over. */
    HandedZones handOver(Duration patience, BooleanSupplier isFree) {
        if (zones == null) {
            return HandedZones.ALL;
        }
        long begun = nanoClock.getAsLong();
        int left = 0;
        boolean wasFree = false;
        while (goesOn()) {
            List<Integer> staying = staying();
            long waited = nanoClock.getAsLong() - begun;
            wasFree |= isFree.getAsBoolean();
            if (staying.isEmpty()) {
                return new HandedZones(left, "no other peer is there that stays");
            }
            if (!isLed()) {
                return new HandedZones(left, "no superpeer leads the directory any more");
            }
            if (!wasFree && waited >= patience.toNanos() / 2) {
                return new HandedZones(left, "a job needs it for longer than that may take");
            }
            if (wasFree && waited >= NEWS_NANOS) {
                left = zones.handOverAll(staying::contains);
                if (left == 0) {
                    return allThatCan(zones.staying());
                }
            }
            if (waited >= patience.toNanos()) {
                return new HandedZones(left, count(left) + " took longer than that may take");
            }
            pause();
        }
        return new HandedZones(left, "this node is no member any more");
    }

    private static HandedZones allThatCan(int staying) {
        return staying == 0
                ? HandedZones.ALL
                : new HandedZones(
                        staying, count(staying) + " could not be taken over by any other peer");
    }

    private static String count(int zones) {
        return zones == 1 ? "1 zone" : zones + " zones";
    }

    private List<Integer> staying() {
        return members.get().stream()
                .filter(node -> node.keeps() && node.id() != self)
                .map(NodeInfo::id)
                .toList();
    }

    private boolean goesOn() {
        return !isOver.getAsBoolean() && !Thread.currentThread().isInterrupted();
    }

    private boolean isLed() {
        long now = nanoClock.getAsLong();
        if (hasLease.getAsBoolean()) {
            ledNanos = now;
        }
        return now - ledNanos < UNLED_NANOS;
    }

    private static void pause() {
        LockSupport.parkNanos(LOOK_NANOS);
    }
}
