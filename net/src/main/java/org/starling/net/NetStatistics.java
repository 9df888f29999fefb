package org.starling.net;

import java.util.List;

/**
 * What a network has done since it was opened: a snapshot, each figure exact, the figures not taken
 * at one instant.
 *
 * @param connections one entry per node with a connection now
 * @param malformed connections closed because of malformed bytes
 * @param refused connections refused at the handshake
 * @param unhandled messages and raw blocks dropped because no handler is registered for their type
 * @param unanswered answers that could not be sent, as their askers were gone or unknown
 * @param handlerFailures exceptions thrown by handlers and listeners
 * @param receivingFailures 1 when the receiving thread has ended of something that nobody has
 *     foreseen, so that nothing can come in any more; else 0
 * @param lost nodes lost, each with all its connections
 * @param retired connections of this node closed on purpose because there were too many
 * @param nativeBytes native memory held by rings and buffers of this network
 * @param roundTrips of this node's requests that were answered
 * @param queues what waits now
 */
public record NetStatistics(
        List<Connection> connections,
        long malformed,
        long refused,
        long unhandled,
        long unanswered,
        long handlerFailures,
        long receivingFailures,
        long lost,
        long retired,
        long nativeBytes,
        RoundTrips roundTrips,
        Queues queues) {

    public NetStatistics {
        connections = List.copyOf(connections);
    }

    /**
     * Both directions of the connection with one node, since it was opened.
     *
     * @param node the other node
     * @param sentMessages frames that left (a fragmented message counts one per fragment)
     * @param sentBytes bytes that left
     * @param writes writes in which they left
     * @param stalls times a sender waited for room in ring or window
     * @param stallNanos how long they waited, all senders together
     * @param unconfirmedBytes bytes claimed or sent and not yet handled by the receiver
     * @param receivedMessages frames received
     * @param receivedBytes bytes received
     */
    public record Connection(
            int node,
            long sentMessages,
            long sentBytes,
            long writes,
            long stalls,
            long stallNanos,
            long unconfirmedBytes,
            long receivedMessages,
            long receivedBytes) {

        /** Messages per write; 0 before the first write. */
        public double aggregationFactor() {
            return writes == 0 ? 0 : (double) sentMessages / writes;
        }
    }

    /**
     * Times from a request to its answer, to 1 %; all 0 before the first answer.
     *
     * @param count answers
     */
    public record RoundTrips(
            long count, double p50Micros, double p99Micros, double p999Micros, double maxMicros) {}

    /**
     * What waits at this moment.
     *
     * @param pendingRequests requests of this node without an answer
     * @param waitingTasks handlers, and connections with ordered handlers, that wait for a worker
     * @param workers threads that run handlers now
     * @param overflowBytes answers of INLINE handlers that found no room in a ring
     * @param lentBuffers receive buffers with bytes of a cut message, or being read
     * @param keptBuffers receive buffers kept for reuse
     */
    public record Queues(
            int pendingRequests,
            long waitingTasks,
            int workers,
            long overflowBytes,
            int lentBuffers,
            int keptBuffers) {}
}
