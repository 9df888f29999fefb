package org.starling.benchmarks.net;

import org.starling.net.Exporter;
import org.starling.net.MessageType;
import org.starling.net.Request;

/** Asks a node what came from the one that asks, since it asked last. */
record TallyQuestion() implements Request<TallyAnswer> {
    static final MessageType<TallyQuestion> TYPE =
            new MessageType<>(3, "tally question", in -> new TallyQuestion());

    @Override
    public MessageType<TallyQuestion> type() {
        return TYPE;
    }

    @Override
    public MessageType<TallyAnswer> responseType() {
        return TallyAnswer.TYPE;
    }

    @Override
    public void write(Exporter out) {
        // it has no fields
    }
}
