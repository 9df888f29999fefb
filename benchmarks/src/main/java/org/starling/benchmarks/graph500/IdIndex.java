package org.starling.benchmarks.graph500;

import java.util.Arrays;
import org.starling.graph.IntMirror;

/**
 * From the generator's vertex numbers to ordinals: the inverse of a mirror of ids. Immutable; takes
 * 4 bytes a vertex on each node.
 */
final class IdIndex {

    /** What {@link #hole} answers when there is none. */
    static final long NO_HOLE = -1;

    private static final int NONE = -1;

    private final int[] ordinals;
    private final long hole;

    /**
     * Inverts.
     *
     * @param ids id of each vertex, by ordinal
     * @param vertices number of vertices, fewer than 2³¹
     */
    IdIndex(IntMirror ids, long vertices) {
        int[] found = new int[Math.toIntExact(vertices)];
        Arrays.fill(found, NONE);
        long wrong = NO_HOLE;
        for (int ordinal = 0; ordinal < found.length; ordinal++) {
            int id = ids.read(ordinal);
            if (id < 0 || id >= found.length || found[id] != NONE) {
                wrong = ordinal;
            } else {
                found[id] = ordinal;
            }
        }
        ordinals = found;
        hole = wrong;
    }

    /** A vertex whose id is not one of the generator's, or another's; {@link #NO_HOLE} if none. */
    long hole() {
        return hole;
    }

    /** Ordinal of an id, if there is no hole. */
    long ordinal(long id) {
        return ordinals[(int) id];
    }
}
