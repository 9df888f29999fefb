package org.starling.graph;

/** A stream of messages from vertex to vertex, as its receivers see it. */
public interface MessageChannel {
    /** True if {@code ordinal} received at least one message on this channel. */
    boolean hasReceived(long ordinal);

    /**
     * Smallest ordinal from {@code from} on, within the shard being computed, that received at
     * least one message on this channel; -1 if there is none. Costs a look at each 64 vertices.
     */
    long nextReceiver(long from);

    /** True if {@code v} received at least one message on this channel. */
    default boolean hasReceived(Vertex v) {
        return hasReceived(v.ordinal());
    }
}
