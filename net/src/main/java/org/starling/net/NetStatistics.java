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
 * @param handlerFailures exceptions thrown by handlers and listeners
 * @param lost nodes lost, each with all its connections
 * @param retired connections of this node closed on purpose because there were too many
 * @param nativeBytes native memory held by rings and buffers of this network
 */
public record NetStatistics(
        List<Connection> connections,
        long malformed,
        long refused,
        long unhandled,
        long handlerFailures,
        long lost,
        long retired,
        long nativeBytes) {

    public NetStatistics {
        connections = List.copyOf(connections);
    }

    /**
     * Both directions of the connection with one node.
     *
     * @param node the other node
     * @param sentMessages frames that left (a fragmented message counts one per fragment)
     * @param sentBytes bytes that left
     * @param writes writes in which they left
     * @param stalls times a sender waited for room in ring or window
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
            long unconfirmedBytes,
            long receivedMessages,
            long receivedBytes) {

        /** Messages per write; 0 before the first write. */
        public double aggregationFactor() {
            return writes == 0 ? 0 : (double) sentMessages / writes;
        }
    }
}
