package org.starling.net.internal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/**
 * The socket of an outgoing link: connects, shakes hands, writes the ring, reads confirmations.
 *
 * <p>Owned by an {@link EthernetTransport}. Runs on its receiving thread, but for {@link #drain},
 * which any thread runs under the link's drain lock. {@code isOpen} is volatile; {@code view} is
 * guarded by the drain lock; the rest is confined to the receiving thread.
 */
final class EthernetSender implements SocketEnd {

    /**
     * Where a write ends, with the frame that reaches it. A TCP segment carries 65 483 bytes over
     * the loopback device and offloaded ones as many; a few bytes more would travel in a tiny
     * segment of their own, which costs as much as a large one.
     */
    static final int WRITE_BYTES = 60 << 10;

    private final EthernetTransport transport;
    private final Exchange exchange;
    private final OutgoingLink link;
    private final InetSocketAddress address;
    private final SocketChannel channel;
    private final Wire wire;
    private final ByteBuffer view;
    private final ControlBuffer control;
    private final long deadlineNanos;
    private @Nullable SelectionKey key;
    private boolean isPrepared;
    private volatile boolean isOpen;

    EthernetSender(
            EthernetTransport transport,
            Exchange exchange,
            OutgoingLink link,
            InetSocketAddress address,
            SocketChannel channel,
            Wire wire) {
        this.transport = transport;
        this.exchange = exchange;
        this.link = link;
        this.address = address;
        this.channel = channel;
        this.wire = wire;
        this.view =
                NativeMemory.segment(link.ring().address(), link.ring().capacity()).asByteBuffer();
        this.control = new ControlBuffer();
        this.deadlineNanos = System.nanoTime() + exchange.config().connectTimeout().toNanos();
    }

    // ---- any thread
    // -------------------------------------------------------------------------------------------

    /** Whether bytes can be written now. */
    boolean isWritable() {
        return isOpen && !link.isBlocked();
    }

    /**
     * Writes what is committed, unless another thread is at it or the socket is full; returns bytes
     * written.
     */
    int drain() {
        int bytes = 0;
        boolean isMissed = true;
        while (isMissed && isWritable() && link.tryLockDrain()) {
            int written = 0;
            String failure = null;
            try {
                written = writeRing();
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
            } finally {
                isMissed = link.unlockDrain();
            }
            if (failure != null) {
                exchange.lost(link, failure);
                return bytes;
            }
            bytes += written;
        }
        return bytes;
    }

    /** Closes the socket at once; its memory follows on the receiving thread. */
    void hangUp() {
        isOpen = false;
        try {
            wire.close();
        } catch (IOException e) {
            transport.closeFailed(e);
        }
    }

    /** Under the drain lock. */
    private int writeRing() throws IOException {
        OutgoingRing ring = link.ring();
        int bytes = 0;
        while (!ring.isReleased()) {
            int run = ring.scan(WRITE_BYTES);
            if (run == 0) {
                break;
            }
            int index = ring.sendIndex();
            view.limit(index + run).position(index);
            int written = wire.write(view);
            ring.sent(written);
            bytes += written;
            if (written < run) {
                link.setBlocked(true);
                transport.later(this::awaitWritable);
                break;
            }
        }
        return bytes;
    }

    // ---- the receiving thread
    // ---------------------------------------------------------------------------------

    /** Begins to connect. */
    void connect(Selector selector) {
        try {
            Sockets.prepare(channel, exchange.config());
            key = channel.register(selector, SelectionKey.OP_CONNECT, this);
            if (channel.connect(address)) {
                Objects.requireNonNull(key).interestOps(SelectionKey.OP_READ);
                receive();
            }
        } catch (IOException | RuntimeException e) {
            fail("node " + link.peer() + " at " + address + " can't be reached: " + e.getMessage());
        }
    }

    @Override
    public void ready(SelectionKey selected) {
        proceed(selected);
    }

    @Override
    public boolean hasShakenHands() {
        return isOpen;
    }

    @Override
    public boolean isOverdue(long nowNanos) {
        return !isOpen && nowNanos - deadlineNanos > 0;
    }

    @Override
    public void expire() {
        fail(
                "node "
                        + link.peer()
                        + " at "
                        + address
                        + " didn't shake hands within "
                        + exchange.config().connectTimeout().toMillis()
                        + " ms");
    }

    @Override
    public void dispose() {
        hangUp();
        wire.release();
        control.release();
    }

    /** The wire has something although the socket may have nothing. */
    private void resume() {
        if (channel.isOpen()) {
            proceed(null);
        }
    }

    private void proceed(@Nullable SelectionKey selected) {
        try {
            if (selected != null && selected.isConnectable()) {
                channel.finishConnect();
                selected.interestOps(SelectionKey.OP_READ);
                receive();
            } else if (selected == null || selected.isReadable()) {
                receive();
            }
            if (selected != null && selected.isValid() && selected.isWritable()) {
                goOnWriting(selected);
            }
        } catch (RefusedException e) {
            String reason = "node " + link.peer() + " at " + address + ": " + e.getMessage();
            exchange.refused(reason);
            fail(reason);
        } catch (IOException e) {
            fail(
                    (isOpen ? "" : "node " + link.peer() + " at " + address + " can't be reached: ")
                            + e.getMessage());
        } catch (CancelledKeyException e) {
            fail("closed");
        } catch (MalformedMessageException e) {
            exchange.malformed(link, e);
        }
    }

    private void receive() throws IOException {
        if (isPrepared) {
            read();
        } else {
            isPrepared = wire.prepare(() -> transport.later(this::resume));
            if (isPrepared) {
                shakeHands();
            }
        }
        if (!wire.isOpen()) {
            return;
        }
        if (!wire.flush()) {
            awaitWritable();
        }
        if (wire.hasUnread()) {
            transport.later(this::resume); // the selector knows only of what the socket has
        }
    }

    private void goOnWriting(SelectionKey selected) throws IOException {
        if (!isPrepared) {
            receive();
        }
        if (wire.isOpen() && wire.flush() && control.continueWriting(wire)) {
            selected.interestOpsAnd(~SelectionKey.OP_WRITE);
            link.setBlocked(false);
            transport.defer(link); // who commits now may still take it for blocked
        }
    }

    private void shakeHands() throws IOException {
        HandshakeLayout.write(
                control.outAddress(),
                exchange.config().clusterId(),
                exchange.nodeId(),
                exchange.config().incomingBufferBytes() / 2);
        if (!control.write(wire, HandshakeLayout.BYTES)) {
            awaitWritable();
        }
    }

    private void read() throws IOException {
        int state = control.read(wire);
        while (state > 0 && !link.state().isClosed()) {
            if (isOpen) {
                confirm();
            } else {
                open();
            }
            control.expect(ConfirmationLayout.BYTES);
            state = link.state().isClosed() ? 0 : control.read(wire);
        }
        if (state < 0) {
            fail(
                    isOpen
                            ? "it hung up"
                            : "node " + link.peer() + " at " + address + " refused the handshake");
        }
    }

    private void open() throws RefusedException {
        long in = control.inAddress();
        HandshakeLayout.check(in, exchange.config().clusterId());
        HandshakeLayout.checkAnswer(
                link.peer(),
                HandshakeLayout.nodeId(in),
                HandshakeLayout.maxFrameBytes(in),
                exchange.config().maxFrameBytes());
        wire.checkPeer(link.peer());
        isOpen = true;
        exchange.opened(link);
        transport.defer(link); // who commits now may still take it for closed
    }

    private void confirm() {
        long position = ConfirmationLayout.position(control.inAddress());
        if (!link.confirm(position)) {
            throw new MalformedMessageException(
                    "confirms " + position + " bytes, which were never sent");
        }
    }

    private void awaitWritable() {
        if (key != null && key.isValid()) {
            key.interestOpsOr(SelectionKey.OP_WRITE);
        }
    }

    private void fail(String reason) {
        exchange.lost(link, reason);
    }
}
