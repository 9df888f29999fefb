package org.starling.benchmarks.studies.calls;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starling.net.Exporter;
import org.starling.net.Message;
import org.starling.net.MessageType;

/** A number and a vector on their way back. Immutable, if its maker lets go of the array. */
public final class Answer implements Message {

    /** On the wire of our own messages. */
    public static final MessageType<Answer> TYPE =
            new MessageType<>(
                    31_002, "answer", in -> new Answer(in.readCompactLong(), in.readLongs()));

    private static final long[] NONE = {};

    private final long number;
    private final long[] vector;

    /** An answer with a vector, which is not copied. */
    public Answer(long number, long[] vector) {
        this.number = number;
        this.vector = vector;
    }

    /** A number alone. */
    public static Answer of(long number) {
        return new Answer(number, NONE);
    }

    /** A vector alone. */
    public static Answer of(long[] vector) {
        return new Answer(0, vector);
    }

    /** The number. */
    public long number() {
        return number;
    }

    /** The vector itself; to be read only. */
    public long[] vector() {
        return vector;
    }

    @Override
    public MessageType<Answer> type() {
        return TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeCompactLong(number);
        out.writeLongs(vector);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Answer answer
                && answer.number == number
                && Arrays.equals(answer.vector, vector);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(number) + Arrays.hashCode(vector);
    }

    /** Short, whatever the length of the vector. */
    @Override
    public String toString() {
        return vector.length <= 8
                ? number + " " + Arrays.toString(vector)
                : "%d and %d numbers from %d to %d"
                        .formatted(number, vector.length, vector[0], vector[vector.length - 1]);
    }
}
