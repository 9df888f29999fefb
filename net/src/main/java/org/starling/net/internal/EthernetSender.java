package org.starling.net.internal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;

/**
 * The socket of an outgoing link: connects, shakes hands, writes the ring, reads confirmations.
 *
 * <p>Owned by an {@link EthernetTransport}. Runs on its receiving thread, but for {@link #drain},
 * which any thread runs under the link's drain lock. {@code isOpen} is volatile; {@code writer} is
 * guarded by the drain lock, {@code control} and {@code isDisposed} by {@code reading}; the rest is
 * confined to the receiving thread.
 */
final class EthernetSender extends SocketEnd {

    /**
     * Most networks answer a connect much sooner than this; each further one gets twice as long.
     */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private static final long MOST_ANSWER_NANOS = 4 * ANSWER_NANOS;

    private final OutgoingLink link;
    private final InetSocketAddress address;
    private final long beganNanos = System.nanoTime();
    private final long answerNanos;

    /** Another socket is being made. */
    private boolean isReplaced;

    private final RingWriter writer;

    /** Held while confirmations are read, which doesn't wait. */
    private final ReentrantLock reading = new ReentrantLock();

    private boolean isDisposed;

    /** What this end has said first, while the other end has yet to prove itself. */
    private byte @Nullable [] hello;

    private volatile boolean isOpen;

    EthernetSender(
            EthernetTransport transport,
            Messenger messenger,
            OutgoingLink link,
            InetSocketAddress address,
            SocketChannel channel,
            Wire wire,
            @Nullable EthernetSender before) {
        super(
                transport,
                messenger,
                channel,
                wire,
                before == null
                        ? System.nanoTime() + messenger.limits().connectTimeout().toNanos()
                        : before.deadlineNanos());
        answerNanos =
                before == null ? ANSWER_NANOS : Math.min(2 * before.answerNanos, MOST_ANSWER_NANOS);
        this.link = link;
        this.address = address;
        this.writer = new RingWriter(link.ring());
    }

    // ---- any thread

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
                messenger.lost(link, failure);
                return bytes;
            }
            bytes += written;
        }
        readAlong();
        return bytes;
    }

    /**
     * When the window has become narrow, takes confirmations up in the thread that writes: in a
     * burst the receiving thread looks only now and then.
     */
    private void readAlong() {
        if (wire.isReadByAnyThread()
                && isWritable()
                && link.unconfirmedBytes() > messenger.limits().windowBytes() / 2) {
            try {
                read();
            } catch (IOException | MalformedMessageException e) {
                failed(e);
            }
        }
    }

    @Override
    void hangUp() {
        isOpen = false;
        super.hangUp();
    }

    /** Under the drain lock. */
    private int writeRing() throws IOException {
        int bytes = writer.write(wire, !messenger.isReceivingThread());
        if (writer.isCut()) {
            link.setBlocked(true);
            transport.later(() -> transport.awaitWritable(channel));
        }
        return bytes;
    }

    // ---- the receiving thread

    /** Begins to connect. */
    void connect(Selector selector) {
        try {
            Sockets.prepare(channel, messenger.config());
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, this);
            if (channel.connect(address)) {
                key.interestOps(SelectionKey.OP_READ);
                receive();
            }
        } catch (IOException | RuntimeException e) {
            fail(whom() + " can't be reached: " + e.getMessage());
        }
    }

    OutgoingLink link() {
        return link;
    }

    /** Whether the other host has not answered at all, and has had the time for it. */
    boolean isUnanswered(long nowNanos) {
        return !isReplaced && !channel.isConnected() && nowNanos - beganNanos > answerNanos;
    }

    boolean isConnected() {
        return channel.isConnected();
    }

    /** Another socket is on its way; not again, if none comes. */
    void replacing() {
        isReplaced = true;
    }

    @Override
    boolean hasShakenHands() {
        return isOpen;
    }

    @Override
    void expire() {
        fail(
                "%s didn't shake hands within %s ms"
                        .formatted(whom(), messenger.limits().connectTimeout().toMillis()));
    }

    @Override
    void dispose() {
        hangUp();
        reading.lock();
        try {
            isDisposed = true;
            wire.release();
            control.release();
        } finally {
            reading.unlock();
        }
    }

    @Override
    void proceed(@Nullable SelectionKey selected) {
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
        } catch (IOException | CancelledKeyException | MalformedMessageException e) {
            failed(e);
        }
    }

    private void failed(Exception cause) {
        switch (cause) {
            case RefusedException e -> {
                String reason = whom() + ": " + e.getMessage();
                messenger.refused(reason);
                fail(reason);
            }
            case IOException e ->
                    fail((isOpen ? "" : whom() + " can't be reached: ") + e.getMessage());
            case MalformedMessageException e -> messenger.malformed(link, e);
            default -> fail("closed");
        }
    }

    @Override
    void take(boolean isFirst) throws IOException {
        if (isFirst) {
            shakeHands();
        } else {
            read();
        }
    }

    @Override
    void written() {
        link.setBlocked(false);
        transport.schedule().leave(link); // who commits now may still take it for blocked
    }

    private void shakeHands() throws IOException {
        HandshakeLayout.write(
                control.outAddress(),
                messenger.config().clusterId(),
                messenger.nodeId(),
                transport.book().incarnationOf(messenger.nodeId()),
                messenger.limits().incomingBufferBytes() / 2);
        int bytes = HandshakeLayout.BYTES;
        if (!messenger.config().secret().isNone()) {
            control.compose(HandshakeLayout.BYTES, HandshakeProof.freshNonce());
            bytes += HandshakeProof.NONCE_BYTES;
            hello = control.composed(bytes);
            control.expect(HandshakeProof.NONCE_BYTES + HandshakeProof.BYTES);
        }
        write(bytes);
    }

    /** The other end has proven itself, or not; so does this one. */
    private void prove(byte[] said) throws IOException {
        HandshakeProof proof =
                new HandshakeProof(
                        messenger.config().secret(),
                        Arrays.copyOf(said, HandshakeLayout.BYTES),
                        Arrays.copyOfRange(said, HandshakeLayout.BYTES, said.length),
                        control.taken(0, HandshakeProof.NONCE_BYTES),
                        link.peer());
        proof.checkAnswerer(
                link.peer(),
                control.taken(HandshakeProof.NONCE_BYTES, HandshakeProof.BYTES),
                transport.book());
        control.compose(0, proof.ofCaller());
        write(HandshakeProof.BYTES);
        control.expect(HandshakeLayout.BYTES);
    }

    /** Reads unless another thread does, which leaves the rest to the selector. */
    private void read() throws IOException {
        boolean isOver = false;
        if (reading.tryLock()) {
            try {
                isOver = !isDisposed && readAll();
            } finally {
                reading.unlock();
            }
        }
        if (isOver) { // not under the lock: who hears of it may wait for the receiving thread
            fail(isOpen ? "it hung up" : whom() + " refused the handshake; its log says why");
        }
    }

    /** Takes up what has come; returns whether it was the last. */
    private boolean readAll() throws IOException {
        int state = control.read(wire);
        while (state > 0 && !link.state().isClosed()) {
            step();
            state = link.state().isClosed() ? 0 : control.read(wire);
        }
        return state < 0;
    }

    /** Something is complete: a proof, the answer to the handshake, or a confirmation. */
    private void step() throws IOException {
        byte[] said = hello;
        if (said != null) {
            hello = null;
            prove(said);
            return;
        }
        if (isOpen) {
            confirm();
        } else {
            open();
        }
        control.expect(ConfirmationLayout.BYTES);
    }

    private void open() throws RefusedException {
        long in = control.inAddress();
        HandshakeLayout.check(in, messenger.config().clusterId());
        HandshakeLayout.checkAnswer(
                link.peer(),
                transport.book(),
                HandshakeLayout.nodeId(in),
                HandshakeLayout.incarnation(in),
                HandshakeLayout.maxFrameBytes(in),
                messenger.limits().maxFrameBytes());
        wire.checkPeer(link.peer());
        isOpen = true;
        messenger.opened(link);
        transport.schedule().leave(link); // who commits now may still take it for closed
    }

    private void confirm() {
        long position = ConfirmationLayout.position(control.inAddress());
        if (!link.confirm(position)) {
            throw new MalformedMessageException(
                    "confirms " + position + " bytes, which were never sent");
        }
    }

    /** The other end, for people. */
    private String whom() {
        return "node " + link.peer() + " at " + address;
    }

    private void fail(String reason) {
        messenger.lost(link, reason);
    }
}
