package org.starling.benchmarks.net;

import org.starling.net.Exporter;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * A {@link SampleMessage} that is sent back.
 *
 * @param number of the message
 * @param check made from the number
 * @param body the rest; neither changed nor compared
 */
@SuppressWarnings("ArrayRecordComponent") // compared by the sum of its answer alone
record SampleRequest(long number, long check, byte[] body) implements Request<SampleMessage> {
    static final MessageType<SampleRequest> TYPE =
            new MessageType<>(
                    2,
                    "sample request",
                    in ->
                            new SampleRequest(
                                    in.readLong(), in.readLong(), SampleMessage.readBody(in)));

    @Override
    public MessageType<SampleRequest> type() {
        return TYPE;
    }

    @Override
    public MessageType<SampleMessage> responseType() {
        return SampleMessage.TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeLong(number);
        out.writeLong(check);
        SampleMessage.writeBody(out, body);
    }

    /** The answer. */
    SampleMessage back() {
        return new SampleMessage(number, check, body);
    }
}
