package org.starling.net.internal;

import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;
import org.starling.net.internal.ucx.UcxWorker;

/**
 * Makes and ends the connections of a {@link UcxTransport} and finds them for what UCX calls back.
 * Used with the transport's turn on the receiving thread, but for {@link #endpointFailed}, which
 * may come on any thread with the turn.
 */
final class UcxConnections {

    private final UcxTransport transport;
    private final Messenger messenger;
    private final UcxWorker worker;
    private final UcxPeers peers;
    private final UcxSlots<UcxSender> senders = new UcxSlots<>();
    private final UcxSlots<UcxReceiver> receivers = new UcxSlots<>();

    UcxConnections(UcxTransport transport, Messenger messenger, UcxWorker worker) {
        this.transport = transport;
        this.messenger = messenger;
        this.worker = worker;
        this.peers = new UcxPeers(worker, messenger.nodeId());
    }

    // ---- connecting

    /** Takes an outgoing end in that is about to connect. */
    void add(UcxSender sender) {
        sender.listen(senders.add(sender));
    }

    /** The peer has answered the handshake. */
    void open(UcxSender sender, UcxHello answer) {
        if (sender.isDisposed() || transport.isClosed()) {
            return;
        }
        OutgoingLink link = sender.link();
        try {
            sender.open(reach(answer.nodeId(), answer.address()), answer.key());
        } catch (NetException e) {
            messenger.lost(link, "node " + link.peer() + " can't be reached: " + e.getMessage());
        }
    }

    /** Connects this node with itself. */
    void openToSelf(UcxSender sender) {
        OutgoingLink link = sender.link();
        try {
            UcxPeers.Peer peer = reach(link.peer(), worker.address());
            UcxReceiver receiver =
                    receive(messenger.accept(link.peer()), peer, sender.ownKey(), null);
            sender.open(peer, receiver.ownKey());
        } catch (NetException e) {
            messenger.lost(link, String.valueOf(e.getMessage()));
        }
    }

    /** A peer has said its part of the handshake; {@code made} gets its end or the refusal. */
    void accept(UcxHello hello, Socket socket, CompletableFuture<UcxReceiver> made) {
        IncomingLink old = messenger.links().existingIncoming(hello.nodeId());
        if (old != null) {
            messenger.lost(old, "it has connected anew");
        }
        transport.later(() -> { // after the old endpoint is gone
            try {
                if (transport.isClosed()) {
                    throw new NetException("closed");
                }
                UcxPeers.Peer peer = reach(hello.nodeId(), hello.address());
                IncomingLink link = messenger.accept(hello.nodeId());
                made.complete(receive(link, peer, hello.key(), socket));
            } catch (RuntimeException | Error e) {
                made.completeExceptionally(e);
            }
        });
    }

    /**
     * The endpoint to a node: a new one when a link over the present one has been lost, as what
     * follows on that loss, and closes the endpoint, may still be to come.
     */
    private UcxPeers.Peer reach(int node, byte[] address) {
        UcxPeers.Peer present = peers.present(node);
        if (present != null
                && (senders.values().stream().anyMatch(end -> isLost(end, present))
                        || receivers.values().stream().anyMatch(end -> isLost(end, present)))) {
            lose(present, "a connection with it is lost");
        }
        return peers.reach(node, address);
    }

    private boolean isLost(UcxSender sender, UcxPeers.Peer peer) {
        OutgoingLink link = sender.link();
        return peer.equals(sender.peer())
                && !messenger.links().isInPlace(link)
                && link.state() != LinkState.RETIRED;
    }

    private boolean isLost(UcxReceiver receiver, UcxPeers.Peer peer) {
        return peer.equals(receiver.peer())
                && !messenger.links().isInPlace(receiver.link())
                && !receiver.isDeparted();
    }

    private UcxReceiver receive(
            IncomingLink link, UcxPeers.Peer peer, long key, @Nullable Socket socket) {
        UcxReceiver receiver = new UcxReceiver(transport, messenger, link, peer, key, socket);
        receiver.listen(receivers.add(receiver));
        link.attach(receiver);
        if (link.isClosed()) {
            transport.disconnect(link); // it was closed before it had an end
        }
        return receiver;
    }

    // ---- the end

    /** Once or more. */
    void dispose(UcxSender sender) {
        senders.remove(sender.ownKey());
        UcxPeers.Peer peer = sender.peer();
        if (peer != null && sender.link().state() != LinkState.RETIRED) {
            lose(peer, "a connection with it is lost");
        }
        sender.dispose();
    }

    /** Once or more. */
    void dispose(UcxReceiver receiver) {
        receivers.remove(receiver.ownKey());
        if (!receiver.isDeparted()) {
            lose(receiver.peer(), "a connection with it is lost");
        }
        receiver.dispose();
    }

    /** Closes all endpoints after what was sent has left; to be waited for by moving UCX on. */
    void close() {
        peers.closeAll();
    }

    /** Releases all memory, when the worker is gone. */
    void disposeAll() {
        senders.values().forEach(UcxSender::dispose);
        receivers.values().forEach(UcxReceiver::dispose);
    }

    // ---- called by UCX

    /** An active message with a piece of a stream. */
    void received(long header, long headerBytes, long data, long bytes) {
        if (headerBytes != UcxMessageLayout.BYTES) {
            messenger.refused("an active message with a header of " + headerBytes + " bytes");
            return;
        }
        UcxReceiver receiver = receivers.get(UcxMessageLayout.key(header));
        if (receiver != null) { // else it is late
            receiver.received(UcxMessageLayout.position(header), data, bytes);
        }
    }

    /** An active message with a confirmation. */
    void confirmed(long header, long headerBytes, long data, long bytes) {
        if (headerBytes != UcxMessageLayout.BYTES) {
            messenger.refused("an active message with a header of " + headerBytes + " bytes");
            return;
        }
        UcxSender sender = senders.get(UcxMessageLayout.key(header));
        if (sender != null) { // else it is late
            sender.confirmed(UcxMessageLayout.position(header));
        }
    }

    /** A peer can't be reached any more. */
    void endpointFailed(long endpoint, int status) {
        UcxPeers.Peer peer = peers.withEndpoint(endpoint);
        if (peer != null) {
            String reason = worker.text(status);
            transport.later(() -> lose(peer, reason));
        }
    }

    /** Closes an endpoint, unless that was done; all links over it are lost with it. */
    private void lose(UcxPeers.Peer peer, String reason) {
        if (peer.isClosed()) {
            return;
        }
        peers.close(peer);
        for (UcxSender sender : senders.values()) {
            if (peer.equals(sender.peer())) {
                messenger.lost(sender.link(), reason);
            }
        }
        for (UcxReceiver receiver : receivers.values()) {
            if (peer.equals(receiver.peer())) {
                messenger.lost(receiver.link(), reason);
            }
        }
    }
}
