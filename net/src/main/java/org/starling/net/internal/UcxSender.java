package org.starling.net.internal;

import java.net.Socket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;
import org.starling.net.NetException;
import org.starling.net.internal.ucx.UcxStatus;
import org.starling.net.internal.ucx.UcxWorker;

/**
 * The UCX end of an outgoing link: sends the ring as active messages, takes confirmations.
 *
 * <p>Owned by a {@link UcxTransport}. {@link #drain} runs on any thread that gets the transport's
 * turn. While a message can't leave at once, the link's drain lock stays held, so that the ring can
 * neither be released nor sent from twice; the end of the request gives it back.
 *
 * <p>Fields: {@code isOpen} is volatile; {@code peer}, {@code key}, {@code sentBytes} and {@code
 * requestBytes} are guarded by the turn; {@code socket} is thread-safe.
 */
final class UcxSender extends UcxEnd {

    /** Bytes sent in one turn; other links and the receiving thread want theirs. */
    private static final int MAX_TURN_BYTES = 256 << 10;

    private final OutgoingLink link;
    private final Socket socket;
    private final int messageBytes;
    private final boolean isSelf;
    private volatile boolean isOpen;
    private UcxPeers.@Nullable Peer peer;
    private long key;
    private long sentBytes;
    private int requestBytes;

    UcxSender(UcxTransport transport, Messenger messenger, OutgoingLink link) {
        this(transport, messenger, link, new Socket());
    }

    private UcxSender(
            UcxTransport transport, Messenger messenger, OutgoingLink link, Socket socket) {
        super(transport, messenger, socket);
        this.socket = socket;
        this.link = link;
        this.messageBytes = transport.messageBytes();
        this.isSelf = link.peer() == messenger.nodeId();
    }

    // ---- any thread

    /** Whether bytes can be sent now. */
    boolean isWritable() {
        return isOpen;
    }

    /**
     * Sends what is committed, or leaves it to the receiving thread when that or another one has
     * the turn; returns bytes that have left.
     */
    int drain() {
        int bytes = 0;
        boolean isMissed = true;
        while (isMissed && isOpen) {
            // what a node sends to itself is handled inside the send
            if ((isSelf && !messenger.isReceivingThread()) || !transport.tryTurn()) {
                transport.schedule().leave(link);
                return bytes;
            }
            String failure = null;
            try {
                if (!link.tryLockDrain()) {
                    return bytes; // the end of the request on its way looks again
                }
                bytes += sendRing();
                isMissed = !isSending() && link.unlockDrain();
            } catch (NetException e) {
                failure = String.valueOf(e.getMessage());
                link.unlockDrain();
            } finally {
                transport.endTurn();
            }
            if (failure != null) {
                messenger.lost(link, failure);
                return bytes;
            }
            if (bytes >= MAX_TURN_BYTES) {
                transport.drainAgain(link);
                return bytes;
            }
        }
        return bytes;
    }

    @Override
    void hangUp() {
        isOpen = false;
        super.hangUp();
    }

    Socket socket() {
        return socket;
    }

    @Override
    OutgoingLink link() {
        return link;
    }

    // ---- with the turn

    UcxPeers.@Nullable Peer peer() {
        return peer;
    }

    /** The peer takes messages under {@code newKey} now. */
    void open(UcxPeers.Peer reached, long newKey) {
        peer = reached;
        key = newKey;
        isOpen = true;
        messenger.opened(link);
        transport.schedule().leave(link); // who commits now may still take it for closed
    }

    void confirmed(long position) {
        if (!link.confirm(position)) {
            messenger.malformed(
                    link,
                    new MalformedMessageException(
                            "confirms " + position + " bytes, which were never sent"));
        }
    }

    @Override
    void goOn() {
        transport.schedule().goOn(link);
    }

    @Override
    void dispose() {
        isOpen = false;
        super.dispose();
    }

    // ---- private

    @Override
    void settle(boolean hasLeft) {
        if (hasLeft) {
            link.ring().sent(requestBytes);
        }
        super.settle(hasLeft);
        link.setBlocked(false);
        link.unlockDrain();
        if (link.state().isClosed()) {
            messenger.links().sweep();
        }
    }

    private int sendRing() {
        UcxPeers.Peer to = Objects.requireNonNull(peer);
        OutgoingRing ring = link.ring();
        UcxWorker worker = transport.worker();
        int bytes = 0;
        while (bytes < MAX_TURN_BYTES && !isDisposed() && !to.isClosed() && !ring.isReleased()) {
            int piece = Math.min(ring.scan(messageBytes), messageBytes);
            if (piece == 0) {
                break;
            }
            UcxMessageLayout.write(header, key, sentBytes);
            long result =
                    worker.send(
                            to.endpoint(),
                            UcxMessageLayout.DATA,
                            header,
                            UcxMessageLayout.BYTES,
                            ring.address() + ring.sendIndex(),
                            piece);
            if (UcxStatus.isFailure(result)) {
                throw new NetException(worker.text(result));
            }
            sentBytes += piece;
            if (result != 0) {
                requestBytes = piece;
                link.setBlocked(true); // the end of the request looks again
                await(result);
                break;
            }
            ring.sent(piece);
            bytes += piece;
        }
        return bytes;
    }
}
