package org.starling.net.internal;

import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;
import org.starling.net.internal.ucx.UcxStatus;
import org.starling.net.internal.ucx.UcxWorker;

/**
 * The UCX end of an incoming link: takes active messages, handles their frames where they lie if it
 * can, and sends confirmations. Owned by a {@link UcxTransport}, used with its turn on the
 * receiving thread, but for {@link #hangUp}.
 */
final class UcxReceiver extends UcxEnd {

    private final IncomingLink link;
    private final UcxPeers.Peer peer;
    private final int maxFrameBytes;

    /** Under which the peer takes confirmations. */
    private final long key;

    private long receivedBytes;
    private @Nullable ReceiveBuffer buffer;

    /**
     * @param socket whose end is the peer's, or null for what this node sends to itself
     */
    UcxReceiver(
            UcxTransport transport,
            Messenger messenger,
            IncomingLink link,
            UcxPeers.Peer peer,
            long key,
            @Nullable Socket socket) {
        super(transport, messenger, socket);
        this.link = link;
        this.peer = peer;
        this.key = key;
        this.maxFrameBytes = messenger.limits().incomingBufferBytes() / 2;
    }

    /** Whether the peer has closed this connection on purpose and stays; so does its endpoint. */
    boolean isDeparted() {
        return link.isGoodbye() && !link.isLeaving();
    }

    @Override
    IncomingLink link() {
        return link;
    }

    UcxPeers.Peer peer() {
        return peer;
    }

    /** A piece of the stream has come. */
    void received(long position, long address, long bytes) {
        if (link.isClosed()) {
            return;
        }
        try {
            if (position != receivedBytes || bytes > Integer.MAX_VALUE) {
                throw new MalformedMessageException(
                        "bytes from "
                                + position
                                + ", those from "
                                + receivedBytes
                                + " are missing");
            }
            receivedBytes += bytes;
            consume(address, (int) bytes);
            if (link.isGoodbye()) {
                messenger.departed(link);
            }
        } catch (MalformedMessageException e) {
            messenger.malformed(link, e);
        }
    }

    /** Sends a confirmation if one is due; after a farewell it is over. */
    void confirm() {
        if (isDisposed() || isSending() || peer.isClosed()) {
            return; // asked again when what is on its way has left
        }
        long position = link.takeConfirmation();
        if (position >= 0) {
            send(position);
        }
        if (!isSending() && link.hasParted()) {
            messenger.parted(link);
        }
    }

    private void send(long position) {
        UcxWorker worker = transport.worker();
        UcxMessageLayout.write(header, key, position);
        long result =
                worker.send(
                        peer.endpoint(),
                        UcxMessageLayout.CONFIRMATION,
                        header,
                        UcxMessageLayout.BYTES,
                        0,
                        0);
        if (UcxStatus.isFailure(result)) {
            messenger.lost(link, worker.text(result));
        } else if (result != 0) {
            await(result);
        }
    }

    @Override
    void goOn() {
        confirm();
    }

    @Override
    void dispose() {
        super.dispose();
        if (buffer != null) {
            transport.buffers().giveBack(buffer);
            buffer = null;
        }
    }

    /** Handles whole frames in place while nothing is left over, else behind what is. */
    private void consume(long address, int bytes) {
        int done = 0;
        if (buffer == null && (address & (FrameLayout.ALIGNMENT_BYTES - 1)) == 0) {
            done = link.consume(address, bytes);
        }
        while (done < bytes && !link.isClosed() && !link.isGoodbye()) {
            ReceiveBuffer into = buffer == null ? transport.buffers().take() : buffer;
            buffer = into;
            done += into.fill(address + done, bytes - done);
            into.handled(link.consume(into.startAddress(), into.bytes()), maxFrameBytes);
            if (into.bytes() == 0) {
                buffer = null;
                transport.buffers().giveBack(into);
            }
        }
    }
}
