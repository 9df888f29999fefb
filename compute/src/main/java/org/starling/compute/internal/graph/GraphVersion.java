package org.starling.compute.internal.graph;

/**
 * What belongs to a version of a graph, beside its descriptor, that a program has made by changes
 * of the topology. Its chunks were made under a number, as those of a checkpoint.
 *
 * @param number the number
 * @param superstep the superstep from which it holds
 * @param firstAdded ordinal of the first vertex that is new in it; the number of ordinals if none
 * @param gone how many ordinals lead to nobody
 * @param goneChunk chunk that says which: index and bits of each word that has one; 0 if none does
 */
public record GraphVersion(long number, int superstep, long firstAdded, long gone, long goneChunk) {
    /** Not a version: the graph as it was built. */
    public static final GraphVersion NONE = new GraphVersion(0, 0, 0, 0, 0);

    /** Whether there is one. */
    public boolean exists() {
        return number != 0;
    }
}
