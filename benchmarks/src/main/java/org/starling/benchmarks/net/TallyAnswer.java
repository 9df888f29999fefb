package org.starling.benchmarks.net;

import org.starling.net.Exporter;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * What came.
 *
 * @param tally since the last question
 */
record TallyAnswer(Tally tally) implements Message {
    static final MessageType<TallyAnswer> TYPE =
            new MessageType<>(
                    4,
                    "tally answer",
                    in -> new TallyAnswer(new Tally(in.readLong(), in.readLong())));

    @Override
    public MessageType<TallyAnswer> type() {
        return TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeLong(tally.messages());
        out.writeLong(tally.sum());
    }
}
