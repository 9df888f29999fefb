package org.starling.store;

import java.time.Duration;
import java.util.Objects;
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
 * @param net of the network below
 */
public record StoreConfig(
        long heapBytes,
        Durability defaultDurability,
        Duration requestTimeout,
        Duration heartbeatInterval,
        Duration lossTimeout,
        Duration joinTimeout,
        NetConfig net) {
    /** The smallest heap. */
    public static final long MIN_HEAP_BYTES = 64 << 10;

    /** The greatest heap: 16 TiB. */
    public static final long MAX_HEAP_BYTES = 1L << 44;

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
                Duration.ofMillis(200),
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
        return new StoreConfig(
                bytes,
                defaultDurability,
                requestTimeout,
                heartbeatInterval,
                lossTimeout,
                joinTimeout,
                net);
    }

    /**
     * With another default durability.
     *
     * @param durability of writes that do not say otherwise
     * @return the changed configuration
     */
    public StoreConfig withDefaultDurability(Durability durability) {
        return new StoreConfig(
                heapBytes,
                durability,
                requestTimeout,
                heartbeatInterval,
                lossTimeout,
                joinTimeout,
                net);
    }

    /**
     * With another time for answers.
     *
     * @param timeout how long an operation waits for another node
     * @return the changed configuration
     */
    public StoreConfig withRequestTimeout(Duration timeout) {
        return new StoreConfig(
                heapBytes,
                defaultDurability,
                timeout,
                heartbeatInterval,
                lossTimeout,
                joinTimeout,
                net);
    }

    /**
     * With another failure detection.
     *
     * @param interval from heartbeat to heartbeat
     * @param timeout without heartbeat until a peer is lost
     * @return the changed configuration
     */
    public StoreConfig withHeartbeats(Duration interval, Duration timeout) {
        return new StoreConfig(
                heapBytes, defaultDurability, requestTimeout, interval, timeout, joinTimeout, net);
    }

    /**
     * With another time for joining.
     *
     * @param timeout how long a node tries to join
     * @return the changed configuration
     */
    public StoreConfig withJoinTimeout(Duration timeout) {
        return new StoreConfig(
                heapBytes,
                defaultDurability,
                requestTimeout,
                heartbeatInterval,
                lossTimeout,
                timeout,
                net);
    }

    /**
     * With another network configuration.
     *
     * @param config of the network
     * @return the changed configuration
     */
    public StoreConfig withNet(NetConfig config) {
        return new StoreConfig(
                heapBytes,
                defaultDurability,
                requestTimeout,
                heartbeatInterval,
                lossTimeout,
                joinTimeout,
                config);
    }

    private static void checkPositive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " must be longer than zero, found " + value);
        }
    }
}
