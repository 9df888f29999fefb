package org.starling.benchmarks.studies;

import org.starling.net.NativeMemory;

/**
 * A way to write an ascending row of unsigned 32-bit neighbours. A row without neighbours takes no
 * bytes. Stateless.
 *
 * <p>The passes over many rows are written out in every coding, so that each is a loop of its own
 * to the compiler, as a kernel of the engine is: when two codings shared theirs, scans took up to
 * 1.3 times as long. Reading may touch {@link #GUARD_BYTES} behind a row.
 */
interface RowCoding {
    /** Readable bytes that must follow the last row. */
    int GUARD_BYTES = 8;

    /** What people call it. */
    String name();

    /**
     * Bytes of a row.
     *
     * @param targets address of its neighbours, 4 bytes each
     */
    long bytes(long targets, int degree);

    /** Writes a row to an address; returns the address behind it. */
    long write(long targets, int degree, long to);

    /**
     * Reads a row.
     *
     * @param into takes the neighbours
     * @return how many there are
     */
    int read(long at, long end, int[] into);

    /**
     * Adds up the values of each row's neighbours, in the order of the row.
     *
     * @param values address of a double for each vertex
     * @return sum of the bits of the rows' sums: the same in any order of rows
     */
    long sums(CodedRows rows, int first, int end, long values);

    /**
     * Looks for the first neighbour in a set, for each vertex that is not in it itself.
     *
     * @param bits address of a bit for each vertex
     * @return sum of what was found
     */
    long parents(CodedRows rows, int first, int end, long bits);

    /** The value of a vertex. */
    static double value(long values, long vertex) {
        return NativeMemory.getDouble(values + vertex * Double.BYTES);
    }

    /** Whether a vertex is in a set. */
    static boolean isIn(long bits, long vertex) {
        return (NativeMemory.getLong(bits + (vertex >>> 6 << 3)) >>> vertex & 1) != 0;
    }
}
