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
final class EthernetReceiver extends SocketEnd {

    /** Reads in a row before other sockets get their turn. */
    private static final int MAX_READS = 8;

    private final int maxFrameBytes;

    /** What the caller calls itself; known with its hello. */
    private int caller;

    private int incarnation;

    /** What it has said, while its nonce is awaited. */
    private byte @Nullable [] hello;

    /** What it must prove, while that is awaited. */
    private @Nullable HandshakeProof awaited;

    private @Nullable IncomingLink link;
    private @Nullable ReceiveBuffer buffer;

    /** The buffer may have whole frames, of which the selector knows nothing. */
    private boolean hasLeft;

    EthernetReceiver(
            EthernetTransport transport, Messenger messenger, SocketChannel channel, Wire wire) {
        super(
                transport,
                messenger,
                channel,
                wire,
                System.nanoTime() + messenger.limits().connectTimeout().toNanos());
        this.maxFrameBytes = messenger.limits().incomingBufferBytes() / 2;
    }

    void register(Selector selector) throws IOException {
        Sockets.prepare(channel, messenger.config());
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Writes a confirmation if one is due; after a farewell it is over. */
    void confirm() {
        IncomingLink present = link;
        if (present == null || !control.isWritten() || !wire.isOpen()) {
            return; // asked again when what is being written has left
        }
        long position = present.takeConfirmation();
        try {
            if (position >= 0) {
                ConfirmationLayout.write(control.outAddress(), position);
                write(ConfirmationLayout.BYTES);
            }
            if (control.isWritten() && present.hasParted()) {
                messenger.parted(present);
            }
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the certificate of the other end is for another node as well. Any thread. */
    boolean covers(int nodeId) {
        return wire.covers(nodeId);
    }

    @Override
    boolean hasShakenHands() {
        return link != null;
    }

    @Override
    void expire() {
        fail("no handshake in time");
    }

    @Override
    void dispose() {
        hangUp();
        wire.release();
        control.release();
        if (buffer != null) {
            transport.buffers().giveBack(buffer);
            buffer = null;
        }
    }

    @Override
    void proceed(@Nullable SelectionKey key) {
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
            dispose(); // this node is being closed
        }
    }

    /** What a thread that waits for an answer does in the place of {@link #proceed}. */
    void takeAnswers(SelectionKey key) {
        try {
            if (link == null || hasLeft || !key.isReadable() || key.isWritable()) {
                transport.leave(this);
            } else {
                receive();
            }
        } catch (IOException
                | CancelledKeyException
                | MalformedMessageException
                | NodeLostException e) {
            leave(); // it comes again, on the receiving thread
        }
    }

    private void leave() {
        hasLeft = buffer != null;
        transport.leave(this);
    }

    @Override
    void take(boolean isFirst) throws IOException {
        IncomingLink present = link;
        if (present == null) {
            readHandshake();
        } else {
            read(present);
        }
    }

    @Override
    void written() {
        confirm();
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
        ClusterSecret secret = messenger.config().secret();
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
        HandshakeLayout.check(in, messenger.config().clusterId());
        caller = HandshakeLayout.nodeId(in);
        incarnation = HandshakeLayout.incarnation(in);
        if (caller == messenger.nodeId()) {
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
                        messenger.nodeId());
        awaited = proof;
        control.expect(HandshakeProof.BYTES);
        control.compose(0, HandshakeProof.joined(nonce, proof.ofAnswerer()));
        write(HandshakeProof.NONCE_BYTES + HandshakeProof.BYTES);
    }

    private void welcome() throws IOException {
        HandshakeLayout.admit(caller, incarnation, transport.book());
        HandshakeLayout.write(
                control.outAddress(),
                messenger.config().clusterId(),
                messenger.nodeId(),
                transport.book().incarnationOf(messenger.nodeId()),
                maxFrameBytes);
        write(HandshakeLayout.BYTES);
        IncomingLink accepted = messenger.accept(caller);
        link = accepted;
        accepted.attach(this);
        // Who hears meanwhile that the id has gone to another node ends the links that are there.
        HandshakeLayout.checkCaller(caller, incarnation, transport.book());
    }

    private void read(IncomingLink present) throws IOException {
        ReceiveBuffer left = buffer;
        if (hasLeft && left != null && !present.isClosed()) {
            hasLeft = false;
            handle(present, left);
            if (present.isGoodbye()) {
                messenger.departed(present);
                return;
            }
        }
        for (int i = 0; i < MAX_READS && !present.isClosed(); i++) {
            ReceiveBuffer into = buffer == null ? transport.buffers().take() : buffer;
            buffer = into;
            int room = into.room();
            int bytes = into.fill(wire);
            if (bytes > 0) {
                handle(present, into);
            } else {
                letGoIfEmpty(into);
            }
            if (present.hasLeft() || (bytes < 0 && messenger.borrowedFor != null)) {
                leave();
                return;
            }
            if (bytes < 0) {
                fail("it hung up");
                return;
            }
            if (present.isGoodbye()) {
                messenger.departed(present);
                return;
            }
            if (bytes < room) {
                return; // the socket is empty
            }
        }
    }

    private void handle(IncomingLink present, ReceiveBuffer from) {
        from.handled(present.consume(from.startAddress(), from.bytes()), maxFrameBytes);
        letGoIfEmpty(from);
    }

    private void letGoIfEmpty(ReceiveBuffer from) {
        if (from.bytes() == 0) {
            buffer = null;
            transport.buffers().giveBack(from);
        }
    }

    private void malformed(MalformedMessageException cause) {
        if (link != null) {
            messenger.malformed(link, cause);
        } else {
            messenger.refused(remote() + ": " + cause.getMessage());
            dispose();
        }
    }

    private void fail(String reason) {
        if (link != null) {
            messenger.lost(link, reason);
        } else {
            messenger.refused(remote() + ": " + reason);
            dispose();
        }
    }

    /** Who is at the other end, for people. */
    private String remote() {
        return String.valueOf(channel.socket().getRemoteSocketAddress());
    }
}
