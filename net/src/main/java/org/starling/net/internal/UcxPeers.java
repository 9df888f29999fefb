package org.starling.net.internal;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.net.internal.ucx.UcxWorker;

/**
 * The UCX endpoints by node: one each, which serves the outgoing link's bytes and the incoming
 * link's confirmations.
 *
 * <p>UCX itself pairs the endpoints of two workers with each other, so that closing one breaks the
 * other; therefore an endpoint is closed only when its node is lost, which always concerns both
 * links, and stays when a link is retired. Guarded by the transport's turn.
 */
final class UcxPeers {

    /** An endpoint to a node as long as that node's worker lives. */
    static final class Peer {
        private final int node;
        private final byte[] address;
        private final long endpoint;
        private boolean isClosed;

        private Peer(int node, byte[] address, long endpoint) {
            this.node = node;
            this.address = address;
            this.endpoint = endpoint;
        }

        /** Only while not closed. */
        long endpoint() {
            return endpoint;
        }

        boolean isClosed() {
            return isClosed;
        }
    }

    private final UcxWorker worker;
    private final int self;
    private final Map<Integer, Peer> peers = new HashMap<>();

    UcxPeers(UcxWorker worker, int self) {
        this.worker = worker;
        this.self = self;
    }

    /**
     * The endpoint to a node, made if there is none to that worker.
     *
     * @throws org.starling.net.NetException when it can't be reached
     */
    Peer reach(int node, byte[] address) {
        Peer present = peers.get(node);
        if (present != null && Arrays.equals(present.address, address)) {
            return present;
        }
        if (present != null) {
            close(present); // the node has been started anew
        }
        Peer made = new Peer(node, address, worker.connect(address, node == self));
        peers.put(node, made);
        return made;
    }

    /** The endpoint to a node, if there is one. */
    @Nullable Peer present(int node) {
        return peers.get(node);
    }

    @Nullable Peer withEndpoint(long endpoint) {
        for (Peer peer : peers.values()) {
            if (peer.endpoint == endpoint) {
                return peer;
            }
        }
        return null;
    }

    /** Closes an endpoint at once, if it is not closed. */
    void close(Peer peer) {
        if (!peer.isClosed) {
            peer.isClosed = true;
            peers.remove(peer.node, peer);
            worker.disconnect(peer.endpoint, peer.node != self);
        }
    }

    /** Closes all after what was sent has left. */
    void closeAll() {
        for (Peer peer : peers.values()) {
            peer.isClosed = true;
            worker.disconnect(peer.endpoint, false);
        }
        peers.clear();
    }
}
