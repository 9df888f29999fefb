package org.starling.graph;

/**
 * A stream of messages that carry nothing but their sender: "vertex u calls you".
 *
 * <p>When several vertices call, the one with the smallest ordinal is received, whatever the number
 * of peers and threads; since rows are ascending, the engine can stop looking after the first
 * caller it finds.
 */
public interface VertexChannel extends MessageChannel {
    /** What {@link #received} answers when nobody called. */
    long NONE = -1;

    /**
     * Lets {@code sender} call one vertex.
     *
     * @param target ordinal of the receiver
     * @param sender ordinal of the caller
     * @throws JobFailedException if no vertex has the target's ordinal
     */
    void send(long target, long sender);

    /**
     * Lets a vertex call all its neighbours.
     *
     * @param ordinal the sender, a vertex of the shard being computed
     */
    void broadcast(long ordinal);

    /** Smallest ordinal among those who called {@code ordinal}, or {@link #NONE}. */
    long received(long ordinal);

    /** Lets {@code v} call all its neighbours. */
    default void broadcast(Vertex v) {
        broadcast(v.ordinal());
    }

    /** Smallest ordinal among those who called {@code v}, or {@link #NONE}. */
    default long received(Vertex v) {
        return received(v.ordinal());
    }
}
