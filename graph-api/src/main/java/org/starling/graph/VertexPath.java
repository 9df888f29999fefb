package org.starling.graph;

import java.util.List;

/**
 * What a search for a path has found.
 *
 * @param ids of its vertices, both ends included; empty if none was found
 * @param complete true if all was searched that needed to be: then there is no path if none was
 *     found; false if the search ended at a bound
 * @param visited vertices that it came to, from both ends together
 */
public record VertexPath(List<Long> ids, boolean complete, long visited) {
    /** Copies the list. */
    public VertexPath {
        ids = List.copyOf(ids);
    }

    /** Whether there is one. */
    public boolean isFound() {
        return !ids.isEmpty();
    }

    /** Number of its edges; -1 if there is none. */
    public int length() {
        return ids.size() - 1;
    }
}
