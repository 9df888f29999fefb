package org.starling.graph;

/**
 * A stream of {@code long} messages from vertex to vertex, combined on the way by a {@link
 * LongCombiner}.
 *
 * <p>What is sent in one superstep is received in the next one, and wakes its receiver up.
 */
public interface LongChannel extends MessageChannel {
    /**
     * Sends {@code value} to one vertex.
     *
     * @param target ordinal of the receiver
     * @throws JobFailedException if no vertex has that ordinal
     */
    void send(long target, long value);

    /**
     * Sends {@code value} to all neighbours of a vertex. The engine decides superstep by superstep
     * whether to push it along the edges or to let the receivers pull it. At most one broadcast per
     * vertex, channel and superstep; a later one replaces it.
     *
     * @param ordinal the sender, a vertex of the shard being computed
     */
    void broadcast(long ordinal, long value);

    /**
     * Combined value of all messages that {@code ordinal} received; the combiner's identity if
     * there was none.
     */
    long received(long ordinal);

    /** Sends {@code value} to all neighbours of {@code v}. */
    default void broadcast(Vertex v, long value) {
        broadcast(v.ordinal(), value);
    }

    /**
     * Combined value of all messages that {@code v} received; the combiner's identity if there was
     * none.
     */
    default long received(Vertex v) {
        return received(v.ordinal());
    }
}
