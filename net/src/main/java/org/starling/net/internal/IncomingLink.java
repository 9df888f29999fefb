package org.starling.net.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/**
 * The receiving direction of a connection: cuts the byte stream into frames, puts fragments
 * together, and counts what has been handled for the sender's window.
 *
 * <p>Made by {@link Links} after the handshake. {@link #consume} runs on the receiving thread only.
 * Work that handlers do elsewhere is reported by {@link #handled} from any thread. Malformed bytes
 * are an exception; the transport closes the connection.
 *
 * <p>Fields: {@code position} and {@code assemblies} are confined to the receiving thread; the
 * counters are atomics written by one or few threads; the flags are volatile.
 */
public final class IncomingLink implements Link {

    private static final long NO_FAREWELL = -1;

    private final int peer;
    private final Messenger messenger;
    private final Dispatcher dispatcher;
    private final Backlog backlog;
    private final long basePosition;
    private final int maxFrameBytes;
    private final int maxPayloadBytes;
    private final long confirmStepBytes;
    private final Map<Integer, Assembly> assemblies = new HashMap<>();
    private final AtomicLong receivedFrames = new AtomicLong();
    private final AtomicLong receivedBytes = new AtomicLong();
    private final AtomicLong confirmedBytes = new AtomicLong();
    private final AtomicLong farewell = new AtomicLong(NO_FAREWELL);
    private final AtomicBoolean isSignalled = new AtomicBoolean();

    /** Confined to who receives. */
    private boolean hasLeft;

    /** Bytes of the stream taken up, skipped ones included. */
    private long position;

    private volatile boolean isGoodbye;
    private volatile boolean isLeaving;
    private volatile boolean isParted;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable Object attachment;

    /**
     * @param backlog a new one, or what a connection that the peer has closed on purpose has left
     */
    IncomingLink(int peer, Messenger messenger, Backlog backlog) {
        this.peer = peer;
        this.messenger = messenger;
        this.dispatcher = messenger.dispatcher();
        this.backlog = backlog;
        this.maxFrameBytes = messenger.limits().incomingBufferBytes() / 2;
        this.maxPayloadBytes = messenger.limits().maxMessageBytes() + FrameLayout.CORRELATION_BYTES;
        this.confirmStepBytes = messenger.limits().windowBytes() / 8;
        this.basePosition = backlog.startPosition();
        if (backlog.hasDebt()) { // the peer waits for its end, even if that has come already
            confirmedBytes.set(-confirmStepBytes);
        }
        if (peer == messenger.nodeId()) {
            backlog.confirmedBy(this); // no transport end is attached
        }
    }

    // ---- the receiving thread

    /**
     * Handles all whole frames of a run of received bytes.
     *
     * @param address the first byte, 8-byte aligned, start of a frame
     * @return bytes used; the rest is the beginning of a frame and must be shown again with what
     *     follows it, or whole frames that wait for the receiving thread ({@link #hasLeft})
     * @throws MalformedMessageException when the bytes are not what a node sends
     */
    int consume(long address, int bytes) {
        int at = 0;
        long frames = 0;
        long handled = 0;
        long passed = 0;
        hasLeft = false;
        while (bytes - at >= FrameLayout.HEADER_BYTES && !isGoodbye) {
            long header = NativeMemory.getLong(address + at);
            int length = FrameLayout.length(header);
            int kind = FrameLayout.kind(header);
            checkHeader(header, kind, length);
            if (kind == FrameLayout.SKIP) {
                handled += length;
                passed += length;
                at += FrameLayout.HEADER_BYTES;
                continue;
            }
            int frameBytes = FrameLayout.aligned(length);
            boolean isWhole = bytes - at >= frameBytes;
            long payload = address + at + FrameLayout.HEADER_BYTES;
            if (messenger.leaves(kind, isWhole ? payload : 0)) {
                hasLeft = true;
                break;
            }
            if (!isWhole) {
                break;
            }
            if (kind == FrameLayout.RAW) {
                int run = dispatcher.raw(peer, header, address + at, bytes - at);
                handled += (long) run * frameBytes;
                passed += (long) run * frameBytes;
                at += run * frameBytes;
                frames += run;
                continue;
            }
            if (handle(
                    kind,
                    FrameLayout.type(header),
                    payload,
                    length - FrameLayout.HEADER_BYTES,
                    frameBytes)) {
                handled += frameBytes;
            }
            at += frameBytes;
            passed += frameBytes;
            frames++;
        }
        position += passed;
        receivedFrames.lazySet(receivedFrames.getPlain() + frames);
        receivedBytes.lazySet(receivedBytes.getPlain() + at);
        done(handled);
        return at;
    }

    /** Whether {@link #consume} has left frames that are not for a thread that waits. */
    boolean hasLeft() {
        return hasLeft;
    }

    /** Whether the peer has closed the connection on purpose. */
    boolean isGoodbye() {
        return isGoodbye;
    }

    /** Whether it has done so because it closes its network. */
    boolean isLeaving() {
        return isLeaving;
    }

    /** After a goodbye: no more positions are confirmed. Once; then false. */
    boolean startParting() {
        return confirmedBytes.getAndSet(Long.MAX_VALUE) != Long.MAX_VALUE;
    }

    /** After {@link #startParting}: the last thing to confirm is a farewell. */
    void sayFarewell() {
        farewell.set(ConfirmationLayout.FAREWELL | Math.max(0, backlog.end(position)));
    }

    /** Whether the farewell was taken to be sent. */
    boolean hasParted() {
        return isParted;
    }

    /** Takes what is to be confirmed now, a position or the farewell, or -1 when nothing is due. */
    long takeConfirmation() {
        isSignalled.set(false);
        if (farewell.get() != NO_FAREWELL) {
            isParted = true;
            return farewell.getAndSet(NO_FAREWELL);
        }
        while (true) {
            long confirmed = confirmedBytes.get();
            long handled = backlog.done(0) - basePosition;
            if (handled - confirmed < confirmStepBytes || isConfirmationHeld()) {
                return -1;
            }
            if (confirmedBytes.compareAndSet(confirmed, handled)) {
                return handled;
            }
        }
    }

    /** Releases what is unfinished; on the receiving thread or after it has ended. */
    void release() {
        isClosed.set(true);
        assemblies.values().forEach(Assembly::release);
        assemblies.clear();
    }

    // ---- any thread

    /** A worker is done with frames of so many bytes. */
    void handled(long bytes) {
        messenger.workers().finished();
        done(bytes);
    }

    /** Looks again whether something is to be confirmed. */
    void look() {
        done(0);
    }

    private void done(long bytes) {
        long handled = backlog.done(bytes);
        IncomingLink present = backlog.link(); // perhaps the peer has connected anew
        if (present != null) {
            present.confirmWhenDue(handled);
        }
    }

    private void confirmWhenDue(long handled) {
        if (handled - basePosition - confirmedBytes.get() >= confirmStepBytes
                && !isConfirmationHeld()) {
            signal();
        }
    }

    /**
     * A large message of so many bytes waits for its handler (positive) or is done with (negative).
     */
    void held(long bytes) {
        backlog.held(bytes);
        if (bytes < 0) {
            handled(0);
        }
    }

    /** Tells the transport to look for a confirmation, once until it has looked. */
    void signal() {
        if (!isClosed.get() && isSignalled.compareAndSet(false, true)) {
            messenger.transport().signal(this);
        }
    }

    /** Ends it; false when it was ended before. */
    boolean close() {
        return !isClosed.getAndSet(true);
    }

    boolean isClosed() {
        return isClosed.get();
    }

    Backlog backlog() {
        return backlog;
    }

    @Override
    public int peer() {
        return peer;
    }

    /** What the transport keeps with this link. */
    @Nullable Object attachment() {
        return attachment;
    }

    void attach(Object value) {
        attachment = value;
        backlog.confirmedBy(this);
        look();
    }

    long receivedFrames() {
        return receivedFrames.get();
    }

    long receivedBytes() {
        return receivedBytes.get();
    }

    // ---- private

    /** Confirmations wait while answers pile up here or large messages wait for their handlers. */
    private boolean isConfirmationHeld() {
        return messenger.isOverflowHigh() || backlog.heldBytes() > maxPayloadBytes;
    }

    private void checkHeader(long header, int kind, int length) {
        boolean isInLimits =
                switch (kind) {
                    case FrameLayout.MESSAGE, FrameLayout.RAW ->
                            length > 0
                                    && length >= FrameLayout.HEADER_BYTES
                                    && length <= maxFrameBytes;
                    case FrameLayout.REQUEST,
                            FrameLayout.RESPONSE,
                            FrameLayout.FAILURE,
                            FrameLayout.FRAGMENT ->
                            length >= FrameLayout.HEADER_BYTES + FrameLayout.CORRELATION_BYTES
                                    && length <= maxFrameBytes;
                    case FrameLayout.SKIP ->
                            length >= FrameLayout.HEADER_BYTES
                                    && (length & (FrameLayout.ALIGNMENT_BYTES - 1)) == 0
                                    && length <= Limits.MAX_BUFFER_BYTES;
                    case FrameLayout.GOODBYE -> length == FrameLayout.HEADER_BYTES;
                    default -> false;
                };
        if (!isInLimits || !FrameLayout.isSound(header)) {
            throw new MalformedMessageException(
                    (isInLimits ? "damaged header of a " : "")
                            + "frame of kind "
                            + kind
                            + " and length "
                            + length);
        }
    }

    /** Returns whether the frame is done with; otherwise a worker reports it later. */
    private boolean handle(int kind, int type, long payload, int bytes, int frameBytes) {
        if (kind == FrameLayout.FRAGMENT) {
            fragment(payload, bytes);
            return true;
        }
        if (kind == FrameLayout.GOODBYE) {
            isLeaving = type == FrameLayout.LEAVING;
            isGoodbye = true;
            return true;
        }
        return dispatcher.dispatch(this, kind, type, payload, bytes, frameBytes);
    }

    private void fragment(long payload, int bytes) {
        long header = NativeMemory.getLong(payload);
        int stream = FragmentLayout.stream(header);
        int flags = FragmentLayout.flags(header);
        int headerBytes = FragmentLayout.HEADER_BYTES;
        if ((flags & FragmentLayout.FIRST) != 0) {
            headerBytes = FragmentLayout.FIRST_HEADER_BYTES;
            start(stream, header, payload, bytes);
        }
        Assembly assembly = assemblies.get(stream);
        if (assembly == null) {
            throw new MalformedMessageException("fragment of unknown stream " + stream);
        }
        if ((flags & FragmentLayout.ABORTED) != 0) {
            assemblies.remove(stream);
            assembly.release();
            return;
        }
        assembly.add(payload + headerBytes, bytes - headerBytes);
        if ((flags & FragmentLayout.LAST) != 0) {
            assemblies.remove(stream);
            finish(assembly);
        }
    }

    private void start(int stream, long header, long payload, int bytes) {
        long total =
                bytes < FragmentLayout.FIRST_HEADER_BYTES ? -1 : NativeMemory.getLong(payload + 8);
        int kind = FragmentLayout.kind(header);
        boolean isWhole = kind == FrameLayout.MESSAGE || FrameLayout.hasCorrelation(kind);
        if (total < FrameLayout.CORRELATION_BYTES || total > maxPayloadBytes || !isWhole) {
            throw new MalformedMessageException(
                    "large message of kind %s and %s bytes, limit is %s"
                            .formatted(kind, total, maxPayloadBytes));
        }
        if (assemblies.containsKey(stream) || assemblies.size() > FragmentLayout.MAX_STREAMS) {
            throw new MalformedMessageException("too many large messages at once");
        }
        assemblies.put(stream, new Assembly(kind, FragmentLayout.type(header), (int) total));
    }

    private void finish(Assembly assembly) {
        if (!assembly.isComplete()) {
            assembly.release();
            throw new MalformedMessageException("large message ends early");
        }
        dispatcher.dispatchAssembled(this, assembly);
    }
}
