package org.starling.graph;

/**
 * A stream of messages from vertex to vertex that are not combined: each is a record of the fields
 * of a {@link RecordLayout}, and its receiver sees all that came, one by one.
 *
 * <p>What is sent in one superstep is received in the next one, and wakes its receiver up. The
 * order in which a vertex sees its messages depends on nothing but the program and the graph: by
 * the sender's ordinal, and those of one sender in the order in which it sent them.
 *
 * <p>Messages take memory until they have been received, beside their fields an ordinal of each end
 * and 12 bytes more. A run fails when those that wait do not fit into what a peer has left.
 */
public interface RecordChannel extends MessageChannel {
    /**
     * Begins a message; all its fields are 0.
     *
     * @param sender ordinal of who sends it, a vertex of the shard being computed
     * @return the message; valid until the next one begins
     */
    RecordMessage message(long sender);

    /**
     * All messages that {@code ordinal} received; valid until it is asked for again.
     *
     * @param ordinal a vertex of the shard being computed
     */
    RecordCursor received(long ordinal);

    /** Begins a message of {@code v}. */
    default RecordMessage message(Vertex v) {
        return message(v.ordinal());
    }

    /** All messages that {@code v} received; valid until it is asked for again. */
    default RecordCursor received(Vertex v) {
        return received(v.ordinal());
    }
}
