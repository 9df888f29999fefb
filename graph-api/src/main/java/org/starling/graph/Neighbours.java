package org.starling.graph;

import java.util.List;

/**
 * Some neighbours of a vertex.
 *
 * @param count how many there are in all
 * @param offset how many were left out
 * @param ids of the next ones
 * @param weights of the edges to them; empty in a graph without weights
 */
public record Neighbours(long count, long offset, List<Long> ids, List<Float> weights) {
    /** Copies the lists. */
    public Neighbours {
        ids = List.copyOf(ids);
        weights = List.copyOf(weights);
    }
}
