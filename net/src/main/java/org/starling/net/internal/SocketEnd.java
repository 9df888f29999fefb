package org.starling.net.internal;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over TCP: the socket, its wire, and the few bytes of handshake and
 * confirmations. Attached to the socket's selection key. Owned by an {@link EthernetTransport}; all
 * methods run on its receiving thread, but for {@link #hangUp}.
 */
abstract sealed class SocketEnd permits EthernetSender, EthernetReceiver {
    final EthernetTransport transport;
    final Messenger messenger;
    final SocketChannel channel;
    final Wire wire;
    final ControlBuffer control = new ControlBuffer();

    private final long deadlineNanos;
    private boolean isPrepared;

    SocketEnd(
            EthernetTransport transport,
            Messenger messenger,
            SocketChannel channel,
            Wire wire,
            long deadlineNanos) {
        this.transport = transport;
        this.messenger = messenger;
        this.channel = channel;
        this.wire = wire;
        this.deadlineNanos = deadlineNanos;
    }

    // ---- what both ends do in their own ways

    /**
     * There may be something to do; failures are handled inside.
     *
     * @param key what the socket can do, or null when the wire has something to read although the
     *     socket may have nothing
     */
    abstract void proceed(@Nullable SelectionKey key);

    /** Takes up what has come through the wire; the first time, the wire has just been prepared. */
    abstract void take(boolean isFirst) throws IOException;

    /** All that was to be written has left. */
    abstract void written();

    /** Whether the handshake is done. */
    abstract boolean hasShakenHands();

    /** Gives up because the handshake took too long. */
    abstract void expire();

    /** Closes the socket and releases its memory. */
    abstract void dispose();

    // ---- the same at both ends

    /** When its handshake has to be done, by {@link System#nanoTime}. */
    final long deadlineNanos() {
        return deadlineNanos;
    }

    /** Whether it has waited too long for its handshake. */
    final boolean isOverdue(long nowNanos) {
        return !hasShakenHands() && nowNanos - deadlineNanos > 0;
    }

    /** Closes the socket at once, from any thread; its memory follows on the receiving thread. */
    void hangUp() {
        try {
            wire.close();
        } catch (IOException e) {
            transport.closeFailed(e);
        }
    }

    final void receive() throws IOException {
        boolean isFirst = !isPrepared;
        if (isFirst) {
            isPrepared = wire.prepare(() -> transport.later(this::resume));
        }
        if (isPrepared) {
            take(isFirst);
        }
        if (!wire.isOpen()) {
            return;
        }
        if (!wire.flush()) {
            transport.awaitWritable(channel);
        }
        if (wire.hasUnread()) {
            transport.later(this::resume); // the selector knows only of what the socket has
        }
    }

    final void goOnWriting(SelectionKey key) throws IOException {
        if (!isPrepared) {
            receive();
        }
        if (wire.isOpen() && wire.flush() && control.continueWriting(wire)) {
            key.interestOpsAnd(~SelectionKey.OP_WRITE);
            written();
        }
    }

    /** Writes what was composed in {@link #control}, now or as soon as the socket takes it. */
    final void write(int bytes) throws IOException {
        if (!control.write(wire, bytes)) {
            transport.awaitWritable(channel);
        }
    }

    /** Goes on, also where the selector tells of nothing. */
    final void resume() {
        if (channel.isOpen()) {
            proceed(null);
        }
    }
}
