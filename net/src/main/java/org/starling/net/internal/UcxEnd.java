package org.starling.net.internal;

import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.net.internal.ucx.UcxStatus;
import org.starling.net.internal.ucx.UcxWorker;

/**
 * An end of a connection over UCX: the socket that is its sign of life, the key under which it
 * takes active messages, and at most one request on its way, whose header stays until that is over.
 * Owned by a {@link UcxTransport}, used with its turn, but for {@link #hangUp}.
 */
abstract sealed class UcxEnd permits UcxSender, UcxReceiver {
    final UcxTransport transport;
    final Messenger messenger;
    final long header = NativeMemory.reserve(UcxMessageLayout.BYTES);

    private final @Nullable Socket socket;
    private long ownKey;
    private long request;
    private boolean isDisposed;

    /**
     * @param socket closed with this end, or null if there is none
     */
    UcxEnd(UcxTransport transport, Messenger messenger, @Nullable Socket socket) {
        this.transport = transport;
        this.messenger = messenger;
        this.socket = socket;
    }

    abstract Link link();

    /** Goes on after the request has left. */
    abstract void goOn();

    /** Tells under which key this end takes messages. */
    final void listen(long key) {
        ownKey = key;
    }

    final long ownKey() {
        return ownKey;
    }

    final boolean isDisposed() {
        return isDisposed;
    }

    /** Whether a request is on its way. */
    final boolean isSending() {
        return request != 0;
    }

    /** What was sent has not left yet. */
    final void await(long newRequest) {
        request = newRequest;
        transport.onItsWay(this);
    }

    /** Looks whether the request is done and goes on if so; false while it is on its way. */
    final boolean finish() {
        UcxWorker worker = transport.worker();
        int status = worker.status(request);
        if (status == UcxStatus.IN_PROGRESS) {
            return false;
        }
        worker.free(request);
        settle(status == UcxStatus.OK);
        if (status == UcxStatus.OK) {
            goOn();
        } else {
            messenger.lost(link(), worker.text(status));
        }
        return true;
    }

    /** The request is over. */
    void settle(boolean hasLeft) {
        request = 0;
        if (isDisposed) {
            NativeMemory.release(header, UcxMessageLayout.BYTES);
        }
    }

    /** Closes the socket at once, from any thread; memory follows on the receiving thread. */
    void hangUp() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            transport.closeFailed(e);
        }
    }

    /** Once or more. */
    void dispose() {
        if (!isDisposed) {
            isDisposed = true;
            if (request == 0) {
                NativeMemory.release(header, UcxMessageLayout.BYTES);
            }
        }
    }
}
