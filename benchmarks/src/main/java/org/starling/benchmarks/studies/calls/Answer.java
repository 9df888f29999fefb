package org.starling.benchmarks.studies.calls;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starling.net.Exporter;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * A number and a vector on their way back.
 *
 * @param vector not copied, so its maker lets go of it
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below
record Answer(long number, long[] vector) implements Message {
    /** On the wire of our own messages. */
    static final MessageType<Answer> TYPE =
            new MessageType<>(
                    31_002, "answer", in -> new Answer(in.readCompactLong(), in.readLongs()));

    /** A number alone. */
    static Answer of(long number) {
        return new Answer(number, new long[0]);
    }

    /** A vector alone. */
    static Answer of(long[] vector) {
        return new Answer(0, vector);
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
        return "%d and %d numbers with hash %x"
                .formatted(number, vector.length, Arrays.hashCode(vector));
    }
}
