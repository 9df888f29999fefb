package org.starling.net.internal;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;
import org.starling.net.NodeLostException;

/**
 * The socket of an incoming link: checks the handshake, reads frames, writes confirmations. Owned
 * by an {@link EthernetTransport}, confined to its receiving thread, but for {@link #hangUp}.
 */
final class EthernetReceiver implements SocketEnd {

    /** Reads in a row before other sockets get their turn. */
    private static final int MAX_READS = 8;

    private final EthernetTransport transport;
    private final Exchange exchange;
    private final SocketChannel channel;
    private final Wire wire;
    private final ControlBuffer control = new ControlBuffer();
    private final int maxFrameBytes;
    private final long deadlineNanos;
    private boolean isPrepared;
    private @Nullable IncomingLink link;
    private @Nullable ReceiveBuffer buffer;

    EthernetReceiver(
            EthernetTransport transport, Exchange exchange, SocketChannel channel, Wire wire) {
        this.transport = transport;
        this.exchange = exchange;
        this.channel = channel;
        this.wire = wire;
        this.maxFrameBytes = exchange.config().incomingBufferBytes() / 2;
        this.deadlineNanos = System.nanoTime() + exchange.config().connectTimeout().toNanos();
    }

    void register(Selector selector) throws IOException {
        Sockets.prepare(channel, exchange.config());
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    @Override
    public void ready(SelectionKey key) {
        proceed(key);
    }

    /** Writes a confirmation if one is due. */
    void confirm() {
        IncomingLink present = link;
        if (present == null || !control.isWritten() || !channel.isOpen()) {
            return; // asked again when what is being written has left
        }
        long position = present.takeConfirmation();
        if (position < 0) {
            return;
        }
        ConfirmationLayout.write(control.outAddress(), position);
        try {
            if (!control.write(wire, ConfirmationLayout.BYTES)) {
                transport.awaitWritable(channel);
            }
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
        }
    }

    /** Closes the socket at once, from any thread; its memory follows on the receiving thread. */
    void hangUp() {
        try {
            wire.close();
        } catch (IOException e) {
            transport.closeFailed(e);
        }
    }

    @Override
    public boolean hasShakenHands() {
        return link != null;
    }

    @Override
    public boolean isOverdue(long nowNanos) {
        return link == null && nowNanos - deadlineNanos > 0;
    }

    @Override
    public void expire() {
        fail("no handshake in time");
    }

    @Override
    public void dispose() {
        hangUp();
        wire.release();
        control.release();
        if (buffer != null) {
            transport.buffers().giveBack(buffer);
            buffer = null;
        }
    }

    /** The wire has something although the socket may have nothing. */
    private void resume() {
        if (channel.isOpen()) {
            proceed(null);
        }
    }

    private void proceed(@Nullable SelectionKey key) {
        try {
            if (key == null || key.isReadable()) {
                receive();
            }
            if (key != null && key.isValid() && key.isWritable()) {
                goOnWriting(key);
            }
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
        } catch (CancelledKeyException e) {
            fail("closed");
        } catch (MalformedMessageException e) {
            malformed(e);
        } catch (NodeLostException e) {
            transport.drop(this); // this node is being closed
        }
    }

    private void receive() throws IOException {
        if (!isPrepared) {
            isPrepared = wire.prepare(() -> transport.later(this::resume));
        }
        if (isPrepared) {
            IncomingLink present = link;
            if (present == null) {
                readHandshake();
            } else {
                read(present);
            }
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

    private void goOnWriting(SelectionKey key) throws IOException {
        if (!isPrepared) {
            receive();
        }
        if (wire.isOpen() && wire.flush() && control.continueWriting(wire)) {
            key.interestOpsAnd(~SelectionKey.OP_WRITE);
            confirm();
        }
    }

    private void readHandshake() throws IOException {
        int state = control.read(wire);
        if (state < 0) {
            fail("hung up before the handshake");
        }
        if (state <= 0) {
            return;
        }
        long in = control.inAddress();
        HandshakeLayout.check(in, exchange.config().clusterId());
        int peer = HandshakeLayout.nodeId(in);
        if (peer == exchange.nodeId()) {
            throw new MalformedMessageException("handshake with this node's own id " + peer);
        }
        wire.checkPeer(peer);
        HandshakeLayout.write(
                control.outAddress(),
                exchange.config().clusterId(),
                exchange.nodeId(),
                maxFrameBytes);
        if (!control.write(wire, HandshakeLayout.BYTES)) {
            transport.awaitWritable(channel);
        }
        IncomingLink accepted = exchange.accept(peer);
        link = accepted;
        accepted.attach(this);
    }

    private void read(IncomingLink present) throws IOException {
        for (int i = 0; i < MAX_READS && !present.isClosed(); i++) {
            ReceiveBuffer into = buffer == null ? transport.buffers().take() : buffer;
            buffer = into;
            int room = into.room();
            int bytes = into.fill(wire);
            if (bytes > 0) {
                into.handled(present.consume(into.startAddress(), into.bytes()), maxFrameBytes);
            }
            if (into.bytes() == 0) {
                buffer = null;
                transport.buffers().giveBack(into);
            }
            if (bytes < 0) {
                fail("it hung up");
                return;
            }
            if (present.isGoodbye()) {
                exchange.departed(present);
                return;
            }
            if (bytes < room) {
                return; // the socket is empty
            }
        }
    }

    private void malformed(MalformedMessageException cause) {
        if (link != null) {
            exchange.malformed(link, cause);
        } else {
            exchange.refused(remote() + ": " + cause.getMessage());
            transport.drop(this);
        }
    }

    private void fail(String reason) {
        if (link != null) {
            exchange.lost(link, reason);
        } else {
            exchange.refused(remote() + ": " + reason);
            transport.drop(this);
        }
    }

    /** Who is at the other end, for people. */
    private String remote() {
        return String.valueOf(channel.socket().getRemoteSocketAddress());
    }
}
