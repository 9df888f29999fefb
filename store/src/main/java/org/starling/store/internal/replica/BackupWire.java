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

    /** Over a network, with a time-out for each question. */
    static BackupWire over(Network network, Duration timeout) {
        return new BackupWire() {
            @Override
            public <R extends Message> CompletableFuture<R> ask(int node, Request<R> request) {
                return network.request(node, request, timeout);
            }
        };
    }
}
