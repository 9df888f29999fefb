package org.starling.store.internal.replica;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.starling.net.Message;
import org.starling.net.Network;
import org.starling.net.Request;

/**
 * How owners, recoverers and backups reach each other. What one thread asks one node arrives in
 * that order, unless it is lost; a failed question may have been answered and acted on.
 */
interface BackupWire {
    /**
     * Asks a node.
     *
     * @param node node id, perhaps this node's own
     * @param request what to ask
     * @return its answer; completed on the receiving thread, so dependents must not wait
     */
    <R extends Message> CompletableFuture<R> ask(int node, Request<R> request);

    /**
     * Breaks the connection with a node that does not answer, so that nobody waits to send to it.
     *
     * @param node node id
     */
    void giveUp(int node);

    /**
     * Over a network.
     *
     * @param timeout for each question
     * @param fenceTimeout for fences, of which all sources of a recovery have to hear before it
     *     goes on
     */
    static BackupWire over(Network network, Duration timeout, Duration fenceTimeout) {
        return new BackupWire() {
            @Override
            public <R extends Message> CompletableFuture<R> ask(int node, Request<R> request) {
                boolean isFence = request instanceof ReplicaMessage.Fence;
                return network.request(node, request, isFence ? fenceTimeout : timeout);
            }

            @Override
            public void giveUp(int node) {
                network.disconnect(node);
            }
        };
    }
}
