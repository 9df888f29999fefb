package org.starling.store.internal.replica;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One backup of one zone as the owner sees it: what has been sent to it, what it has, whether it
 * counts. Guarded by the lock of the zone; does no I/O. Sending goes on in order from {@code next};
 * after a failure it goes back to what the backup is known to have, and answers to what was sent
 * before count only for what they say the backup has.
 */
final class BackupChannel {
    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MAX_FORCES = 2;
    private static final long MAX_LOOK_NANOS = 500_000_000L;

    /** Entries to be sent together: bytes of a piece, which the sender uses meanwhile. */
    record Slice(
            StreamPiece piece,
            int offset,
            int bytes,
            long epoch,
            long first,
            int count,
            int generation) {}

    final int node;

    /** The directory has it among the zone's backups. */
    boolean isListed;

    /** Acknowledgements wait for it: it is listed, or about to be. */
    boolean isRequired;

    /** It has failed for good and acknowledges nothing; if it is listed it is to be retired. */
    boolean isBroken;

    /** A full copy is on its way to it: what it has of the stream does not count yet. */
    boolean isCopying;

    /** It has no log to be relied on; one that has failed otherwise can still be read. */
    boolean isEmpty;

    /**
     * It has not answered for too long. If it is listed it is to be retired, once another backup
     * has everything; it counts again as soon as it gets on.
     */
    boolean isSilent;

    /** It was to take the zone over and has not: more backups than are wanted do without it. */
    boolean isSurplus;

    /** When the last attempt to retire it was made. */
    long retireAskedNanos;

    private long acked;
    private long forced;
    private long next;
    private @Nullable StreamPiece piece;
    private int offset;
    private int generation;
    private int inFlight;
    private boolean isShipping;
    private long wantForced;
    private long forceAsked;
    private int forcesInFlight;
    private boolean isBlocked;

    /** It is to tell again whether its log is well. */
    private boolean isDoubted;

    /** Nothing may be sent yet. */
    private boolean isHeld;

    /** What it had when it last got on. */
    private long progress;

    /** For how long it has not got on. */
    private long stuckNanos;

    private long lookedNanos;
    private long retryNanos;
    private long delayNanos = FIRST_DELAY_NANOS;

    /**
     * To a backup that has everything up to a position.
     *
     * @param node its id
     * @param end the position
     */
    BackupChannel(int node, long end) {
        this.node = node;
        acked = end;
        next = end + 1;
    }

    /** The position up to which the backup has the stream, as far as is known here. */
    long acked() {
        return acked;
    }

    /** Likewise, on its disk. */
    long forced() {
        return forced;
    }

    /** Listed, and what it has counts. */
    boolean isGood() {
        return isListed && !isBroken && !isCopying;
    }

    int generation() {
        return generation;
    }

    /** What is to be sent now, or null; {@link #sent} follows it. */
    @Nullable Slice nextSlice(ZoneStream stream, long epoch, int window) {
        if (isBroken
                || isHeld
                || isBlocked
                || isShipping
                || inFlight >= window
                || next > stream.end()) {
            return null;
        }
        StreamPiece from = piece;
        if (from == null || from.isOut || next > from.last()) {
            from = stream.pieceOf(next);
            if (from == null) {
                isBroken = true; // what it needs next is not kept: it cannot follow any more
                isEmpty = true;
                return null;
            }
            piece = from;
            offset = 0;
            next = from.first; // what it has already it skips
        }
        Slice slice =
                new Slice(
                        from,
                        offset,
                        from.usedBytes - offset,
                        epoch,
                        next,
                        (int) (from.last() + 1 - next),
                        generation);
        from.users++;
        offset = from.usedBytes;
        next = from.last() + 1;
        isShipping = true;
        inFlight++;
        return slice;
    }

    /**
     * Whether it has failed since it last got on, so that sending to it may wait for a connection:
     * only threads that nobody waits for do that.
     */
    boolean isTroubled() {
        return isSilent || delayNanos != FIRST_DELAY_NANOS;
    }

    /** A slice is on its way, or has failed to be. */
    void sent() {
        isShipping = false;
    }

    /**
     * The position to be forced now, or −1; counts as asked. Never ahead of what is being sent: a
     * backup to which nothing has come yet would answer that it has no log. One that is doubted is
     * asked for what it has forced already, which costs it no work.
     */
    long nextForce() {
        if (isBroken || isBlocked || isShipping || forcesInFlight >= MAX_FORCES) {
            return -1;
        }
        boolean isDue = wantForced > Math.max(forced, forceAsked) && next > wantForced;
        if (!isDue && !(isDoubted && forcesInFlight == 0)) {
            return -1;
        }
        isDoubted = false;
        forcesInFlight++;
        if (isDue) {
            forceAsked = wantForced;
        }
        return isDue ? wantForced : forced;
    }

    /** It is asked soon how its log is, if it is known to have one. */
    void doubt() {
        isDoubted = acked > 0;
    }

    /** Everything up to a position is wanted on its disk. */
    void want(long position) {
        wantForced = Math.max(wantForced, position);
    }

    /**
     * The backup has told what it has. After a failure that can be more than what is sent next: a
     * late answer tells of what was sent before, and what it has is not kept here any more.
     */
    void learned(long end, long forcedEnd) {
        acked = Math.max(acked, end);
        forced = Math.max(forced, forcedEnd);
        if (next <= acked) {
            next = acked + 1;
            piece = null;
        }
    }

    /** A slice of the present generation was taken. */
    void taken() {
        inFlight--;
        delayNanos = FIRST_DELAY_NANOS;
    }

    /** A force of the present generation has ended well. */
    void forceEnded() {
        forcesInFlight--;
    }

    /** Goes back to what the backup has; what is on its way counts no more. */
    void rewind() {
        generation++;
        inFlight = 0;
        forcesInFlight = 0;
        forceAsked = 0;
        next = acked + 1;
        piece = null;
    }

    /** Goes back, and waits before the next attempt. */
    void failed(long nowNanos) {
        rewind();
        isBlocked = true;
        isBroken |= !isListed && delayNanos == MAX_DELAY_NANOS; // nobody else would end its joining
        retryNanos = nowNanos + delayNanos;
        delayNanos = Math.min(2 * delayNanos, MAX_DELAY_NANOS);
    }

    /**
     * Looks whether it gets on with what it was sent. Called every round; a round that comes late
     * counts no more than {@value #MAX_LOOK_NANOS} ns, so that a node that was stopped does not
     * blame its backups.
     *
     * @param end of the stream
     * @param answerNanos patience with appends
     * @param forceNanos patience with forces
     */
    void look(long nowNanos, long end, long answerNanos, long forceNanos) {
        boolean owesAnswer = acked < end;
        boolean owes = !isHeld && !isBroken && (owesAnswer || forced < wantForced);
        if (!owes || acked + forced != progress) {
            progress = acked + forced;
            stuckNanos = 0;
            isSilent = false;
        } else {
            stuckNanos += Math.clamp(nowNanos - lookedNanos, 0, MAX_LOOK_NANOS);
            isSilent = stuckNanos >= (owesAnswer ? answerNanos : forceNanos);
        }
        lookedNanos = nowNanos;
    }

    /** Sends nothing until {@link #unhold}. */
    void hold() {
        isHeld = true;
    }

    void unhold() {
        isHeld = false;
    }

    /** Ends the wait after a failure if it is over. */
    void unblock(long nowNanos) {
        if (isBlocked && nowNanos - retryNanos >= 0) {
            isBlocked = false;
        }
    }

    /** Ends the wait after a failure at once: something has changed. */
    void unblock() {
        isBlocked = false;
    }

    /** Under the lock of the zone. */
    @Override
    public String toString() {
        return "backup %d%s%s%s%s%s%s has %d, on disk %d of %d wanted"
                .formatted(
                        node,
                        isListed ? " listed" : "",
                        isRequired ? " required" : "",
                        isCopying ? " copying" : "",
                        isBroken ? " broken" : "",
                        isSilent ? " silent" : "",
                        isBlocked ? " blocked" : "",
                        acked,
                        forced,
                        wantForced);
    }
}
