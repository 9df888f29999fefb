package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.net.internal.tls.NodeNames;
import org.starling.net.internal.tls.TlsFault;
import org.starling.net.internal.tls.TlsKeys;

/**
 * A socket under TLS 1.3.
 *
 * <p>What is written counts as having left when its records have left: until then the writer keeps
 * the bytes, so nothing is in doubt when a connection ends. Records wait in one bounded buffer for
 * each direction; received ones are deciphered into the reader's buffer where they fit, else by way
 * of {@code spill}. Work of a handshake that takes long runs on a thread of its own.
 *
 * <p>{@code outgoing} guards the outgoing buffer and the engine's wrapping; it is held for no
 * longer than a write that doesn't wait. The rest is confined to the receiving thread, but for the
 * volatile fields. Costs the cipher, one copy, and {@link #BYTES} of native memory.
 */
final class TlsWire implements Wire {

    private static final Logger LOGGER = LogManager.getLogger(TlsWire.class);

    /** More than the largest record that the engine makes or takes. */
    private static final int MAX_RECORD_BYTES = 17 << 10;

    /** Buffer of the direction in which frames go. */
    private static final int FRAMES_BYTES = 8 * MAX_RECORD_BYTES;

    /** Buffer of the direction in which confirmations go. */
    private static final int CONFIRMATIONS_BYTES = 2 * MAX_RECORD_BYTES;

    private static final int SPILL_BYTES = MAX_RECORD_BYTES;

    /** Native memory of each wire: 187 KiB. */
    static final int BYTES = FRAMES_BYTES + CONFIRMATIONS_BYTES + SPILL_BYTES;

    /** Records of one read, so that a peer that sends empty ones can't hold the thread. */
    private static final int MAX_RECORDS_PER_READ = 512;

    private static final int RECORD_HEADER_BYTES = 5;

    // A record begins with its type; these are the least and the greatest.
    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 23;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final TlsKeys keys;
    private final boolean isClient;
    private final Messenger messenger;
    private final long address = NativeMemory.reserve(BYTES);

    /** Received records, from position to limit. */
    private final ByteBuffer in;

    /** Deciphered bytes that did not fit, from position to limit. */
    private final ByteBuffer spill;

    private final ReentrantLock outgoing = new ReentrantLock();

    /** Records to send, from position to limit; guarded by {@code outgoing}. */
    private final ByteBuffer out;

    /** Bytes that the writer keeps although their records are made; likewise guarded. */
    private int enciphered;

    /** Likewise guarded. */
    private boolean isReleased;

    /** Made by the first {@link #prepare}. */
    private @Nullable SSLEngine startedEngine;

    private volatile boolean isWorking;
    private volatile boolean isPrepared;
    private boolean isAtEnd;

    /**
     * A wire that has not begun.
     *
     * @param isClient whether this end has connected, and so sends the frames
     */
    TlsWire(SocketChannel channel, TlsKeys keys, boolean isClient, Messenger messenger) {
        this.channel = channel;
        this.keys = keys;
        this.isClient = isClient;
        this.messenger = messenger;
        int inBytes = isClient ? CONFIRMATIONS_BYTES : FRAMES_BYTES;
        in = emptyBuffer(0, inBytes);
        out = emptyBuffer(inBytes, BYTES - SPILL_BYTES - inBytes);
        spill = emptyBuffer(BYTES - SPILL_BYTES, SPILL_BYTES);
        messenger.transportHolds(BYTES);
    }

    // ---- the handshake, on the receiving thread

    @Override
    public boolean prepare(Runnable resume) throws IOException {
        if (isWorking) {
            int _ = fill(); // else the selector would find the socket readable again and again
            return false;
        }
        SSLEngine engine = startedEngine;
        if (engine == null) {
            engine = keys.engine(isClient);
            startedEngine = engine;
            engine.beginHandshake();
        }
        try {
            isPrepared = shakeHands(engine, resume);
            return isPrepared;
        } catch (SSLException e) {
            throw failed(e);
        }
    }

    @Override
    public void checkPeer(int nodeId) throws RefusedException {
        X509Certificate shown;
        try {
            shown = (X509Certificate) engine().getSession().getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException e) {
            throw new RefusedException("node " + nodeId + " shows no certificate", e);
        }
        if (!NodeNames.covers(shown, nodeId)) {
            throw new RefusedException(
                    "node %s shows a certificate for %s; it needs a subject alternative name like %s or %s"
                            .formatted(
                                    nodeId,
                                    NodeNames.names(shown),
                                    NodeNames.of(nodeId, nodeId),
                                    NodeNames.of(0, HandshakeLayout.MAX_NODE_ID)));
        }
    }

    @Override
    public boolean covers(int nodeId) {
        try {
            checkPeer(nodeId);
            return true;
        } catch (RefusedException other) {
            return false;
        }
    }

    /** Goes as far as the socket allows; true when it is done. */
    private boolean shakeHands(SSLEngine engine, Runnable resume) throws IOException {
        while (flush()) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    work(engine, resume);
                    return false;
                }
                case NEED_WRAP -> say(engine);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!takeRecord(engine, NOTHING)) {
                        return false;
                    }
                }
                case NOT_HANDSHAKING, FINISHED -> {
                    return true;
                }
            }
        }
        return false;
    }

    /** Runs elsewhere what takes long, and then asks to be called again. */
    private void work(SSLEngine engine, Runnable resume) {
        isWorking = true;
        Thread.ofVirtual()
                .name("net-tls-" + messenger.nodeId())
                .start(() -> {
                    try {
                        runTasks(engine);
                    } finally {
                        isWorking = false;
                        resume.run();
                    }
                });
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Tells the other end, if the socket takes it, and puts the reason into a sentence. */
    private IOException failed(SSLException failure) {
        try {
            say(engine());
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        String sentence = TlsFault.sentence(failure);
        return TlsFault.isRefusal(failure)
                ? new RefusedException(sentence, failure)
                : new IOException(sentence, failure);
    }

    // ---- reading, on the receiving thread

    @Override
    public int read(ByteBuffer into) throws IOException {
        SSLEngine engine = engine();
        int start = into.position();
        moveSpill(into);
        try {
            int records = 0;
            while (into.hasRemaining()
                    && records < MAX_RECORDS_PER_READ
                    && takeRecord(engine, into)) {
                moveSpill(into);
                records++;
            }
        } catch (SSLException e) {
            throw failed(e);
        }
        int bytes = into.position() - start;
        return bytes == 0 && isAtEnd ? -1 : bytes;
    }

    @Override
    public boolean isReadByAnyThread() {
        return false;
    }

    @Override
    public boolean hasUnread() {
        if (spill.hasRemaining()) {
            return true;
        }
        if (isAtEnd || in.remaining() < RECORD_HEADER_BYTES) {
            return false;
        }
        int bodyBytes = Short.toUnsignedInt(in.getShort(in.position() + RECORD_HEADER_BYTES - 2));
        return in.remaining() >= RECORD_HEADER_BYTES + bodyBytes;
    }

    private void moveSpill(ByteBuffer into) {
        int bytes = Math.min(spill.remaining(), into.remaining());
        into.put(into.position(), spill, spill.position(), bytes);
        into.position(into.position() + bytes);
        spill.position(spill.position() + bytes);
    }

    /**
     * Deciphers one record into {@code into} or, where that has too little room, into {@code
     * spill}, which must be empty; false when there is none now.
     */
    private boolean takeRecord(SSLEngine engine, ByteBuffer into) throws IOException {
        while (!isAtEnd) {
            SSLEngineResult result = engine.unwrap(in, into);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                result = unwrapToSpill(engine);
            }
            switch (result.getStatus()) {
                case OK -> {
                    if (isPrepared && result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                        runTasks(engine);
                    }
                    return true;
                }
                case BUFFER_UNDERFLOW -> {
                    int bytes = fill();
                    if (bytes == 0) {
                        return false;
                    }
                    isAtEnd = bytes < 0;
                }
                case CLOSED -> isAtEnd = true;
                case BUFFER_OVERFLOW ->
                        throw new SSLException("a record of more than " + SPILL_BYTES + " bytes");
            }
        }
        if (!isPrepared) {
            throw new IOException("it hung up in the TLS handshake; does it use TLS, too?");
        }
        return false;
    }

    private SSLEngineResult unwrapToSpill(SSLEngine engine) throws SSLException {
        spill.clear();
        try {
            return engine.unwrap(in, spill);
        } finally {
            spill.flip();
        }
    }

    /** Reads from the socket as long as there is room; returns bytes, -1 at the end. */
    private int fill() throws IOException {
        in.compact();
        int bytes;
        try {
            bytes = channel.read(in);
        } finally {
            in.flip();
        }
        if (bytes > 0 && !isPrepared && (in.get(0) < FIRST_TYPE || in.get(0) > LAST_TYPE)) {
            throw new IOException("it speaks without TLS");
        }
        return bytes;
    }

    // ---- writing, any thread

    @Override
    public int write(ByteBuffer from) throws IOException {
        SSLEngine engine = engine();
        int start = from.position();
        outgoing.lock();
        try {
            while (send()) {
                from.position(from.position() + enciphered);
                enciphered = 0;
                if (!from.hasRemaining()) {
                    break;
                }
                int kept = from.position();
                encipher(engine, from);
                enciphered = from.position() - kept;
                from.position(kept);
            }
        } finally {
            outgoing.unlock();
        }
        return from.position() - start;
    }

    @Override
    public boolean flush() throws IOException {
        return say(isPrepared ? engine() : null);
    }

    /**
     * Passes on records, and what the engine wants to say; false when the socket takes no more.
     * While somebody writes there is nothing to do: what the engine has to say leaves before the
     * next bytes, and who writes knows of records that are left.
     */
    private boolean say(@Nullable SSLEngine engine) throws IOException {
        if (!outgoing.tryLock()) {
            return true;
        }
        try {
            while (send()) {
                if (engine == null || engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
                    return true;
                }
                encipher(engine, NOTHING);
            }
            return false;
        } finally {
            outgoing.unlock();
        }
    }

    /** Makes records of what there is room for, when {@code out} is empty. */
    private void encipher(SSLEngine engine, ByteBuffer from) throws IOException {
        out.clear();
        try {
            boolean hasMore = true;
            while (hasMore && out.remaining() >= MAX_RECORD_BYTES) {
                SSLEngineResult result = engine.wrap(from, out);
                if (result.bytesProduced() == 0
                        && result.getHandshakeStatus() != HandshakeStatus.FINISHED) {
                    throw new IOException("TLS can't send: " + result);
                }
                hasMore =
                        result.getStatus() == Status.OK
                                && (from.hasRemaining()
                                        || result.getHandshakeStatus()
                                                == HandshakeStatus.NEED_WRAP);
            }
        } finally {
            out.flip();
        }
    }

    /** Sends what has been made; true when nothing is left. */
    private boolean send() throws IOException {
        if (isReleased) {
            throw new ClosedChannelException();
        }
        if (out.hasRemaining()) {
            channel.write(out);
        }
        return !out.hasRemaining();
    }

    // ---- the end, any thread

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    /** Says so to the other end if nobody is writing and the socket takes it. */
    @Override
    public void close() throws IOException {
        if (isPrepared && channel.isOpen() && outgoing.tryLock()) {
            try {
                SSLEngine engine = engine();
                engine.closeOutbound();
                say(engine);
            } catch (IOException e) {
                LOGGER.debug("the other end is gone before it was told of the end", e);
            } finally {
                outgoing.unlock();
            }
        }
        channel.close();
    }

    @Override
    public void release() {
        outgoing.lock();
        try {
            if (!isReleased) {
                isReleased = true;
                NativeMemory.release(address, BYTES);
                messenger.transportHolds(-BYTES);
            }
        } finally {
            outgoing.unlock();
        }
    }

    private SSLEngine engine() {
        return Objects.requireNonNull(startedEngine, "the wire has not begun");
    }

    private ByteBuffer emptyBuffer(int offset, int bytes) {
        return NativeMemory.segment(address + offset, bytes).asByteBuffer().limit(0);
    }
}
