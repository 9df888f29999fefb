package org.starling.benchmarks.net;

import java.util.Arrays;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * A message object of any size.
 *
 * @param number of the message
 * @param check made from the number
 * @param body the rest; not changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its sum alone
record ObjectMessage(long number, long check, byte[] body) implements Message {
    static final MessageType<ObjectMessage> TYPE =
            new MessageType<>(1, "sample", ObjectMessage::read);

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** One that is sent back. */
    record Question(ObjectMessage message) implements Request<ObjectMessage> {
        static final MessageType<Question> TYPE =
                new MessageType<>(2, "sample request", in -> new Question(read(in)));

        @Override
        public MessageType<Question> type() {
            return TYPE;
        }

        @Override
        public MessageType<ObjectMessage> responseType() {
            return ObjectMessage.TYPE;
        }

        @Override
        public void write(Exporter out) {
            message.write(out);
        }
    }

    /**
     * What messages of one size share.
     *
     * @param bytes of each message, at least {@link NetPlan#MIN_OBJECT_BYTES}
     */
    static byte[] sharedBody(int bytes) {
        byte[] body = new byte[Math.max(0, bytes - NetPlan.MIN_OBJECT_BYTES)];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) ((i * MIX) >>> 56);
        }
        return body;
    }

    /** A message with a number of its own. */
    static ObjectMessage of(long number, byte[] body) {
        return new ObjectMessage(number, number * MIX, body);
    }

    /**
     * What receivers compare.
     *
     * @param whole whether all of the body is summed up, not only its ends
     */
    long sum(boolean whole) {
        if (whole) {
            return number + check + Arrays.hashCode(body);
        }
        return body.length == 0
                ? number + check
                : number + check + 31L * body.length + body[0] + 7L * body[body.length - 1];
    }

    @Override
    public MessageType<ObjectMessage> type() {
        return TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeLong(number);
        out.writeLong(check);
        if (body.length > 0) {
            out.writeBytes(body);
        }
    }

    private static ObjectMessage read(Importer in) {
        return new ObjectMessage(
                in.readLong(), in.readLong(), in.remaining() == 0 ? new byte[0] : in.readBytes());
    }
}
