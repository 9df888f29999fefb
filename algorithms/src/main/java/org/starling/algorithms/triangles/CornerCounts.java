package org.starling.algorithms.triangles;

/**
 * What a worker has counted at the corners of triangles, by rank; on its way to the corners'
 * owners. Costs 8 bytes per vertex. Confined to one worker.
 */
final class CornerCounts {
    private final long[] counts;

    CornerCounts(int vertices) {
        this.counts = new long[vertices];
    }

    /** The counts themselves, for kernels to add to. */
    long[] byRank() {
        return counts;
    }

    /** Hands out all counts that are not 0 and sets them to 0. */
    void drain(CountSink sink) {
        for (int rank = 0; rank < counts.length; rank++) {
            if (counts[rank] != 0) {
                sink.count(rank, counts[rank]);
                counts[rank] = 0;
            }
        }
    }

    /** Takes counts. */
    @FunctionalInterface
    interface CountSink {
        /** So much at the vertex of this rank. */
        void count(int rank, long count);
    }
}
