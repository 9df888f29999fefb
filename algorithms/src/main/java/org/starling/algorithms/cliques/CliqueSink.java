package org.starling.algorithms.cliques;

/** Takes maximal cliques, one by one, on the thread that finds them. */
interface CliqueSink {
    /**
     * A maximal clique.
     *
     * @param members ranks of its vertices, the first {@code size} elements; in no order, and
     *     overwritten after the call
     * @param size number of its vertices, at least 1
     */
    void clique(int[] members, int size);
}
