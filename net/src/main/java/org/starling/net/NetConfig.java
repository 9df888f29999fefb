package org.starling.net;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Sizes, bounds and times of a network. Immutable; start from {@link #defaults()} and change with
 * the {@code with…} methods.
 *
 * @param secret both ends of each connection prove that they know it; others are refused
 * @param ringBytes room of the outgoing ring of each connection, a power of two, at least 4 KiB, or
 *     0 for what suits the transport: {@link #DEFAULT_RING_BYTES}, and more over loopback
 * @param incomingBufferBytes room of a receive buffer, a multiple of 8, at least 4 KiB
 * @param pooledBuffers receive buffers kept for reuse; more may be in use, one per connection that
 *     holds a cut message
 * @param windowBytes bytes sent and not yet handled by the receiver, per connection, past which a
 *     sender waits
 * @param workers threads that run ORDERED and WORKER handlers
 * @param maxWorkers bound of those threads while some of them wait in calls
 * @param requestTimeout used by requests that name no time-out of their own
 * @param connectTimeout bound of connecting and of the handshake
 * @param sendTimeout a connection that takes no byte for so long, while a sender waits for room, is
 *     lost
 * @param waiting how threads wait
 * @param maxMessageBytes largest message object, checked before sending and before allocating
 * @param maxPendingRequests requests of this node without an answer, in all
 * @param maxConnections outgoing connections; past it the least recently used idle one is closed
 * @param socketSendBytes the system's send buffer of each socket, 0 for what the system chooses
 * @param socketReceiveBytes the system's receive buffer of each socket, 0 for what the system
 *     chooses
 */
public record NetConfig(
        ClusterSecret secret,
        int ringBytes,
        int incomingBufferBytes,
        int pooledBuffers,
        int windowBytes,
        int workers,
        int maxWorkers,
        Duration requestTimeout,
        Duration connectTimeout,
        Duration sendTimeout,
        Waiting waiting,
        int maxMessageBytes,
        int maxPendingRequests,
        int maxConnections,
        int socketSendBytes,
        int socketReceiveBytes) {

    /** Smallest ring and receive buffer. */
    public static final int MIN_BUFFER_BYTES = 4 << 10;

    /** Largest ring and receive buffer. */
    public static final int MAX_BUFFER_BYTES = 256 << 20;

    /**
     * A ring's room unless something else is wanted: four writes of it, so that the rings of many
     * connections stay in the cache together.
     */
    public static final int DEFAULT_RING_BYTES = 256 << 10;

    /** Largest value of {@link #maxMessageBytes()}. */
    public static final int MAX_MESSAGE_LIMIT_BYTES = 1 << 30;

    public NetConfig {
        Objects.requireNonNull(secret, "secret");
        check(
                ringBytes == 0 || (Integer.bitCount(ringBytes) == 1 && inBufferLimits(ringBytes)),
                "ringBytes must be 0 or a power of two from 4 KiB to 256 MiB");
        check(
                (incomingBufferBytes & 7) == 0 && inBufferLimits(incomingBufferBytes),
                "incomingBufferBytes must be a multiple of 8 from 4 KiB to 256 MiB");
        check(pooledBuffers >= 1, "pooledBuffers must be positive");
        check(windowBytes >= MIN_BUFFER_BYTES, "windowBytes must be at least 4 KiB");
        check(
                workers >= 1 && maxWorkers >= workers && maxWorkers <= 32_767,
                "workers must be positive, maxWorkers at least as many and at most 32767");
        check(requestTimeout.isPositive(), "requestTimeout must be positive");
        check(connectTimeout.isPositive(), "connectTimeout must be positive");
        check(sendTimeout.isPositive(), "sendTimeout must be positive");
        Objects.requireNonNull(waiting, "waiting");
        check(
                maxMessageBytes >= 1 && maxMessageBytes <= MAX_MESSAGE_LIMIT_BYTES,
                "maxMessageBytes must be 1 byte to 1 GiB");
        check(maxPendingRequests >= 1, "maxPendingRequests must be positive");
        check(maxConnections >= 1, "maxConnections must be positive");
        check(
                isSocketBuffer(socketSendBytes) && isSocketBuffer(socketReceiveBytes),
                "socketSendBytes and socketReceiveBytes must be 0 or 4 KiB to 256 MiB");
    }

    /** What a node uses when nobody says otherwise. */
    public static NetConfig defaults() {
        int cores = Runtime.getRuntime().availableProcessors();
        return new NetConfig(
                ClusterSecret.NONE,
                0,
                256 << 10,
                16,
                2 << 20,
                Math.max(4, 2 * cores),
                512,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Waiting.ADAPTIVE,
                256 << 20,
                1 << 20,
                256,
                0,
                0);
    }

    /** The largest frame, header included: two of it fit into a ring, and into a receive buffer. */
    public int maxFrameBytes() {
        int ring = ringBytes == 0 ? DEFAULT_RING_BYTES : ringBytes;
        return Math.min(ring, incomingBufferBytes) / 2 & -8;
    }

    /** Nodes of another cluster are refused at the handshake. */
    public long clusterId() {
        return secret.clusterId();
    }

    public NetConfig withSecret(ClusterSecret value) {
        return changed(draft -> draft.secret = value);
    }

    public NetConfig withRingBytes(int value) {
        return changed(draft -> draft.ringBytes = value);
    }

    public NetConfig withIncomingBufferBytes(int value) {
        return changed(draft -> draft.incomingBufferBytes = value);
    }

    public NetConfig withPooledBuffers(int value) {
        return changed(draft -> draft.pooledBuffers = value);
    }

    public NetConfig withWindowBytes(int value) {
        return changed(draft -> draft.windowBytes = value);
    }

    public NetConfig withWorkers(int newWorkers, int newMaxWorkers) {
        return changed(draft -> {
            draft.workers = newWorkers;
            draft.maxWorkers = newMaxWorkers;
        });
    }

    public NetConfig withRequestTimeout(Duration value) {
        return changed(draft -> draft.requestTimeout = value);
    }

    public NetConfig withConnectTimeout(Duration value) {
        return changed(draft -> draft.connectTimeout = value);
    }

    public NetConfig withSendTimeout(Duration value) {
        return changed(draft -> draft.sendTimeout = value);
    }

    public NetConfig withWaiting(Waiting value) {
        return changed(draft -> draft.waiting = value);
    }

    public NetConfig withMaxMessageBytes(int value) {
        return changed(draft -> draft.maxMessageBytes = value);
    }

    public NetConfig withMaxPendingRequests(int value) {
        return changed(draft -> draft.maxPendingRequests = value);
    }

    public NetConfig withMaxConnections(int value) {
        return changed(draft -> draft.maxConnections = value);
    }

    public NetConfig withSocketBuffers(int sendBytes, int receiveBytes) {
        return changed(draft -> {
            draft.socketSendBytes = sendBytes;
            draft.socketReceiveBytes = receiveBytes;
        });
    }

    private NetConfig changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    private static boolean inBufferLimits(int bytes) {
        return bytes >= MIN_BUFFER_BYTES && bytes <= MAX_BUFFER_BYTES;
    }

    private static boolean isSocketBuffer(int bytes) {
        return bytes == 0 || inBufferLimits(bytes);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** A configuration that is being changed; confined to {@link #changed}. */
    private static final class Draft {
        private ClusterSecret secret;
        private int ringBytes;
        private int incomingBufferBytes;
        private int pooledBuffers;
        private int windowBytes;
        private int workers;
        private int maxWorkers;
        private Duration requestTimeout;
        private Duration connectTimeout;
        private Duration sendTimeout;
        private Waiting waiting;
        private int maxMessageBytes;
        private int maxPendingRequests;
        private int maxConnections;
        private int socketSendBytes;
        private int socketReceiveBytes;

        Draft(NetConfig from) {
            secret = from.secret;
            ringBytes = from.ringBytes;
            incomingBufferBytes = from.incomingBufferBytes;
            pooledBuffers = from.pooledBuffers;
            windowBytes = from.windowBytes;
            workers = from.workers;
            maxWorkers = from.maxWorkers;
            requestTimeout = from.requestTimeout;
            connectTimeout = from.connectTimeout;
            sendTimeout = from.sendTimeout;
            waiting = from.waiting;
            maxMessageBytes = from.maxMessageBytes;
            maxPendingRequests = from.maxPendingRequests;
            maxConnections = from.maxConnections;
            socketSendBytes = from.socketSendBytes;
            socketReceiveBytes = from.socketReceiveBytes;
        }

        NetConfig config() {
            return new NetConfig(
                    secret,
                    ringBytes,
                    incomingBufferBytes,
                    pooledBuffers,
                    windowBytes,
                    workers,
                    maxWorkers,
                    requestTimeout,
                    connectTimeout,
                    sendTimeout,
                    waiting,
                    maxMessageBytes,
                    maxPendingRequests,
                    maxConnections,
                    socketSendBytes,
                    socketReceiveBytes);
        }
    }
}
