package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.starling.net.Message;
import org.starling.net.NativeMemory;
import org.starling.net.NodeLostException;

/**
 * Sends one large message as fragments: each is claimed, filled and committed on its own, so that a
 * message may be larger than the ring and other senders come in between. Confined to the sending
 * thread.
 */
final class FragmentSender implements NativeExporter.Continuation {

    /** Signals that the link was closed while fragments were being sent. */
    private static final class LinkClosed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private LinkClosed() {
            super(null, null, false, false);
        }
    }

    private static final AtomicInteger LAST_STREAM = new AtomicInteger();

    private final OutgoingLink link;
    private final int kind;
    private final Message message;
    private final long correlation;
    private final long totalBytes;
    private final boolean isExempt;
    private final int maxFrameBytes;
    private final int stream = LAST_STREAM.incrementAndGet();

    private long doneBytes;
    private long frame;
    private int headerBytes;
    private int pieceBytes;

    FragmentSender(
            OutgoingLink link,
            int kind,
            Message message,
            long correlation,
            long totalBytes,
            boolean isExempt,
            int maxFrameBytes) {
        this.link = link;
        this.kind = kind;
        this.message = message;
        this.correlation = correlation;
        this.totalBytes = totalBytes;
        this.isExempt = isExempt;
        this.maxFrameBytes = maxFrameBytes;
    }

    /** Sends all fragments; false when the link was closed before the first. */
    boolean send(NativeExporter writer) {
        boolean isCounted = !link.isOnReceivingThread();
        if (isCounted && !link.tryStartStream()) {
            throw new NodeLostException(
                    link.peer(),
                    "none of %s large messages to node %s came to an end in the send time-out"
                            .formatted(FragmentLayout.MAX_STREAMS, link.peer()));
        }
        boolean isSent = false;
        try {
            claimNext(writer);
            MessageSender.write(writer, kind, message, correlation);
            if (writer.remaining() != 0 || doneBytes + pieceBytes != totalBytes) {
                throw MessageSender.impure(message);
            }
            commitPiece(FragmentLayout.LAST);
            isSent = true;
            return true;
        } catch (LinkClosed e) {
            if (doneBytes > 0) {
                throw link.lostException();
            }
            return false;
        } finally {
            if (!isSent) {
                abort();
            }
            if (isCounted) {
                link.endStream();
            }
        }
    }

    @Override
    public void next(NativeExporter writer) {
        if (doneBytes + pieceBytes == totalBytes) {
            throw new IllegalStateException(
                    message.type() + " wrote more bytes than it had counted: write() must be pure");
        }
        commitPiece(0);
        claimNext(writer);
    }

    private void claimNext(NativeExporter writer) {
        headerBytes =
                FrameLayout.HEADER_BYTES
                        + (doneBytes == 0
                                ? FragmentLayout.FIRST_HEADER_BYTES
                                : FragmentLayout.HEADER_BYTES);
        pieceBytes = (int) Math.min(totalBytes - doneBytes, maxFrameBytes - headerBytes);
        frame = link.claim(FrameLayout.aligned(headerBytes + pieceBytes), isExempt);
        if (frame == OutgoingRing.CLOSED) {
            frame = 0;
            throw new LinkClosed();
        }
        writer.room(frame + headerBytes, pieceBytes, this);
    }

    private void commitPiece(int flags) {
        long payload = frame + FrameLayout.HEADER_BYTES;
        int allFlags = flags;
        if (doneBytes == 0) {
            allFlags |= FragmentLayout.FIRST;
            NativeMemory.putLong(payload + 8, totalBytes);
        }
        NativeMemory.putLong(
                payload,
                FragmentLayout.header(stream, kind, allFlags, MessageSender.typeId(kind, message)));
        doneBytes += pieceBytes;
        long address = frame;
        frame = 0;
        link.commit(address, FrameLayout.header(FrameLayout.FRAGMENT, 0, headerBytes + pieceBytes));
    }

    /** Gives up what is claimed, and tells the receiver if it has seen a beginning. */
    private void abort() {
        if (frame != 0) {
            link.abandon(frame, FrameLayout.aligned(headerBytes + pieceBytes));
            frame = 0;
        }
        int length = FrameLayout.HEADER_BYTES + FragmentLayout.HEADER_BYTES;
        long end = doneBytes == 0 ? OutgoingRing.CLOSED : link.claim(length, true);
        if (end != OutgoingRing.CLOSED) {
            NativeMemory.putLong(
                    end + FrameLayout.HEADER_BYTES,
                    FragmentLayout.header(stream, kind, FragmentLayout.ABORTED, 0));
            link.commit(end, FrameLayout.header(FrameLayout.FRAGMENT, 0, length));
        }
    }
}
