package org.starling.graph;

import org.starling.graph.RecordLayout.DoubleField;
import org.starling.graph.RecordLayout.FloatField;
import org.starling.graph.RecordLayout.IntField;
import org.starling.graph.RecordLayout.LongField;

/**
 * A cursor over the messages that one vertex received on a {@link RecordChannel}: by their sender's
 * ordinal, then in the order of sending. It stands before the first message until {@link #next()}
 * is called.
 */
public interface RecordCursor {
    /** Moves to the next message; false when there is none. */
    boolean next();

    /** Number of messages, those that have been passed included. */
    int count();

    /** Ordinal of who sent the message. */
    long sender();

    /** Value of a field. */
    int get(IntField field);

    /** Value of a field. */
    long get(LongField field);

    /** Value of a field. */
    float get(FloatField field);

    /** Value of a field. */
    double get(DoubleField field);
}
