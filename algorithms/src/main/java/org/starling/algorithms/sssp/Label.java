package org.starling.algorithms.sssp;

/**
 * What a search knows of a vertex, in one word: the length of the best path found so far, and on
 * such paths the smallest vertex before it.
 *
 * <pre>
 *   +-------------------------------+-------------------------+
 *   | distance: bits of the float   | parent: ordinal or none |
 *   +-------------------------------+-------------------------+
 * </pre>
 *
 * <p>Distances are not negative, so that words are ordered as pairs are: less is shorter, or as
 * long with a smaller parent. Taking the smaller of two is therefore all that workers and nodes do
 * with them, in any order. {@link #NO_PARENT} is the largest of all parents.
 */
final class Label {
    /** Stands for no parent. */
    static final int NO_PARENT = -1;

    /** No path is known. */
    static final long UNREACHED = of(Float.POSITIVE_INFINITY, NO_PARENT);

    private Label() {}

    /** The word for a distance and a parent's ordinal. */
    static long of(float distance, int parent) {
        return (long) Float.floatToRawIntBits(distance) << Integer.SIZE
                | Integer.toUnsignedLong(parent);
    }

    /**
     * The word for a path over {@code parent}, whose own distance is {@code before}. Where the last
     * edge vanishes in rounding (or weighs nothing), the parent is left open: such edges can form
     * cycles, so parents along them are chosen when everything else is known.
     */
    static long over(int parent, float before, float distance) {
        return of(distance, distance > before ? parent : NO_PARENT);
    }

    /** Length of the path; infinite if none is known. */
    static float distance(long label) {
        return Float.intBitsToFloat((int) (label >>> Integer.SIZE));
    }

    /** Ordinal of the parent, or {@link #NO_PARENT}. */
    static int parent(long label) {
        return (int) label;
    }
}
