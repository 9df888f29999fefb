package org.starling.store.internal.log;

import java.util.concurrent.CompletableFuture;

/**
 * The log of one zone on one backup peer. Position n is the n-th change of the zone since it was
 * opened, over all epochs. Appends of a zone come from one thread at a time; everything else from
 * any thread at any time.
 */
public interface ZoneLog extends AutoCloseable {
    /** Which zone. */
    long zone();

    /** The least epoch that is taken. */
    long epoch();

    /**
     * The epoch of the last change that was taken. Of two logs of a zone, the one with the greater
     * (entryEpoch, end) is the one to believe.
     */
    long entryEpoch();

    /**
     * The position of the full copy that the log began with.
     *
     * @return 0 when it began with an empty zone
     */
    long basePosition();

    /**
     * Up to where changes have been taken, without a gap.
     *
     * @return highest position
     */
    long end();

    /**
     * Up to where changes are safe from the loss of power.
     *
     * @return position, at most {@link #end}
     */
    long forcedEnd();

    /**
     * Up to where changes were safe when the log was last used. More than {@link #end} when it has
     * lost some: it is damaged, and whoever was told of them is to be told that they are lost.
     *
     * @return position, at least {@link #forcedEnd}
     */
    long safeEnd();

    /**
     * Up to where changes were safe if the last force before a crash had ended. More than both ends
     * when changes are missing of which that cannot be told: a crash in the middle of the force
     * leaves the same behind.
     *
     * @return position, at least {@link #safeEnd}
     */
    long claimedEnd();

    /**
     * Whether changes are missing from the middle, or cannot be read. Such a log takes no more, and
     * can't be counted on as a copy.
     */
    boolean isDamaged();

    /**
     * Takes changes. Those that the log has are skipped. Copies once, into the write buffer; waits
     * only when the disk is slower than the stream.
     *
     * @throws StaleEpochException if the epoch has been fenced off; nothing was taken
     * @throws PositionGapException if changes before these are missing; nothing was taken
     * @throws MalformedEntryException if the bytes are no such records; those before were taken
     * @throws LogFailedException if the log has given up
     */
    void append(long epoch, long firstPosition, long address, int bytes, int count);

    /**
     * Takes a part of a full copy, all of it as of {@link #basePosition}. Chunks that have a later
     * change in the log stay as they are. Only on a log that {@link BackupLogs#create} made: a log
     * that was opened again knows nothing of a copy that was under way.
     *
     * @param address of wire records: puts and creations, and {@link EntryLayout#SKIP} with tags
     * @param bytes their length
     * @param count how many records
     */
    void appendCopy(long address, int bytes, int count);

    /**
     * Writes and forces; many calls share one force.
     *
     * @param position that must be safe, at most {@link #end}
     * @return completes with a {@link #forcedEnd} of at least the position, on the logs' thread; or
     *     with a {@link LogFailedException}
     */
    CompletableFuture<Long> force(long position);

    /**
     * Refuses older epochs from now on, also after a restart. Waits for the disk.
     *
     * @param epoch the least that is taken; a smaller one than before changes nothing
     */
    void fence(long epoch);

    /**
     * Tells the content: the newest value of each chunk, removed ones not, and all tags known.
     * Changes that come meanwhile may be told or not.
     *
     * @param target takes it
     * @param threads how many read at once, the caller among them
     */
    void replay(ReplayTarget target, int threads);

    /**
     * Tells changes in the order in which they were taken, up to {@link #end} as it is now.
     *
     * @throws TailUnavailableException if they cannot be told one by one any more
     */
    void readTail(long fromPosition, TailVisitor visitor);

    /** What the newest values take in the log. */
    long liveBytes();

    /** What the log takes on the disk. */
    long logBytes();

    /** Whether it has given up: it is never written again. It can still be read. */
    boolean isFailed();

    /** Writes and forces what is there, if it can, and lets go of files and memory. */
    @Override
    void close();
}
