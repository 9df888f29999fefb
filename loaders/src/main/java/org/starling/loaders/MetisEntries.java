package org.starling.loaders;

/** Takes what stands in the lines of a METIS file. Confined to one thread. */
interface MetisEntries {

    /**
     * A neighbour in the line of a vertex.
     *
     * @param vertex whose line it is, from 1
     * @param neighbour 1 ≤ {@code neighbour} ≤ number of vertices
     * @param weight greater than 0; 1 if edges have none
     */
    void entry(long vertex, long neighbour, float weight);
}
