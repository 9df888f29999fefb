package org.starling.net.internal;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.starling.net.ClusterSecret;
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

    /** What the caller calls itself; known with its hello. */
    private int caller;

    private int incarnation;

    /** What it has said, while its nonce is awaited. */
    private byte @Nullable [] hello;

    /** What it must prove, while that is awaited. */
    private @Nullable HandshakeProof awaited;

    private @Nullable IncomingLink link;
    private @Nullable ReceiveBuffer buffer;

    EthernetReceiver(
            EthernetTransport transport, Exchange exchange, SocketChannel channel, Wire wire) {
        this.transport = transport;
        this.exchange = exchange;
        this.channel = channel;
        this.wire = wire;
        this.maxFrameBytes = exchange.limits().incomingBufferBytes() / 2;
        this.deadlineNanos = System.nanoTime() + exchange.limits().connectTimeout().toNanos();
    }

    void register(Selector selector) throws IOException {
        Sockets.prepare(channel, exchange.config());
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    @Override
    public void ready(SelectionKey key) {
        proceed(key);
    }

    /** Writes a confirmation if one is due; after a farewell it is over. */
    void confirm() {
        IncomingLink present = link;
        if (present == null || !control.isWritten() || !wire.isOpen()) {
            return; // asked again when what is being written has left
        }
        long position = present.takeConfirmation();
        try {
            if (position >= 0 && !write(position)) {
                transport.awaitWritable(channel);
            } else if (present.hasParted()) {
                exchange.parted(present);
            }
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
        }
    }

    private boolean write(long position) throws IOException {
        ConfirmationLayout.write(control.outAddress(), position);
        return control.write(wire, ConfirmationLayout.BYTES);
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
        while (state > 0 && link == null) {
            step();
            state = link == null ? control.read(wire) : 0;
        }
        if (state < 0) {
            fail("hung up before the handshake");
        }
    }

    /** Something is complete: the caller's hello, its nonce, or its proof. */
    private void step() throws IOException {
        ClusterSecret secret = exchange.config().secret();
        if (awaited != null) {
            HandshakeProof.check(
                    caller, awaited.ofCaller(), control.taken(0, HandshakeProof.BYTES));
            welcome();
        } else if (hello != null) {
            prove(secret, hello);
        } else {
            greet();
            if (secret.isNone()) {
                welcome();
            } else {
                hello = control.taken(0, HandshakeLayout.BYTES);
                control.expect(HandshakeProof.NONCE_BYTES);
            }
        }
    }

    private void greet() throws IOException {
        long in = control.inAddress();
        HandshakeLayout.check(in, exchange.config().clusterId());
        caller = HandshakeLayout.nodeId(in);
        incarnation = HandshakeLayout.incarnation(in);
        if (caller == exchange.nodeId()) {
            throw new MalformedMessageException("handshake with this node's own id " + caller);
        }
        HandshakeLayout.checkCaller(caller, incarnation, transport.book());
        wire.checkPeer(caller);
    }

    private void prove(ClusterSecret secret, byte[] said) throws IOException {
        byte[] nonce = HandshakeProof.freshNonce();
        HandshakeProof proof =
                new HandshakeProof(
                        secret,
                        said,
                        control.taken(0, HandshakeProof.NONCE_BYTES),
                        nonce,
                        exchange.nodeId());
        awaited = proof;
        control.expect(HandshakeProof.BYTES);
        control.compose(0, HandshakeProof.joined(nonce, proof.ofAnswerer()));
        if (!control.write(wire, HandshakeProof.NONCE_BYTES + HandshakeProof.BYTES)) {
            transport.awaitWritable(channel);
        }
    }

    private void welcome() throws IOException {
        HandshakeLayout.write(
                control.outAddress(),
                exchange.config().clusterId(),
                exchange.nodeId(),
                transport.book().incarnationOf(exchange.nodeId()),
                maxFrameBytes);
        if (!control.write(wire, HandshakeLayout.BYTES)) {
            transport.awaitWritable(channel);
        }
        IncomingLink accepted = exchange.accept(caller);
        link = accepted;
        accepted.attach(this);
        // Who hears meanwhile that the id has gone to another node ends the links that are there.
        HandshakeLayout.checkCaller(caller, incarnation, transport.book());
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
