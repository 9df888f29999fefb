package org.starling.net.internal;

import org.starling.net.Exporter;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;

/**
 * A message written once, to be copied into several rings: native memory with its bytes, which
 * stands for the message where one is sent. Confined to the sending thread, which closes it.
 */
final class MessageImage implements Message, AutoCloseable {

    private final MessageType<?> type;
    private final long bytes;
    private final long address;

    /** Reserves room for {@code bytes} bytes, which the writer is to fill. */
    MessageImage(Message message, long bytes, NativeExporter writer) {
        this.type = message.type();
        this.bytes = bytes;
        this.address = NativeMemory.reserve(Math.max(1, bytes));
        boolean isWritten = false;
        try {
            writer.room(address, bytes, null);
            message.write(writer);
            isWritten = writer.remaining() == 0;
        } finally {
            if (!isWritten) {
                close();
            }
        }
        if (!isWritten) {
            throw MessageSender.impure(message);
        }
    }

    @Override
    public MessageType<?> type() {
        return type;
    }

    @Override
    public void write(Exporter out) {
        ((NativeExporter) out).copy(address, bytes); // nobody else writes it
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        NativeMemory.release(address, Math.max(1, bytes));
    }
}
