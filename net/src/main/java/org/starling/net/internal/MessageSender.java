package org.starling.net.internal;

import org.starling.net.Message;
import org.starling.net.MessageTooLargeException;
import org.starling.net.MessageType;

/**
 * Turns message objects into frames: counts, claims, writes right into the ring, commits; what does
 * not fit in one frame is cut into fragments. Owned by an {@link Messenger}; used by all sending
 * threads, with one scratch each.
 */
final class MessageSender {

    /** What a sending thread uses again and again. */
    private static final class Scratch {
        private final CountingExporter counter = new CountingExporter();
        private final NativeExporter writer = new NativeExporter();
    }

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private final int maxMessageBytes;
    private final int maxFrameBytes;

    MessageSender(Limits limits) {
        this.maxMessageBytes = limits.maxMessageBytes();
        this.maxFrameBytes = limits.maxFrameBytes();
    }

    /**
     * Sends one message over a link.
     *
     * @param kind MESSAGE, REQUEST, RESPONSE or FAILURE
     * @param correlation ignored for MESSAGE
     * @return false when the link was closed before anything was sent
     */
    boolean send(OutgoingLink link, int kind, Message message, long correlation, boolean isExempt) {
        Scratch scratch = SCRATCH.get();
        long bytes = count(message, scratch);
        return send(link, kind, message, bytes, correlation, isExempt, scratch);
    }

    /** Writes a message once, for {@link #send(OutgoingLink, MessageImage)} to several nodes. */
    MessageImage image(Message message) {
        Scratch scratch = SCRATCH.get();
        return new MessageImage(message, count(message, scratch), scratch.writer);
    }

    /** Sends a MESSAGE that is written already; false when the link was closed before. */
    boolean send(OutgoingLink link, MessageImage image) {
        Scratch scratch = SCRATCH.get();
        return send(link, FrameLayout.MESSAGE, image, image.bytes(), 0, false, scratch);
    }

    private long count(Message message, Scratch scratch) {
        scratch.counter.reset();
        message.write(scratch.counter);
        long bytes = scratch.counter.bytes();
        if (bytes > maxMessageBytes) {
            throw new MessageTooLargeException(
                    message.type() + " has " + bytes + " bytes, the limit is " + maxMessageBytes);
        }
        return bytes;
    }

    private boolean send(
            OutgoingLink link,
            int kind,
            Message message,
            long bytes,
            long correlation,
            boolean isExempt,
            Scratch scratch) {
        long payload =
                bytes + (FrameLayout.hasCorrelation(kind) ? FrameLayout.CORRELATION_BYTES : 0);
        if (payload + FrameLayout.HEADER_BYTES > maxFrameBytes) {
            return new FragmentSender(
                            link, kind, message, correlation, payload, isExempt, maxFrameBytes)
                    .send(scratch.writer);
        }
        return sendFrame(link, kind, message, correlation, (int) payload, isExempt, scratch.writer);
    }

    private static boolean sendFrame(
            OutgoingLink link,
            int kind,
            Message message,
            long correlation,
            int payload,
            boolean isExempt,
            NativeExporter writer) {
        int length = FrameLayout.HEADER_BYTES + payload;
        int frameBytes = FrameLayout.aligned(length);
        long address = link.claim(frameBytes, isExempt);
        if (address == OutgoingRing.CLOSED) {
            return false;
        }
        boolean isWritten = false;
        try {
            writer.room(address + FrameLayout.HEADER_BYTES, payload, null);
            write(writer, kind, message, correlation);
            if (writer.remaining() != 0) {
                throw impure(message);
            }
            isWritten = true;
        } finally {
            if (!isWritten) {
                link.abandon(address, frameBytes);
            }
        }
        link.commit(address, FrameLayout.header(kind, typeId(kind, message), length));
        return true;
    }

    static void write(NativeExporter writer, int kind, Message message, long correlation) {
        if (FrameLayout.hasCorrelation(kind)) {
            writer.writeLong(correlation);
        }
        message.write(writer);
    }

    static IllegalStateException impure(Message message) {
        return new IllegalStateException(
                message.type() + " wrote fewer bytes than it had counted: write() must be pure");
    }

    static int typeId(int kind, Message message) {
        MessageType<?> type = message.type();
        return kind == FrameLayout.FAILURE ? 0 : type.id();
    }
}
