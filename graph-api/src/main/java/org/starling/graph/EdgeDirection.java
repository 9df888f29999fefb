package org.starling.graph;

/**
 * Which way broadcasts of a channel go along edges. In an undirected graph every edge leads both
 * ways, and there is no difference.
 */
public enum EdgeDirection {
    /** From an edge's source to its target. */
    OUTGOING,
    /** From an edge's target to its source. */
    INCOMING,
    /**
     * Both: to all neighbours, whichever way the edge leads. A neighbour to which edges lead both
     * ways gets a broadcast twice.
     */
    BOTH
}
