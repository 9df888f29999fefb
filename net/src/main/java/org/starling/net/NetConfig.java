package org.starling.net;

import java.time.Duration;
import java.util.Objects;

/**
 * What a network is told by whoever opens it. Immutable; start from {@link #defaults()} and change
 * with the {@code with…} methods.
 *
 * @param secret both ends of each connection prove that they know it; others are refused
 * @param requestTimeout used by requests that name no time-out of their own
 * @param waiting how threads wait
 * @param socketSendBytes the system's send buffer of each socket, 0 for what the system chooses
 * @param socketReceiveBytes the system's receive buffer of each socket, 0 for what the system
 *     chooses
 * @param maxConnections nodes that this one sends to at a time; past it the least recently used
 *     idle connection is closed
 */
public record NetConfig(
        ClusterSecret secret,
        Duration requestTimeout,
        Waiting waiting,
        int socketSendBytes,
        int socketReceiveBytes,
        int maxConnections) {

    /** Smallest socket buffer. */
    public static final int MIN_SOCKET_BYTES = 4 << 10;

    /** Largest socket buffer. */
    public static final int MAX_SOCKET_BYTES = 256 << 20;

    /** Smallest number of connections: with less a node would only connect and close. */
    public static final int MIN_CONNECTIONS = 16;

    /** Largest number of connections: one with every node that there may be. */
    public static final int MAX_CONNECTIONS = 65_535;

    private static final NetConfig DEFAULTS =
            new NetConfig(ClusterSecret.NONE, Duration.ofSeconds(10), Waiting.ADAPTIVE, 0, 0, 256);

    public NetConfig {
        Objects.requireNonNull(secret, "secret");
        check(requestTimeout.isPositive(), "requestTimeout must be positive");
        Objects.requireNonNull(waiting, "waiting");
        check(
                isSocketBuffer(socketSendBytes) && isSocketBuffer(socketReceiveBytes),
                "socketSendBytes and socketReceiveBytes must be 0 or 4 KiB to 256 MiB");
        check(
                maxConnections >= MIN_CONNECTIONS && maxConnections <= MAX_CONNECTIONS,
                "maxConnections must be 16 to 65535");
    }

    /** What a node uses when nobody says otherwise. */
    public static NetConfig defaults() {
        return DEFAULTS;
    }

    /** Nodes of another cluster are refused at the handshake. */
    public long clusterId() {
        return secret.clusterId();
    }

    public NetConfig withSecret(ClusterSecret value) {
        return new NetConfig(
                value,
                requestTimeout,
                waiting,
                socketSendBytes,
                socketReceiveBytes,
                maxConnections);
    }

    public NetConfig withRequestTimeout(Duration value) {
        return new NetConfig(
                secret, value, waiting, socketSendBytes, socketReceiveBytes, maxConnections);
    }

    public NetConfig withWaiting(Waiting value) {
        return new NetConfig(
                secret, requestTimeout, value, socketSendBytes, socketReceiveBytes, maxConnections);
    }

    public NetConfig withSocketBuffers(int sendBytes, int receiveBytes) {
        return new NetConfig(
                secret, requestTimeout, waiting, sendBytes, receiveBytes, maxConnections);
    }

    public NetConfig withMaxConnections(int value) {
        return new NetConfig(
                secret, requestTimeout, waiting, socketSendBytes, socketReceiveBytes, value);
    }

    private static boolean isSocketBuffer(int bytes) {
        return bytes == 0 || (bytes >= MIN_SOCKET_BYTES && bytes <= MAX_SOCKET_BYTES);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
