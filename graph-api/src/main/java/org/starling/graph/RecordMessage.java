package org.starling.graph;

import org.starling.graph.RecordLayout.DoubleField;
import org.starling.graph.RecordLayout.FloatField;
import org.starling.graph.RecordLayout.IntField;
import org.starling.graph.RecordLayout.LongField;

/**
 * A message of a {@link RecordChannel} that is being written. It may be sent more than once, and be
 * changed between: each receiver gets what stood in it then.
 */
public interface RecordMessage {
    /** Sets a field. */
    RecordMessage set(IntField field, int value);

    /** Sets a field. */
    RecordMessage set(LongField field, long value);

    /** Sets a field. */
    RecordMessage set(FloatField field, float value);

    /** Sets a field. */
    RecordMessage set(DoubleField field, double value);

    /**
     * Sends it to one vertex.
     *
     * @param target ordinal of the receiver
     * @throws JobFailedException if no vertex has that ordinal
     */
    void send(long target);

    /** Sends it along all (outgoing) edges of its sender. */
    void sendToNeighbours();
}
