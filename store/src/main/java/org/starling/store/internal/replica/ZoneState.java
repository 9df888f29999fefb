package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * What the owner of a zone knows of it: the stream, its backups, who waits, and up to where the
 * stream is safe. Shared by {@link ZoneReplicator}, {@link StreamSender} and {@link
 * ZoneHousekeeping}; everything is guarded by {@link #lock}, which nobody holds while anything is
 * sent or waited for. The volatile fields are written under the lock and read anywhere.
 *
 * <p>Safe has three meanings: up to {@code settled}, every listed backup has the stream in memory;
 * up to {@code processEnd} that is so and there were enough of them; up to {@code powerEnd} so many
 * of them have it on disk as well. Enough are two, or one if no more are wanted. None of the three
 * ever goes back.
 */
final class ZoneState {
    /** In the place of an epoch: none has been confirmed. */
    static final long NEVER = 0;

    final long zone;
    final int self;

    /** Backups without which nothing is acknowledged as PROCESS or POWER. */
    private final int enough;

    final ReentrantLock lock = new ReentrantLock();

    /** Signalled when there may be room or backups again. */
    final Condition changed = lock.newCondition();

    /** Wakes the owner's thread when {@link #hasWork} may be true from now on. */
    final ZoneRounds rounds;

    final Map<Integer, BackupChannel> channels = new TreeMap<>();
    final ZoneStream stream;
    final PendingFilter pending;
    final Waiters readers = new Waiters();
    final Waiters process = new Waiters();
    final Waiters power = new Waiters();
    long epoch;

    /**
     * The last epoch that the directory knows this owner to work under, or {@link #NEVER} as long
     * as it does not know that the backups have begun their logs. It forgets such a zone with its
     * owner, so nothing is acknowledged before, and nothing shown.
     */
    long confirmedEpoch;

    /** What all backups are to have on disk before {@link #epoch} is confirmed. */
    long confirmPosition;

    volatile long end;
    volatile long settled;
    volatile long processEnd;
    volatile long powerEnd;
    volatile boolean isClosed;

    /** Something was appended since the last round. */
    volatile boolean isDirty;

    /** Later than that of a takeover without a disk that has all of the zone. */
    private final long leastConfirmed;

    /** Published copy of the channels. */
    volatile List<BackupChannel> targets;

    /** With all backups but those {@code left} at the end, forced. */
    ZoneState(
            int self,
            int enough,
            PiecePool pool,
            ZoneRounds rounds,
            ZoneInfo info,
            long confirmed,
            long end,
            Collection<Integer> left) {
        this.zone = info.zone();
        this.self = self;
        this.enough = enough;
        this.rounds = rounds;
        this.end = end;
        settled = end;
        processEnd = end;
        powerEnd = end;
        epoch = info.epoch();
        confirmedEpoch = confirmed;
        leastConfirmed = info.backups().isEmpty() && confirmed == epoch ? epoch + 1 : NEVER;
        stream = new ZoneStream(pool, end);
        pending = new PendingFilter(end);
        for (int node : info.backups()) {
            BackupChannel channel = new BackupChannel(node, left.contains(node) ? 0 : end);
            channel.isListed = true;
            channel.isRequired = true;
            channel.isBroken = left.contains(node);
            channels.put(node, channel);
        }
        targets = List.copyOf(channels.values());
    }

    /** The zone has a newer epoch and perhaps other backups. */
    void changeTo(ZoneInfo info, List<CompletableFuture<Void>> due) {
        epoch = info.epoch();
        confirmPosition = confirmedEpoch == NEVER ? 0 : end; // nothing to lose before
        for (int node : info.backups()) {
            BackupChannel channel = channels.get(node);
            if (channel == null) { // nothing is known of what it has
                channel = new BackupChannel(node, 0);
                channel.isBroken = true;
                channels.put(node, channel);
            }
            channel.isListed = true;
            channel.isRequired = true;
            channel.want(confirmPosition);
            channel.unblock();
        }
        channels.values().removeIf(each -> each.isListed && !info.backups().contains(each.node));
        targets = List.copyOf(channels.values());
        advance(due);
    }

    /** Works out anew what is safe; collects who has waited for it. */
    void advance(List<CompletableFuture<Void>> due) {
        long least = Long.MAX_VALUE;
        long kept = end;
        for (BackupChannel channel : channels.values()) {
            if (channel.isRequired) {
                boolean counts = !channel.isBroken && !channel.isCopying;
                least = Math.min(least, counts ? channel.acked() : settled);
            }
            if (!channel.isBroken) {
                kept = Math.min(kept, channel.acked());
            }
        }
        if (least != Long.MAX_VALUE && least > settled && confirmedEpoch != NEVER) {
            settled = least;
            pending.acknowledged(least);
        }
        if (goodBackups() >= enough && mayAcknowledge()) {
            processEnd = Math.max(processEnd, settled);
            powerEnd = Math.max(powerEnd, Math.min(processEnd, forcedByEnough()));
        }
        stream.release(kept);
        collectDue(due);
        changed.signalAll();
    }

    /** Takes out who waits for no more than is safe. */
    void collectDue(List<CompletableFuture<Void>> due) {
        readers.reached(settled, due);
        process.reached(processEnd, due);
        power.reached(powerEnd, due);
    }

    /** Whether there is anything to send, or somebody to hear from. */
    boolean hasWork() {
        return isDirty
                || settled < end
                || !process.isEmpty()
                || !power.isEmpty()
                || hasToConfirm()
                || channels.size() > liveBackups();
    }

    /** Whether the directory is to know of the present epoch; a zone may stay unused for long. */
    boolean hasToConfirm() {
        return confirmedEpoch < epoch && (confirmedEpoch != NEVER || end > 0);
    }

    /**
     * Whether the present epoch may be confirmed: all backups have begun their logs, and have on
     * disk what others, no longer backups, had before.
     */
    boolean mayConfirm() {
        if (isClosed || !hasToConfirm() || goodBackups() == 0) {
            return false;
        }
        for (BackupChannel channel : channels.values()) {
            boolean isReady =
                    channel.isGood()
                            && (channel.acked() > 0 || end == 0)
                            && channel.forced() >= confirmPosition;
            if (channel.isListed && !isReady) {
                return false;
            }
        }
        return true;
    }

    /** Ends everything; takes out all who wait. */
    List<CompletableFuture<Void>> close() {
        isClosed = true;
        List<CompletableFuture<Void>> all = new ArrayList<>(readers.all());
        all.addAll(process.all());
        all.addAll(power.all());
        channels.clear();
        targets = List.of();
        stream.release(Long.MAX_VALUE);
        changed.signalAll();
        return all;
    }

    void checkOpen() {
        if (isClosed) {
            throw new ZoneMovedException(zone, self);
        }
    }

    /** The only backup that is listed, or null if there are none or several. */
    @Nullable BackupChannel onlyListed() {
        BackupChannel only = null;
        for (BackupChannel channel : channels.values()) {
            if (channel.isListed) {
                if (only != null) {
                    return null;
                }
                only = channel;
            }
        }
        return only;
    }

    /** Listed backups that have not failed and are whole. */
    int goodBackups() {
        int good = 0;
        for (BackupChannel channel : channels.values()) {
            good += channel.isGood() ? 1 : 0;
        }
        return good;
    }

    /** Those of them that answer. */
    int liveBackups() {
        int live = 0;
        for (BackupChannel channel : channels.values()) {
            live += channel.isGood() && !channel.isSilent ? 1 : 0;
        }
        return live;
    }

    /**
     * With one disk for each write, whoever was a backup before may lack one that the directory
     * still takes it to have; two disks are never both such. So it has to have forgotten them, and
     * those that may have other changes where this owner's begin.
     */
    private boolean mayAcknowledge() {
        return confirmedEpoch >= leastConfirmed && (enough > 1 || confirmedEpoch == epoch);
    }

    boolean hasEnough() {
        return goodBackups() >= enough;
    }

    /**
     * The position that enough listed backups have on disk. One is enough only while it is the only
     * one: of several holders the directory does without any one of them.
     */
    private long forcedByEnough() {
        int listed = 0;
        long highest = 0;
        long second = 0;
        for (BackupChannel channel : channels.values()) {
            listed += channel.isListed ? 1 : 0;
            if (channel.isGood()) {
                if (channel.forced() >= highest) {
                    second = highest;
                    highest = channel.forced();
                } else {
                    second = Math.max(second, channel.forced());
                }
            }
        }
        return enough == 1 && listed == 1 ? highest : second;
    }

    /** Under the lock: who waits for what. */
    @Override
    public String toString() {
        return "zone %x: epoch %d, confirmed %d, end %d, settled %d, process %d, power %d, %s"
                .formatted(
                        zone,
                        epoch,
                        confirmedEpoch,
                        end,
                        settled,
                        processEnd,
                        powerEnd,
                        channels.values());
    }
}
