package org.starling.graph;

/**
 * A stream of {@code double} messages from vertex to vertex, combined on the way by a {@link
 * DoubleCombiner}.
 *
 * <p>What is sent in one superstep is received in the next one, and wakes its receiver up.
 */
public interface DoubleChannel extends MessageChannel {
    /**
     * Sends {@code value} to one vertex.
     *
     * @param target ordinal of the receiver
     * @throws JobFailedException if no vertex has that ordinal
     */
    void send(long target, double value);

    /**
     * Sends {@code value} to all neighbours of a vertex. The engine decides superstep by superstep
     * whether to push it along the edges or to let the receivers pull it. At most one broadcast per
     * vertex, channel and superstep; a later one replaces it.
     *
     * @param ordinal the sender, a vertex of the shard being computed
     */
    void broadcast(long ordinal, double value);

    /**
     * Combined value of all messages that {@code ordinal} received; the combiner's identity if
     * there was none.
     */
    double received(long ordinal);

    /** Sends {@code value} to all neighbours of {@code v}. */
    default void broadcast(Vertex v, double value) {
        broadcast(v.ordinal(), value);
    }

    /**
     * Combined value of all messages that {@code v} received; the combiner's identity if there was
     * none.
     */
    default double received(Vertex v) {
        return received(v.ordinal());
    }
}
