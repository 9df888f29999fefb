package org.starling.graph;

/** The workers of one node in the second half of a superstep, as one of them sees it. */
public interface Team {
    /** Number of workers; each of them is in {@link TeamProgram#together} now, or comes to it. */
    int size();

    /** Number of the current superstep, from 0. */
    int superstep();

    /** Rows of all vertices of this node (outgoing edges). */
    Adjacency adjacency();

    /**
     * Ends the caller if the job was cancelled or another worker has failed. Who waits for others
     * or works for long calls it now and then.
     *
     * @throws JobCancelledException if so
     */
    void check();
}
