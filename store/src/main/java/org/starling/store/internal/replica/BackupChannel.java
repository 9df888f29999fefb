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

    /** Nothing may be sent yet. */
    private boolean isHeld;

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

    /** A slice is on its way, or has failed to be. */
    void sent() {
        isShipping = false;
    }

    /** The position to be forced now, or −1; counts as asked. */
    long nextForce() {
        if (isBroken
                || isBlocked
                || forcesInFlight >= MAX_FORCES
                || wantForced <= Math.max(forced, forceAsked)
                || next <= wantForced) {
            return -1;
        }
        forceAsked = wantForced;
        forcesInFlight++;
        return forceAsked;
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
}
