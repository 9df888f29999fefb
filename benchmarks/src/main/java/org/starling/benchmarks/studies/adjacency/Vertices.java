package org.starling.benchmarks.studies.adjacency;

import org.starling.net.NativeMemory;

/** What the passes look up for a vertex. Stateless. */
final class Vertices {
    private Vertices() {}

    static double value(long values, long vertex) {
        return NativeMemory.getDouble(values + vertex * Double.BYTES);
    }

    static boolean isIn(long bits, long vertex) {
        return (NativeMemory.getLong(bits + (vertex >>> 6 << 3)) >>> vertex & 1) != 0;
    }
}
