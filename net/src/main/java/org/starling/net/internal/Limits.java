package org.starling.net.internal;

import java.time.Duration;

/**
 * Sizes, bounds and times of a network that nobody has to choose: {@link #DEFAULTS}. They are a
 * record so that tests can come to a bound with little.
 *
 * @param ringBytes room of the outgoing ring of each connection, a power of two of at least {@link
 *     #MIN_BUFFER_BYTES}, or 0 for what suits the transport: {@link #DEFAULT_RING_BYTES}, and more
 *     over loopback
 * @param incomingBufferBytes room of a receive buffer, a multiple of 8, at least {@link
 *     #MIN_BUFFER_BYTES}
 * @param pooledBuffers receive buffers kept for reuse; more may be in use, one per connection that
 *     holds a cut message
 * @param windowBytes bytes sent and not yet handled by the receiver, per connection, past which a
 *     sender waits; at least {@link #MIN_BUFFER_BYTES}
 * @param workers threads that run ORDERED and WORKER handlers
 * @param maxWorkers bound of those threads while some of them wait in calls
 * @param connectTimeout bound of connecting and of the handshake
 * @param sendTimeout a connection that takes no byte for so long, while a sender waits for room, is
 *     lost
 * @param maxMessageBytes largest message object, checked before sending and before allocating; at
 *     most 1 GiB
 * @param maxPendingRequests requests of this node without an answer, in all
 * @param maxConnections outgoing connections; past it the least recently used idle one is closed
 */
public record Limits(
        int ringBytes,
        int incomingBufferBytes,
        int pooledBuffers,
        int windowBytes,
        int workers,
        int maxWorkers,
        Duration connectTimeout,
        Duration sendTimeout,
        int maxMessageBytes,
        int maxPendingRequests,
        int maxConnections) {

    /** Smallest ring and receive buffer. */
    public static final int MIN_BUFFER_BYTES = 4 << 10;

    /** Largest ring and receive buffer. */
    public static final int MAX_BUFFER_BYTES = 256 << 20;

    /** Four writes of it, so that the rings of many connections stay in the cache together. */
    public static final int DEFAULT_RING_BYTES = 256 << 10;

    /** Those of every node. */
    public static final Limits DEFAULTS =
            new Limits(
                    0,
                    256 << 10,
                    16,
                    2 << 20,
                    Math.max(4, 2 * Runtime.getRuntime().availableProcessors()),
                    512,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    256 << 20,
                    1 << 20,
                    256);

    /** The same with another number of connections. */
    public Limits withConnections(int most) {
        return new Limits(
                ringBytes,
                incomingBufferBytes,
                pooledBuffers,
                windowBytes,
                workers,
                maxWorkers,
                connectTimeout,
                sendTimeout,
                maxMessageBytes,
                maxPendingRequests,
                most);
    }

    /** The largest frame, header included: two of it fit into a ring, and into a receive buffer. */
    public int maxFrameBytes() {
        int ring = ringBytes == 0 ? DEFAULT_RING_BYTES : ringBytes;
        return Math.min(ring, incomingBufferBytes) / 2 & -8;
    }
}
