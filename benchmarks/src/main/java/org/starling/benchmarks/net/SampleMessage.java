package org.starling.benchmarks.net;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * A message object of any size.
 *
 * @param number of the message
 * @param check made from the number
 * @param body the rest; neither changed nor compared
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its sum alone
record SampleMessage(long number, long check, byte[] body) implements Message {
    static final MessageType<SampleMessage> TYPE =
            new MessageType<>(
                    1,
                    "sample",
                    in -> new SampleMessage(in.readLong(), in.readLong(), readBody(in)));

    private static final byte[] EMPTY = new byte[0];

    @Override
    public MessageType<SampleMessage> type() {
        return TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeLong(number);
        out.writeLong(check);
        writeBody(out, body);
    }

    /** The rest of a message, if there is one. */
    static byte[] readBody(Importer in) {
        return in.remaining() == 0 ? EMPTY : in.readBytes();
    }

    /** What {@link #readBody} reads. */
    static void writeBody(Exporter out, byte[] body) {
        if (body.length > 0) {
            out.writeBytes(body);
        }
    }
}
