package org.starling.benchmarks.studies.adjacency;

import java.util.stream.IntStream;

/** All rows of a graph in blocks of about as many neighbours, which all cores share. */
final class RowBlocks {
    private static final int BLOCKS_PER_CORE = 64;

    private final int[] firsts;

    /** Does something with a block of rows and gives a number. */
    @FunctionalInterface
    interface BlockSum {
        long of(int block, int first, int end);
    }

    /** The blocks of plain rows. */
    RowBlocks(CodedRows plain) {
        int blocks = Runtime.getRuntime().availableProcessors() * BLOCKS_PER_CORE;
        this.firsts = new int[blocks + 1];
        int vertex = 0;
        for (int block = 0; block < blocks; block++) {
            while (vertex < plain.vertices()
                    && plain.edgesBefore(vertex) * blocks < plain.edges() * block) {
                vertex++;
            }
            firsts[block] = vertex;
        }
        firsts[blocks] = plain.vertices();
        firsts[0] = 0;
    }

    /** Number of blocks. */
    int count() {
        return firsts.length - 1;
    }

    /** Adds up the numbers of all blocks. */
    long sum(BlockSum blockSum) {
        return IntStream.range(0, count())
                .parallel()
                .mapToLong(block -> blockSum.of(block, firsts[block], firsts[block + 1]))
                .sum();
    }
}
