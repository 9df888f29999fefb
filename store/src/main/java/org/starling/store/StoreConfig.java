package org.starling.store;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.starling.net.NetConfig;

/**
 * Sizes and times of one node. Start from {@link #defaults} and change with the {@code with…}
 * functions.
 *
 * @param heapBytes the most bytes of native memory that blocks of chunks take; at least 64 KiB
 * @param defaultDurability of writes that do not say otherwise
 * @param requestTimeout how long an operation waits for the answer of another node
 * @param heartbeatInterval how often a peer tells the superpeer that it lives
 * @param lossTimeout after so long without heartbeat a peer is declared lost; at least two
 *     intervals
 * @param joinTimeout how long a node tries to join
 * @param replicationFactor backups that every zone should have, at least 1; fewer while fewer peers
 *     are up
 * @param zoneBytes a zone takes no fresh chunks once it holds so many bytes; at least 64 KiB
 * @param lease how long a peer may serve replicated chunks after its last answered heartbeat; at
 *     most the loss time-out
 * @param backupPatience a backup that hangs, or can't be reached by the owner of a zone though it
 *     is a member, is given up within this time
 * @param net of the network below
 */
public record StoreConfig(
        long heapBytes,
        Durability defaultDurability,
        Duration requestTimeout,
        Duration heartbeatInterval,
        Duration lossTimeout,
        Duration joinTimeout,
        int replicationFactor,
        long zoneBytes,
        Duration lease,
        Duration backupPatience,
        NetConfig net) {
    /** Backups of every zone unless said otherwise. */
    public static final int DEFAULT_REPLICATION_FACTOR = 3;

    /** The most backups of a zone. */
    public static final int MAX_REPLICATION_FACTOR = 8;

    /** Size of a zone unless said otherwise: 256 MiB. */
    public static final long DEFAULT_ZONE_BYTES = 256L << 20;

    /** The smallest zone. */
    public static final long MIN_ZONE_BYTES = 64 << 10;

    /** The smallest heap. */
    public static final long MIN_HEAP_BYTES = 64 << 10;

    /** The greatest heap: 16 TiB. */
    public static final long MAX_HEAP_BYTES = 1L << 44;

    /** Patience with a backup that hangs unless said otherwise: 5 s. */
    public static final Duration DEFAULT_BACKUP_PATIENCE = Duration.ofSeconds(5);

    private static final long DEFAULT_HEAP_BYTES = 1L << 30;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its bounds
     */
    public StoreConfig {
        Objects.requireNonNull(defaultDurability, "defaultDurability");
        Objects.requireNonNull(net, "net");
        if (heapBytes < MIN_HEAP_BYTES || heapBytes > MAX_HEAP_BYTES) {
            throw new IllegalArgumentException(
                    "heapBytes "
                            + heapBytes
                            + " is not in "
                            + MIN_HEAP_BYTES
                            + ".."
                            + MAX_HEAP_BYTES);
        }
        checkPositive("requestTimeout", requestTimeout);
        checkPositive("heartbeatInterval", heartbeatInterval);
        checkPositive("joinTimeout", joinTimeout);
        if (lossTimeout.compareTo(heartbeatInterval.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException(
                    "lossTimeout "
                            + lossTimeout
                            + " is less than two heartbeatIntervals of "
                            + heartbeatInterval);
        }
        checkPositive("lease", lease);
        checkPositive("backupPatience", backupPatience);
        if (lease.compareTo(lossTimeout) > 0) {
            throw new IllegalArgumentException(
                    "lease " + lease + " is longer than the lossTimeout of " + lossTimeout);
        }
        if (replicationFactor < 1 || replicationFactor > MAX_REPLICATION_FACTOR) {
            throw new IllegalArgumentException(
                    "replicationFactor "
                            + replicationFactor
                            + " is not in 1.."
                            + MAX_REPLICATION_FACTOR);
        }
        if (zoneBytes < MIN_ZONE_BYTES) {
            throw new IllegalArgumentException(
                    "zoneBytes " + zoneBytes + " is less than " + MIN_ZONE_BYTES);
        }
    }

    /**
     * With defaults for replication: three backups, zones of 256 MiB, a lease of four fifths of the
     * loss time-out, 5 s for a backup that hangs.
     *
     * @param heapBytes see the record
     * @param defaultDurability see the record
     * @param requestTimeout see the record
     * @param heartbeatInterval see the record
     * @param lossTimeout see the record
     * @param joinTimeout see the record
     * @param net see the record
     */
    public StoreConfig(
            long heapBytes,
            Durability defaultDurability,
            Duration requestTimeout,
            Duration heartbeatInterval,
            Duration lossTimeout,
            Duration joinTimeout,
            NetConfig net) {
        this(
                heapBytes,
                defaultDurability,
                requestTimeout,
                heartbeatInterval,
                lossTimeout,
                joinTimeout,
                DEFAULT_REPLICATION_FACTOR,
                DEFAULT_ZONE_BYTES,
                leaseFor(lossTimeout),
                DEFAULT_BACKUP_PATIENCE,
                net);
    }

    /**
     * A heap of 1 GiB, durability {@code MEMORY}, a loss noticed after 1 s.
     *
     * @return the defaults
     */
    public static StoreConfig defaults() {
        return new StoreConfig(
                DEFAULT_HEAP_BYTES,
                Durability.MEMORY,
                Duration.ofSeconds(10),
                Duration.ofMillis(300),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                NetConfig.defaults());
    }

    /**
     * With another heap.
     *
     * @param bytes the most bytes of blocks
     * @return the changed configuration
     */
    public StoreConfig withHeapBytes(long bytes) {
        return changed(draft -> draft.heapBytes = bytes);
    }

    /**
     * With another default durability.
     *
     * @param durability of writes that do not say otherwise
     * @return the changed configuration
     */
    public StoreConfig withDefaultDurability(Durability durability) {
        return changed(draft -> draft.defaultDurability = durability);
    }

    /**
     * With another time for answers.
     *
     * @param timeout how long an operation waits for another node
     * @return the changed configuration
     */
    public StoreConfig withRequestTimeout(Duration timeout) {
        return changed(draft -> draft.requestTimeout = timeout);
    }

    /**
     * With another failure detection; the lease becomes four fifths of the time-out.
     *
     * @param interval from heartbeat to heartbeat
     * @param timeout without heartbeat until a peer is lost
     * @return the changed configuration
     */
    public StoreConfig withHeartbeats(Duration interval, Duration timeout) {
        return changed(draft -> {
            draft.heartbeatInterval = interval;
            draft.lossTimeout = timeout;
            draft.lease = leaseFor(timeout);
        });
    }

    /**
     * With another time for joining.
     *
     * @param timeout how long a node tries to join
     * @return the changed configuration
     */
    public StoreConfig withJoinTimeout(Duration timeout) {
        return changed(draft -> draft.joinTimeout = timeout);
    }

    /**
     * With another number of backups.
     *
     * @param backups of every zone, at least 1
     * @return the changed configuration
     */
    public StoreConfig withReplicationFactor(int backups) {
        return changed(draft -> draft.replicationFactor = backups);
    }

    /**
     * With another size of zones.
     *
     * @param bytes after which a zone takes no fresh chunks
     * @return the changed configuration
     */
    public StoreConfig withZoneBytes(long bytes) {
        return changed(draft -> draft.zoneBytes = bytes);
    }

    /**
     * With another lease.
     *
     * @param duration how long a peer serves after an answered heartbeat, at most the loss time-out
     * @return the changed configuration
     */
    public StoreConfig withLease(Duration duration) {
        return changed(draft -> draft.lease = duration);
    }

    /**
     * With another patience with backups.
     *
     * @param duration within which one that hangs is given up
     * @return the changed configuration
     */
    public StoreConfig withBackupPatience(Duration duration) {
        return changed(draft -> draft.backupPatience = duration);
    }

    /**
     * With another network configuration.
     *
     * @param config of the network
     * @return the changed configuration
     */
    public StoreConfig withNet(NetConfig config) {
        return changed(draft -> draft.net = config);
    }

    private StoreConfig changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    private static Duration leaseFor(Duration lossTimeout) {
        return lossTimeout.multipliedBy(4).dividedBy(5);
    }

    private static void checkPositive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " must be longer than zero, found " + value);
        }
    }

    /** A configuration that is being changed; confined to {@link #changed}. */
    private static final class Draft {
        private long heapBytes;
        private Durability defaultDurability;
        private Duration requestTimeout;
        private Duration heartbeatInterval;
        private Duration lossTimeout;
        private Duration joinTimeout;
        private int replicationFactor;
        private long zoneBytes;
        private Duration lease;
        private Duration backupPatience;
        private NetConfig net;

        Draft(StoreConfig from) {
            heapBytes = from.heapBytes;
            defaultDurability = from.defaultDurability;
            requestTimeout = from.requestTimeout;
            heartbeatInterval = from.heartbeatInterval;
            lossTimeout = from.lossTimeout;
            joinTimeout = from.joinTimeout;
            replicationFactor = from.replicationFactor;
            zoneBytes = from.zoneBytes;
            lease = from.lease;
            backupPatience = from.backupPatience;
            net = from.net;
        }

        StoreConfig config() {
            return new StoreConfig(
                    heapBytes,
                    defaultDurability,
                    requestTimeout,
                    heartbeatInterval,
                    lossTimeout,
                    joinTimeout,
                    replicationFactor,
                    zoneBytes,
                    lease,
                    backupPatience,
                    net);
        }
    }
}
