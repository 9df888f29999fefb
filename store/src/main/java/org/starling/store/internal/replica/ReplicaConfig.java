package org.starling.store.internal.replica;

import java.time.Duration;

/**
 * Sizes, bounds and times of replication on one node.
 *
 * @param backups how many backups a zone is to have
 * @param zoneBytes a zone that holds so much takes no fresh chunks
 * @param pieceBytes of a stream that go to a backup in one message, unless one entry is longer
 * @param window messages on their way to one backup of one zone
 * @param unacknowledgedBytes of a zone's stream past which writers wait before they begin
 * @param copies zones that are copied to new backups at the same time
 * @param copyBytesPerSecond how fast copies go at most, all together
 * @param requestTimeout how long operations wait for backups, and messages for answers
 * @param dropAfter how long a zone has to be without chunks and changes before it is dropped:
 *     longer than anybody tries a write again, so that a retry finds the zone that remembers it
 * @param backupPatience how long a backup that is a member may hang before its zones do without it
 */
public record ReplicaConfig(
        int backups,
        long zoneBytes,
        int pieceBytes,
        int window,
        long unacknowledgedBytes,
        int copies,
        long copyBytesPerSecond,
        Duration requestTimeout,
        Duration dropAfter,
        Duration backupPatience) {
    /** The fewest listed backups with which PROCESS and POWER writes are acknowledged. */
    public static final int MIN_BACKUPS = 2;

    /** See the record. */
    private static final Duration DEFAULT_BACKUP_PATIENCE = Duration.ofSeconds(5);

    /**
     * A write is tried again for a little more than two of an owner's time-outs, and an owner that
     * took the last attempt then may wait for two more.
     */
    private static final int RETRY_TIMEOUTS = 4;

    /** Checks the values. */
    public ReplicaConfig {
        if (backups < 1
                || zoneBytes < 1
                || pieceBytes < 1024
                || window < 1
                || unacknowledgedBytes < pieceBytes
                || copies < 1
                || copyBytesPerSecond < 1
                || !requestTimeout.isPositive()
                || !dropAfter.isPositive()
                || !backupPatience.isPositive()) {
            throw new IllegalArgumentException("replication configuration out of bounds");
        }
    }

    /**
     * Three backups, zones of 256 MiB, messages of 256 KiB.
     *
     * @return the defaults
     */
    public static ReplicaConfig defaults() {
        Duration timeout = Duration.ofSeconds(10);
        return new ReplicaConfig(
                3,
                256L << 20,
                256 << 10,
                8,
                16L << 20,
                2,
                256L << 20,
                timeout,
                timeout.multipliedBy(RETRY_TIMEOUTS),
                DEFAULT_BACKUP_PATIENCE);
    }

    /**
     * With other backups, zones and times.
     *
     * @param wantedBackups of each zone
     * @param bytes of a zone
     * @param timeout of operations
     * @return the changed configuration
     */
    public ReplicaConfig with(int wantedBackups, long bytes, Duration timeout) {
        return new ReplicaConfig(
                wantedBackups,
                bytes,
                pieceBytes,
                window,
                unacknowledgedBytes,
                copies,
                copyBytesPerSecond,
                timeout,
                timeout.multipliedBy(RETRY_TIMEOUTS),
                backupPatience);
    }

    /**
     * With another time for backups.
     *
     * @param patience with one that hangs
     * @return the changed configuration
     */
    public ReplicaConfig withBackupPatience(Duration patience) {
        return new ReplicaConfig(
                backups,
                zoneBytes,
                pieceBytes,
                window,
                unacknowledgedBytes,
                copies,
                copyBytesPerSecond,
                requestTimeout,
                dropAfter,
                patience);
    }

    /**
     * How long a backup may leave what it was sent unanswered: three fifths of {@link
     * #backupPatience}, as its answer takes no disk.
     *
     * @return the time
     */
    Duration answerPatience() {
        return backupPatience.multipliedBy(3).dividedBy(5);
    }

    /**
     * With fewer backups PROCESS and POWER writes are refused: {@value #MIN_BACKUPS}, or one if no
     * more are wanted.
     *
     * @return backups
     */
    public int leastBackups() {
        return leastBackups(backups);
    }

    /**
     * The same for a number of backups.
     *
     * @param wanted backups of each zone
     * @return the fewest with which writes are acknowledged
     */
    public static int leastBackups(int wanted) {
        return Math.clamp(wanted, 1, MIN_BACKUPS);
    }
}
