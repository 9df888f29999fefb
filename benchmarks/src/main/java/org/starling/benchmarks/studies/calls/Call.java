package org.starling.benchmarks.studies.calls;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * Two numbers and a vector on their way to a service. Immutable, if its maker lets go of the array.
 */
public final class Call implements Request<Answer> {

    /** On the wire of our own messages. */
    public static final MessageType<Call> TYPE = new MessageType<>(31_001, "call", Call::read);

    private static final long[] NONE = {};

    private final CallPattern pattern;
    private final long first;
    private final long second;
    private final long[] vector;

    /** A call with a vector, which is not copied. */
    public Call(CallPattern pattern, long first, long second, long[] vector) {
        this.pattern = pattern;
        this.first = first;
        this.second = second;
        this.vector = vector;
    }

    /** A call with an empty vector. */
    public Call(CallPattern pattern, long first, long second) {
        this(pattern, first, second, NONE);
    }

    /** What is asked. */
    public CallPattern pattern() {
        return pattern;
    }

    /** The first number. */
    public long first() {
        return first;
    }

    /** The second number. */
    public long second() {
        return second;
    }

    /** The vector itself; to be read only. */
    public long[] vector() {
        return vector;
    }

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
        out.writeByte((byte) pattern.code());
        out.writeCompactLong(first);
        out.writeCompactLong(second);
        out.writeLongs(vector);
    }

    private static Call read(Importer in) {
        return new Call(
                CallPattern.of(in.readByte()),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readLongs());
    }
}
