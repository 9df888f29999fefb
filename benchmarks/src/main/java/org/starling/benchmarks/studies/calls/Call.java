package org.starling.benchmarks.studies.calls;

import org.starling.net.Exporter;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * Two numbers and a vector on their way to a server.
 *
 * @param pattern what is asked
 * @param vector not copied, so its maker lets go of it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Call(CallPattern pattern, long first, long second, long[] vector)
        implements Request<Answer> {
    /** On the wire of our own messages. */
    static final MessageType<Call> TYPE =
            new MessageType<>(
                    31_001,
                    "call",
                    in ->
                            new Call(
                                    CallPattern.of(in.readByte()),
                                    in.readCompactLong(),
                                    in.readCompactLong(),
                                    in.readLongs()));

    @Override
    public MessageType<Call> type() {
        return TYPE;
    }

    @Override
    public MessageType<Answer> responseType() {
        return Answer.TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeByte((byte) pattern.ordinal());
        out.writeCompactLong(first);
        out.writeCompactLong(second);
        out.writeLongs(vector);
    }
}
